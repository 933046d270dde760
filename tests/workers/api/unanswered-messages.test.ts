import { describe, expect, test } from 'vitest';
import {
  type ConversationClient,
  getMessageId,
  startConversationClient,
  startWithTwoExchanges,
} from '../../support/conversation-client.ts';
import { EventReader, type ReceivedEvent } from '../../support/event-reader.ts';
import { signInGuest, createTurnId, getPoints } from '../../support/factories.ts';
import { createScene } from '../../support/scripted-model.ts';

const requestReply = (chat: ConversationClient, turnId = createTurnId()) =>
  chat.call('/reply', { json: { client_message_id: turnId } });

async function readReply(chat: ConversationClient, turnId?: string): Promise<ReceivedEvent[]> {
  return (await EventReader.fromResponse(await requestReply(chat, turnId))).readRest();
}

async function readRefusal(chat: ConversationClient): Promise<unknown[]> {
  const response = await requestReply(chat);
  return [response.status, (await response.json<{ code: string }>()).code];
}

describe('Reply to an unanswered last message', () => {
  test('a conversation branched at a user message gets one reply and is charged once', async () => {
    const { chat, said } = await startWithTwoExchanges();
    const { chat: fork } = await chat.fork(getMessageId(said, -2));
    const forked = await fork.messages();
    const { current_points: before } = await getPoints(fork.me);
    const turnId = createTurnId();
    const events = await readReply(fork, turnId);
    const now = await fork.messages();
    expect(now.slice(0, -1)).toEqual(forked);
    expect(now.at(-2)).toMatchObject({ role: 'user', content: 'Second.' });
    expect(now.at(-1)).toMatchObject({ role: 'character', status: 'complete' });
    expect(events.at(-1)).toMatchObject({ event: 'done', data: { reply: now.at(-1) } });
    expect((await getPoints(fork.me)).current_points).toBe(before - 1);
    // The same turn id again, as after a lost response.
    expect((await readReply(fork, turnId)).at(-1)).toMatchObject({ data: { reply: now.at(-1) } });
    expect(await fork.messages()).toEqual(now);
    expect((await getPoints(fork.me)).current_points).toBe(before - 1);
    expect(await readRefusal(fork)).toEqual([409, 'nothing_to_answer']);
  });

  test('the unanswered message is the last one that the model reads', async () => {
    const chat = await startConversationClient(await signInGuest());
    const scene = createScene('tokens n=1');
    await chat.insertMessages('Before.', 'Yes.', `Where is it? ${scene.marker}`);
    await readReply(chat);
    const [request] = await scene.requests();
    const read = request?.body as { messages: object[] } | undefined;
    expect(read?.messages.at(-1)).toMatchObject({
      role: 'user',
      content: expect.stringContaining('Where is it?') as unknown,
    });
  });

  test('a message whose reply is in the trash can be answered again, and restoring keeps both replies', async () => {
    const { chat, said } = await startWithTwoExchanges();
    const { id } = await chat.discard(getMessageId(said, -1));
    await readReply(chat);
    const now = await chat.messages();
    expect(now.slice(0, -1)).toEqual(said.slice(0, -1));
    await chat.restore(id);
    expect(await chat.messages()).toEqual([...said, now.at(-1)]);
    expect(await readRefusal(chat)).toEqual([409, 'nothing_to_answer']);
  });

  test('a message being answered cannot be answered again, and running out of points stores nothing @all', async () => {
    const chat = await startConversationClient(await signInGuest());
    expect(await readRefusal(chat)).toEqual([409, 'nothing_to_answer']);
    const slow = createScene('gate n=2');
    await chat.insertMessages(slow.marker);
    const first = await EventReader.fromResponse(await requestReply(chat));
    expect(await readRefusal(chat)).toEqual([409, 'reply_in_progress']);
    await slow.open();
    await first.readRest();
    const poor = await startConversationClient(await signInGuest());
    for (let sent = 0; sent < 50; sent += 1) await poor.send('Again.');
    await poor.insertMessages('And one more.');
    const messages = await poor.messages();
    expect(await readRefusal(poor)).toEqual([402, 'points_exhausted']);
    expect(await poor.messages()).toEqual(messages);
  });
});
