// Over 400 lines: erasing an account and what other users keep, with one search through all stores.
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import {
  processErasures,
  type ErasureEnv,
  eraseDueAccounts,
} from '../../../../../src/services/erase-accounts.ts';
import { ERASURE, GUESTS } from '../../../../../src/features/account/limits.ts';
import { openDatabase } from '../../../../../src/db/open.ts';
import { characters, characterTags, erasures } from '../../../../../src/db/schema/core.ts';
import { hashDeletionToken } from '../../../../../src/features/account/deletion/deletion.ts';
import { processErasure } from '../../../../../src/features/account/deletion/erasure.ts';
import { listDueErasures } from '../../../../../src/features/account/deletion/erasure-queue-store.ts';
import {
  startErasure,
  removeOrphanedCharacters,
} from '../../../../../src/features/account/deletion/erasure-store.ts';
import { ConversationObject } from '../../../../../src/features/conversation/conversation-object.ts';
import { createId } from '../../../../../src/lib/ids.ts';
import { loadTexts } from '../../../../../src/locales/i18n.ts';
import { type ConversationClient, startConversationClient } from '../../../../support/conversation-client.ts';
import { createUserInAllStores, createUniqueWord } from '../../../../support/all-stores.ts';
import {
  runErasures,
  requestDeletion,
  confirmDeletion,
  countErasures,
  deleteAccount,
} from '../../../../support/account-deletion.ts';
import {
  startTurn,
  addCharacter,
  startConversation,
  getConversationStub,
  signInGuest,
  listMessages,
  postMessage,
  sendMessage,
  createAccount,
  Visitor,
  getWalletStub,
} from '../../../../support/factories.ts';
import { createScene } from '../../../../support/scripted-model.ts';
import {
  listObjects,
  isObjectEmpty,
  listUnscannedStores,
  findTraces,
} from '../../../../support/stored-traces.ts';
import { mailsTo } from '../../../mailbox.ts';

const { t } = await loadTexts('en');

const db = openDatabase(env.DB);

describe('Account erasure', () => {
  test('the search for traces covers every store of the product', () => {
    expect(listUnscannedStores()).toEqual([]);
  });

  test('an erased account leaves no trace in any store, and other users keep their data', async () => {
    const before = await listObjects();
    const { me, friend, shared, words } = await createUserInAllStores();
    const reader = await signInGuest();
    const readerChat = await startConversationClient(reader, shared);
    await readerChat.send('Tell me of the lamp.');
    const readerTexts = await readerChat.texts();
    // Check first that every word is found, so that a later empty result is meaningful.
    const found = await findTraces(words, before);
    for (const one of words) expect(found.some((place) => place.startsWith(`${one}: `))).toBe(true);
    const stores = new Set(found.map((place) => place.split(' ')[1]));
    expect([...stores].toSorted()).toEqual(['CONVERSATIONS', 'D1', 'R2', 'SEARCHES']);
    expect(await isObjectEmpty(getWalletStub(me.id))).toBe(false);

    await deleteAccount(me);
    expect(await friend.ask('/api/account/sessions')).toMatchObject({ items: [{ current: true }] });
    await runErasures();
    await vi.waitFor(async () => {
      const remaining = await env.DB.prepare('select count(*) as count from mails where user_id = ?')
        .bind(me.id)
        .first('count');
      expect(remaining).toBe(0);
    });
    expect(await findTraces(words, before)).toEqual([]);
    expect(await isObjectEmpty(getWalletStub(me.id))).toBe(true);
    expect(await isObjectEmpty(env.SEARCHES.get(env.SEARCHES.idFromName(me.id)))).toBe(true);

    // The reader's conversation is unchanged, and only the name of its character remains.
    expect(await readerChat.texts()).toEqual(readerTexts);
    const [name] = await db.select().from(characters).where(eq(characters.id, shared));
    expect(name).toMatchObject({
      name: 'Mira of the lamp',
      oneliner: '',
      characterTraits: '',
      firstMessage: '',
      suggestedReplies: [],
      summary: null,
      visibility: 'private',
      featured: false,
    });
    expect(await db.select().from(characterTags).where(eq(characterTags.characterId, shared))).toEqual([]);
    const row = await env.DB.prepare('select invited_by, invited_at from users where id = ?')
      .bind(friend.id)
      .first();
    expect(row).toMatchObject({ invited_by: null, invited_at: expect.any(Number) });
    expect(mailsTo(me.email).at(-1)?.subject).toBe(t('mail:deletion_done.subject'));
  });

  test('public characters of a deleted account leave every list, search and address at once', async () => {
    const me = await createAccount();
    const name = createUniqueWord('public');
    const id = await addCharacter({
      creatorId: me.id,
      name,
      featured: true,
      chatCount: 9_000_000,
      tags: ['anime'],
    });
    const reader = await signInGuest();
    await startConversationClient(reader, id);
    const listIds = async () =>
      (await reader.ask<{ items: { id: string }[] }>('/api/characters?limit=100')).items.map(
        (item) => item.id,
      );
    expect(await listIds()).toContain(id);
    await deleteAccount(me);
    expect(await listIds()).not.toContain(id);
    expect(await reader.ask(`/api/characters?q=${name}`)).toMatchObject({ items: [] });
    expect((await reader.call(`/api/characters/${id}`)).status).toBe(404);
    expect((await reader.call('/api/conversations', { json: { character_id: id } })).status).toBe(404);
  });

  test('conversations with characters of a deleted account stay readable but get no replies', async () => {
    const me = await createAccount();
    const secret = createUniqueWord('traits');
    const shared = await addCharacter({ creatorId: me.id, name: 'Old Sailor', characterTraits: secret });
    const reader = await createAccount();
    const readerChat = await startConversationClient(reader, shared);
    await readerChat.send('Where were you?');
    const [, question, reply] = await readerChat.messages();
    const texts = await readerChat.texts();
    await deleteAccount(me);
    await runErasures();

    const page = await readerChat.page();
    expect(page.messages.map(({ content }) => content)).toEqual(texts);
    expect(page.conversation).toMatchObject({
      character_name: 'Old Sailor',
      avatar_url: '/icons/nobody.svg',
      suggested_replies: [],
      character_gone: true,
    });
    expect(await reader.ask('/api/chats')).toMatchObject({
      chats: [{ id: readerChat.id, character_name: 'Old Sailor', avatar_url: '/icons/nobody.svg' }],
    });
    expect(await (await readerChat.call('/export?format=md')).text()).toContain('Where were you?');
    const context = await readerChat.call(`/messages/${reply?.id}/context`);
    expect(await context.text()).not.toContain(secret);

    for (const refused of [
      await postMessage(reader, readerChat.id, 'Are you there?'),
      await readerChat.rewrite('regenerate', reply?.id as string),
      await readerChat.rewrite('continue', reply?.id as string),
      await readerChat.call('/suggestions', { json: { client_message_id: createId(Date.now()) } }),
    ])
      expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'character_gone' }]);
    expect(await readerChat.count()).toBe(3);
    // Users can still edit their own messages, and a branch gets no replies either.
    await readerChat.edit(question?.id as string, 'Where have you been?');
    const { chat: fork } = await readerChat.fork(reply?.id as string);
    expect((await postMessage(reader, fork.id, 'And here?')).status).toBe(409);
    // The name is deleted with the last of these conversations, once all have released it.
    for (const chat of [readerChat, fork]) await chat.call('?forever=true', { method: 'DELETE' });
    const startedAt = Date.now();
    const later = startedAt + ERASURE.settleDelayMs;
    const waiting = { conversationIds: [], pictureKeys: [], startedAt, retryAt: later };
    await db.insert(erasures).values({ ...waiting, userId: shared });
    await eraseDueAccounts(env, db, Date.now());
    const due = await listDueErasures(db, { now: later, limit: 1, only: [shared] });
    expect(due).toMatchObject([{ isCharacter: true }]);
    // Only this one: a run is limited, and other erasures may be due earlier.
    await processErasures(env, db, { now: later, only: [shared] });
    await removeOrphanedCharacters(db);
    expect(await db.select().from(characters).where(eq(characters.id, shared))).toEqual([]);
  });
});

describe('Failures during an erasure', () => {
  /** Returns an environment in which some bindings fail. */
  const buildFailingEnv = (broken: Partial<ErasureEnv>): ErasureEnv => ({ ...env, ...broken });
  const createBrokenNamespace = () =>
    ({
      idFromName: (name: string) => name,
      get: () => new Proxy({}, { get: () => () => Promise.reject(new Error('The plug was pulled')) }),
    }) as never;

  /** Starts the erasure of an account without touching any store outside the database. */
  async function startHalfErasure() {
    const before = await listObjects();
    const created = await createUserInAllStores();
    const tokenHash = await hashDeletionToken(await requestDeletion(created.me));
    const started = await startErasure(db, {
      userId: created.me.id,
      leaving: {
        why: 'confirmed',
        tokenHash,
        farewell: { site: 'https://loreloom.test', language: 'en', subscription: null },
        marks: [],
      },
      now: Date.now(),
    });
    expect(started).toContain(created.me.id);
    return { ...created, before };
  }

  test('cron resumes a failed erasure, with growing delays, until nothing is left', async () => {
    const { me, key, words, before } = await startHalfErasure();
    expect((await me.call('/api/auth/status')).status).toBe(200);
    const start = Date.now();
    const readErasure = () => env.DB.prepare('select * from erasures where user_id = ?').bind(me.id).first();
    const broken = buildFailingEnv({ CONVERSATIONS: createBrokenNamespace() });
    await processErasures(broken, db, { now: start, only: [me.id] });
    // The pictures are deleted; the wallet waits because conversations may still settle points.
    expect(await env.MEDIA.head(key)).toBeNull();
    expect(await readErasure()).toMatchObject({
      tries: 1,
      retry_at: start + (ERASURE.retryDelaysMs[0] ?? 0),
      picture_keys: '[]',
    });
    expect(await isObjectEmpty(getWalletStub(me.id))).toBe(false);
    // Before the retry is due, nothing is called.
    await processErasures(env, db, { now: start + 1000, only: [me.id] });
    expect(await readErasure()).toMatchObject({ tries: 1 });
    await processErasures(broken, db, { now: start + ERASURE.retryDelaysMs[0], only: [me.id] });
    expect(await readErasure()).toMatchObject({
      tries: 2,
      retry_at: start + ERASURE.retryDelaysMs[0] + (ERASURE.retryDelaysMs[1] ?? 0),
    });
    const noWallets = buildFailingEnv({ WALLETS: createBrokenNamespace() });
    await processErasures(noWallets, db, { now: start + 86_400_000, only: [me.id] });
    expect(await readErasure()).toMatchObject({ conversation_ids: '[]' });
    await runErasures();
    await env.DB.prepare('delete from mails where user_id = ?').bind(me.id).run();
    expect(await findTraces(words, before)).toEqual([]);
  });

  test('a database error during the confirmation leaves the account intact', async () => {
    const me = await createAccount();
    const chat = await startConversationClient(me);
    const token = await requestDeletion(me);
    await env.DB.prepare(
      "create trigger no_goodbye before insert on mails when new.kind = 'deletion_done' begin select raise(abort, 'full'); end",
    ).run();
    try {
      expect((await confirmDeletion(me, token)).status).toBe(500);
    } finally {
      await env.DB.prepare('drop trigger no_goodbye').run();
    }
    expect(await listMessages(me, chat.id)).toHaveLength(1);
    expect((await confirmDeletion(me, token)).status).toBe(200);
    await runErasures();
    expect(await countErasures()).toBe(0);
  });

  test('a conversation listed late also releases the erased character, and a failing one is retried', async () => {
    const startedAt = Date.now();
    const [first, late, last] = [3000, 2000, 1000].map((ago) => createId(startedAt - ago)) as [
      string,
      string,
      string,
    ];
    const listed = [first, last];
    const forgottenIds: string[] = [];
    const goneCharacter = { id: 'character', pictureKeys: [], startedAt, tries: 1, isCharacter: true };
    const runErasure = (conversationIds: string[], now: number) =>
      processErasure(
        { ...goneCharacter, conversationIds },
        {
          eraseConversation: async () => expect.unreachable('it belongs to another user'),
          forgetCharacter: async (id) => {
            forgottenIds.push(id);
            if (id === last && now < startedAt + ERASURE.settleDelayMs) throw new Error('away');
          },
          listConversationsWith: async (_, after, limit) =>
            listed
              .filter((id) => id > after)
              .toSorted()
              .slice(0, limit),
          erasePictures: async () => {},
          eraseWallet: async () => {},
          eraseSearch: async () => {},
          log: () => {},
        },
        { budget: 10, now },
      );
    const firstRun = await runErasure([], startedAt);
    expect(firstRun.left).toMatchObject({ retryAt: null });
    listed.push(late);
    const secondRun = await runErasure(firstRun.left?.conversationIds ?? [], startedAt + 1);
    expect(secondRun.left?.conversationIds.slice(1)).toEqual([last]);
    forgottenIds.length = 0;
    const settled = await runErasure(
      secondRun.left?.conversationIds ?? [],
      startedAt + ERASURE.settleDelayMs,
    );
    expect([settled.left, forgottenIds]).toEqual([null, [first, late, last]]);
  });

  test('an account with many conversations is erased in batches, the wallet last', async () => {
    const erasedIds: string[] = [];
    const { left } = await processErasure(
      {
        id: 'somebody',
        conversationIds: ['a', 'b', 'c'],
        pictureKeys: [],
        startedAt: 0,
        tries: 1,
        isCharacter: false,
      },
      {
        eraseConversation: async (id) => erasedIds.push(id) > 0 && id !== 'a',
        forgetCharacter: async () => {},
        listConversationsWith: async () => [],
        erasePictures: async () => {},
        eraseWallet: async () => expect.unreachable('the wallet goes last'),
        eraseSearch: async () => expect.unreachable('the index goes last'),
        log: () => {},
      },
      { budget: 2, now: 5 },
    );
    expect(erasedIds).toEqual(['a', 'b']);
    // Failed conversations are queued behind the waiting ones.
    expect(left).toEqual({ conversationIds: ['c', 'a'], pictureKeys: [], retryAt: null });
  });
});

describe('Idle guests', () => {
  const addDays = (days: number) => Date.now() + days * 86_400_000;

  test('a guest is erased after thirty idle days, and one who returned is kept', async () => {
    const before = await listObjects();
    const [idleGuest, returningGuest, account] = [
      await signInGuest(),
      await signInGuest(),
      await createAccount(),
    ];
    const hidden = createUniqueWord('guest');
    for (const one of [idleGuest, returningGuest, account])
      await sendMessage(one, await startConversation(one), `Hello ${one === idleGuest ? hidden : ''}`);
    const trashedChat = await startConversationClient(idleGuest);
    await trashedChat.send(`Hello again ${hidden}`);
    await trashedChat.call('', { method: 'DELETE' });
    const yesterday = addDays(-1);
    await env.DB.prepare('update users set last_seen_at = ? where id in (?, ?)')
      .bind(yesterday, idleGuest.id, account.id)
      .run();
    await eraseDueAccounts(env, db, yesterday + GUESTS.maxIdleMs - 1);
    expect(await idleGuest.ask('/api/chats')).toMatchObject({ chats: [{}] });
    // The request above updated the guest's last visit.
    await env.DB.prepare('update users set last_seen_at = ? where id = ?')
      .bind(yesterday, idleGuest.id)
      .run();
    // A run is limited and takes the longest idle guests first, so make the guests of other tests newer.
    await env.DB.prepare(
      'update users set last_seen_at = ?1 + 1 where is_anonymous = 1 and last_seen_at <= ?1 and id <> ?2',
    )
      .bind(yesterday, idleGuest.id)
      .run();
    await eraseDueAccounts(env, db, yesterday + GUESTS.maxIdleMs);
    await runErasures();
    expect(await idleGuest.ask('/api/auth/status')).toMatchObject({ is_authenticated: false });
    expect(await findTraces([hidden, idleGuest.id], before)).toEqual([]);
    expect(await isObjectEmpty(getWalletStub(idleGuest.id))).toBe(true);
    expect(await isObjectEmpty(getConversationStub(trashedChat.id))).toBe(true);
    expect(await returningGuest.ask('/api/chats')).toMatchObject({ chats: [{}] });
    expect(await account.ask('/api/chats')).toMatchObject({ chats: [{}] });
  });

  test('a guest who returns just before the erasure is kept', async () => {
    const guest = await signInGuest();
    const chat = await startConversation(guest);
    const startIdleErasure = () =>
      startErasure(db, { userId: guest.id, leaving: { why: 'idle' }, now: Date.now() });
    expect(await startIdleErasure()).toBeNull();
    expect(await listMessages(guest, chat)).toHaveLength(1);
    const me = await createAccount(undefined, guest);
    await env.DB.prepare('update users set last_seen_at = 0 where id = ?').bind(me.id).run();
    expect(await startIdleErasure()).toBeNull();
    expect(await listMessages(me, chat)).toHaveLength(1);
  });
});

describe('Erasure during a running turn', () => {
  test('a reply that runs during the erasure costs nothing and leaves no trace', async () => {
    const before = await listObjects();
    const me = await createAccount();
    const chat: ConversationClient = await startConversationClient(me);
    const hidden = createUniqueWord('late');
    const slow = createScene('gate n=3');
    const token = await requestDeletion(me);
    const reply = await startTurn(me, chat.id, `${hidden} ${slow.marker}`);
    await slow.reached();
    const [lateMessage] = await Promise.all([
      postMessage(me, chat.id, `${hidden} again`),
      confirmDeletion(me, token),
    ]);
    expect(lateMessage.status).toBeGreaterThanOrEqual(400);
    await slow.open();
    await reply.readRest().catch(() => []);
    await runErasures();
    expect(await findTraces([hidden, me.id, me.email], before)).toEqual([]);
    expect(await isObjectEmpty(getConversationStub(chat.id))).toBe(true);
    expect(await isObjectEmpty(getWalletStub(me.id))).toBe(true);
  });
});

test('an import that runs during the erasure leaves no trace, not even in the search index', async () => {
  const before = await listObjects();
  const me = await createAccount();
  const hidden = createUniqueWord('brought');
  const token = await requestDeletion(me);
  let [arrived, gone] = [false, false];
  const { append } = ConversationObject.prototype;
  const slow = vi.spyOn(ConversationObject.prototype, 'append').mockImplementation(async function (
    this: ConversationObject,
    ...said: Parameters<typeof append>
  ) {
    await append.apply(this, said);
    arrived = true;
    while (!gone) await scheduler.wait(10);
  });
  const logged = vi.spyOn(console, 'error').mockReturnValue();
  const body = new FormData();
  body.set('character_id', await addCharacter());
  body.set('file', new Blob([`{"name":"Orla","is_user":false,"mes":"${hidden}"}`]), 'chat.jsonl');
  const tab = Object.assign(new Visitor(), me);
  const importing = tab.call('/api/conversations/import', { method: 'POST', body });
  await vi.waitFor(() => expect(arrived).toBe(true));
  expect((await confirmDeletion(me, token)).status).toBe(200);
  await runErasures();
  gone = true;
  expect((await importing).status).toBe(500);
  slow.mockRestore();
  logged.mockRestore();
  expect(await findTraces([hidden, me.id], before)).toEqual([]);
  expect(await isObjectEmpty(env.SEARCHES.get(env.SEARCHES.idFromName(me.id)))).toBe(true);
});
