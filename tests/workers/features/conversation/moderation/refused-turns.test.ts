import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, test } from 'vitest';
import { type ConversationClient, startConversationClient } from '../../../../support/conversation-client.ts';
import { getLastEvent, EventReader, summarizeKinds, joinDeltas } from '../../../../support/event-reader.ts';
import {
  addCharacter,
  getConversationStub,
  expectBalancedLedger,
  signInGuest,
  listLedger,
  createTurnId,
  getPoints,
  postMessage,
} from '../../../../support/factories.ts';
import { buildReplyScript } from '../../../../support/reply-script.ts';

/** A text that the rules always refuse. */
const REFUSED = 'She is 15 years old. They have sex.';
/** The same in one sentence, so that none of it is shown. */
const REFUSED_AT_ONCE = 'A 15-year-old girl has sex with him.';
/** The act alone, which is allowed between adults. */
const ACT = 'They have sex.';

/** The stored rows, the page, the points and the ledger of a conversation. */
async function readState(chat: ConversationClient): Promise<unknown> {
  const rows = await runInDurableObject(getConversationStub(chat.id), (_, { storage }) => [
    storage.sql.exec('select open_turn from meta').one(),
    ...['messages', 'versions', 'turns', 'referrals'].map((table) => [
      table,
      storage.sql.exec<{ count: number }>(`select count(*) as count from ${table}`).one().count,
    ]),
  ]);
  return {
    rows,
    page: await chat.page(),
    points: await getPoints(chat.me),
    ledger: await listLedger(chat.me),
  };
}

describe('Refused messages', () => {
  test('a message that breaks a rule is returned with the rule, stored nowhere and free', async () => {
    const chat = await startConversationClient(await signInGuest());
    await chat.send('Hello.');
    const before = await readState(chat);
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
    expect(await readState(chat)).toEqual(before);
    expect(summarizeKinds(await chat.send('Let us talk of the sea.'))).toEqual(['accepted', 'delta', 'done']);
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 48, daily_messages_used: 2 });
    await expectBalancedLedger(chat.me);
  });

  test('a refused message is checked again when it is resent under its id, and can pass when changed', async () => {
    const chat = await startConversationClient(await signInGuest());
    const turnId = createTurnId();
    for (let times = 0; times < 2; times += 1)
      expect(getLastEvent(await chat.send(REFUSED, { turnId })).data.code).toBe('text_refused');
    const events = await chat.send('Let us talk of the sea.', { turnId });
    expect(summarizeKinds(events)).toEqual(['accepted', 'delta', 'done']);
    expect((await chat.texts()).slice(1)).toEqual(['Let us talk of the sea.', joinDeltas(events)]);
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 49 });
  });

  test('the events of a refused message are numbered once each', async () => {
    const chat = await startConversationClient(await signInGuest());
    const turnId = createTurnId();
    const ids = (await chat.send(REFUSED, { turnId })).map(({ id }) => id);
    expect(ids).toEqual([`${turnId}:0`, `${turnId}:1`]);
  });

  test('a message is refused because of an age that only the character’s definition states', async () => {
    const me = await signInGuest();
    const minorChat = await startConversationClient(
      me,
      await addCharacter({ name: 'Lena', characterTraits: 'She is 15 years old.' }),
    );
    expect(getLastEvent(await minorChat.send(ACT)).data.code).toBe('text_refused');
    const adultChat = await startConversationClient(me);
    expect(summarizeKinds(await adultChat.send(ACT))).toEqual(['accepted', 'delta', 'done']);
  });

  test('a message is refused because of an age in the message before it', async () => {
    const chat = await startConversationClient(await signInGuest());
    expect(summarizeKinds(await chat.send('Lena comes in. She is 15 years old.'))).toEqual([
      'accepted',
      'delta',
      'done',
    ]);
    expect(getLastEvent(await chat.send(ACT)).data.code).toBe('text_refused');
  });

  test('an edit that breaks a rule is refused, and the message stays unchanged', async () => {
    const chat = await startConversationClient(await signInGuest());
    await chat.send('Hello.');
    const [, mine, reply] = await chat.messages();
    const before = await readState(chat);
    for (const message of [mine, reply])
      expect(await chat.edit(message?.id as string, REFUSED, 422)).toMatchObject({
        code: 'text_refused',
        rule: 'minors',
        refused_text: REFUSED,
        fields: { content: [expect.any(String)] },
      });
    expect(await readState(chat)).toEqual(before);
    expect((await chat.edit(mine?.id as string, 'Hello again.')).content).toBe('Hello again.');
  });

  test('an edit is checked against the messages before it and not the ones after it', async () => {
    const chat = await startConversationClient(await signInGuest());
    await chat.send('We sit by the sea.');
    await chat.send('Lena comes in. She is 15 years old.');
    await chat.send('She says good evening.');
    const [, first, , , , last] = await chat.ids();
    expect((await chat.edit(first as string, ACT)).content).toBe(ACT);
    await chat.edit(first as string, 'We sit by the sea again.');
    await chat.edit(last as string, ACT, 422);
  });

  test('a message to another user’s conversation is answered with 404 before it is checked', async () => {
    const chat = await startConversationClient(await signInGuest());
    expect((await postMessage(await signInGuest(), chat.id, REFUSED)).status).toBe(404);
  });
});

describe('Refused replies', () => {
  const SAFE = 'The rain falls on the roof. She waits by the window. ';

  test('a reply stops before the text that breaks a rule, keeps the rest and is free', async () => {
    const chat = await startConversationClient(await signInGuest());
    const events = await chat.send(`Tell me. ${buildReplyScript(`${SAFE}${REFUSED} And more.`)}`);
    expect(summarizeKinds(events)).toEqual(['accepted', 'delta', 'safety', 'error']);
    expect(events.at(-2)?.data).toEqual({ kind: 'refused', rule: 'minors' });
    expect(getLastEvent(events).data).toMatchObject({
      code: 'reply_refused',
      error: expect.stringMatching(/rule/),
    });
    const shownText = joinDeltas(events);
    expect(shownText.startsWith('The rain falls')).toBe(true);
    expect(shownText).not.toContain('have sex');
    const reply = (await chat.messages()).at(-1);
    expect(reply).toMatchObject({
      content: shownText,
      status: 'interrupted',
      error_code: 'reply_refused',
      safety: { kind: 'refused', rule: 'minors' },
    });
    expect(getLastEvent(events).data.reply).toEqual(reply);
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 50, daily_messages_used: 0 });
    await expectBalancedLedger(chat.me);
  });

  test('a client that rejoins a refused reply gets the same events from any point', async () => {
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

  test('a reply refused at its first words is empty and can be regenerated', async () => {
    const chat = await startConversationClient(await signInGuest());
    const events = await chat.send(`Tell me. ${buildReplyScript(REFUSED_AT_ONCE, 100)}`);
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

  test('a refused regeneration keeps the previous reply', async () => {
    const chat = await startConversationClient(await signInGuest());
    const first = joinDeltas(await chat.send('Hello.'));
    const [, mine, reply] = await chat.messages();
    await chat.edit(mine?.id as string, `Tell me. ${buildReplyScript(REFUSED_AT_ONCE, 100)}`);
    const events = await chat.regenerate(reply?.id as string);
    expect(getLastEvent(events).data).toMatchObject({ code: 'reply_refused', reply: { content: first } });
    expect((await chat.messages()).at(-1)).toMatchObject({ content: first, status: 'complete' });
  });

  test('a continuation is refused because of what the reply’s beginning says', async () => {
    const chat = await startConversationClient(await signInGuest());
    await chat.send(`Tell me. ${buildReplyScript('Lena comes in. She is 15 years old.', 100)}`);
    const [, mine, reply] = await chat.messages();
    await chat.edit(mine?.id as string, `Tell me. ${buildReplyScript(ACT, 100)}`);
    const events = await chat.continueReply(reply?.id as string);
    expect(summarizeKinds(events).filter((kind) => kind !== 'delta')).toEqual([
      'accepted',
      'safety',
      'error',
    ]);
    // Only the space between the two parts was shown.
    expect(joinDeltas(events).trim()).toBe('');
  });

  test('suggestions and drafts that break a rule are not shown and not charged', async () => {
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
      expect(await response.json()).toMatchObject({ code: 'assist_failed', reason: 'reply_refused' });
      expect(await getPoints(chat.me)).toMatchObject({ current_points: 50 });
    }
  });

  test('a refused reply stops the model at once', async () => {
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
    // The whole reply would have taken twenty seconds.
    expect(Date.now() - before).toBeLessThan(10_000);
  });
});
