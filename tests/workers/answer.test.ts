import { describe, expect, test } from 'vitest';
import {
  type ConversationClient,
  getMessageId,
  startConversationClient,
  startWithTwoExchanges,
} from '../support/conversation-client.ts';
import { EventReader, type ReceivedEvent } from '../support/event-reader.ts';
import { signInGuest, createTurnId, getPoints } from '../support/factories.ts';
import { createScene } from '../support/scripted-model.ts';

const ask = (chat: ConversationClient, turnId = createTurnId()) =>
  chat.call('/reply', { json: { client_message_id: turnId } });

async function answered(chat: ConversationClient, turnId?: string): Promise<ReceivedEvent[]> {
  return (await EventReader.fromResponse(await ask(chat, turnId))).readRest();
}

async function refusal(chat: ConversationClient): Promise<unknown[]> {
  const response = await ask(chat);
  return [response.status, (await response.json<{ code: string }>()).code];
}

describe('My last message that stands there without a reply', () => {
  test('is answered where the story was forked at it, once, and paid for once', async () => {
    const { chat, said } = await startWithTwoExchanges();
    const { chat: fork } = await chat.fork(getMessageId(said, -2));
    const forked = await fork.messages();
    const { current_points: before } = await getPoints(fork.me);
    const turnId = createTurnId();
    const events = await answered(fork, turnId);
    const now = await fork.messages();
    expect(now.slice(0, -1)).toEqual(forked);
    expect(now.at(-2)).toMatchObject({ role: 'user', content: 'Second.' });
    expect(now.at(-1)).toMatchObject({ role: 'character', status: 'complete' });
    expect(events.at(-1)).toMatchObject({ event: 'done', data: { reply: now.at(-1) } });
    expect((await getPoints(fork.me)).current_points).toBe(before - 1);
    // The same again, as after a lost answer.
    expect((await answered(fork, turnId)).at(-1)).toMatchObject({ data: { reply: now.at(-1) } });
    expect(await fork.messages()).toEqual(now);
    expect((await getPoints(fork.me)).current_points).toBe(before - 1);
    expect(await refusal(fork)).toEqual([409, 'nothing_to_answer']);
  });

  test('is what the model reads last', async () => {
    const chat = await startConversationClient(await signInGuest());
    const told = createScene('tokens n=1');
    await chat.insertMessages('Before.', 'Yes.', `Where is it? ${told.marker}`);
    await answered(chat);
    const [request] = await told.requests();
    const read = request?.body as { messages: object[] } | undefined;
    expect(read?.messages.at(-1)).toMatchObject({
      role: 'user',
      content: expect.stringContaining('Where is it?') as unknown,
    });
  });

  test('is answered anew when its reply lies in the trash; taken back, both are there', async () => {
    const { chat, said } = await startWithTwoExchanges();
    const { id } = await chat.discard(getMessageId(said, -1));
    await answered(chat);
    const now = await chat.messages();
    expect(now.slice(0, -1)).toEqual(said.slice(0, -1));
    await chat.restore(id);
    expect(await chat.messages()).toEqual([...said, now.at(-1)]);
    expect(await refusal(chat)).toEqual([409, 'nothing_to_answer']);
  });

  test('is there no longer while it is answered, and leaves nothing when I have no points', async () => {
    const chat = await startConversationClient(await signInGuest());
    expect(await refusal(chat)).toEqual([409, 'nothing_to_answer']);
    const slow = createScene('gate n=2');
    await chat.insertMessages(slow.marker);
    const first = await EventReader.fromResponse(await ask(chat));
    expect(await refusal(chat)).toEqual([409, 'reply_in_progress']);
    await slow.open();
    await first.readRest();
    const poor = await startConversationClient(await signInGuest());
    for (let sent = 0; sent < 50; sent += 1) await poor.send('Again.');
    await poor.insertMessages('And one more.');
    const said = await poor.messages();
    expect(await refusal(poor)).toEqual([402, 'points_exhausted']);
    expect(await poor.messages()).toEqual(said);
  });
});
