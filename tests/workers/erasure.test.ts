// Over 400 lines: whoever goes, and what others keep, over one search through all stores.
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import { processErasures, type ErasureEnv, eraseDueAccounts } from '../../src/services/erase-accounts.ts';
import { ERASURE, GUESTS } from '../../src/features/account/limits.ts';
import { openDatabase } from '../../src/db/open.ts';
import { characters, characterTags, erasures } from '../../src/db/schema/core.ts';
import { hashDeletionToken } from '../../src/features/account/deletion/deletion.ts';
import { processErasure } from '../../src/features/account/deletion/erasure.ts';
import { listDueErasures } from '../../src/features/account/deletion/erasure-queue-store.ts';
import { startErasure, removeOrphanedCharacters } from '../../src/features/account/deletion/erasure-store.ts';
import { ConversationObject } from '../../src/features/conversation/conversation-object.ts';
import { createId } from '../../src/lib/ids.ts';
import { type ConversationClient, startConversationClient } from '../support/conversation-client.ts';
import { createUserInAllStores, createUniqueWord } from '../support/all-stores.ts';
import {
  runErasures,
  requestDeletion,
  confirmDeletion,
  countErasures,
  deleteAccount,
} from '../support/account-deletion.ts';
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
} from '../support/factories.ts';
import { createScene } from '../support/scripted-model.ts';
import { listObjects, isObjectEmpty, listUnscannedStores, findTraces } from '../support/stored-traces.ts';
import { mailsTo } from './mailbox.ts';

const db = openDatabase(env.DB);

describe('When somebody is gone', () => {
  test('every store that the product has is looked through', () => {
    expect(listUnscannedStores()).toEqual([]);
  });

  test('nothing of them is left in any store, and what others have stays theirs', async () => {
    const before = await listObjects();
    const { me, friend, shared, words } = await createUserInAllStores();
    const reader = await signInGuest();
    const story = await startConversationClient(reader, shared);
    await story.send('Tell me of the lamp.');
    const told = await story.texts();
    // Everything is there before: what is not found afterwards was looked for in the right places.
    const found = await findTraces(words, before);
    for (const one of words) expect(found.some((place) => place.startsWith(`${one}: `))).toBe(true);
    const stores = new Set(found.map((place) => place.split(' ')[1]));
    expect([...stores].toSorted()).toEqual(['CONVERSATIONS', 'D1', 'R2', 'SEARCHES']);
    expect(await isObjectEmpty(getWalletStub(me.id))).toBe(false);

    await deleteAccount(me);
    expect(await friend.ask('/api/account/sessions')).toMatchObject({ items: [{ current: true }] });
    await runErasures();
    await vi.waitFor(async () => {
      const left = await env.DB.prepare('select count(*) as count from mails where user_id = ?')
        .bind(me.id)
        .first('count');
      expect(left).toBe(0);
    });
    expect(await findTraces(words, before)).toEqual([]);
    expect(await isObjectEmpty(getWalletStub(me.id))).toBe(true);
    expect(await isObjectEmpty(env.SEARCHES.get(env.SEARCHES.idFromName(me.id)))).toBe(true);

    // The reader's story is as it was, and of its character the name is all that is left.
    expect(await story.texts()).toEqual(told);
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
    expect(mailsTo(me.email).at(-1)?.subject).toContain('deleted');
  });

  test('their public characters are in no list, no search and at no address any more', async () => {
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
    const listed = async () =>
      (await reader.ask<{ items: { id: string }[] }>('/api/characters?limit=100')).items.map(
        (item) => item.id,
      );
    expect(await listed()).toContain(id);
    await deleteAccount(me);
    expect(await listed()).not.toContain(id);
    expect(await reader.ask(`/api/characters?q=${name}`)).toMatchObject({ items: [] });
    expect((await reader.call(`/api/characters/${id}`)).status).toBe(404);
    expect((await reader.call('/api/conversations', { json: { character_id: id } })).status).toBe(404);
  });

  test('the chats that others had with their characters can be read, found and taken along, and nobody answers', async () => {
    const me = await createAccount();
    const secret = createUniqueWord('traits');
    const shared = await addCharacter({ creatorId: me.id, name: 'Old Sailor', characterTraits: secret });
    const reader = await createAccount();
    const story = await startConversationClient(reader, shared);
    await story.send('Where were you?');
    const [, question, reply] = await story.messages();
    const told = await story.texts();
    await deleteAccount(me);
    await runErasures();

    const page = await story.page();
    expect(page.messages.map(({ content }) => content)).toEqual(told);
    expect(page.conversation).toMatchObject({
      character_name: 'Old Sailor',
      avatar_url: '/icons/nobody.svg',
      suggested_replies: [],
      character_gone: true,
    });
    expect(await reader.ask('/api/chats')).toMatchObject({
      chats: [{ id: story.id, character_name: 'Old Sailor', avatar_url: '/icons/nobody.svg' }],
    });
    expect(await (await story.call('/export?format=md')).text()).toContain('Where were you?');
    const context = await story.call(`/messages/${reply?.id}/context`);
    expect(await context.text()).not.toContain(secret);

    for (const refused of [
      await postMessage(reader, story.id, 'Are you there?'),
      await story.rewrite('regenerate', reply?.id as string),
      await story.rewrite('continue', reply?.id as string),
      await story.call('/suggestions', { json: { client_message_id: createId(Date.now()) } }),
    ])
      expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'character_gone' }]);
    expect(await story.count()).toBe(3);
    // One's own words are one's own to change, and the copy of the story has nobody in it either.
    await story.edit(question?.id as string, 'Where have you been?');
    const { chat: fork } = await story.fork(reply?.id as string);
    expect((await postMessage(reader, fork.id, 'And here?')).status).toBe(409);
    // With the last of these chats, the name goes too, but not before all chats have let go of it.
    for (const chat of [story, fork]) await chat.call('?forever=true', { method: 'DELETE' });
    const begunAt = Date.now();
    const later = begunAt + ERASURE.settleDelayMs;
    const waiting = { conversationIds: [], pictureKeys: [], begunAt, tryAt: later };
    await db.insert(erasures).values({ ...waiting, userId: shared });
    await eraseDueAccounts(env, db, Date.now());
    const due = await listDueErasures(db, { now: later, limit: 1, only: [shared] });
    expect(due).toMatchObject([{ isCharacter: true }]);
    // Alone: a run has room for some, and other people's may be due before it.
    await processErasures(env, db, { now: later, only: [shared] });
    await removeOrphanedCharacters(db);
    expect(await db.select().from(characters).where(eq(characters.id, shared))).toEqual([]);
  });
});

describe('When something fails on the way', () => {
  /** The objects and the pictures, of which some fail. */
  const failing = (broken: Partial<ErasureEnv>): ErasureEnv => ({ ...env, ...broken });
  const brokenNamespace = () =>
    ({
      idFromName: (name: string) => name,
      get: () => new Proxy({}, { get: () => () => Promise.reject(new Error('The plug was pulled')) }),
    }) as never;

  /** Somebody who has confirmed while nothing outside the database answered. */
  async function halfGone() {
    const before = await listObjects();
    const world = await createUserInAllStores();
    const tokenHash = await hashDeletionToken(await requestDeletion(world.me));
    const begun = await startErasure(db, {
      userId: world.me.id,
      leaving: {
        why: 'confirmed',
        tokenHash,
        farewell: { site: 'https://loreloom.test', language: 'en', subscription: null },
        marks: [],
      },
      now: Date.now(),
    });
    expect(begun).toContain(world.me.id);
    return { ...world, before };
  }

  test('cron goes on where it stopped, later each time, until nothing is left', async () => {
    const { me, key, words, before } = await halfGone();
    expect((await me.call('/api/auth/status')).status).toBe(200);
    const start = Date.now();
    const row = () => env.DB.prepare('select * from erasures where user_id = ?').bind(me.id).first();
    const broken = failing({ CONVERSATIONS: brokenNamespace() });
    await processErasures(broken, db, { now: start, only: [me.id] });
    // The pictures went; the wallet waits for what the conversations may owe.
    expect(await env.MEDIA.head(key)).toBeNull();
    expect(await row()).toMatchObject({
      tries: 1,
      try_at: start + (ERASURE.retryDelaysMs[0] ?? 0),
      picture_keys: '[]',
    });
    expect(await isObjectEmpty(getWalletStub(me.id))).toBe(false);
    // Too early: nothing is asked.
    await processErasures(env, db, { now: start + 1000, only: [me.id] });
    expect(await row()).toMatchObject({ tries: 1 });
    await processErasures(broken, db, { now: start + ERASURE.retryDelaysMs[0], only: [me.id] });
    expect(await row()).toMatchObject({
      tries: 2,
      try_at: start + ERASURE.retryDelaysMs[0] + (ERASURE.retryDelaysMs[1] ?? 0),
    });
    const noWallets = failing({ WALLETS: brokenNamespace() });
    await processErasures(noWallets, db, { now: start + 86_400_000, only: [me.id] });
    expect(await row()).toMatchObject({ conversation_ids: '[]' });
    await runErasures();
    await env.DB.prepare('delete from mails where user_id = ?').bind(me.id).run();
    expect(await findTraces(words, before)).toEqual([]);
  });

  test('when the database says no, nothing has happened: the account is whole', async () => {
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

  test('a chat that was on its way into the list lets go of their character, too, and one that fails is asked once each time', async () => {
    const begunAt = Date.now();
    const [first, late, last] = [3000, 2000, 1000].map((ago) => createId(begunAt - ago)) as [
      string,
      string,
      string,
    ];
    const listed = [first, last];
    const asked: string[] = [];
    const goneCharacter = { id: 'character', pictureKeys: [], begunAt, tries: 1, isCharacter: true };
    const goFrom = (conversationIds: string[], now: number) =>
      processErasure(
        { ...goneCharacter, conversationIds },
        {
          eraseConversation: async () => expect.unreachable('it is somebody else’s'),
          forgetCharacter: async (id) => {
            asked.push(id);
            if (id === last && now < begunAt + ERASURE.settleDelayMs) throw new Error('away');
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
    const begun = await goFrom([], begunAt);
    expect(begun.left).toMatchObject({ tryAt: null });
    listed.push(late);
    const again = await goFrom(begun.left?.conversationIds ?? [], begunAt + 1);
    expect(again.left?.conversationIds.slice(1)).toEqual([last]);
    asked.length = 0;
    const settled = await goFrom(again.left?.conversationIds ?? [], begunAt + ERASURE.settleDelayMs);
    expect([settled.left, asked]).toEqual([null, [first, late, last]]);
  });

  test('somebody with very many chats goes piece by piece, their points last', async () => {
    const asked: string[] = [];
    const { left } = await processErasure(
      {
        id: 'somebody',
        conversationIds: ['a', 'b', 'c'],
        pictureKeys: [],
        begunAt: 0,
        tries: 1,
        isCharacter: false,
      },
      {
        eraseConversation: async (id) => asked.push(id) > 0 && id !== 'a',
        forgetCharacter: async () => {},
        listConversationsWith: async () => [],
        erasePictures: async () => {},
        eraseWallet: async () => expect.unreachable('the wallet goes last'),
        eraseSearch: async () => expect.unreachable('the index goes last'),
        log: () => {},
      },
      { budget: 2, now: 5 },
    );
    expect(asked).toEqual(['a', 'b']);
    // What failed stands behind what waits.
    expect(left).toEqual({ conversationIds: ['c', 'a'], pictureKeys: [], tryAt: null });
  });
});

describe('A guest who stays away', () => {
  const later = (days: number) => Date.now() + days * 86_400_000;

  test('goes after thirty days with everything, and one who came back stays', async () => {
    const before = await listObjects();
    const [gone, back, account] = [await signInGuest(), await signInGuest(), await createAccount()];
    const hidden = createUniqueWord('guest');
    for (const one of [gone, back, account])
      await sendMessage(one, await startConversation(one), `Hello ${one === gone ? hidden : ''}`);
    const binned = await startConversationClient(gone);
    await binned.send(`Hello again ${hidden}`);
    await binned.call('', { method: 'DELETE' });
    const yesterday = later(-1);
    await env.DB.prepare('update users set seen_at = ? where id in (?, ?)')
      .bind(yesterday, gone.id, account.id)
      .run();
    await eraseDueAccounts(env, db, yesterday + GUESTS.maxIdleMs - 1);
    expect(await gone.ask('/api/chats')).toMatchObject({ chats: [{}] });
    // Whoever asks has been seen.
    await env.DB.prepare('update users set seen_at = ? where id = ?').bind(yesterday, gone.id).run();
    // A run takes some, those first that were away the longest: whom other tests left here were not.
    await env.DB.prepare(
      'update users set seen_at = ?1 + 1 where is_anonymous = 1 and seen_at <= ?1 and id <> ?2',
    )
      .bind(yesterday, gone.id)
      .run();
    await eraseDueAccounts(env, db, yesterday + GUESTS.maxIdleMs);
    await runErasures();
    expect(await gone.ask('/api/auth/status')).toMatchObject({ is_authenticated: false });
    expect(await findTraces([hidden, gone.id], before)).toEqual([]);
    expect(await isObjectEmpty(getWalletStub(gone.id))).toBe(true);
    expect(await isObjectEmpty(getConversationStub(binned.id))).toBe(true);
    expect(await back.ask('/api/chats')).toMatchObject({ chats: [{}] });
    expect(await account.ask('/api/chats')).toMatchObject({ chats: [{}] });
  });

  test('is asked once more in the very moment: who came back just then is kept', async () => {
    const anna = await signInGuest();
    const chat = await startConversation(anna);
    const idle = () => startErasure(db, { userId: anna.id, leaving: { why: 'idle' }, now: Date.now() });
    expect(await idle()).toBeNull();
    expect(await listMessages(anna, chat)).toHaveLength(1);
    const me = await createAccount(undefined, anna);
    await env.DB.prepare('update users set seen_at = 0 where id = ?').bind(me.id).run();
    expect(await idle()).toBeNull();
    expect(await listMessages(me, chat)).toHaveLength(1);
  });
});

describe('A message on its way', () => {
  test('that is being answered when its writer goes costs nobody anything and leaves nothing', async () => {
    const before = await listObjects();
    const me = await createAccount();
    const chat: ConversationClient = await startConversationClient(me);
    const hidden = createUniqueWord('late');
    const slow = createScene('gate n=3');
    const token = await requestDeletion(me);
    const reply = await startTurn(me, chat.id, `${hidden} ${slow.marker}`);
    await slow.reached();
    const [late] = await Promise.all([
      postMessage(me, chat.id, `${hidden} again`),
      confirmDeletion(me, token),
    ]);
    expect(late.status).toBeGreaterThanOrEqual(400);
    await slow.open();
    await reply.readRest().catch(() => []);
    await runErasures();
    expect(await findTraces([hidden, me.id, me.email], before)).toEqual([]);
    expect(await isObjectEmpty(getConversationStub(chat.id))).toBe(true);
    expect(await isObjectEmpty(getWalletStub(me.id))).toBe(true);
  });
});

test('A chat that is being brought in when its person goes leaves nothing, not even words in an index', async () => {
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
  const bringing = tab.call('/api/conversations/import', { method: 'POST', body });
  await vi.waitFor(() => expect(arrived).toBe(true));
  expect((await confirmDeletion(me, token)).status).toBe(200);
  await runErasures();
  gone = true;
  expect((await bringing).status).toBe(500);
  slow.mockRestore();
  logged.mockRestore();
  expect(await findTraces([hidden, me.id], before)).toEqual([]);
  expect(await isObjectEmpty(env.SEARCHES.get(env.SEARCHES.idFromName(me.id)))).toBe(true);
});
