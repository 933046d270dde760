import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { ConversationObject } from '../../src/features/conversation/conversation-object.ts';
import { SearchObject } from '../../src/features/search/search-object.ts';
import {
  addCharacter,
  startConversation,
  getConversationStub,
  signInGuest,
  listMessages,
  sendMessage,
  type Visitor,
} from '../support/factories.ts';

/** Two minutes, after which nobody lists any more what was made. */
const LONG_AGO_MS = 121_000;

const rowOf = (id: string) =>
  env.DB.prepare('select * from conversations where id = ?').bind(id).first<{
    character_id: string;
    character_name: string;
    avatar_url: string;
    title: string | null;
    message_count: number;
    last_message_at: number;
    deleted_at: number | null;
  }>();
const metaOf = (id: string) =>
  runInDurableObject(getConversationStub(id), (_, { storage }) =>
    storage.sql.exec("select 1 from sqlite_master where name = 'meta'").toArray().length === 0
      ? null
      : (storage.sql.exec('select * from meta').toArray()[0] ?? null),
  );
const change = (id: string, sql: string, ...values: (string | number)[]) =>
  runInDurableObject(getConversationStub(id), (_, { storage }) => void storage.sql.exec(sql, ...values));
const alarmOf = (id: string) =>
  runInDurableObject(getConversationStub(id), (_, { storage }) => storage.getAlarm());
const chatCount = (id: string) =>
  env.DB.prepare('select chat_count from characters where id = ?').bind(id).first<number>('chat_count');

/** Somebody's chat in which something was said, and everybody has been told of it. */
async function toldOf(me: Visitor, characterId?: string): Promise<string> {
  const id = await startConversation(me, characterId);
  await sendMessage(me, id, 'Hello [[scenario:tokens n=2 ms=0]]');
  await vi.waitFor(async () => expect(await metaOf(id)).toMatchObject({ index_dirty: 0, counted: 1 }));
  return id;
}

describe('When the machine fails between a conversation and the lists', () => {
  test('one that was made and never listed is gone after two minutes, and no sooner', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await env.DB.prepare('delete from conversations where id = ?').bind(id).run();
    await change(id, 'update meta set unlisted_since = ?', Date.now());
    expect(await runDurableObjectAlarm(getConversationStub(id))).toBe(true);
    expect(await metaOf(id)).not.toBeNull();
    await change(id, 'update meta set unlisted_since = unlisted_since - ?', LONG_AGO_MS);
    await runDurableObjectAlarm(getConversationStub(id));
    expect(await metaOf(id)).toBeNull();
  });

  test('one that stands in my list stays, however late it learns of that', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await change(id, 'update meta set unlisted_since = ?', Date.now() - LONG_AGO_MS);
    await runDurableObjectAlarm(getConversationStub(id));
    expect(await metaOf(id)).toMatchObject({ unlisted_since: null });
    expect(await listMessages(me, id)).toHaveLength(1);
  });

  test('one that is just being listed does not take itself for nobody’s, however late it is by the clock', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const row = await rowOf(id);
    if (row === null) throw new Error('no row');
    await env.DB.prepare('delete from conversations where id = ?').bind(id).run();
    await runInDurableObject(getConversationStub(id), async (object, { storage }) => {
      storage.sql.exec('update meta set unlisted_since = ?', Date.now() - LONG_AGO_MS);
      const wakes = [object.alarm()];
      const listing = object.addToList({
        id,
        ownerId: me.id,
        characterId: row.character_id,
        characterName: row.character_name,
        avatarUrl: row.avatar_url,
        title: row.title,
        createdAt: row.last_message_at,
        lastMessageAt: row.last_message_at,
        messageCount: 1,
        network: null,
      });
      wakes.push(object.alarm());
      expect(await listing).toBe(true);
      await Promise.all(wakes);
    });
    expect(await metaOf(id)).toMatchObject({ unlisted_since: null });
    expect(await rowOf(id)).toMatchObject({ message_count: 1 });
  });

  test('one that takes long to be made is waited for as long as more of it comes', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await env.DB.prepare('delete from conversations where id = ?').bind(id).run();
    await change(id, 'update meta set unlisted_since = ?', Date.now() - LONG_AGO_MS);
    await getConversationStub(id).append(me.id, []);
    await runDurableObjectAlarm(getConversationStub(id));
    expect(await metaOf(id)).not.toBeNull();
  });

  test('one that was given up before it was listed is nowhere, and nobody is told that it is there', async () => {
    const me = await signInGuest();
    const { create } = ConversationObject.prototype;
    let id = '';
    vi.spyOn(ConversationObject.prototype, 'create').mockImplementationOnce(async function (
      this: ConversationObject,
      input: Parameters<typeof create>[0],
    ) {
      id = input.id;
      const made = create.call(this, input);
      // The clock is set forward before its row is written, and it wakes.
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + LONG_AGO_MS });
      await this.alarm();
      vi.useRealTimers();
      return made;
    } as unknown as typeof create);
    const begun = await me.call('/api/conversations', { json: { character_id: await addCharacter() } });
    expect(begun.status).toBe(500);
    expect(id).not.toBe('');
    expect(await rowOf(id)).toBeNull();
    expect(await metaOf(id)).toBeNull();
    expect((await me.ask<{ chats: unknown[] }>('/api/chats')).chats).toEqual([]);
  });

  test('and no later, though the clock was set back meanwhile', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await env.DB.prepare('delete from conversations where id = ?').bind(id).run();
    await change(id, 'update meta set unlisted_since = ?', Date.now() + 100 * LONG_AGO_MS);
    await runDurableObjectAlarm(getConversationStub(id));
    expect(await metaOf(id)).not.toBeNull();
    await change(id, 'update meta set unlisted_since = unlisted_since - ?', LONG_AGO_MS);
    await runDurableObjectAlarm(getConversationStub(id));
    expect(await metaOf(id)).toBeNull();
  });

  test('an erasure that stopped after the row was gone is brought to its end', async () => {
    const me = await signInGuest();
    const id = await toldOf(me);
    await env.DB.prepare('delete from conversations where id = ?').bind(id).run();
    await change(id, 'update meta set unlisted_since = ?', Date.now() - LONG_AGO_MS);
    await runDurableObjectAlarm(getConversationStub(id));
    expect(await metaOf(id)).toBeNull();
  });

  test('an erasure that stopped before the row was gone leaves all of it, and its words can be found', async () => {
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
    expect(await metaOf(id)).toBeNull();
  });

  test('what I change while my conversation is being erased is not found afterwards either', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await sendMessage(me, id, 'Hello [[scenario:tokens n=2 ms=0]]');
    const message = (await listMessages(me, id)).find(({ role }) => role === 'user');
    const word = `lantern${id.slice(-8)}`;
    const [forgotten, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const forget = SearchObject.prototype.removeConversation;
    vi.spyOn(SearchObject.prototype, 'removeConversation').mockImplementationOnce(async function (
      this: SearchObject,
      conversationId,
    ) {
      await forget.call(this, conversationId);
      forgotten.resolve();
      await mayGoOn.promise;
    });
    const erasing = me.call(`/api/conversations/${id}?forever=true`, { method: 'DELETE' });
    await forgotten.promise;
    const telling = vi.spyOn(SearchObject.prototype, 'apply');
    // As whoever still had it open: the lists have let go of it already.
    const edited = await getConversationStub(id).editMessage(
      me.id,
      message?.id ?? '',
      { content: `Now with a ${word}.`, rating: 'general', whereabouts: { country: null, lang: 'en' } },
      null,
    );
    expect(edited).toMatchObject({ ok: true });
    mayGoOn.resolve();
    expect((await erasing).status).toBeLessThan(300);
    expect(await metaOf(id)).toBeNull();
    expect(telling).not.toHaveBeenCalled();
    const { items } = await me.ask<{ items: unknown[] }>(`/api/conversations/search?q=${word}`);
    expect(items).toEqual([]);
  });

  test('a chat for its character is counted once, though the answer to that was lost', async () => {
    const me = await signInGuest();
    const characterId = await addCharacter();
    const id = await toldOf(me, characterId);
    expect(await chatCount(characterId)).toBe(1);
    await change(id, 'update meta set counted = 0, index_dirty = 1');
    await runDurableObjectAlarm(getConversationStub(id));
    await vi.waitFor(async () => expect(await metaOf(id)).toMatchObject({ index_dirty: 0, counted: 1 }));
    expect(await chatCount(characterId)).toBe(1);
  });

  test('and it is counted, though the first try to do so never arrived', async () => {
    const me = await signInGuest();
    const characterId = await addCharacter();
    const id = await toldOf(me, characterId);
    await env.DB.prepare('update characters set chat_count = 0 where id = ?').bind(characterId).run();
    await env.DB.prepare('update conversations set last_message_at = 1 where id = ?').bind(id).run();
    await change(id, 'update meta set counted = 0, index_dirty = 1');
    await runDurableObjectAlarm(getConversationStub(id));
    await vi.waitFor(async () => expect(await metaOf(id)).toMatchObject({ index_dirty: 0, counted: 1 }));
    expect(await chatCount(characterId)).toBe(1);
  });

  test('a copy of a chat is counted, though its row had its time before and the first try to do so never arrived', async () => {
    const me = await signInGuest();
    const characterId = await addCharacter();
    const id = await toldOf(me, characterId);
    const last = (await listMessages(me, id)).at(-1);
    const { conversation: copy } = await me.ask<{ conversation: { id: string } }>(
      `/api/conversations/${id}/messages/${last?.id}/fork`,
      { json: {}, status: 201 },
    );
    // The list is told of its empty beginning while its row is made, and may have that late.
    await env.DB.prepare('update conversations set last_message_at = ? where id = ?')
      .bind(Number((await metaOf(copy.id))?.['updated_at']), copy.id)
      .run();
    const own = (await listMessages(me, copy.id)).at(-1);
    await env.DB.prepare(
      `create trigger uncounted before update of chat_count on characters when old.id = '${characterId}'
       begin select raise(abort, 'no'); end`,
    ).run();
    try {
      await me.call(`/api/conversations/${copy.id}/messages/${own?.id}`, { method: 'DELETE' });
      await runDurableObjectAlarm(getConversationStub(copy.id));
      expect(await metaOf(copy.id)).toMatchObject({ index_dirty: 1, counted: 0 });
    } finally {
      await env.DB.prepare('drop trigger uncounted').run();
    }
    await runDurableObjectAlarm(getConversationStub(copy.id));
    await vi.waitFor(async () => expect(await metaOf(copy.id)).toMatchObject({ index_dirty: 0, counted: 1 }));
    expect(await chatCount(characterId)).toBe(2);
  });

  test('a chat whose words lay in the trash when the list was told of it is counted once I have them back', async () => {
    const me = await signInGuest();
    const characterId = await addCharacter();
    const id = await toldOf(me, characterId);
    await env.DB.prepare('update characters set chat_count = 0 where id = ?').bind(characterId).run();
    await env.DB.prepare('update conversations set last_message_at = 1 where id = ?').bind(id).run();
    await change(id, 'update meta set counted = 0, counting = updated_at');
    const own = (await listMessages(me, id)).find(({ role }) => role === 'user');
    const { id: deletion } = await me.ask<{ id: string }>(`/api/conversations/${id}/messages/${own?.id}`, {
      method: 'DELETE',
    });
    await vi.waitFor(async () => expect(await metaOf(id)).toMatchObject({ index_dirty: 0, counted: 0 }));
    await me.ask(`/api/conversations/${id}/trash/${deletion}/restore`, { method: 'POST' });
    await vi.waitFor(async () => expect(await metaOf(id)).toMatchObject({ index_dirty: 0, counted: 1 }));
    expect(await chatCount(characterId)).toBe(1);
  });

  test('whether it lies in the trash is told to the list by the conversation itself', async () => {
    const me = await signInGuest();
    const id = await toldOf(me);
    await getConversationStub(id).moveToTrash(me.id);
    expect((await rowOf(id))?.deleted_at).toBeTypeOf('number');
    await getConversationStub(id).restoreFromTrash(me.id, null);
    await runDurableObjectAlarm(getConversationStub(id));
    expect((await rowOf(id))?.deleted_at).toBeNull();
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
  ])('%s has the conversation wake for the lists, whatever happens meanwhile', async (_, act) => {
    const me = await signInGuest();
    const id = await toldOf(me);
    await runInDurableObject(getConversationStub(id), (__, { storage }) => storage.deleteAlarm());
    const [, , reply] = await listMessages(me, id);
    await act(id, me, reply?.id ?? '');
    expect(await alarmOf(id)).toBeLessThanOrEqual(Date.now() + 30_000);
  });
});
