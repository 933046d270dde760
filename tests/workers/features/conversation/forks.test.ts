import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ChatList, Conversation } from '../../../../src/features/conversation/contract.ts';
import { ConversationClient, startConversationClient } from '../../../support/conversation-client.ts';
import { signInGuest, type Visitor } from '../../../support/factories.ts';

const PRESS = 'press-of-a-button';

afterEach(async () => {
  vi.restoreAllMocks();
  await env.DB.prepare('drop trigger if exists out_of_reach').run();
});

/** Starts a conversation with one exchange and returns the id of its last message. */
async function startWithExchange(): Promise<{ chat: ConversationClient; last: string }> {
  const chat = await startConversationClient(await signInGuest());
  await chat.insertMessages('Hello.', 'You came.');
  return { chat, last: (await chat.ids()).at(-1) as string };
}

const branchAt = (chat: ConversationClient, messageId: string, json?: object) =>
  chat.ask<{ conversation: Conversation }>(`/messages/${messageId}/fork`, {
    method: 'POST',
    ...(json === undefined ? {} : { json }),
    status: 201,
  });

const listChatIds = async (me: Visitor) => (await me.ask<ChatList>('/api/chats')).chats.map(({ id }) => id);

describe('Branching with an idempotency key', () => {
  test('repeating a branch request returns the same conversation, listed once', async () => {
    const { chat, last } = await startWithExchange();
    const sameKey = { client_conversation_id: PRESS };
    const [first, second] = [await branchAt(chat, last, sameKey), await branchAt(chat, last, sameKey)];
    expect(second).toEqual(first);
    expect((await listChatIds(chat.me)).toSorted()).toEqual([chat.id, first.conversation.id].toSorted());
    expect(await new ConversationClient(chat.me, first.conversation.id).texts()).toEqual(await chat.texts());
  });

  test('simultaneous branch requests with one key create one conversation', async () => {
    const { chat, last } = await startWithExchange();
    const requests = Array.from({ length: 4 }, () => branchAt(chat, last, { client_conversation_id: PRESS }));
    const createdIds = new Set((await Promise.all(requests)).map(({ conversation }) => conversation.id));
    expect(createdIds.size).toBe(1);
    expect((await listChatIds(chat.me)).toSorted()).toEqual([chat.id, ...createdIds].toSorted());
  });

  test('a branch that could not be listed is created by the next attempt', async () => {
    const { chat, last } = await startWithExchange();
    vi.spyOn(console, 'error').mockReturnValue();
    await env.DB.prepare(
      `create trigger out_of_reach before insert on conversations when new.owner_id = '${chat.me.id}'
       begin select raise(abort, 'out of reach'); end`,
    ).run();
    const path = `/messages/${last}/fork`;
    const json = { client_conversation_id: PRESS };
    await chat.ask(path, { method: 'POST', json, status: 500 });
    await env.DB.prepare('drop trigger out_of_reach').run();
    const { conversation } = await branchAt(chat, last, json);
    expect(await new ConversationClient(chat.me, conversation.id).texts()).toEqual(await chat.texts());
    expect(await listChatIds(chat.me)).toContain(conversation.id);
  });

  test('branch requests with different keys or without a key create separate conversations', async () => {
    const { chat, last } = await startWithExchange();
    for (const json of [
      undefined,
      {},
      { client_conversation_id: PRESS },
      { client_conversation_id: `${PRESS}-2` },
    ])
      await branchAt(chat, last, json);
    expect(new Set(await listChatIds(chat.me)).size).toBe(5);
  });

  test('an invalid key for a branch is refused', async () => {
    const { chat, last } = await startWithExchange();
    for (const json of [{ client_conversation_id: 'x y' }, { client_conversation_id: 7 }, { id: PRESS }])
      await chat.ask(`/messages/${last}/fork`, { method: 'POST', json, status: 400 });
    expect(await listChatIds(chat.me)).toEqual([chat.id]);
  });
});

test('another tab is notified of restored messages, also when the restore removes many pins', async () => {
  const { me, id } = await startConversationClient(await signInGuest());
  const chat = new ConversationClient(me, id, 'page-that-writes');
  await chat.insertMessages(...Array.from({ length: 45 }, (_, index) => `Line ${index}.`));
  const ids = await chat.ids();
  for (const messageId of ids.slice(24, 44)) expect((await chat.pin(messageId)).status).toBe(200);
  const { id: trashId } = await chat.discard(ids[22] as string);
  for (const messageId of ids.slice(0, 20)) expect((await chat.pin(messageId)).status).toBe(200);
  const answer = await me.call(`/api/conversations/${id}/live`, { headers: { upgrade: 'websocket' } });
  const socket = answer.webSocket as WebSocket;
  const notifiedIds: string[] = [];
  socket.addEventListener('message', ({ data }) => {
    const hint = JSON.parse(String(data)) as { type: string; message_ids?: string[] };
    if (hint.type === 'changed') notifiedIds.push(...(hint.message_ids ?? []));
  });
  socket.accept();
  const restoredIds = await chat.restore(trashId);
  await vi.waitFor(() => expect(notifiedIds.some((messageId) => restoredIds.includes(messageId))).toBe(true));
});
