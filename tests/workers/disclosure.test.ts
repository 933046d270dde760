import { abortAllDurableObjects } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Message } from '../../src/features/conversation/contract.ts';
import { ConversationClient, startConversationClient } from '../support/conversation-client.ts';
import { summarizeKinds } from '../support/event-reader.ts';
import { addCharacter, signInGuest, rejoinReply, setPoints } from '../support/factories.ts';
import { createScene } from '../support/scripted-model.ts';

const HOUR_MS = 3_600_000;
/** In the evening, so that the hours that follow go over midnight. */
const EVENING = Date.UTC(2027, 4, 31, 22, 30);

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: EVENING }));
afterEach(() => vi.useRealTimers());

const after = (ms: number) => vi.setSystemTime(EVENING + ms);

/** Before which messages the notice stands, by their places. */
const noticed = (messages: readonly Message[]): number[] =>
  messages.flatMap(({ notice }, place) => (notice === true ? [place] : []));
const noticedIn = async (chat: ConversationClient) => noticed(await chat.messages());

describe('The notice that an AI answers', () => {
  test('stands before the first message of a conversation, and before nothing else that is said within three hours', async () => {
    const chat = await startConversationClient(await signInGuest());
    expect(await noticedIn(chat)).toEqual([0]);
    await chat.send('Hello.');
    after(3 * HOUR_MS - 1);
    await chat.send('Still here.');
    expect(await noticedIn(chat)).toEqual([0]);
  });

  test('stands again before what I say after exactly three hours, over midnight, and three hours later again', async () => {
    const chat = await startConversationClient(await signInGuest());
    await chat.send('Hello.');
    after(3 * HOUR_MS);
    await chat.send('Good morning.');
    after(6 * HOUR_MS - 1);
    await chat.send('Yes?');
    after(6 * HOUR_MS);
    await chat.send('No.');
    expect(await noticedIn(chat)).toEqual([0, 3, 7]);
  });

  test('is told with the message that it stands before, live and to whoever joins, and stays there for good', async () => {
    const chat = await startConversationClient(await signInGuest());
    after(4 * HOUR_MS);
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
    expect(await noticedIn(chat)).toEqual([0, 1]);
    const page = await chat.page('?limit=2');
    expect(noticed(page.messages)).toEqual([0]);
  });

  test('is counted by the conversation and not by the device that it is read on', async () => {
    const me = await signInGuest();
    const id = (await startConversationClient(me)).id;
    const phone = new ConversationClient(me, id, 'tab-of-the-phone');
    const desk = new ConversationClient(me, id, 'tab-of-the-desk');
    after(3 * HOUR_MS);
    await phone.send('From the phone.');
    after(5 * HOUR_MS);
    await desk.send('From the desk.');
    expect(await noticedIn(desk)).toEqual([0, 1]);
    expect(await desk.messages()).toEqual(await phone.messages());
  });

  test('stands before a reply that is written anew or goes on after three hours', async () => {
    for (const how of ['regenerate', 'continueReply'] as const) {
      vi.setSystemTime(EVENING);
      const chat = await startConversationClient(await signInGuest());
      await chat.send('Hello.');
      after(4 * HOUR_MS);
      const reply = (await chat.messages()).at(-1);
      await chat[how](reply?.id as string);
      expect(await noticedIn(chat)).toEqual([0, 2]);
      await chat.send('Thank you.');
      expect(await noticedIn(chat)).toEqual([0, 2]);
    }
  });

  test('stands before what I say next in a fork or in a chat that I bring along, where I am reading, however long they are', async () => {
    const chat = await startConversationClient(await signInGuest());
    await chat.send('Hello.');
    after(3 * HOUR_MS);
    await chat.send('Good morning.');
    after(5 * HOUR_MS);
    const { chat: fork } = await chat.fork((await chat.ids()).at(-1) as string);
    expect(await noticedIn(fork)).toEqual([0]);
    after(7 * HOUR_MS);
    await fork.send('Here too.');
    expect(await noticedIn(fork)).toEqual([0, 5]);
    after(10 * HOUR_MS - 1);
    await fork.send('And here.');
    expect(await noticedIn(fork)).toEqual([0, 5]);
    after(10 * HOUR_MS);
    await fork.send('And once more.');
    expect(await noticedIn(fork)).toEqual([0, 5, 9]);
    const file = await (await fork.call('/export?format=jsonl')).blob();
    const body = new FormData();
    body.set('character_id', (await fork.page()).conversation.character_id);
    body.set('file', file, 'chat.jsonl');
    const answer = await fork.me.call('/api/conversations/import', { method: 'POST', body });
    const { conversation } = await answer.json<{ conversation: { id: string } }>();
    const brought = new ConversationClient(fork.me, conversation.id);
    await brought.send('In the copy.');
    expect(await noticedIn(brought)).toEqual([0, 11]);
  });

  test('comes again with the next message where the one that bore it was deleted', async () => {
    const chat = await startConversationClient(await signInGuest());
    after(4 * HOUR_MS);
    await chat.send('Good morning.');
    expect(await noticedIn(chat)).toEqual([0, 1]);
    await chat.discard((await chat.ids())[2] as string);
    await chat.send('Only its reply went.');
    expect(await noticedIn(chat)).toEqual([0, 1]);
    await chat.discard((await chat.ids())[1] as string);
    await chat.send('Good morning again.');
    expect(await noticedIn(chat)).toEqual([0, 1]);
  });

  test('comes at once where the clock went back: nobody knows how long it has been', async () => {
    const chat = await startConversationClient(await signInGuest());
    after(-HOUR_MS);
    await chat.send('Hello.');
    expect(await noticedIn(chat)).toEqual([0, 1]);
    await chat.send('Once more.');
    expect(await noticedIn(chat)).toEqual([0, 1]);
  });

  test('is not used up by a message that could not be sent', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    await chat.send('Hello.');
    await setPoints(me, 0);
    after(3 * HOUR_MS);
    expect(
      (await chat.call('/messages', { json: { content: 'No?', client_message_id: 'turn-refused' } })).status,
    ).toBe(402);
    await setPoints(me, 5);
    await chat.send('Yes!');
    expect(await noticedIn(chat)).toEqual([0, 3]);
  });

  test('stands before the first message, whichever that is by now', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    await chat.discard((await chat.ids())[0] as string);
    await chat.send('I begin.');
    expect(await noticedIn(chat)).toEqual([0]);
    const silent = await startConversationClient(me, await addCharacter({ firstMessage: '' }));
    expect(await silent.messages()).toEqual([]);
    await silent.send('Nobody spoke before me.');
    expect(await noticedIn(silent)).toEqual([0]);
  });

  test('stands before the first message alone, wherever a page of many begins', async () => {
    const chat = await startConversationClient(await signInGuest());
    await chat.insertMessages(...Array.from({ length: 20 }, (_, index) => `Line ${index}.`));
    const newest = await chat.page('?limit=5');
    expect(noticed(newest.messages)).toEqual([]);
    const [first] = await chat.ids();
    expect(noticed((await chat.page(`?around=${first}&limit=6`)).messages)).toEqual([0]);
  });

  test('is in no file that I take along: it is this site that says it', async () => {
    const chat = await startConversationClient(await signInGuest());
    const file = await (await chat.call('/export?format=jsonl')).text();
    expect(file).not.toContain('notice');
  });
});
