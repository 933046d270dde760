import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ChatList, Conversation } from '../../src/features/conversation/contract.ts';
import { ConversationClient, startConversationClient } from '../support/conversation-client.ts';
import { signInGuest, type Visitor } from '../support/factories.ts';

const PRESS = 'press-of-a-button';

afterEach(async () => {
  vi.restoreAllMocks();
  await env.DB.prepare('drop trigger if exists out_of_reach').run();
});

/** A conversation with one exchange, and the id of its last message. */
async function story(): Promise<{ chat: ConversationClient; last: string }> {
  const chat = await startConversationClient(await signInGuest());
  await chat.insertMessages('Hello.', 'You came.');
  return { chat, last: (await chat.ids()).at(-1) as string };
}

const fork = (chat: ConversationClient, messageId: string, json?: object) =>
  chat.ask<{ conversation: Conversation }>(`/messages/${messageId}/fork`, {
    method: 'POST',
    ...(json === undefined ? {} : { json }),
    status: 201,
  });

const listed = async (me: Visitor) => (await me.ask<ChatList>('/api/chats')).chats.map(({ id }) => id);

describe('When I go on from a message in a new chat', () => {
  test('and ask again because the answer was lost, I get the same chat, whole and listed once', async () => {
    const { chat, last } = await story();
    const press = { client_conversation_id: PRESS };
    const [first, second] = [await fork(chat, last, press), await fork(chat, last, press)];
    expect(second).toEqual(first);
    expect((await listed(chat.me)).toSorted()).toEqual([chat.id, first.conversation.id].toSorted());
    expect(await new ConversationClient(chat.me, first.conversation.id).texts()).toEqual(await chat.texts());
  });

  test('and ask twice at once, I get one chat', async () => {
    const { chat, last } = await story();
    const asked = Array.from({ length: 4 }, () => fork(chat, last, { client_conversation_id: PRESS }));
    const made = new Set((await Promise.all(asked)).map(({ conversation }) => conversation.id));
    expect(made.size).toBe(1);
    expect((await listed(chat.me)).toSorted()).toEqual([chat.id, ...made].toSorted());
  });

  test('and it could not be listed, the next try makes it', async () => {
    const { chat, last } = await story();
    vi.spyOn(console, 'error').mockReturnValue();
    await env.DB.prepare(
      `create trigger out_of_reach before insert on conversations when new.owner_id = '${chat.me.id}'
       begin select raise(abort, 'out of reach'); end`,
    ).run();
    const path = `/messages/${last}/fork`;
    const json = { client_conversation_id: PRESS };
    await chat.ask(path, { method: 'POST', json, status: 500 });
    await env.DB.prepare('drop trigger out_of_reach').run();
    const { conversation } = await fork(chat, last, json);
    expect(await new ConversationClient(chat.me, conversation.id).texts()).toEqual(await chat.texts());
    expect(await listed(chat.me)).toContain(conversation.id);
  });

  test('two wishes make two chats, named or not', async () => {
    const { chat, last } = await story();
    for (const json of [
      undefined,
      {},
      { client_conversation_id: PRESS },
      { client_conversation_id: `${PRESS}-2` },
    ])
      await fork(chat, last, json);
    expect(new Set(await listed(chat.me)).size).toBe(5);
  });

  test('what names no wish is refused', async () => {
    const { chat, last } = await story();
    for (const json of [{ client_conversation_id: 'x y' }, { client_conversation_id: 7 }, { id: PRESS }])
      await chat.ask(`/messages/${last}/fork`, { method: 'POST', json, status: 400 });
    expect(await listed(chat.me)).toEqual([chat.id]);
  });
});

test('Another tab hears of what came back, however many pins that cost', async () => {
  const { me, id } = await startConversationClient(await signInGuest());
  const chat = new ConversationClient(me, id, 'page-that-writes');
  await chat.insertMessages(...Array.from({ length: 45 }, (_, index) => `Line ${index}.`));
  const ids = await chat.ids();
  for (const messageId of ids.slice(24, 44)) expect((await chat.pin(messageId)).status).toBe(200);
  const { id: trashId } = await chat.discard(ids[22] as string);
  for (const messageId of ids.slice(0, 20)) expect((await chat.pin(messageId)).status).toBe(200);
  const answer = await me.call(`/api/conversations/${id}/live`, { headers: { upgrade: 'websocket' } });
  const socket = answer.webSocket as WebSocket;
  const named: string[] = [];
  socket.addEventListener('message', ({ data }) => {
    const hint = JSON.parse(String(data)) as { type: string; message_ids?: string[] };
    if (hint.type === 'changed') named.push(...(hint.message_ids ?? []));
  });
  socket.accept();
  const back = await chat.restore(trashId);
  await vi.waitFor(() => expect(named.some((messageId) => back.includes(messageId))).toBe(true));
});
