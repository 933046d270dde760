import { listDurableObjectIds, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import { ConversationObject } from '../../../../src/features/conversation/conversation-object.ts';
import { startConversationClient } from '../../../support/conversation-client.ts';
import { type CallOptions, addCharacter, signInGuest, type Visitor } from '../../../support/factories.ts';

/** Makes every insert into this user’s conversation list fail. */
async function breakListInserts({ id }: Visitor): Promise<void> {
  vi.spyOn(console, 'error').mockReturnValue();
  await env.DB.prepare(
    `create trigger out_of_reach before insert on conversations when new.owner_id = '${id}'
     begin select raise(abort, 'out of reach'); end`,
  ).run();
}

afterEach(async () => {
  vi.restoreAllMocks();
  await env.DB.prepare('drop trigger if exists out_of_reach').run();
});

/** The ids of all conversations that have stored anything. */
async function listStoredIds(): Promise<string[]> {
  const ids = await listDurableObjectIds(env.CONVERSATIONS);
  const tables = await Promise.all(
    ids.map((id) =>
      runInDurableObject(
        env.CONVERSATIONS.get(id),
        (_, { storage }) =>
          storage.sql.exec("select name from sqlite_master where name not like '_cf%'").toArray(),
        // An object that cannot be opened counts as stored.
      ).catch(() => ['']),
    ),
  );
  return ids.filter((_, index) => tables[index]?.length !== 0).map(String);
}

async function expectNothingLeft(me: Visitor, path: string, options: CallOptions): Promise<void> {
  const before = await listStoredIds();
  await breakListInserts(me);
  expect(await me.ask(path, { ...options, status: 500 })).toMatchObject({ code: 'server_error' });
  expect((await listStoredIds()).toSorted()).toEqual(before.toSorted());
}

test('a conversation that cannot be listed is not created', async () => {
  const me = await signInGuest();
  const characterId = await addCharacter();
  await expectNothingLeft(me, '/api/conversations', { json: { character_id: characterId } });
  expect(await me.ask('/api/chats')).toEqual({ chats: [] });
});

test('a fork that cannot be listed is not created, and its original stays unchanged @all', async () => {
  const chat = await startConversationClient(await signInGuest());
  await chat.send('Hello.');
  const messages = await chat.messages();
  expect(await listStoredIds()).toContain(String(env.CONVERSATIONS.idFromName(chat.id)));
  await expectNothingLeft(chat.me, `/api/conversations/${chat.id}/messages/${messages[1]?.id}/fork`, {
    method: 'POST',
  });
  expect(await chat.messages()).toEqual(messages);
});

test('a conversation that cannot be listed is not imported @all', async () => {
  const me = await signInGuest();
  const body = new FormData();
  body.set('character_id', await addCharacter());
  body.set('file', new Blob(['{"name":"Orla","is_user":false,"mes":"You came."}']), 'chat.jsonl');
  await expectNothingLeft(me, '/api/conversations/import', { method: 'POST', body });
  expect(await me.ask('/api/chats')).toEqual({ chats: [] });
});

test('a conversation whose messages cannot be stored is not imported', async () => {
  const me = await signInGuest();
  const characterId = await addCharacter();
  const before = await listStoredIds();
  const describe = vi
    .spyOn(ConversationObject.prototype, 'describe')
    .mockResolvedValueOnce({ ok: false, code: 'not_found' });
  const body = new FormData();
  body.set('character_id', characterId);
  body.set('file', new Blob(['{"name":"Orla","is_user":false,"mes":"You came."}']), 'chat.jsonl');
  await me.ask('/api/conversations/import', { method: 'POST', body, status: 404 });
  expect(describe).toHaveBeenCalledOnce();
  expect((await listStoredIds()).toSorted()).toEqual(before.toSorted());
  expect(await me.ask('/api/chats')).toEqual({ chats: [] });
});
