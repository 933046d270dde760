import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import type { ChatList } from '../../../../src/features/conversation/contract.ts';
import { ConversationObject } from '../../../../src/features/conversation/conversation-object.ts';
import { ConversationSync } from '../../../../src/features/conversation/conversation-sync.ts';
import { SearchObject } from '../../../../src/features/search/search-object.ts';
import { WalletObject } from '../../../../src/features/wallet/wallet-object.ts';
import { type ConversationClient, startConversationClient } from '../../../support/conversation-client.ts';
import { downloadArchive } from '../../../support/data-export.ts';
import {
  createAccount,
  createEmail,
  getConversationStub,
  getLastMessage,
  signInGuest,
  startTurn,
  type Visitor,
} from '../../../support/factories.ts';
import { createScene } from '../../../support/scripted-model.ts';

const listChats = async (me: Visitor) => (await me.ask<ChatList>('/api/chats')).chats;
const getList = (userId: string) => env.SEARCHES.get(env.SEARCHES.idFromName(userId));

const isListCurrent = (id: string): Promise<boolean> =>
  runInDurableObject(
    getConversationStub(id),
    (_, { storage }) => storage.sql.exec('select list_row_stale from meta').one()['list_row_stale'] === 0,
  );

/** Starts a conversation with one turn, and waits until the list has it. */
async function startListedConversation(me: Visitor): Promise<ConversationClient> {
  const chat = await startConversationClient(me);
  await chat.send('Hello. [[scenario:tokens n=2 ms=0]]');
  await vi.waitFor(async () => expect(await isListCurrent(chat.id)).toBe(true));
  return chat;
}

/** Holds the next update of a list until it is released. */
function holdNextListUpdate(): { arrived: Promise<void>; release: () => void } {
  const [arrived, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { apply } = SearchObject.prototype;
  vi.spyOn(SearchObject.prototype, 'apply').mockImplementationOnce(async function (
    this: SearchObject,
    ...changes: Parameters<typeof apply>
  ) {
    arrived.resolve();
    await released.promise;
    apply.apply(this, changes);
  } as unknown as typeof apply);
  return { arrived: arrived.promise, release: released.resolve };
}

/** Makes a change whose update of the list is under way, and calls `act` before it ends. */
async function actDuringListUpdate(chat: ConversationClient, act: () => Promise<unknown>): Promise<void> {
  const last = await getLastMessage(chat.me, chat.id);
  const update = holdNextListUpdate();
  await chat.edit(last.id, 'Another ending.');
  await update.arrived;
  const acted = act();
  await vi.waitFor(async () => expect(await isListCurrent(chat.id)).toBe(false));
  // The change has reached the conversation once a later call is answered.
  await getConversationStub(chat.id).describe(chat.me.id);
  update.release();
  await acted;
}

describe('Changes while the list is being updated', () => {
  test('a new title is in the list as soon as the rename is answered', async () => {
    const me = await signInGuest();
    const chat = await startListedConversation(me);
    await actDuringListUpdate(chat, () => chat.ask('', { method: 'PATCH', json: { title: 'Night' } }));
    expect((await listChats(me))[0]).toMatchObject({ title: 'Night', last_line: 'Another ending.' });
  });

  test('a conversation leaves the list as soon as its move to the trash is answered', async () => {
    const me = await signInGuest();
    const chat = await startListedConversation(me);
    await actDuringListUpdate(chat, () => chat.call('', { method: 'DELETE' }));
    expect(await listChats(me)).toEqual([]);
    const { items } = await me.ask<{ items: { id: string }[] }>('/api/conversations/trash');
    expect(items.map(({ id }) => id)).toEqual([chat.id]);
  });

  test('an update under way while a conversation is erased leaves nothing in the index', async () => {
    const me = await signInGuest();
    const kept = await startListedConversation(me);
    const chat = await startListedConversation(me);
    const last = await getLastMessage(me, chat.id);
    const update = holdNextListUpdate();
    const { endSitting } = ConversationSync.prototype;
    vi.spyOn(ConversationSync.prototype, 'endSitting').mockImplementationOnce(async function (
      this: ConversationSync,
    ) {
      await endSitting.call(this);
      await getConversationStub(chat.id).editMessage(
        me.id,
        last.id,
        { content: 'Another ending.', rating: 'general', region: { country: null, lang: 'en' } },
        null,
      );
    });
    const removed = vi.spyOn(SearchObject.prototype, 'removeConversation');
    const erasing = chat.call('?forever=true', { method: 'DELETE' });
    const isHeld = await Promise.race([
      update.arrived.then(() => true),
      vi.waitFor(() => expect(removed).toHaveBeenCalled()).then(() => false),
    ]);
    if (isHeld) {
      // An erasure that does not wait for the update removes the conversation before it.
      await vi.waitFor(() => expect(removed).toHaveBeenCalled()).catch(() => {});
      update.release();
    }
    expect((await erasing).status).toBe(204);
    expect(await getList(me.id).listConversationIds()).toEqual([kept.id]);
  });
});

describe('Unread replies', () => {
  test('a reply is stored as unread together with its end', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    const [asked, canSettle] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { settle } = WalletObject.prototype;
    vi.spyOn(WalletObject.prototype, 'settle').mockImplementationOnce(async function (
      this: WalletObject,
      ...args: Parameters<typeof settle>
    ) {
      asked.resolve();
      await canSettle.promise;
      return settle.apply(this, args);
    } as unknown as typeof settle);
    const sent = chat.send('Hello. [[scenario:tokens n=2 ms=0]]');
    await asked.promise;
    const meta = await runInDurableObject(getConversationStub(chat.id), (_, { storage }) =>
      storage.sql.exec('select unread, open_turn from meta').one(),
    );
    canSettle.resolve();
    await sent;
    expect(meta).toEqual({ unread: 1, open_turn: null });
  });

  test('a reply that its reader stopped is not unread', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    const gate = createScene('gate n=5');
    const reader = await startTurn(me, chat.id, `Go on. ${gate.marker}`);
    await reader.readUntilText((text) => text === 'w0 w1 w2 w3 w4');
    await chat.call('/stop', { method: 'POST' });
    await vi.waitFor(async () => expect(await isListCurrent(chat.id)).toBe(true));
    expect((await listChats(me))[0]).toMatchObject({ unread: false, message_count: 3 });
  });
});

describe('Conversations that the list has not', () => {
  test('a list is answered although one of them never answers', async () => {
    const email = createEmail();
    await createAccount(email);
    const me = await signInGuest();
    await startListedConversation(me);
    const silent = await startListedConversation(me);
    const { reindex } = ConversationObject.prototype;
    vi.spyOn(ConversationObject.prototype, 'reindex').mockImplementation(function (
      this: ConversationObject,
      userId: string,
    ) {
      return this.ctx.id.name === silent.id ? new Promise<void>(() => {}) : reindex.call(this, userId);
    } as unknown as typeof reindex);
    await createAccount(email, me);
    const shown = await listChats(me);
    expect(shown).toHaveLength(1);
  });

  test('an export names conversations that the list has lost', async () => {
    const me = await createAccount();
    const chat = await startListedConversation(me);
    await chat.ask('', { method: 'PATCH', json: { title: 'Rain, again' } });
    await runInDurableObject(getList(me.id), (_, { storage }) => {
      storage.sql.exec('delete from conversations');
    });
    const archive = await downloadArchive(me);
    expect(archive.paths.join()).toContain('Rain, again');
  });

  test('the list shows the message that got no reply', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    await chat.send('Anyone there? [[scenario:status code=500]]');
    await vi.waitFor(async () => expect(await isListCurrent(chat.id)).toBe(true));
    expect((await listChats(me))[0]?.last_line).toMatch(/^Anyone there\?/);
  });
});
