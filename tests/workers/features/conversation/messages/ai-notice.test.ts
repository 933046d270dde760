import { abortAllDurableObjects } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Message } from '../../../../../src/features/conversation/contract.ts';
import { ConversationClient, startConversationClient } from '../../../../support/conversation-client.ts';
import { summarizeKinds } from '../../../../support/event-reader.ts';
import { addCharacter, signInGuest, rejoinReply, setPoints } from '../../../../support/factories.ts';
import { createScene } from '../../../../support/scripted-model.ts';

const HOUR_MS = 3_600_000;
/** In the evening, so that the following hours pass midnight. */
const EVENING = Date.UTC(2027, 4, 31, 22, 30);

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: EVENING }));
afterEach(() => vi.useRealTimers());

const setElapsed = (ms: number) => vi.setSystemTime(EVENING + ms);

/** Returns the positions of the messages that have the notice. */
const listNoticed = (messages: readonly Message[]): number[] =>
  messages.flatMap(({ notice }, place) => (notice === true ? [place] : []));
const readNoticed = async (chat: ConversationClient) => listNoticed(await chat.messages());

describe('AI notice', () => {
  test('the AI notice precedes the first message and no other message within three hours', async () => {
    const chat = await startConversationClient(await signInGuest());
    expect(await readNoticed(chat)).toEqual([0]);
    await chat.send('Hello.');
    setElapsed(3 * HOUR_MS - 1);
    await chat.send('Still here.');
    expect(await readNoticed(chat)).toEqual([0]);
  });

  test('the AI notice appears again after exactly three hours, also across midnight, and three hours later', async () => {
    const chat = await startConversationClient(await signInGuest());
    await chat.send('Hello.');
    setElapsed(3 * HOUR_MS);
    await chat.send('Good morning.');
    setElapsed(6 * HOUR_MS - 1);
    await chat.send('Yes?');
    setElapsed(6 * HOUR_MS);
    await chat.send('No.');
    expect(await readNoticed(chat)).toEqual([0, 3, 7]);
  });

  test('the AI notice arrives with its message on every device and is stored with it', async () => {
    const chat = await startConversationClient(await signInGuest());
    setElapsed(4 * HOUR_MS);
    const gate = createScene('gate n=3');
    const sending = chat.send(`Hello. ${gate.marker}`);
    await gate.reached();
    const other = await rejoinReply(chat.me, chat.id);
    await gate.open();
    for (const events of [await sending, await other.readRest()]) {
      expect(summarizeKinds(events)).toEqual(['accepted', 'delta', 'done']);
      expect(events[0]?.data.user_message).toMatchObject({ notice: true });
      expect(events[0]?.data.reply).not.toHaveProperty('notice');
    }
    await abortAllDurableObjects();
    expect(await readNoticed(chat)).toEqual([0, 1]);
    const page = await chat.page('?limit=2');
    expect(listNoticed(page.messages)).toEqual([0]);
  });

  test('the AI notice counts three hours per conversation, not per device', async () => {
    const me = await signInGuest();
    const id = (await startConversationClient(me)).id;
    const phone = new ConversationClient(me, id, 'tab-of-the-phone');
    const desk = new ConversationClient(me, id, 'tab-of-the-desk');
    setElapsed(3 * HOUR_MS);
    await phone.send('From the phone.');
    setElapsed(5 * HOUR_MS);
    await desk.send('From the desk.');
    expect(await readNoticed(desk)).toEqual([0, 1]);
    expect(await desk.messages()).toEqual(await phone.messages());
  });

  test('the AI notice precedes a reply that is regenerated or continued after three hours', async () => {
    for (const how of ['regenerate', 'continueReply'] as const) {
      vi.setSystemTime(EVENING);
      const chat = await startConversationClient(await signInGuest());
      await chat.send('Hello.');
      setElapsed(4 * HOUR_MS);
      const reply = (await chat.messages()).at(-1);
      await chat[how](reply?.id as string);
      expect(await readNoticed(chat)).toEqual([0, 2]);
      await chat.send('Thank you.');
      expect(await readNoticed(chat)).toEqual([0, 2]);
    }
  });

  test("the notice appears in a branch or imported conversation with the user's next message", async () => {
    const chat = await startConversationClient(await signInGuest());
    await chat.send('Hello.');
    setElapsed(3 * HOUR_MS);
    await chat.send('Good morning.');
    setElapsed(5 * HOUR_MS);
    const { chat: fork } = await chat.fork((await chat.ids()).at(-1) as string);
    expect(await readNoticed(fork)).toEqual([0]);
    setElapsed(7 * HOUR_MS);
    await fork.send('Here too.');
    expect(await readNoticed(fork)).toEqual([0, 5]);
    setElapsed(10 * HOUR_MS - 1);
    await fork.send('And here.');
    expect(await readNoticed(fork)).toEqual([0, 5]);
    setElapsed(10 * HOUR_MS);
    await fork.send('And once more.');
    expect(await readNoticed(fork)).toEqual([0, 5, 9]);
    const file = await (await fork.call('/export?format=jsonl')).blob();
    const body = new FormData();
    body.set('character_id', (await fork.page()).conversation.character_id);
    body.set('file', file, 'chat.jsonl');
    const answer = await fork.me.call('/api/conversations/import', { method: 'POST', body });
    const { conversation } = await answer.json<{ conversation: { id: string } }>();
    const imported = new ConversationClient(fork.me, conversation.id);
    await imported.send('In the copy.');
    expect(await readNoticed(imported)).toEqual([0, 11]);
  });

  test('the AI notice moves to the next message when its message is deleted', async () => {
    const chat = await startConversationClient(await signInGuest());
    setElapsed(4 * HOUR_MS);
    await chat.send('Good morning.');
    expect(await readNoticed(chat)).toEqual([0, 1]);
    await chat.discard((await chat.ids())[2] as string);
    await chat.send('Only its reply went.');
    expect(await readNoticed(chat)).toEqual([0, 1]);
    await chat.discard((await chat.ids())[1] as string);
    await chat.send('Good morning again.');
    expect(await readNoticed(chat)).toEqual([0, 1]);
  });

  test('the AI notice appears at once when the clock went back', async () => {
    const chat = await startConversationClient(await signInGuest());
    setElapsed(-HOUR_MS);
    await chat.send('Hello.');
    expect(await readNoticed(chat)).toEqual([0, 1]);
    await chat.send('Once more.');
    expect(await readNoticed(chat)).toEqual([0, 1]);
  });

  test('a message that is refused does not use up the AI notice', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    await chat.send('Hello.');
    await setPoints(me, 0);
    setElapsed(3 * HOUR_MS);
    expect(
      (await chat.call('/messages', { json: { content: 'No?', client_message_id: 'turn-refused' } })).status,
    ).toBe(402);
    await setPoints(me, 5);
    await chat.send('Yes!');
    expect(await readNoticed(chat)).toEqual([0, 3]);
  });

  test('the AI notice precedes the current first message, also after a deletion or without a greeting', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    await chat.discard((await chat.ids())[0] as string);
    await chat.send('I begin.');
    expect(await readNoticed(chat)).toEqual([0]);
    const silent = await startConversationClient(me, await addCharacter({ firstMessage: '' }));
    expect(await silent.messages()).toEqual([]);
    await silent.send('Nobody spoke before me.');
    expect(await readNoticed(silent)).toEqual([0]);
  });

  test('the AI notice is on the first message only, wherever a page begins', async () => {
    const chat = await startConversationClient(await signInGuest());
    await chat.insertMessages(...Array.from({ length: 20 }, (_, index) => `Line ${index}.`));
    const newest = await chat.page('?limit=5');
    expect(listNoticed(newest.messages)).toEqual([]);
    const [first] = await chat.ids();
    expect(listNoticed((await chat.page(`?around=${first}&limit=6`)).messages)).toEqual([0]);
  });

  test('the AI notice is not part of an exported conversation', async () => {
    const chat = await startConversationClient(await signInGuest());
    const file = await (await chat.call('/export?format=jsonl')).text();
    expect(file).not.toContain('notice');
  });
});
