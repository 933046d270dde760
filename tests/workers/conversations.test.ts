// Over 400 lines: one conversation from its name over the trash and its branches to its end, over the same few hands.
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import { TRASH } from '../../src/features/character/limits.ts';
import { openDatabase } from '../../src/db/open.ts';
import { conversations } from '../../src/db/schema/core.ts';
import { purgeExpiredConversations } from '../../src/jobs/purge-trash.ts';
import type {
  ChatList,
  Conversation,
  Message,
  TrashedChats,
} from '../../src/features/conversation/contract.ts';
import { WalletObject } from '../../src/features/wallet/wallet-object.ts';
import { ConversationClient, startConversationClient } from '../support/conversation-client.ts';
import {
  startTurn,
  getConversationStub,
  expectBalancedLedger,
  signInGuest,
  createTurnId,
  getPoints,
  sendMessage,
  type Visitor,
  setPoints,
} from '../support/factories.ts';
import { createScene } from '../support/scripted-model.ts';

const db = openDatabase(env.DB);
const UNKNOWN = '0'.repeat(26);

const chatIds = async (me: Visitor) =>
  (await me.ask<{ chats: { id: string }[] }>('/api/chats')).chats.map(({ id }) => id);
const trashed = async (me: Visitor) => (await me.ask<TrashedChats>('/api/conversations/trash')).items;
const drop = async (chat: ConversationClient, how = '') =>
  expect((await chat.call(how, { method: 'DELETE' })).status).toBe(204);

describe('When I rename a conversation', () => {
  test('it has the new title everywhere, and keeps its place and its messages', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    const before = await chat.page();
    const renamed = await chat.ask<Conversation>('', { method: 'PATCH', json: { title: ' The lamp ' } });
    expect(renamed).toEqual({ ...before.conversation, title: 'The lamp' });
    const after = await chat.page();
    expect(after).toEqual({ ...before, conversation: renamed, revision: after.revision });
    const withIt = `/api/characters/${renamed.character_id}/conversations`;
    expect(await me.ask(withIt)).toMatchObject({ items: [{ id: chat.id, title: 'The lamp' }] });
  });

  test.each([
    ['', true],
    [', though the list cannot be written just then', false],
  ])(
    'while a message goes out that is refused, the list has the title, and my chat at its old place%s',
    async (_, listWorks) => {
      vi.spyOn(console, 'error').mockReturnValue();
      const me = await signInGuest();
      const chat = await startConversationClient(me);
      await chat.send('Remember this.');
      const row = async () => (await me.ask<ChatList>('/api/chats')).chats[0];
      const before = await row();
      await setPoints(me, 0);
      const { reserve } = WalletObject.prototype;
      async function renamingFirst(this: WalletObject, ...asked: Parameters<typeof reserve>) {
        await getConversationStub(chat.id).rename(me.id, 'The lamp', null);
        return reserve.apply(this, asked);
      }
      vi.spyOn(WalletObject.prototype, 'reserve').mockImplementationOnce(
        renamingFirst as unknown as typeof reserve,
      );
      const trigger = `out_of_reach_${chat.id}`;
      if (!listWorks)
        await env.DB.exec(
          `create trigger ${trigger} before update on conversations when new.id = '${chat.id}' begin select raise(abort, 'out of reach'); end`,
        );
      await chat.ask('/messages', {
        json: { content: 'And this?', client_message_id: createTurnId() },
        status: 402,
      });
      expect((await chat.page()).conversation.title).toBe('The lamp');
      await env.DB.exec(`drop trigger if exists ${trigger}`);
      await runDurableObjectAlarm(getConversationStub(chat.id));
      expect(await row()).toEqual({ ...before, title: 'The lamp' });
    },
  );

  test('to nothing or to a novel, I am told what is wrong', async () => {
    const chat = await startConversationClient(await signInGuest());
    for (const title of ['', '   ', 'x'.repeat(101)]) {
      await chat.ask('', { method: 'PATCH', json: { title }, status: 400 });
    }
    expect((await chat.page()).conversation.title).toBeNull();
  });
});

describe('When I delete a conversation', () => {
  test('it lies in the trash for 30 days, and comes back as it was', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    await chat.send('Remember this.');
    await chat.ask('', { method: 'PATCH', json: { title: 'The lamp' } });
    const before = await chat.page();
    await drop(chat);
    expect(await chatIds(me)).toEqual([]);
    const [item] = await trashed(me);
    expect(item).toMatchObject({ id: chat.id, title: 'The lamp', message_count: 3, character_name: 'Mira' });
    expect(Date.parse(item?.expires_at ?? '') - Date.parse(item?.deleted_at ?? '')).toBe(TRASH.retentionMs);
    await chat.ask('', { status: 404 });
    // A client that did not hear the answer asks again.
    await drop(chat);
    expect(await trashed(me)).toHaveLength(1);
    expect(await chat.ask('/restore', { method: 'POST' })).toEqual(before.conversation);
    const after = await chat.page();
    expect(after).toEqual({ ...before, revision: after.revision });
    expect(await chatIds(me)).toEqual([chat.id]);
    expect(await trashed(me)).toEqual([]);
    await chat.send('And go on.');
    expect(await chat.count()).toBe(5);
  });

  test('what is not in the trash cannot be taken out of it', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    await chat.ask('/restore', { method: 'POST', status: 404 });
    await new ConversationClient(me, UNKNOWN).ask('/restore', { method: 'POST', status: 404 });
    await drop(chat);
    await new ConversationClient(await signInGuest(), chat.id).ask('/restore', {
      method: 'POST',
      status: 404,
    });
    expect(await chatIds(me)).toEqual([]);
  });

  test('and taking it back broke off halfway, doing so again puts it right', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    await drop(chat);
    await getConversationStub(chat.id).restoreFromTrash(me.id, null);
    expect(await chatIds(me)).toEqual([]);
    await chat.ask('/restore', { method: 'POST' });
    expect(await chatIds(me)).toEqual([chat.id]);
    expect(await chat.messages()).toHaveLength(1);
  });

  test('for good, nothing is left of it, from where it was and from the trash', async () => {
    const me = await signInGuest();
    for (const steps of [['?forever=true'], ['', '?forever=true']]) {
      const chat = await startConversationClient(me);
      await chat.send('My secret.');
      for (const how of steps) await drop(chat, how);
      await chat.ask('', { status: 404 });
      await chat.ask('/restore', { method: 'POST', status: 404 });
      expect([await chatIds(me), await trashed(me)]).toEqual([[], []]);
    }
    expect(await me.ask('/api/conversations/search?q=secret')).toMatchObject({ items: [] });
    await expectBalancedLedger(me);
  });

  test('while its reply is written, the reply ends and is there when I take it back', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    const slow = createScene('gate n=2');
    const reader = await startTurn(me, chat.id, slow.marker);
    await reader.readUntilText((text) => text === 'w0 w1');
    await drop(chat);
    await reader.readRest();
    await chat.ask('/restore', { method: 'POST' });
    expect((await chat.messages()).at(-1)).toMatchObject({ content: 'w0 w1', status: 'interrupted' });
    expect(await getPoints(me)).toMatchObject({ current_points: 49 });
  });
});

describe('The daily clearing of the trash', () => {
  /** A conversation that was deleted so long ago. */
  async function deletedFor(me: Visitor, ms: number): Promise<ConversationClient> {
    const chat = await startConversationClient(me);
    await drop(chat);
    await env.DB.prepare('update conversations set deleted_at = deleted_at - ? where id = ?')
      .bind(ms, chat.id)
      .run();
    return chat;
  }
  const rowsOf = (chat: ConversationClient) =>
    runInDurableObject(getConversationStub(chat.id), (_, { storage }) =>
      storage.sql.exec("select name from sqlite_master where name not like '\\_cf%' escape '\\'").toArray(),
    );

  test('erases what lay there for 30 days and nothing else, and can run again', async () => {
    const me = await signInGuest();
    const expired = await deletedFor(me, TRASH.retentionMs);
    const recent = await deletedFor(me, TRASH.retentionMs - 60_000);
    const kept = await startConversationClient(me);
    expect(await purgeExpiredConversations(env, db, Date.now())).toBeGreaterThan(0);
    expect(await purgeExpiredConversations(env, db, Date.now())).toBe(0);
    expect((await trashed(me)).map(({ id }) => id)).toEqual([recent.id]);
    expect(await rowsOf(expired)).toEqual([]);
    await expired.ask('/restore', { method: 'POST', status: 404 });
    await recent.ask('/restore', { method: 'POST' });
    expect(await chatIds(me)).toEqual(expect.arrayContaining([recent.id, kept.id]));
  });

  test('is not stopped by one that cannot be erased, which waits for the next time', async () => {
    const me = await signInGuest();
    const stuck = await deletedFor(me, TRASH.retentionMs + 60_000);
    const other = await deletedFor(me, TRASH.retentionMs);
    const { CONVERSATIONS } = env;
    const silence = vi.spyOn(console, 'error').mockReturnValue();
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
    expect(silence).toHaveBeenCalledWith(expect.stringContaining(stuck.id));
    silence.mockRestore();
    expect((await trashed(me)).map(({ id }) => id)).toEqual([stuck.id]);
    expect(await rowsOf(other)).toEqual([]);
    expect(await purgeExpiredConversations(env, db, Date.now())).toBe(1);
    expect(await trashed(me)).toEqual([]);
  });

  test('leaves what is being taken back at that moment', async () => {
    const me = await signInGuest();
    const chat = await deletedFor(me, TRASH.retentionMs);
    await getConversationStub(chat.id).restoreFromTrash(me.id, null);
    expect(await purgeExpiredConversations(env, db, Date.now())).toBe(0);
    await chat.ask('/restore', { method: 'POST' });
    expect(await chat.messages()).toHaveLength(1);
  });

  test('removes the list row of one that was erased already', async () => {
    const me = await signInGuest();
    const chat = await deletedFor(me, TRASH.retentionMs);
    const left = await db.select().from(conversations).where(eq(conversations.id, chat.id));
    expect(await getConversationStub(chat.id).erase(me.id)).toEqual({ ok: true });
    await db.insert(conversations).values(left);
    expect(await purgeExpiredConversations(env, db, Date.now())).toBe(1);
    expect(await trashed(me)).toEqual([]);
  });
});

describe('When I fork a conversation at a message', () => {
  /** What a fork takes over of a message. */
  const carried = (messages: Message[]) =>
    messages.map((message) => ({ ...message, client_message_id: null }));

  async function storied() {
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

  test('a new conversation has everything up to it: texts, versions, pins, title', async () => {
    const { me, chat, reply, said } = await storied();
    const before = await getPoints(me);
    const { chat: fork, conversation } = await chat.fork(reply);
    expect(fork.id).not.toBe(chat.id);
    expect(conversation).toMatchObject({ title: 'The lamp', message_count: 3, character_name: 'Mira' });
    const page = await fork.page();
    expect(page).toMatchObject({ conversation, next_cursor: null, later_cursor: null });
    expect(carried(page.messages)).toEqual(carried(said.slice(0, 3)));
    expect((await chatIds(me)).toSorted()).toEqual([chat.id, fork.id].toSorted());
    expect(await getPoints(me)).toEqual(before);
    expect(await chat.messages()).toEqual(said);
  });

  test('what happens in one does not happen in the other', async () => {
    const { chat, reply, said } = await storied();
    const { chat: fork } = await chat.fork(reply);
    await fork.send('Another way.');
    await fork.regenerate(reply);
    await fork.edit(reply, 'Only here.');
    expect(await chat.messages()).toEqual(said);
    const forked = await fork.messages();
    const { id } = await chat.discard(said[1]?.id as string);
    await chat.send('And this way.');
    await drop(chat);
    expect(await fork.messages()).toEqual(forked);
    await chat.ask('/restore', { method: 'POST' });
    await drop(fork, '?forever=true');
    await chat.restore(id);
    expect((await chat.messages()).slice(0, 5)).toEqual(said);
  });

  test('what lies in the trash stays behind', async () => {
    const { chat, said } = await storied();
    await chat.discard(said[3]?.id as string);
    await chat.send('Instead.');
    const last = (await chat.messages()).at(-1) as Message;
    const { chat: fork } = await chat.fork(last.id);
    expect(await fork.texts()).toEqual(await chat.texts());
    expect((await fork.trash()).items).toEqual([]);
    expect(await fork.count()).toBe(5);
  });

  test('while its reply is written, that reply has to wait and everything before it can go along', async () => {
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
    const said = await sendMessage(me, fork.id, 'Go on.');
    expect(said.at(-1)?.event).toBe('done');
  });

  test('of a long story, all of it comes, in its order', async () => {
    const chat = await startConversationClient(await signInGuest());
    const lines = Array.from({ length: 450 }, (_, index) => `line ${index}`);
    await chat.insertMessages(...lines);
    const last = (await chat.messages()).at(-1) as Message;
    const { chat: fork, conversation } = await chat.fork(last.id);
    expect(conversation.message_count).toBe(451);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await fork.page(`?limit=100${cursor === '' ? '' : `&before=${cursor}`}`);
      seen.unshift(...page.messages.map(({ content }) => content));
      cursor = page.next_cursor;
    }
    expect(seen.slice(1)).toEqual(lines);
  });

  test('that is not there, it is not found and nothing is made', async () => {
    const { me, chat } = await storied();
    await chat.ask(`/messages/${UNKNOWN}/fork`, { method: 'POST', status: 404 });
    expect(await chatIds(me)).toEqual([chat.id]);
  });
});

describe('A long history', () => {
  test('comes by pages to either side of any message, without gaps and repeats', async () => {
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

  test('is read on from where a message stood that was deleted meanwhile', async () => {
    const chat = await startConversationClient(await signInGuest());
    await chat.insertMessages(...Array.from({ length: 9 }, (_, index) => `line ${index}`));
    const all = await chat.ids();
    const [cut, later] = [all[5] as string, all[7] as string];
    const trashed = await chat.discard(cut);
    for (const gone of [cut, later]) {
      const before = await chat.page(`?before=${gone}&limit=3`);
      expect(before.messages.map(({ id }) => id)).toEqual(all.slice(2, 5));
      expect(before).toMatchObject({ next_cursor: all[2], later_cursor: null });
      expect(await chat.page(`?after=${gone}`)).toMatchObject({ messages: [], later_cursor: null });
    }
    await chat.send('Instead.');
    const since = (await chat.ids()).slice(5);
    const after = await chat.page(`?after=${cut}`);
    expect(after.messages.map(({ id }) => id)).toEqual(since);
    expect(after).toMatchObject({ next_cursor: since[0], later_cursor: null });
    expect((await chat.page(`?before=${cut}&limit=3`)).later_cursor).toBe(all[4]);
    await chat.ask(`?around=${cut}`, { status: 404 });
    expect((await chat.call(`/trash/${trashed.id}`, { method: 'DELETE' })).status).toBe(204);
    await chat.ask(`?before=${cut}`, { status: 404 });
  });

  test('has no page around a message that is not there', async () => {
    const chat = await startConversationClient(await signInGuest());
    for (const place of ['around', 'before', 'after'])
      await chat.ask(`?${place}=${UNKNOWN}`, { status: 404 });
  });
});
