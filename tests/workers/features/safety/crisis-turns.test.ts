import { abortAllDurableObjects, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { getHelplines } from '../../../../src/features/safety/helplines.ts';
import { ConversationClient, startConversationClient } from '../../../support/conversation-client.ts';
import {
  getLastEvent,
  EventReader,
  type ReceivedEvent,
  summarizeKinds,
  joinDeltas,
} from '../../../support/event-reader.ts';
import { downloadDocument } from '../../../support/data-export.ts';
import {
  getConversationStub,
  signInGuest,
  createTurnId,
  getPoints,
  rejoinReply,
  setPoints,
} from '../../../support/factories.ts';
import { createScene } from '../../../support/scripted-model.ts';

/** A message outside any story from a user who needs help. */
const IN_NEED = 'I want to kill myself.';

const postFrom = (
  chat: ConversationClient,
  content: string,
  headers: Record<string, string> = {},
  turnId = createTurnId(),
) => chat.call('/messages', { json: { content, client_message_id: turnId }, headers });

async function readCrisisEvents(
  chat: ConversationClient,
  headers: Record<string, string>,
): Promise<ReceivedEvent[]> {
  return (await EventReader.fromResponse(await postFrom(chat, IN_NEED, headers))).readRest();
}

/** Moves to a day on which no other test counts referrals. @returns its number */
function useUniqueDay(): number {
  // Alarms cannot be set after 2189.
  const day = 33_000 + Math.floor(Math.random() * 40_000);
  vi.useFakeTimers({ toFake: ['Date'], now: day * 86_400_000 + 3_600_000 });
  return day;
}

/** Reads everything that is stored about the referrals of a day. */
async function listReferrals(day: number): Promise<unknown[]> {
  const { results } = await env.DB.prepare('select * from crisis_days where day = ?').bind(day).all();
  return results;
}

/** Counts the referrals of a conversation that are not yet in the statistics. */
const countPendingReferrals = (chat: ConversationClient) =>
  runInDurableObject(
    getConversationStub(chat.id),
    (_, { storage }) =>
      storage.sql.exec<{ count: number }>('select count(*) as count from referrals where day > 0').one()
        .count,
  );

afterEach(() => vi.useRealTimers());

describe('Crisis messages', () => {
  test('a crisis message shows help before the reply starts, and the reply is written', async () => {
    const chat = await startConversationClient(await signInGuest());
    const events = await chat.send(IN_NEED);
    expect(summarizeKinds(events)).toEqual(['accepted', 'safety', 'delta', 'done']);
    const [accepted, safety] = events;
    expect(safety?.data).toEqual({ kind: 'crisis', helplines: getHelplines(null, 'en') });
    expect(safety?.data.helplines?.length).toBeGreaterThan(0);
    expect(accepted?.data.user_message).toMatchObject({ content: IN_NEED, safety: safety?.data });
    const [, userMessage, reply] = await chat.messages();
    expect(userMessage).toEqual(accepted?.data.user_message);
    expect(reply).toMatchObject({ content: joinDeltas(events), status: 'complete' });
    expect(reply).not.toHaveProperty('safety');
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 49 });
  });

  test("the help is for the user's country, in the language of the account or browser", async () => {
    const me = await signInGuest();
    const readHelplines = async (headers: Record<string, string>) =>
      (await readCrisisEvents(await startConversationClient(me), headers))[1]?.data.helplines;
    expect(await readHelplines({ 'cf-ipcountry': 'DE' })).toEqual(getHelplines('DE', 'en'));
    expect(await readHelplines({ 'cf-ipcountry': 'jp', cookie: `${me.cookie}; lang=ja` })).toEqual(
      getHelplines('JP', 'ja'),
    );
    for (const country of ['XX', 'T1', '', 'Germany', '<b>'])
      expect(await readHelplines({ 'cf-ipcountry': country, cookie: `${me.cookie}; lang=pl` })).toEqual(
        getHelplines(null, 'pl'),
      );
    await me.ask('/api/account', { method: 'PATCH', json: { language: 'fr' } });
    expect(await readHelplines({ cookie: `${me.cookie}; lang=pl` })).toEqual(getHelplines(null, 'fr'));
  });

  test('the crisis help stays with the message on every later visit and through trash and restore', async () => {
    const chat = await startConversationClient(await signInGuest());
    await EventReader.fromResponse(await postFrom(chat, IN_NEED, { 'cf-ipcountry': 'DE' })).then((reader) =>
      reader.readRest(),
    );
    const help = { kind: 'crisis', helplines: getHelplines('DE', 'en') };
    await abortAllDurableObjects();
    const pageAbroad = await chat.me.call(`/api/conversations/${chat.id}`, {
      headers: { 'cf-ipcountry': 'FR' },
    });
    const { messages } = await pageAbroad.json<{ messages: { id: string; safety?: unknown }[] }>();
    expect(messages[1]).toMatchObject({ safety: help });
    const trashed = await chat.discard(messages[1]?.id as string);
    await chat.restore(trashed.id);
    expect((await chat.messages())[1]).toMatchObject({ safety: help });
  });

  test('a reader gets the crisis help once, live or after resuming at any event', async () => {
    const chat = await startConversationClient(await signInGuest());
    const turnId = createTurnId();
    const events = await chat.send(`${IN_NEED} ${createScene('tokens n=20 ms=1').marker}`, { turnId });
    const numbers = events.map(({ id }) => Number(id.split(':')[1]));
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
    for (const [index, received] of events.entries()) {
      const rest = await chat.send('again', { turnId, lastEventId: received.id });
      const all = [...events.slice(0, index + 1), ...rest];
      expect(joinDeltas(all)).toBe(joinDeltas(events));
      expect(all.filter(({ event }) => event === 'safety')).toHaveLength(1);
      expect(all.filter(({ event }) => event === 'accepted')).toHaveLength(1);
    }
    expect(summarizeKinds(await chat.send('again', { turnId }))).toEqual([
      'accepted',
      'safety',
      'delta',
      'done',
    ]);
  });

  test('a second device that joins during the reply gets the crisis help', async () => {
    const chat = await startConversationClient(await signInGuest());
    const gate = createScene('gate n=4');
    const first = await EventReader.fromResponse(await postFrom(chat, `${IN_NEED} ${gate.marker}`));
    await gate.reached();
    const other = await rejoinReply(chat.me, chat.id);
    await gate.open();
    const [mine, theirs] = await Promise.all([first.readRest(), other.readRest()]);
    expect(summarizeKinds(theirs)).toEqual(['accepted', 'safety', 'delta', 'done']);
    expect(joinDeltas(theirs)).toBe(joinDeltas(mine));
  });

  test('the model is told to leave the story for the crisis turn, its regeneration and the next replies @all', async () => {
    const chat = await startConversationClient(await signInGuest());
    const scene = createScene('tokens n=3');
    const readPrompt = async (events: ReceivedEvent[]) => {
      expect(getLastEvent(events).event).toBe('done');
      return scene.getPrompt();
    };
    const leaveStory = /Leave the story where it is and do not play along/;
    const { marker } = scene;
    expect(await readPrompt(await chat.send(`Hello. ${marker}`))).not.toMatch(leaveStory);
    const prompt = await readPrompt(await chat.send(`${IN_NEED} ${marker}`));
    expect(prompt).toMatch(leaveStory);
    // After all other safety rules, so that no later rule overrides it.
    expect(prompt.search(leaveStory)).toBeGreaterThan(prompt.indexOf('# Safety'));
    const reply = (await chat.messages()).at(-1);
    expect(await readPrompt(await chat.regenerate(reply?.id as string))).toMatch(leaveStory);
    for (const next of ['Ok, yes I mean it. I have them here.', 'Yes.', 'Now.', 'I do not know.'])
      expect(await readPrompt(await chat.send(`${next} ${marker}`)), next).toMatch(leaveStory);
    expect(await readPrompt(await chat.send(`Thank you. ${marker}`))).not.toMatch(leaveStory);
  });

  test('a crisis referral is counted once by day and kind, however often the turn is requested', async () => {
    const day = useUniqueDay();
    const chat = await startConversationClient(await signInGuest());
    const turnId = createTurnId();
    for (let times = 0; times < 3; times += 1) await chat.send(IN_NEED, { turnId });
    const [, userMessage, reply] = await chat.messages();
    await chat.regenerate(reply?.id as string);
    await chat.edit(userMessage?.id as string, `${IN_NEED} Today.`);
    await chat.edit(userMessage?.id as string, 'I am better now.');
    await chat.edit(userMessage?.id as string, IN_NEED);
    await vi.waitFor(async () => expect(await countPendingReferrals(chat)).toBe(0));
    expect(await listReferrals(day)).toEqual([{ day, kind: 'suicide', referrals: 1 }]);
    await chat.send(IN_NEED);
    await vi.waitFor(async () =>
      expect(await listReferrals(day)).toEqual([{ day, kind: 'suicide', referrals: 2 }]),
    );
  });

  test('a crisis referral is counted later when the database could not be reached at first', async () => {
    const day = useUniqueDay();
    const chat = await startConversationClient(await signInGuest());
    const trigger = `no_count_${day}`;
    await env.DB.exec(
      `create trigger ${trigger} before insert on crisis_days when new.day = ${day} begin select raise(abort, 'out of reach'); end`,
    );
    try {
      expect(summarizeKinds(await chat.send(IN_NEED))).toEqual(['accepted', 'safety', 'delta', 'done']);
      await vi.waitFor(async () => expect(await countPendingReferrals(chat)).toBe(1));
      expect(await listReferrals(day)).toEqual([]);
    } finally {
      await env.DB.exec(`drop trigger ${trigger}`);
    }
    await chat.send('I am still here.');
    await vi.waitFor(async () =>
      expect(await listReferrals(day)).toEqual([{ day, kind: 'suicide', referrals: 1 }]),
    );
  });

  test('editing a message adds or removes the crisis help with the selected version', async () => {
    const chat = await startConversationClient(await signInGuest());
    await chat.send('Hello.');
    const [opening, mine, reply] = await chat.messages();
    const help = { kind: 'crisis', helplines: getHelplines(null, 'en') };
    const edited = await chat.edit(mine?.id as string, IN_NEED);
    expect(edited).toMatchObject({ safety: help });
    expect(
      (await chat.select(mine?.id as string, mine?.selected_version_id as string)).safety,
    ).toBeUndefined();
    expect(await chat.select(mine?.id as string, edited.selected_version_id)).toMatchObject({ safety: help });
    // A character's text is never a crisis message of the user.
    for (const message of [opening, reply])
      expect((await chat.edit(message?.id as string, IN_NEED)).safety).toBeUndefined();
  });

  test('a branch copies the crisis help without counting it again, and the account export contains it', async () => {
    const day = useUniqueDay();
    const chat = await startConversationClient(await signInGuest());
    await EventReader.fromResponse(await postFrom(chat, IN_NEED, { 'cf-ipcountry': 'DE' })).then((reader) =>
      reader.readRest(),
    );
    const { chat: fork } = await chat.fork((await chat.ids()).at(-1) as string);
    expect((await fork.messages())[1]).toMatchObject({
      safety: { kind: 'crisis', helplines: getHelplines('DE', 'en') },
    });
    expect(await countPendingReferrals(fork)).toBe(0);
    await vi.waitFor(async () => expect(await listReferrals(day)).toMatchObject([{ referrals: 1 }]));
    const stored = { shown_help: { kind: 'suicide', country: 'DE', lang: 'en' } };
    expect(JSON.stringify(await downloadDocument(chat.me))).toContain(JSON.stringify(stored).slice(1, -1));
    expect(await (await chat.call('/export?format=jsonl')).text()).not.toContain('shown_help');
  });

  test('the crisis help is shown when the user has no points left', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    await setPoints(me, 0);
    const response = await postFrom(chat, IN_NEED, { 'cf-ipcountry': 'DE' });
    expect(response.status).toBe(402);
    expect(await response.json()).toMatchObject({
      code: 'points_exhausted',
      safety: { kind: 'crisis', helplines: getHelplines('DE', 'en') },
    });
    expect(await chat.messages()).toHaveLength(1);
  });

  test('a refused crisis message still counts as one referral, however often it is tried', async () => {
    const day = useUniqueDay();
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    const turnId = createTurnId();
    await setPoints(me, 0);
    for (let times = 0; times < 3; times += 1) {
      expect((await postFrom(chat, IN_NEED, {}, turnId)).status).toBe(402);
      await vi.waitFor(async () => expect(await listReferrals(day)).toMatchObject([{ referrals: 1 }]));
      await vi.waitFor(async () => expect(await countPendingReferrals(chat)).toBe(0));
    }
    await setPoints(me, 5);
    expect(summarizeKinds(await chat.send(IN_NEED, { turnId }))).toEqual([
      'accepted',
      'safety',
      'delta',
      'done',
    ]);
    await chat.send(`${IN_NEED} She is 15 years old. They have sex.`);
    await vi.waitFor(async () => expect(await countPendingReferrals(chat)).toBe(0));
    expect(await listReferrals(day)).toEqual([{ day, kind: 'suicide', referrals: 2 }]);
  });

  test('a message that is both a crisis and a violation shows help and the refusal', async () => {
    const chat = await startConversationClient(await signInGuest());
    const events = await chat.send(`${IN_NEED} She is 15 years old. They have sex.`);
    expect(events.map(({ event, data }) => [event, data.kind ?? data.code])).toEqual([
      ['safety', 'crisis'],
      ['safety', 'refused'],
      ['error', 'text_refused'],
    ]);
    expect(await chat.messages()).toHaveLength(1);
  });
});

describe('Crisis in the last message of a stored conversation', () => {
  const requestReply = async (chat: ConversationClient, turnId = createTurnId()) =>
    (
      await EventReader.fromResponse(
        await chat.call('/reply', { json: { client_message_id: turnId }, headers: { 'cf-ipcountry': 'DE' } }),
      )
    ).readRest();

  test('answering a stored crisis message shows help before the reply and counts once', async () => {
    const day = useUniqueDay();
    const chat = await startConversationClient(await signInGuest());
    const scene = createScene('tokens n=3');
    await chat.insertMessages('Hello.', 'Yes?', `${IN_NEED} ${scene.marker}`);
    const help = { kind: 'crisis', helplines: getHelplines('DE', 'en') };
    const turnId = createTurnId();
    const events = await requestReply(chat, turnId);
    expect(summarizeKinds(events)).toEqual(['accepted', 'safety', 'delta', 'done']);
    expect(events[0]?.data.user_message).toMatchObject({ safety: help });
    expect(events[1]?.data).toEqual(help);
    expect(await scene.getPrompt()).toContain('Leave the story where it is');
    expect(summarizeKinds(await requestReply(chat, turnId))).toEqual(['accepted', 'safety', 'delta', 'done']);
    const messages = await chat.messages();
    expect(messages.at(-2)).toMatchObject({ safety: help });
    expect(messages.at(-1)).toMatchObject({ status: 'complete', content: joinDeltas(events) });
    await chat.discard(messages.at(-1)?.id as string);
    // The help was shown before and stays with the message.
    expect(summarizeKinds(await requestReply(chat))).toEqual(['accepted', 'delta', 'done']);
    await vi.waitFor(async () => expect(await countPendingReferrals(chat)).toBe(0));
    expect(await listReferrals(day)).toEqual([{ day, kind: 'suicide', referrals: 1 }]);
  });

  test('answering a stored message without a crisis shows no help', async () => {
    const chat = await startConversationClient(await signInGuest());
    await chat.insertMessages('Hello.', 'Yes?', 'The dragon has to die.');
    const events = await requestReply(chat);
    expect(summarizeKinds(events)).toEqual(['accepted', 'delta', 'done']);
    expect(events[0]?.data).not.toHaveProperty('user_message');
  });
});

test.each(['suggestions', 'impersonate'])(
  'a /%s request after a crisis message avoids writing about harm',
  async (path) => {
    const chat = await startConversationClient(await signInGuest());
    const kind = path === 'suggestions' ? path : 'draft';
    const scene = createScene('tokens n=3');
    await chat.insertMessages(`Hello. ${scene.marker.replace('scenario:', `${kind}:`)}`, 'Yes?');
    const avoidHarm = /Write nothing in which .* hurts or kills anybody/;
    await chat.call(`/${path}`, { json: { client_message_id: createTurnId() } });
    expect(await scene.getPrompt()).not.toMatch(avoidHarm);
    await chat.send(IN_NEED);
    await chat.call(`/${path}`, { json: { client_message_id: createTurnId() } });
    expect(await scene.getPrompt()).toMatch(avoidHarm);
  },
);

test('dark events in a story do not trigger the help', async () => {
  const chat = await startConversationClient(await signInGuest());
  const events = await chat.send('*She draws her sword.* "Then the dragon has to die," she says.');
  expect(summarizeKinds(events)).toEqual(['accepted', 'delta', 'done']);
  expect(getLastEvent(events).event).toBe('done');
});
