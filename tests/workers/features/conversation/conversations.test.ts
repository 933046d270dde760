// Over 400 lines: the life of a conversation, from renaming to trash and branching, with shared helpers.
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import { TRASH } from '../../../../src/features/character/limits.ts';
import { openDatabase } from '../../../../src/db/open.ts';
import { characters, conversations } from '../../../../src/db/schema/core.ts';
import { purgeExpiredConversations } from '../../../../src/jobs/purge-trash.ts';
import type {
  ChatList,
  Conversation,
  Message,
  TrashedChats,
} from '../../../../src/features/conversation/contract.ts';
import { WalletObject } from '../../../../src/features/wallet/wallet-object.ts';
import { SearchObject } from '../../../../src/features/search/search-object.ts';
import { ConversationClient, startConversationClient } from '../../../support/conversation-client.ts';
import {
  addCharacter,
  startTurn,
  getConversationStub,
  expectBalancedLedger,
  signInGuest,
  createTurnId,
  getPoints,
  sendMessage,
  type Visitor,
  setPoints,
  listConversation,
} from '../../../support/factories.ts';
import { createScene } from '../../../support/scripted-model.ts';

const db = openDatabase(env.DB);
const UNKNOWN = '0'.repeat(26);

const listChatIds = async (me: Visitor) =>
  (await me.ask<{ chats: { id: string }[] }>('/api/chats')).chats.map(({ id }) => id);
const listTrashed = async (me: Visitor) => (await me.ask<TrashedChats>('/api/conversations/trash')).items;
const deleteConversation = async (chat: ConversationClient, how = '') =>
  expect((await chat.call(how, { method: 'DELETE' })).status).toBe(204);

describe('Renaming a conversation', () => {
  test('a renamed conversation has its new title everywhere and keeps its place and messages', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    await listConversation(me, chat.id);
    const before = await chat.page();
    const renamed = await chat.ask<Conversation>('', { method: 'PATCH', json: { title: ' The lamp ' } });
    expect(renamed).toEqual({ ...before.conversation, title: 'The lamp' });
    const after = await chat.page();
    expect(after).toEqual({ ...before, conversation: renamed, revision: after.revision });
    const listPath = `/api/characters/${renamed.character_id}/conversations`;
    expect(await me.ask(listPath)).toMatchObject({ items: [{ id: chat.id, title: 'The lamp' }] });
  });

  test.each([
    ['', true],
    [', also when the list cannot be written', false],
  ])(
    'a rename during a refused message updates the title and keeps the place in the list%s',
    async (_, listWorks) => {
      vi.spyOn(console, 'error').mockReturnValue();
      const me = await signInGuest();
      const chat = await startConversationClient(me);
      await chat.send('Remember this.');
      const readListRow = async () => (await me.ask<ChatList>('/api/chats')).chats[0];
      const before = await readListRow();
      await setPoints(me, 0);
      const { reserve } = WalletObject.prototype;
      async function reserveAfterRename(this: WalletObject, ...asked: Parameters<typeof reserve>) {
        await getConversationStub(chat.id).rename(me.id, 'The lamp', null);
        return reserve.apply(this, asked);
      }
      vi.spyOn(WalletObject.prototype, 'reserve').mockImplementationOnce(
        reserveAfterRename as unknown as typeof reserve,
      );
      const apply = vi.spyOn(SearchObject.prototype, 'apply');
      if (!listWorks)
        apply.mockImplementation(() => {
          throw new Error('out of reach');
        });
      await chat.ask('/messages', {
        json: { content: 'And this?', client_message_id: createTurnId() },
        status: 402,
      });
      expect((await chat.page()).conversation.title).toBe('The lamp');
      apply.mockRestore();
      await runDurableObjectAlarm(getConversationStub(chat.id));
      expect(await readListRow()).toEqual({ ...before, title: 'The lamp', unread: false });
    },
  );

  test('a rename during a refused first message does not count the chat for its character', async () => {
    const me = await signInGuest();
    const characterId = await addCharacter();
    const chat = await startConversationClient(me, characterId);
    await setPoints(me, 0);
    const { reserve } = WalletObject.prototype;
    vi.spyOn(WalletObject.prototype, 'reserve').mockImplementationOnce(async function (
      this: WalletObject,
      ...asked: Parameters<typeof reserve>
    ) {
      await getConversationStub(chat.id).rename(me.id, 'The lamp', null);
      return reserve.apply(this, asked);
    } as unknown as typeof reserve);
    await chat.ask('/messages', {
      json: { content: 'Hello.', client_message_id: createTurnId() },
      status: 402,
    });
    const counted = await db.select().from(characters).where(eq(characters.id, characterId)).get();
    expect(counted?.chatCount).toBe(0);
  });

  test('an empty or too long conversation title is refused', async () => {
    const chat = await startConversationClient(await signInGuest());
    for (const title of ['', '   ', 'x'.repeat(101)]) {
      await chat.ask('', { method: 'PATCH', json: { title }, status: 400 });
    }
    expect((await chat.page()).conversation.title).toBeNull();
  });
});

describe('Deleting a conversation', () => {
  test('a deleted conversation stays in the trash for 30 days and can be restored unchanged', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    await chat.send('Remember this.');
    await chat.ask('', { method: 'PATCH', json: { title: 'The lamp' } });
    const before = await chat.page();
    await deleteConversation(chat);
    expect(await listChatIds(me)).toEqual([]);
    const [item] = await listTrashed(me);
    expect(item).toMatchObject({ id: chat.id, title: 'The lamp', message_count: 3, character_name: 'Mira' });
    expect(Date.parse(item?.expires_at ?? '') - Date.parse(item?.deleted_at ?? '')).toBe(TRASH.retentionMs);
    await chat.ask('', { status: 404 });
    // A client that lost the response repeats the request.
    await deleteConversation(chat);
    expect(await listTrashed(me)).toHaveLength(1);
    expect(await chat.ask('/restore', { method: 'POST' })).toEqual(before.conversation);
    const after = await chat.page();
    expect(after).toEqual({ ...before, revision: after.revision });
    expect(await listChatIds(me)).toEqual([chat.id]);
    expect(await listTrashed(me)).toEqual([]);
    await chat.send('And go on.');
    expect(await chat.count()).toBe(5);
  });

  test('only its user restores a conversation, and restoring one that is not in the trash changes nothing', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    const { conversation } = await chat.page();
    expect(await chat.ask('/restore', { method: 'POST' })).toEqual(conversation);
    await new ConversationClient(me, UNKNOWN).ask('/restore', { method: 'POST', status: 404 });
    await deleteConversation(chat);
    await new ConversationClient(await signInGuest(), chat.id).ask('/restore', {
      method: 'POST',
      status: 404,
    });
    expect(await listChatIds(me)).toEqual([]);
  });

  test('an interrupted restore of a conversation can be repeated', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    await listConversation(me, chat.id);
    await deleteConversation(chat);
    await getConversationStub(chat.id).restoreFromTrash(me.id, null);
    await chat.ask('/restore', { method: 'POST' });
    expect(await listChatIds(me)).toEqual([chat.id]);
    expect(await chat.messages()).toHaveLength(1);
  });

  test('a conversation deleted permanently leaves nothing behind, from the list or from the trash', async () => {
    const me = await signInGuest();
    for (const steps of [['?forever=true'], ['', '?forever=true']]) {
      const chat = await startConversationClient(me);
      await chat.send('My secret.');
      for (const how of steps) await deleteConversation(chat, how);
      await chat.ask('', { status: 404 });
      await chat.ask('/restore', { method: 'POST', status: 404 });
      expect([await listChatIds(me), await listTrashed(me)]).toEqual([[], []]);
    }
    expect(await me.ask('/api/conversations/search?q=secret')).toMatchObject({ items: [] });
    await expectBalancedLedger(me);
  });

  test('deleting a conversation during a reply ends the reply and keeps it for a restore', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    const slow = createScene('gate n=2');
    const reader = await startTurn(me, chat.id, slow.marker);
    await reader.readUntilText((text) => text === 'w0 w1');
    await deleteConversation(chat);
    await reader.readRest();
    await chat.ask('/restore', { method: 'POST' });
    expect((await chat.messages()).at(-1)).toMatchObject({ content: 'w0 w1', status: 'interrupted' });
    expect(await getPoints(me)).toMatchObject({ current_points: 49 });
  });
});

describe('Daily purge of the trash', () => {
  /** Returns a conversation that was deleted this long ago. */
  async function createDeleted(me: Visitor, ms: number): Promise<ConversationClient> {
    const chat = await startConversationClient(me);
    await listConversation(me, chat.id);
    await deleteConversation(chat);
    await env.DB.prepare('update conversations set deleted_at = deleted_at - ? where id = ?')
      .bind(ms, chat.id)
      .run();
    return chat;
  }
  const listTables = (chat: ConversationClient) =>
    runInDurableObject(getConversationStub(chat.id), (_, { storage }) =>
      storage.sql.exec("select name from sqlite_master where name not like '\\_cf%' escape '\\'").toArray(),
    );

  test('the trash purge erases only what was in the trash for 30 days, and can run again', async () => {
    const me = await signInGuest();
    const expired = await createDeleted(me, TRASH.retentionMs);
    const recent = await createDeleted(me, TRASH.retentionMs - 60_000);
    const active = await startConversationClient(me);
    await listConversation(me, active.id);
    expect(await purgeExpiredConversations(env, db, Date.now())).toBeGreaterThan(0);
    expect(await purgeExpiredConversations(env, db, Date.now())).toBe(0);
    expect((await listTrashed(me)).map(({ id }) => id)).toEqual([recent.id]);
    expect(await listTables(expired)).toEqual([]);
    await expired.ask('/restore', { method: 'POST', status: 404 });
    await recent.ask('/restore', { method: 'POST' });
    expect(await listChatIds(me)).toEqual(expect.arrayContaining([recent.id, active.id]));
  });

  test('a conversation that cannot be erased does not stop the purge and is retried the next time', async () => {
    const me = await signInGuest();
    const stuck = await createDeleted(me, TRASH.retentionMs + 60_000);
    const other = await createDeleted(me, TRASH.retentionMs);
    const { CONVERSATIONS } = env;
    const errorLog = vi.spyOn(console, 'error').mockReturnValue();
    const broken = {
      CONVERSATIONS: {
        idFromName: (name: string) => CONVERSATIONS.idFromName(name),
        get: (id: DurableObjectId) => {
          if (id.equals(CONVERSATIONS.idFromName(stuck.id))) throw new Error('out of reach');
          return CONVERSATIONS.get(id);
        },
      },
    } as unknown as Env;
    expect(await purgeExpiredConversations(broken, db, Date.now())).toBe(1);
    expect(errorLog).toHaveBeenCalledWith(expect.stringContaining(stuck.id));
    errorLog.mockRestore();
    expect((await listTrashed(me)).map(({ id }) => id)).toEqual([stuck.id]);
    expect(await listTables(other)).toEqual([]);
    expect(await purgeExpiredConversations(env, db, Date.now())).toBe(1);
    expect(await listTrashed(me)).toEqual([]);
  });

  test('the trash purge skips a conversation that is being restored', async () => {
    const me = await signInGuest();
    const chat = await createDeleted(me, TRASH.retentionMs);
    await getConversationStub(chat.id).restoreFromTrash(me.id, null);
    expect(await purgeExpiredConversations(env, db, Date.now())).toBe(0);
    await chat.ask('/restore', { method: 'POST' });
    expect(await chat.messages()).toHaveLength(1);
  });

  test('the trash purge removes the list row of a conversation that was already erased', async () => {
    const me = await signInGuest();
    const chat = await createDeleted(me, TRASH.retentionMs);
    const leftRows = await db.select().from(conversations).where(eq(conversations.id, chat.id));
    expect(await getConversationStub(chat.id).erase(me.id)).toEqual({ ok: true });
    await db.insert(conversations).values(leftRows);
    expect(await purgeExpiredConversations(env, db, Date.now())).toBe(1);
    expect(await listTrashed(me)).toEqual([]);
  });
});

describe('Branching a conversation', () => {
  /** Removes the fields of a message that a branch does not copy. */
  const pickCopied = (messages: Message[]) =>
    messages.map((message) => ({ ...message, client_message_id: null }));

  async function startWithHistory() {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    await chat.send('First.');
    await chat.send('Second.');
    const [, first, reply] = (await chat.ids()) as [string, string, string];
    await chat.regenerate(reply);
    await chat.edit(first, 'First, mended.');
    await chat.pin(reply);
    await chat.ask('', { method: 'PATCH', json: { title: 'The lamp' } });
    return { me, chat, reply, said: await chat.messages() };
  }

  test('a branch contains every message up to the chosen one, with texts, versions, pins and title', async () => {
    const { me, chat, reply, said } = await startWithHistory();
    const before = await getPoints(me);
    const { chat: fork, conversation } = await chat.fork(reply);
    expect(fork.id).not.toBe(chat.id);
    expect(conversation).toMatchObject({ title: 'The lamp', message_count: 3, character_name: 'Mira' });
    const page = await fork.page();
    expect(page).toMatchObject({ conversation, next_cursor: null, later_cursor: null });
    expect(pickCopied(page.messages)).toEqual(pickCopied(said.slice(0, 3)));
    expect((await listChatIds(me)).toSorted()).toEqual([chat.id, fork.id].toSorted());
    expect(await getPoints(me)).toEqual(before);
    expect(await chat.messages()).toEqual(said);
  });

  test('changes in a branch and in the original do not affect each other', async () => {
    const { chat, reply, said } = await startWithHistory();
    const { chat: fork } = await chat.fork(reply);
    await fork.send('Another way.');
    await fork.regenerate(reply);
    await fork.edit(reply, 'Only here.');
    expect(await chat.messages()).toEqual(said);
    const forked = await fork.messages();
    const { id } = await chat.discard(said[1]?.id as string);
    await chat.send('And this way.');
    await deleteConversation(chat);
    expect(await fork.messages()).toEqual(forked);
    await chat.ask('/restore', { method: 'POST' });
    await deleteConversation(fork, '?forever=true');
    await chat.restore(id);
    expect((await chat.messages()).slice(0, 5)).toEqual(said);
  });

  test('a branch does not copy the trash', async () => {
    const { chat, said } = await startWithHistory();
    await chat.discard(said[3]?.id as string);
    await chat.send('Instead.');
    const last = (await chat.messages()).at(-1) as Message;
    const { chat: fork } = await chat.fork(last.id);
    expect(await fork.texts()).toEqual(await chat.texts());
    expect((await fork.trash()).items).toEqual([]);
    expect(await fork.count()).toBe(5);
  });

  test('a running reply cannot be branched, but the messages before it can', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    await chat.send('First.');
    const slow = createScene('gate n=2');
    const reader = await startTurn(me, chat.id, slow.marker);
    await slow.reached();
    const ids = await chat.ids();
    const refused = await me.ask<{ code: string }>(`/api/conversations/${chat.id}/messages/${ids[4]}/fork`, {
      method: 'POST',
      status: 409,
    });
    expect(refused.code).toBe('reply_in_progress');
    const { chat: fork } = await chat.fork(ids[3] as string);
    await slow.open();
    await reader.readRest();
    expect(await fork.ids()).toEqual(ids.slice(0, 4));
    expect(await fork.count()).toBe(4);
    const events = await sendMessage(me, fork.id, 'Go on.');
    expect(events.at(-1)?.event).toBe('done');
  });

  test('a branch of a long conversation contains all messages in order', async () => {
    const chat = await startConversationClient(await signInGuest());
    const lines = Array.from({ length: 450 }, (_, index) => `line ${index}`);
    await chat.insertMessages(...lines);
    const last = (await chat.messages()).at(-1) as Message;
    const { chat: fork, conversation } = await chat.fork(last.id);
    expect(conversation.message_count).toBe(451);
    const texts: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await fork.page(`?limit=100${cursor === '' ? '' : `&before=${cursor}`}`);
      texts.unshift(...page.messages.map(({ content }) => content));
      cursor = page.next_cursor;
    }
    expect(texts.slice(1)).toEqual(lines);
  });

  test('branching at an unknown message answers 404 and creates nothing', async () => {
    const { me, chat } = await startWithHistory();
    await chat.ask(`/messages/${UNKNOWN}/fork`, { method: 'POST', status: 404 });
    expect(await listChatIds(me)).toEqual([chat.id]);
  });
});

describe('Message pages', () => {
  test('message pages around, before and after a message have neither gaps nor repeats', async () => {
    const chat = await startConversationClient(await signInGuest());
    await chat.insertMessages(...Array.from({ length: 30 }, (_, index) => `line ${index}`));
    const all = await chat.ids();
    expect(all).toHaveLength(31);
    for (const [index, limit] of [
      [0, 5],
      [15, 6],
      [15, 7],
      [15, 1],
      [15, 2],
      [30, 5],
      [29, 100],
    ] as const) {
      const middle = await chat.page(`?around=${all[index]}&limit=${limit}`);
      const seen = middle.messages.map(({ id }) => id);
      expect(seen).toContain(all[index]);
      expect(seen.length).toBeLessThanOrEqual(limit);
      let { next_cursor: earlier, later_cursor: later } = middle;
      while (earlier !== null) {
        const page = await chat.page(`?before=${earlier}&limit=4`);
        expect(page.messages.length).toBeGreaterThan(0);
        seen.unshift(...page.messages.map(({ id }) => id));
        earlier = page.next_cursor;
      }
      while (later !== null) {
        const page = await chat.page(`?after=${later}&limit=4`);
        seen.push(...page.messages.map(({ id }) => id));
        later = page.later_cursor;
      }
      expect(seen).toEqual(all);
    }
  });

  test('message pages can be read from the position of a message that is in the trash', async () => {
    const chat = await startConversationClient(await signInGuest());
    await chat.insertMessages(...Array.from({ length: 9 }, (_, index) => `line ${index}`));
    const all = await chat.ids();
    const [discardedId, later] = [all[5] as string, all[7] as string];
    const trashed = await chat.discard(discardedId);
    for (const cursor of [discardedId, later]) {
      const before = await chat.page(`?before=${cursor}&limit=3`);
      expect(before.messages.map(({ id }) => id)).toEqual(all.slice(2, 5));
      expect(before).toMatchObject({ next_cursor: all[2], later_cursor: null });
      expect(await chat.page(`?after=${cursor}`)).toMatchObject({ messages: [], later_cursor: null });
    }
    await chat.send('Instead.');
    const newIds = (await chat.ids()).slice(5);
    const after = await chat.page(`?after=${discardedId}`);
    expect(after.messages.map(({ id }) => id)).toEqual(newIds);
    expect(after).toMatchObject({ next_cursor: newIds[0], later_cursor: null });
    expect((await chat.page(`?before=${discardedId}&limit=3`)).later_cursor).toBe(all[4]);
    await chat.ask(`?around=${discardedId}`, { status: 404 });
    expect((await chat.call(`/trash/${trashed.id}`, { method: 'DELETE' })).status).toBe(204);
    await chat.ask(`?before=${discardedId}`, { status: 404 });
  });

  test('a message page around an unknown message is not found', async () => {
    const chat = await startConversationClient(await signInGuest());
    for (const place of ['around', 'before', 'after'])
      await chat.ask(`?${place}=${UNKNOWN}`, { status: 404 });
  });
});
