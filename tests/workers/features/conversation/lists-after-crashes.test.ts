import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { ConversationObject } from '../../../../src/features/conversation/conversation-object.ts';
import { SearchObject } from '../../../../src/features/search/search-object.ts';
import {
  addCharacter,
  startConversation,
  getConversationStub,
  signInGuest,
  listMessages,
  sendMessage,
  type Visitor,
} from '../../../support/factories.ts';

/** After two minutes an unlisted conversation is abandoned. */
const LONG_AGO_MS = 121_000;

const readRow = (id: string) =>
  env.DB.prepare('select * from conversations where id = ?').bind(id).first<{
    character_id: string;
    character_name: string;
    avatar_url: string;
    created_at: number;
    deleted_at: number | null;
  }>();
const readMeta = (id: string) =>
  runInDurableObject(getConversationStub(id), (_, { storage }) =>
    storage.sql.exec("select 1 from sqlite_master where name = 'meta'").toArray().length === 0
      ? null
      : (storage.sql.exec('select * from meta').toArray()[0] ?? null),
  );
/** Changes what the object has stored, and evicts it, because it keeps its row in memory. */
const updateStorage = async (id: string, sql: string, ...values: (string | number)[]) => {
  await runInDurableObject(
    getConversationStub(id),
    (_, { storage }) => void storage.sql.exec(sql, ...values),
  );
  await evictDurableObject(getConversationStub(id));
};
const readAlarm = (id: string) =>
  runInDurableObject(getConversationStub(id), (_, { storage }) => storage.getAlarm());
const listChatIds = async (me: Visitor): Promise<string[]> =>
  (await me.ask<{ chats: { id: string }[] }>('/api/chats')).chats.map(({ id }) => id);
const chatCount = (id: string) =>
  env.DB.prepare('select chat_count from characters where id = ?').bind(id).first<number>('chat_count');

/** Starts a conversation with one turn, and waits until the list and the counts know it. */
async function startListedConversation(me: Visitor, characterId?: string): Promise<string> {
  const id = await startConversation(me, characterId);
  await sendMessage(me, id, 'Hello [[scenario:tokens n=2 ms=0]]');
  await vi.waitFor(async () =>
    expect(await readMeta(id)).toMatchObject({ list_row_stale: 0, count_decided: 1 }),
  );
  return id;
}

describe('Conversation lists after a crash', () => {
  test('a conversation that was never listed is erased after two minutes and not earlier', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await env.DB.prepare('delete from conversations where id = ?').bind(id).run();
    await updateStorage(id, 'update meta set unlisted_since = ?', Date.now());
    expect(await runDurableObjectAlarm(getConversationStub(id))).toBe(true);
    expect(await readMeta(id)).not.toBeNull();
    await updateStorage(id, 'update meta set unlisted_since = unlisted_since - ?', LONG_AGO_MS);
    await runDurableObjectAlarm(getConversationStub(id));
    expect(await readMeta(id)).toBeNull();
  });

  test('a listed conversation is kept even if it learns of its listing late', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await updateStorage(id, 'update meta set unlisted_since = ?', Date.now() - LONG_AGO_MS);
    await runDurableObjectAlarm(getConversationStub(id));
    expect(await readMeta(id)).toMatchObject({ unlisted_since: null });
    expect(await listMessages(me, id)).toHaveLength(1);
  });

  test('a conversation that is just being listed does not erase itself as abandoned, whatever the clock says', async () => {
    const me = await signInGuest();
    const id = await startListedConversation(me);
    const row = await readRow(id);
    if (row === null) throw new Error('no row');
    await env.DB.prepare('delete from conversations where id = ?').bind(id).run();
    await updateStorage(id, 'update meta set unlisted_since = ?', Date.now() - LONG_AGO_MS);
    await runInDurableObject(getConversationStub(id), async (object) => {
      const wakes = [object.alarm()];
      const listing = object.addToList({
        id,
        ownerId: me.id,
        characterId: row.character_id,
        characterName: row.character_name,
        avatarUrl: row.avatar_url,
        createdAt: row.created_at,
        network: null,
      });
      wakes.push(object.alarm());
      expect(await listing).toBe('listed');
      await Promise.all(wakes);
    });
    expect(await readMeta(id)).toMatchObject({ unlisted_since: null });
    expect(await readRow(id)).toMatchObject({ created_at: row.created_at });
    expect(await listChatIds(me)).toEqual([id]);
  });

  test('an unlisted conversation is kept while more messages are appended to it', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await env.DB.prepare('delete from conversations where id = ?').bind(id).run();
    await updateStorage(id, 'update meta set unlisted_since = ?', Date.now() - LONG_AGO_MS);
    await getConversationStub(id).append(me.id, []);
    await runDurableObjectAlarm(getConversationStub(id));
    expect(await readMeta(id)).not.toBeNull();
  });

  test('a conversation that was abandoned before it was listed is gone, and its creation fails', async () => {
    const me = await signInGuest();
    const { create } = ConversationObject.prototype;
    let id = '';
    vi.spyOn(ConversationObject.prototype, 'create').mockImplementationOnce(async function (
      this: ConversationObject,
      input: Parameters<typeof create>[0],
    ) {
      id = input.id;
      const made = await create.call(this, input);
      // The clock jumps forward before the list row is written, and the alarm runs.
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + LONG_AGO_MS });
      await this.alarm();
      vi.useRealTimers();
      return made;
    } as unknown as typeof create);
    const created = await me.call('/api/conversations', { json: { character_id: await addCharacter() } });
    expect(created.status).toBe(500);
    expect(id).not.toBe('');
    expect(await readRow(id)).toBeNull();
    expect(await readMeta(id)).toBeNull();
    expect((await me.ask<{ chats: unknown[] }>('/api/chats')).chats).toEqual([]);
  });

  test('an unlisted conversation is erased on time although the clock was set back', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await env.DB.prepare('delete from conversations where id = ?').bind(id).run();
    await updateStorage(id, 'update meta set unlisted_since = ?', Date.now() + 100 * LONG_AGO_MS);
    await runDurableObjectAlarm(getConversationStub(id));
    expect(await readMeta(id)).not.toBeNull();
    await updateStorage(id, 'update meta set unlisted_since = unlisted_since - ?', LONG_AGO_MS);
    await runDurableObjectAlarm(getConversationStub(id));
    expect(await readMeta(id)).toBeNull();
  });

  test('an erasure that stopped after the list row was deleted is finished', async () => {
    const me = await signInGuest();
    const id = await startListedConversation(me);
    await env.DB.prepare('delete from conversations where id = ?').bind(id).run();
    await updateStorage(id, 'update meta set unlisted_since = ?', Date.now() - LONG_AGO_MS);
    await runDurableObjectAlarm(getConversationStub(id));
    expect(await readMeta(id)).toBeNull();
  });

  test('an erasure that stopped before the list row was deleted keeps the conversation and its search results', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const word = `lantern${id.slice(-8)}`;
    await sendMessage(me, id, `${word} [[scenario:tokens n=2 ms=0]]`);
    const found = async () =>
      (
        await me.ask<{ items: { conversation_id: string }[] }>(`/api/conversations/search?q=${word}`)
      ).items.map(({ conversation_id }) => conversation_id);
    await vi.waitFor(async () => expect(await found()).toEqual([id]));
    await env.DB.prepare(
      `create trigger stays before delete on conversations when old.id = '${id}' begin select raise(abort, 'no'); end`,
    ).run();
    try {
      const erased = await me.call(`/api/conversations/${id}?forever=true`, { method: 'DELETE' });
      expect(erased.status).toBe(500);
    } finally {
      await env.DB.prepare('drop trigger stays').run();
    }
    expect(await found()).toEqual([id]);
    expect(
      (await me.call(`/api/conversations/${id}?forever=true`, { method: 'DELETE' })).status,
    ).toBeLessThan(300);
    expect(await found()).toEqual([]);
    expect(await readMeta(id)).toBeNull();
  });

  test('an edit made while a conversation is being erased is not added to search', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await sendMessage(me, id, 'Hello [[scenario:tokens n=2 ms=0]]');
    const message = (await listMessages(me, id)).find(({ role }) => role === 'user');
    const word = `lantern${id.slice(-8)}`;
    const [removed, canContinue] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const removeConversation = SearchObject.prototype.removeConversation;
    vi.spyOn(SearchObject.prototype, 'removeConversation').mockImplementationOnce(async function (
      this: SearchObject,
      conversationId,
    ) {
      await removeConversation.call(this, conversationId);
      removed.resolve();
      await canContinue.promise;
    });
    const erasing = me.call(`/api/conversations/${id}?forever=true`, { method: 'DELETE' });
    await removed.promise;
    const applied = vi.spyOn(SearchObject.prototype, 'apply');
    // As a client that still had the conversation open; the list no longer has it.
    const edited = await getConversationStub(id).editMessage(
      me.id,
      message?.id ?? '',
      { content: `Now with a ${word}.`, rating: 'general', region: { country: null, lang: 'en' } },
      null,
    );
    expect(edited).toMatchObject({ ok: true });
    canContinue.resolve();
    expect((await erasing).status).toBeLessThan(300);
    expect(await readMeta(id)).toBeNull();
    expect(applied).not.toHaveBeenCalled();
    const { items } = await me.ask<{ items: unknown[] }>(`/api/conversations/search?q=${word}`);
    expect(items).toEqual([]);
  });

  test('a conversation is counted once for its character although the answer was lost', async () => {
    const me = await signInGuest();
    const characterId = await addCharacter();
    const id = await startListedConversation(me, characterId);
    expect(await chatCount(characterId)).toBe(1);
    await updateStorage(id, 'update meta set count_decided = 0');
    await runDurableObjectAlarm(getConversationStub(id));
    await vi.waitFor(async () => expect(await readMeta(id)).toMatchObject({ count_decided: 1 }));
    expect(await chatCount(characterId)).toBe(1);
  });

  test('a conversation is counted for its character although the first attempt failed', async () => {
    const me = await signInGuest();
    const characterId = await addCharacter();
    const id = await startConversation(me, characterId);
    await env.DB.prepare(
      `create trigger uncounted before update of chat_count on characters when old.id = '${characterId}'
       begin select raise(abort, 'no'); end`,
    ).run();
    try {
      await sendMessage(me, id, 'Hello [[scenario:tokens n=2 ms=0]]');
      await vi.waitFor(async () =>
        expect(await readMeta(id)).toMatchObject({ list_row_stale: 0, count_decided: 0 }),
      );
    } finally {
      await env.DB.prepare('drop trigger uncounted').run();
    }
    expect(await chatCount(characterId)).toBe(0);
    await runDurableObjectAlarm(getConversationStub(id));
    await vi.waitFor(async () => expect(await readMeta(id)).toMatchObject({ count_decided: 1 }));
    expect(await chatCount(characterId)).toBe(1);
  });

  test('a copy of a chat has its row, however early it tried to write it', async () => {
    const me = await signInGuest();
    const characterId = await addCharacter();
    const id = await startListedConversation(me, characterId);
    const last = (await listMessages(me, id)).at(-1);
    const { addToList } = ConversationObject.prototype;
    vi.spyOn(ConversationObject.prototype, 'addToList').mockImplementationOnce(async function (
      this: ConversationObject,
      row: Parameters<typeof addToList>[0],
    ) {
      await this.alarm();
      return addToList.call(this, row);
    } as unknown as typeof addToList);
    const { conversation: copy } = await me.ask<{ conversation: { id: string } }>(
      `/api/conversations/${id}/messages/${last?.id}/fork`,
      { json: {}, status: 201 },
    );
    await runDurableObjectAlarm(getConversationStub(copy.id));
    expect(await readMeta(copy.id)).toMatchObject({ unlisted_since: null, completed_at: null });
    expect(await readRow(copy.id)).toMatchObject({ character_id: characterId });
    expect(await chatCount(characterId)).toBe(1);
  });

  test('a list that lost a conversation has it again at the next look', async () => {
    const me = await signInGuest();
    const ids = [await startListedConversation(me), await startListedConversation(me)];
    const list = env.SEARCHES.get(env.SEARCHES.idFromName(me.id));
    await runInDurableObject(list, (_, { storage }) => {
      storage.sql.exec('delete from conversations where id = ?', ids[0] ?? '');
    });
    expect((await listChatIds(me)).toSorted()).toEqual(ids);
    expect(await list.listConversationIds()).toHaveLength(2);
  });

  test('a list does not show a conversation whose row is gone', async () => {
    const me = await signInGuest();
    const [gone, kept] = [await startListedConversation(me), await startListedConversation(me)];
    await env.DB.prepare('delete from conversations where id = ?').bind(gone).run();
    expect(await listChatIds(me)).toEqual([kept]);
  });

  test('a conversation reports to the list that it was moved to the trash or restored', async () => {
    const me = await signInGuest();
    const id = await startListedConversation(me);
    await getConversationStub(id).moveToTrash(me.id);
    expect((await readRow(id))?.deleted_at).toBeTypeOf('number');
    await getConversationStub(id).restoreFromTrash(me.id, null);
    await runDurableObjectAlarm(getConversationStub(id));
    expect((await readRow(id))?.deleted_at).toBeNull();
  });

  test.each([
    [
      'an edit',
      (id: string, me: Visitor, mid: string) =>
        me.ask(`/api/conversations/${id}/messages/${mid}`, {
          method: 'PATCH',
          json: { content: 'Other words' },
        }),
    ],
    [
      'a deletion',
      (id: string, me: Visitor, mid: string) =>
        me.ask(`/api/conversations/${id}/messages/${mid}`, { method: 'DELETE' }),
    ],
    [
      'a new name',
      (id: string, me: Visitor) =>
        me.ask(`/api/conversations/${id}`, { method: 'PATCH', json: { title: 'Night' } }),
    ],
  ])('%s makes the conversation set an alarm for its list update', async (_, act) => {
    const me = await signInGuest();
    const id = await startListedConversation(me);
    await runInDurableObject(getConversationStub(id), (__, { storage }) => storage.deleteAlarm());
    const [, , reply] = await listMessages(me, id);
    await act(id, me, reply?.id ?? '');
    expect(await readAlarm(id)).toBeLessThanOrEqual(Date.now() + 30_000);
  });
});
