import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, test } from 'vitest';
import { type ConversationClient, startConversationClient } from '../support/conversation-client.ts';
import { getLastEvent, EventReader, summarizeKinds, joinDeltas } from '../support/event-reader.ts';
import {
  addCharacter,
  getConversationStub,
  expectBalancedLedger,
  signInGuest,
  listLedger,
  createTurnId,
  getPoints,
  postMessage,
} from '../support/factories.ts';
import { buildReplyScript } from '../support/reply-script.ts';

/** What is refused always: said in terms, for the rules. */
const REFUSED = 'She is 15 years old. They have sex.';
/** The same in one sentence: none of it is shown. */
const AT_ONCE = 'A 15-year-old girl has sex with him.';
/** The act alone: of grown-ups, nobody minds it. */
const ACT = 'They have sex.';

/** What a text that is refused leaves behind: nothing. */
async function leftBy(chat: ConversationClient): Promise<unknown> {
  const rows = await runInDurableObject(getConversationStub(chat.id), (_, { storage }) =>
    ['messages', 'versions', 'turns', 'settlements', 'referrals'].map((table) => [
      table,
      storage.sql.exec<{ count: number }>(`select count(*) as count from ${table}`).one().count,
    ]),
  );
  return {
    rows,
    page: await chat.page(),
    points: await getPoints(chat.me),
    ledger: await listLedger(chat.me),
  };
}

describe('A text that breaks a rule', () => {
  test('comes back with the rule that it breaks, is kept nowhere, costs nothing, and the conversation goes on', async () => {
    const chat = await startConversationClient(await signInGuest());
    await chat.send('Hello.');
    const before = await leftBy(chat);
    const events = await chat.send(REFUSED);
    expect(events.map(({ event, data }) => ({ event, ...data }))).toEqual([
      {
        event: 'safety',
        kind: 'refused',
        rule: 'minors',
        appeal_token: expect.stringMatching(/^[0-9a-z]+\.[\w-]{64,}$/),
      },
      { event: 'error', code: 'text_refused', error: expect.stringMatching(/\w/) },
    ]);
    expect(await leftBy(chat)).toEqual(before);
    expect(summarizeKinds(await chat.send('Let us talk of the sea.'))).toEqual(['accepted', 'delta', 'done']);
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 48, daily_messages_used: 2 });
    await expectBalancedLedger(chat.me);
  });

  test('is looked at anew when it is sent again under its id, and what was changed about it goes through', async () => {
    const chat = await startConversationClient(await signInGuest());
    const turnId = createTurnId();
    for (let times = 0; times < 2; times += 1)
      expect(getLastEvent(await chat.send(REFUSED, { turnId })).data.code).toBe('text_refused');
    const events = await chat.send('Let us talk of the sea.', { turnId });
    expect(summarizeKinds(events)).toEqual(['accepted', 'delta', 'done']);
    expect((await chat.texts()).slice(1)).toEqual(['Let us talk of the sea.', joinDeltas(events)]);
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 49 });
  });

  test('numbers what it tells, each event once', async () => {
    const chat = await startConversationClient(await signInGuest());
    const turnId = createTurnId();
    const ids = (await chat.send(REFUSED, { turnId })).map(({ id }) => id);
    expect(ids).toEqual([`${turnId}:0`, `${turnId}:1`]);
  });

  test('is known by what the character is, where only the definition says how old they are', async () => {
    const me = await signInGuest();
    const pupil = await startConversationClient(
      me,
      await addCharacter({ name: 'Lena', characterTraits: 'She is 15 years old.' }),
    );
    expect(getLastEvent(await pupil.send(ACT)).data.code).toBe('text_refused');
    const keeper = await startConversationClient(me);
    expect(summarizeKinds(await keeper.send(ACT))).toEqual(['accepted', 'delta', 'done']);
  });

  test('is known by the scene, where an age was said a message before', async () => {
    const chat = await startConversationClient(await signInGuest());
    expect(summarizeKinds(await chat.send('Lena comes in. She is 15 years old.'))).toEqual([
      'accepted',
      'delta',
      'done',
    ]);
    expect(getLastEvent(await chat.send(ACT)).data.code).toBe('text_refused');
  });

  test('is refused as an edit as well: the message stays as it was', async () => {
    const chat = await startConversationClient(await signInGuest());
    await chat.send('Hello.');
    const [, mine, reply] = await chat.messages();
    const before = await leftBy(chat);
    for (const message of [mine, reply])
      expect(await chat.edit(message?.id as string, REFUSED, 422)).toMatchObject({
        code: 'text_refused',
        rule: 'minors',
        refused_text: REFUSED,
        fields: { content: [expect.any(String)] },
      });
    expect(await leftBy(chat)).toEqual(before);
    expect((await chat.edit(mine?.id as string, 'Hello again.')).content).toBe('Hello again.');
  });

  test('as an edit is known by what stands before the message, and not by what came after it', async () => {
    const chat = await startConversationClient(await signInGuest());
    await chat.send('We sit by the sea.');
    await chat.send('Lena comes in. She is 15 years old.');
    await chat.send('She says good evening.');
    const [, first, , , , last] = await chat.ids();
    expect((await chat.edit(first as string, ACT)).content).toBe(ACT);
    await chat.edit(first as string, 'We sit by the sea again.');
    await chat.edit(last as string, ACT, 422);
  });

  test('in a conversation that is not mine is not even looked at', async () => {
    const chat = await startConversationClient(await signInGuest());
    expect((await postMessage(await signInGuest(), chat.id, REFUSED)).status).toBe(404);
  });
});

describe('A reply that breaks a rule', () => {
  const SAFE = 'The rain falls on the roof. She waits by the window. ';

  test('ends before what breaks it, keeps what was told, and costs nothing', async () => {
    const chat = await startConversationClient(await signInGuest());
    const events = await chat.send(`Tell me. ${buildReplyScript(`${SAFE}${REFUSED} And more.`)}`);
    expect(summarizeKinds(events)).toEqual(['accepted', 'delta', 'safety', 'error']);
    expect(events.at(-2)?.data).toEqual({ kind: 'refused', rule: 'minors' });
    expect(getLastEvent(events).data).toMatchObject({
      code: 'reply_refused',
      error: expect.stringMatching(/rule/),
    });
    const told = joinDeltas(events);
    expect(told.startsWith('The rain falls')).toBe(true);
    expect(told).not.toContain('have sex');
    const reply = (await chat.messages()).at(-1);
    expect(reply).toMatchObject({
      content: told,
      status: 'interrupted',
      error_code: 'reply_refused',
      safety: { kind: 'refused', rule: 'minors' },
    });
    expect(getLastEvent(events).data.reply).toEqual(reply);
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 50, daily_messages_used: 0 });
    await expectBalancedLedger(chat.me);
  });

  test('is told to whoever comes back to it in the same way, from wherever they left', async () => {
    const chat = await startConversationClient(await signInGuest());
    const turnId = createTurnId();
    const events = await chat.send(`Tell me. ${buildReplyScript(`${SAFE}${REFUSED}`)}`, { turnId });
    const numbers = events.map(({ id }) => Number(id.split(':')[1]));
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
    for (const [index, seen] of events.entries()) {
      const rest = await chat.send('again', { turnId, lastEventId: seen.id });
      expect(joinDeltas(events.slice(0, index + 1)) + joinDeltas(rest)).toBe(joinDeltas(events));
      expect(rest.slice(-2).map(({ event, data }) => [event, data.code])).toEqual([
        ['safety', undefined],
        ['error', 'reply_refused'],
      ]);
      expect(getLastEvent(rest).data.error).toBe(getLastEvent(events).data.error);
    }
  });

  test('in its first words says nothing, and can be written anew', async () => {
    const chat = await startConversationClient(await signInGuest());
    const events = await chat.send(`Tell me. ${buildReplyScript(AT_ONCE, 100)}`);
    expect(summarizeKinds(events)).toEqual(['accepted', 'safety', 'error']);
    const reply = (await chat.messages()).at(-1);
    expect(reply).toMatchObject({ content: '', status: 'failed', error_code: 'reply_refused' });
    const mine = (await chat.messages()).at(-2);
    await chat.edit(mine?.id as string, 'Tell me of the sea.');
    const again = await chat.regenerate(reply?.id as string);
    expect(summarizeKinds(again)).toEqual(['accepted', 'delta', 'done']);
    expect((await chat.messages()).at(-1)).not.toHaveProperty('safety');
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 49 });
  });

  test('written anew leaves what the reply said before', async () => {
    const chat = await startConversationClient(await signInGuest());
    const first = joinDeltas(await chat.send('Hello.'));
    const [, mine, reply] = await chat.messages();
    await chat.edit(mine?.id as string, `Tell me. ${buildReplyScript(AT_ONCE, 100)}`);
    const events = await chat.regenerate(reply?.id as string);
    expect(getLastEvent(events).data).toMatchObject({ code: 'reply_refused', reply: { content: first } });
    expect((await chat.messages()).at(-1)).toMatchObject({ content: first, status: 'complete' });
  });

  test('ends for whoever goes on with it, by what its beginning says', async () => {
    const chat = await startConversationClient(await signInGuest());
    await chat.send(`Tell me. ${buildReplyScript('Lena comes in. She is 15 years old.', 100)}`);
    const [, mine, reply] = await chat.messages();
    await chat.edit(mine?.id as string, `Tell me. ${buildReplyScript(ACT, 100)}`);
    const events = await chat.continueReply(reply?.id as string);
    expect(summarizeKinds(events)).toEqual(['accepted', 'safety', 'error']);
  });

  test('is none that I am shown as a suggestion or a draft, and nothing is charged for it', async () => {
    for (const [kind, path] of [
      ['suggestions', '/suggestions'],
      ['draft', '/impersonate'],
    ] as const) {
      const chat = await startConversationClient(await signInGuest());
      const marker = buildReplyScript(`${ACT}\nShe is 15 years old.\nThe sea.`).replace(
        'scenario:',
        `${kind}:`,
      );
      await chat.insertMessages(`Hello. ${marker}`, 'Good evening.');
      const response = await chat.call(path, { json: { client_message_id: createTurnId() } });
      expect(response.status).toBe(502);
      expect(await response.json()).toMatchObject({ code: 'ask_failed', reason: 'reply_refused' });
      expect(await getPoints(chat.me)).toMatchObject({ current_points: 50 });
    }
  });

  test('leaves the model at once', async () => {
    const chat = await startConversationClient(await signInGuest());
    const reader = await EventReader.fromResponse(
      await postMessage(
        chat.me,
        chat.id,
        `Tell me. ${buildReplyScript(`${REFUSED} ${'More and more. '.repeat(150)}`, 2, 20)}`,
      ),
    );
    const before = Date.now();
    expect(getLastEvent(await reader.readRest()).data.code).toBe('reply_refused');
    // All of it would have taken twenty seconds.
    expect(Date.now() - before).toBeLessThan(10_000);
  });
});
