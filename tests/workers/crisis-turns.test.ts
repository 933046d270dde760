import { abortAllDurableObjects, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { getHelplines } from '../../src/features/safety/helplines.ts';
import { ConversationClient, startConversationClient } from '../support/conversation-client.ts';
import {
  getLastEvent,
  EventReader,
  type ReceivedEvent,
  summarizeKinds,
  joinDeltas,
} from '../support/event-reader.ts';
import { downloadDocument } from '../support/data-export.ts';
import {
  getConversationStub,
  signInGuest,
  createTurnId,
  getPoints,
  rejoinReply,
  setPoints,
} from '../support/factories.ts';
import { createScene } from '../support/scripted-model.ts';

/** What somebody writes who needs help, out of every story. */
const IN_NEED = 'I want to kill myself.';

const sendFrom = (
  chat: ConversationClient,
  content: string,
  headers: Record<string, string> = {},
  turnId = createTurnId(),
) => chat.call('/messages', { json: { content, client_message_id: turnId }, headers });

async function toldFrom(chat: ConversationClient, headers: Record<string, string>): Promise<ReceivedEvent[]> {
  return (await EventReader.fromResponse(await sendFrom(chat, IN_NEED, headers))).readRest();
}

/** Goes to a day on which nobody else is counted. @returns its number */
function aDayOfItsOwn(): number {
  // Alarms know no day after 2189.
  const day = 33_000 + Math.floor(Math.random() * 40_000);
  vi.useFakeTimers({ toFake: ['Date'], now: day * 86_400_000 + 3_600_000 });
  return day;
}

/** What is counted of a day: all that is known of it. */
async function countedOn(day: number): Promise<unknown[]> {
  const { results } = await env.DB.prepare('select * from crisis_days where day = ?').bind(day).all();
  return results;
}

/** How many referrals of a conversation are still to be counted. */
const uncounted = (chat: ConversationClient) =>
  runInDurableObject(
    getConversationStub(chat.id),
    (_, { storage }) =>
      storage.sql.exec<{ count: number }>('select count(*) as count from referrals where day > 0').one()
        .count,
  );

afterEach(() => vi.useRealTimers());

describe('When I write that I want to end my life', () => {
  test('I am told where help is before the character says a word, and the conversation goes on', async () => {
    const chat = await startConversationClient(await signInGuest());
    const events = await chat.send(IN_NEED);
    expect(summarizeKinds(events)).toEqual(['accepted', 'safety', 'delta', 'done']);
    const [accepted, safety] = events;
    expect(safety?.data).toEqual({ kind: 'crisis', helplines: getHelplines(null, 'en') });
    expect(safety?.data.helplines?.length).toBeGreaterThan(0);
    expect(accepted?.data.user_message).toMatchObject({ content: IN_NEED, safety: safety?.data });
    const [, mine, reply] = await chat.messages();
    expect(mine).toEqual(accepted?.data.user_message);
    expect(reply).toMatchObject({ content: joinDeltas(events), status: 'complete' });
    expect(reply).not.toHaveProperty('safety');
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 49 });
  });

  test('it is the help of the country where I am, in the language of my account or my browser', async () => {
    const me = await signInGuest();
    const helpIn = async (headers: Record<string, string>) =>
      (await toldFrom(await startConversationClient(me), headers))[1]?.data.helplines;
    expect(await helpIn({ 'cf-ipcountry': 'DE' })).toEqual(getHelplines('DE', 'en'));
    expect(await helpIn({ 'cf-ipcountry': 'jp', cookie: `${me.cookie}; lang=ja` })).toEqual(
      getHelplines('JP', 'ja'),
    );
    for (const nowhere of ['XX', 'T1', '', 'Germany', '<b>'])
      expect(await helpIn({ 'cf-ipcountry': nowhere, cookie: `${me.cookie}; lang=pl` })).toEqual(
        getHelplines(null, 'pl'),
      );
    await me.ask('/api/account', { method: 'PATCH', json: { language: 'fr' } });
    expect(await helpIn({ cookie: `${me.cookie}; lang=pl` })).toEqual(getHelplines(null, 'fr'));
  });

  test('it stays with my message wherever I open the conversation, and goes with it', async () => {
    const chat = await startConversationClient(await signInGuest());
    await EventReader.fromResponse(await sendFrom(chat, IN_NEED, { 'cf-ipcountry': 'DE' })).then((reader) =>
      reader.readRest(),
    );
    const help = { kind: 'crisis', helplines: getHelplines('DE', 'en') };
    await abortAllDurableObjects();
    const elsewhere = await chat.me.call(`/api/conversations/${chat.id}`, {
      headers: { 'cf-ipcountry': 'FR' },
    });
    const { messages } = await elsewhere.json<{ messages: { id: string; safety?: unknown }[] }>();
    expect(messages[1]).toMatchObject({ safety: help });
    const trashed = await chat.discard(messages[1]?.id as string);
    await chat.restore(trashed.id);
    expect((await chat.messages())[1]).toMatchObject({ safety: help });
  });

  test('I am told once, live and when I come back, from wherever I left', async () => {
    const chat = await startConversationClient(await signInGuest());
    const turnId = createTurnId();
    const events = await chat.send(`${IN_NEED} ${createScene('tokens n=20 ms=1').marker}`, { turnId });
    const numbers = events.map(({ id }) => Number(id.split(':')[1]));
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
    for (const [index, seen] of events.entries()) {
      const rest = await chat.send('again', { turnId, lastEventId: seen.id });
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

  test('I am told on another device that joins while the reply is written', async () => {
    const chat = await startConversationClient(await signInGuest());
    const gate = createScene('gate n=4');
    const first = await EventReader.fromResponse(await sendFrom(chat, `${IN_NEED} ${gate.marker}`));
    await gate.reached();
    const other = await rejoinReply(chat.me, chat.id);
    await gate.open();
    const [mine, theirs] = await Promise.all([first.readRest(), other.readRest()]);
    expect(summarizeKinds(theirs)).toEqual(['accepted', 'safety', 'delta', 'done']);
    expect(joinDeltas(theirs)).toBe(joinDeltas(mine));
  });

  test('the character is told to leave the story, now and when the reply is written anew, and in the next messages, which may only say that I mean it', async () => {
    const chat = await startConversationClient(await signInGuest());
    const asked = createScene('tokens n=3');
    const told = async (events: ReceivedEvent[]) => {
      expect(getLastEvent(events).event).toBe('done');
      return asked.getSystemPrompt();
    };
    const leaves = /Leave the story where it is and do not play along/;
    const { marker } = asked;
    expect(await told(await chat.send(`Hello. ${marker}`))).not.toMatch(leaves);
    const prompt = await told(await chat.send(`${IN_NEED} ${marker}`));
    expect(prompt).toMatch(leaves);
    // After everything else that it is told of safety, so that nothing stands above it.
    expect(prompt.search(leaves)).toBeGreaterThan(prompt.indexOf('# Safety'));
    const reply = (await chat.messages()).at(-1);
    expect(await told(await chat.regenerate(reply?.id as string))).toMatch(leaves);
    for (const next of ['Ok, yes I mean it. I have them here.', 'Yes.', 'Now.', 'I do not know.'])
      expect(await told(await chat.send(`${next} ${marker}`)), next).toMatch(leaves);
    expect(await told(await chat.send(`Thank you. ${marker}`))).not.toMatch(leaves);
  });

  test('it is counted once, by its day and kind, however often I ask for the same turn', async () => {
    const day = aDayOfItsOwn();
    const chat = await startConversationClient(await signInGuest());
    const turnId = createTurnId();
    for (let times = 0; times < 3; times += 1) await chat.send(IN_NEED, { turnId });
    const [, mine, reply] = await chat.messages();
    await chat.regenerate(reply?.id as string);
    await chat.edit(mine?.id as string, `${IN_NEED} Today.`);
    await chat.edit(mine?.id as string, 'I am better now.');
    await chat.edit(mine?.id as string, IN_NEED);
    await vi.waitFor(async () => expect(await uncounted(chat)).toBe(0));
    expect(await countedOn(day)).toEqual([{ day, kind: 'suicide', referrals: 1 }]);
    await chat.send(IN_NEED);
    await vi.waitFor(async () =>
      expect(await countedOn(day)).toEqual([{ day, kind: 'suicide', referrals: 2 }]),
    );
  });

  test('it is counted although the books could not be reached at first', async () => {
    const day = aDayOfItsOwn();
    const chat = await startConversationClient(await signInGuest());
    const trigger = `no_count_${day}`;
    await env.DB.exec(
      `create trigger ${trigger} before insert on crisis_days when new.day = ${day} begin select raise(abort, 'out of reach'); end`,
    );
    try {
      expect(summarizeKinds(await chat.send(IN_NEED))).toEqual(['accepted', 'safety', 'delta', 'done']);
      await vi.waitFor(async () => expect(await uncounted(chat)).toBe(1));
      expect(await countedOn(day)).toEqual([]);
    } finally {
      await env.DB.exec(`drop trigger ${trigger}`);
    }
    await chat.send('I am still here.');
    await vi.waitFor(async () =>
      expect(await countedOn(day)).toEqual([{ day, kind: 'suicide', referrals: 1 }]),
    );
  });

  test('by mending a message, the help stands beside it, and is gone when the message says something else', async () => {
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
    // What the character says is nobody's own need.
    for (const message of [opening, reply])
      expect((await chat.edit(message?.id as string, IN_NEED)).safety).toBeUndefined();
  });

  test('it goes along with a fork without being counted again, and is told with everything that is kept of me', async () => {
    const day = aDayOfItsOwn();
    const chat = await startConversationClient(await signInGuest());
    await EventReader.fromResponse(await sendFrom(chat, IN_NEED, { 'cf-ipcountry': 'DE' })).then((reader) =>
      reader.readRest(),
    );
    const { chat: fork } = await chat.fork((await chat.ids()).at(-1) as string);
    expect((await fork.messages())[1]).toMatchObject({
      safety: { kind: 'crisis', helplines: getHelplines('DE', 'en') },
    });
    expect(await uncounted(fork)).toBe(0);
    await vi.waitFor(async () => expect(await countedOn(day)).toMatchObject([{ referrals: 1 }]));
    const kept = { shown_help: { kind: 'suicide', country: 'DE', lang: 'en' } };
    expect(JSON.stringify(await downloadDocument(chat.me))).toContain(JSON.stringify(kept).slice(1, -1));
    expect(await (await chat.call('/export?format=jsonl')).text()).not.toContain('shown_help');
  });

  test('I am told where help is also when I have no points left', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    await setPoints(me, 0);
    const response = await sendFrom(chat, IN_NEED, { 'cf-ipcountry': 'DE' });
    expect(response.status).toBe(402);
    expect(await response.json()).toMatchObject({
      code: 'points_exhausted',
      safety: { kind: 'crisis', helplines: getHelplines('DE', 'en') },
    });
    expect(await chat.messages()).toHaveLength(1);
  });

  test('it is counted also where nothing could be sent, and once however often I try that turn', async () => {
    const day = aDayOfItsOwn();
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    const turnId = createTurnId();
    await setPoints(me, 0);
    for (let times = 0; times < 3; times += 1) {
      expect((await sendFrom(chat, IN_NEED, {}, turnId)).status).toBe(402);
      await vi.waitFor(async () => expect(await countedOn(day)).toMatchObject([{ referrals: 1 }]));
      await vi.waitFor(async () => expect(await uncounted(chat)).toBe(0));
    }
    await setPoints(me, 5);
    expect(summarizeKinds(await chat.send(IN_NEED, { turnId }))).toEqual([
      'accepted',
      'safety',
      'delta',
      'done',
    ]);
    await chat.send(`${IN_NEED} She is 15 years old. They have sex.`);
    await vi.waitFor(async () => expect(await uncounted(chat)).toBe(0));
    expect(await countedOn(day)).toEqual([{ day, kind: 'suicide', referrals: 2 }]);
  });

  test('together with what breaks a rule, I am told both', async () => {
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

describe('When the last line of a chat that I brought along says that I want to end my life', () => {
  const answered = async (chat: ConversationClient, turnId = createTurnId()) =>
    (
      await EventReader.fromResponse(
        await chat.call('/reply', { json: { client_message_id: turnId }, headers: { 'cf-ipcountry': 'DE' } }),
      )
    ).readRest();

  test('I am told where help is when I have it answered, before the reply, and it is counted once', async () => {
    const day = aDayOfItsOwn();
    const chat = await startConversationClient(await signInGuest());
    const asked = createScene('tokens n=3');
    await chat.insertMessages('Hello.', 'Yes?', `${IN_NEED} ${asked.marker}`);
    const help = { kind: 'crisis', helplines: getHelplines('DE', 'en') };
    const turnId = createTurnId();
    const events = await answered(chat, turnId);
    expect(summarizeKinds(events)).toEqual(['accepted', 'safety', 'delta', 'done']);
    expect(events[0]?.data.user_message).toMatchObject({ safety: help });
    expect(events[1]?.data).toEqual(help);
    expect(await asked.getSystemPrompt()).toContain('Leave the story where it is');
    expect(summarizeKinds(await answered(chat, turnId))).toEqual(['accepted', 'safety', 'delta', 'done']);
    const said = await chat.messages();
    expect(said.at(-2)).toMatchObject({ safety: help });
    expect(said.at(-1)).toMatchObject({ status: 'complete', content: joinDeltas(events) });
    await chat.discard(said.at(-1)?.id as string);
    // It was told, and stands with the message.
    expect(summarizeKinds(await answered(chat))).toEqual(['accepted', 'delta', 'done']);
    await vi.waitFor(async () => expect(await uncounted(chat)).toBe(0));
    expect(await countedOn(day)).toEqual([{ day, kind: 'suicide', referrals: 1 }]);
  });

  test('any other line is answered as ever', async () => {
    const chat = await startConversationClient(await signInGuest());
    await chat.insertMessages('Hello.', 'Yes?', 'The dragon has to die.');
    const events = await answered(chat);
    expect(summarizeKinds(events)).toEqual(['accepted', 'delta', 'done']);
    expect(events[0]?.data).not.toHaveProperty('user_message');
  });
});

test.each(['suggestions', 'impersonate'])(
  'What I ask for by /%s after such a message is asked for with care',
  async (path) => {
    const chat = await startConversationClient(await signInGuest());
    const kind = path === 'suggestions' ? path : 'draft';
    const asked = createScene('tokens n=3');
    await chat.insertMessages(`Hello. ${asked.marker.replace('scenario:', `${kind}:`)}`, 'Yes?');
    const careful = /Write nothing in which .* hurts or kills anybody/;
    await chat.call(`/${path}`, { json: { client_message_id: createTurnId() } });
    expect(await asked.getSystemPrompt()).not.toMatch(careful);
    await chat.send(IN_NEED);
    await chat.call(`/${path}`, { json: { client_message_id: createTurnId() } });
    expect(await asked.getSystemPrompt()).toMatch(careful);
  },
);

test('A conversation that tells of dark things in its story is told as any other', async () => {
  const chat = await startConversationClient(await signInGuest());
  const events = await chat.send('*She draws her sword.* "Then the dragon has to die," she says.');
  expect(summarizeKinds(events)).toEqual(['accepted', 'delta', 'done']);
  expect(getLastEvent(events).event).toBe('done');
});
