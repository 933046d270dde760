import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../../../src/db/open.ts';
import type { StorageView } from '../../../../src/features/storage/contract.ts';
import { STORAGE } from '../../../../src/features/storage/limits.ts';
import { reserveStorage } from '../../../../src/features/storage/storage-store.ts';
import { importJsonCard, uploadPortrait } from '../../../support/card-actions.ts';
import { V3 } from '../../../support/card-files.ts';
import { createOwnCharacter } from '../../../support/character-actions.ts';
import { ConversationClient, startConversationClient } from '../../../support/conversation-client.ts';
import {
  addCharacter,
  createAccount,
  getConversationStub,
  sendMessage,
  signInGuest,
  startConversation,
  startListedConversation,
  type Visitor,
} from '../../../support/factories.ts';

const MB = 1_000_000;
const CHAT = [
  '{"user_name":"Wren","character_name":"Orla","create_date":"2026-01-02"}',
  '{"name":"Orla","is_user":false,"mes":"You came."}',
  '{"name":"Wren","is_user":true,"mes":"I did."}',
].join('\n');

/** Pretends that a user stores this much more as pictures. */
async function addStored(me: Visitor, bytes: number): Promise<void> {
  await env.DB.prepare(
    `insert into storage_totals (owner_id, picture_bytes) values (?, ?)
     on conflict (owner_id) do update set picture_bytes = picture_bytes + excluded.picture_bytes`,
  )
    .bind(me.id, bytes)
    .run();
}

const getStorage = (me: Visitor) => me.ask<StorageView>('/api/account/storage');

/** Fills a user's storage up to some bytes below a limit. */
async function fillUpTo(me: Visitor, left: number, limit: number = STORAGE.guestBytes): Promise<void> {
  await addStored(me, limit - left - (await getStorage(me)).used_bytes);
}

function importChat(me: Visitor, characterId: string, text = CHAT): Promise<Response> {
  const body = new FormData();
  body.set('character_id', characterId);
  body.set('file', new Blob([text]), 'chat.jsonl');
  return me.call('/api/conversations/import', { method: 'POST', body });
}

const forkAt = (chat: ConversationClient, messageId: string, json: object = {}) =>
  chat.call(`/messages/${messageId}/fork`, { method: 'POST', json });

/** A guest's chat with one exchange. */
async function startChat(me: Visitor): Promise<{ chat: ConversationClient; last: string }> {
  const chat = await startConversationClient(me);
  await chat.insertMessages('Hello.', 'You came.');
  return { chat, last: (await chat.ids()).at(-1) as string };
}

/** The sums of what a user's rows say. */
async function sumRows(me: Visitor) {
  return env.DB.prepare(
    `select (select count(*) from conversations where owner_id = ?1) as conversations,
       (select coalesce(sum(bytes), 0) from conversations where owner_id = ?1 and deleted_at is null) as conversation_bytes,
       (select coalesce(sum(bytes), 0) from conversations where owner_id = ?1 and deleted_at is not null)
         + (select coalesce(sum(bytes), 0) from characters where creator_id = ?1 and deleted_at is not null) as trash_bytes,
       (select coalesce(sum(bytes), 0) from pictures where owner_id = ?1) as picture_bytes,
       (select coalesce(sum(bytes), 0) from cards where owner_id = ?1)
         + (select coalesce(sum(bytes), 0) from characters where creator_id = ?1 and deleted_at is null) as character_bytes`,
  )
    .bind(me.id)
    .first<Record<string, number>>();
}
const readTotals = (me: Visitor) =>
  env.DB.prepare(
    'select conversations, conversation_bytes, trash_bytes, picture_bytes, character_bytes from storage_totals where owner_id = ?',
  )
    .bind(me.id)
    .first<Record<string, number>>();

let me: Visitor;
beforeEach(async () => {
  me = await signInGuest();
});

describe('At the storage bound of a guest', () => {
  test('imports and forks are refused with what takes the room', async () => {
    const { chat, last } = await startChat(me);
    await fillUpTo(me, 1000);
    const answers = [await importChat(me, await addCharacter()), await forkAt(chat, last)];
    for (const answer of answers) {
      expect(answer.status).toBe(409);
      const { code, limit_bytes, kinds } = await answer.json<{ code: string } & StorageView>();
      expect({ code, limit_bytes }).toEqual({ code: 'storage_full', limit_bytes: 20 * MB });
      expect(kinds.map(({ kind }) => kind).slice(0, 2)).toEqual(['pictures', 'chats']);
      expect(kinds.map(({ bytes }) => bytes)).toEqual(
        kinds.map(({ bytes }) => bytes).toSorted((one, other) => other - one),
      );
    }
    expect((await getStorage(me)).conversations.count).toBe(1);
  });

  test('writing in an open conversation goes on', async () => {
    const id = await startConversation(me);
    await fillUpTo(me, -5 * MB);
    const events = await sendMessage(me, id, 'Still here.');
    expect(events.at(-1)).toMatchObject({ event: 'done' });
  });

  test('new chats begin up to a fifth above it, and not further', async () => {
    await fillUpTo(me, 0);
    expect(await startConversation(me)).toBeTruthy();
    await fillUpTo(me, 0, STORAGE.guestStartBytes);
    const refused = await me.call('/api/conversations', { json: { character_id: await addCharacter() } });
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({ code: 'storage_full' });
  });

  test('deleting a chat for good makes room at once', async () => {
    const { chat, last } = await startChat(me);
    const other = await startListedConversation(me);
    await fillUpTo(me, 1000);
    expect((await forkAt(chat, last)).status).toBe(409);
    await me.call(`/api/conversations/${other}?forever=true`, { method: 'DELETE' });
    await addStored(me, -100_000);
    expect((await forkAt(chat, last)).status).toBe(201);
  });

  test('twelve forks at once make as many as there is room for', async () => {
    const { chat, last } = await startChat(me);
    await fillUpTo(me, 3.5 * STORAGE.emptyConversationBytes);
    const answers = await Promise.all(Array.from({ length: 12 }, () => forkAt(chat, last)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201).length).toBeLessThanOrEqual(3);
    expect(statuses.filter((status) => status === 201).length).toBeGreaterThanOrEqual(1);
    expect(new Set(statuses)).toEqual(new Set([201, 409]));
    expect((await getStorage(me)).used_bytes).toBeLessThanOrEqual(STORAGE.guestBytes);
    const left = await env.DB.prepare('select count(*) as count from storage_reservations where owner_id = ?')
      .bind(me.id)
      .first();
    expect(left).toEqual({ count: 0 });
  });

  test('a fork is repeated with its key although the storage has become full', async () => {
    const { chat, last } = await startChat(me);
    const json = { client_conversation_id: 'one-press' };
    const first = await (await forkAt(chat, last, json)).json();
    await fillUpTo(me, 0);
    const again = await forkAt(chat, last, json);
    expect(again.status).toBe(201);
    expect(await again.json()).toEqual(first);
  });

  test('an import that turns out larger than its estimate leaves nothing', async () => {
    const characterId = await addCharacter();
    // The estimate of this chat is below its real size: each character is a word of its own in the index.
    const line = JSON.stringify({ name: 'Orla', is_user: false, mes: '夜'.repeat(200) });
    const text = [CHAT, ...Array.from({ length: 20 }, () => line)].join('\n');
    await fillUpTo(me, 170_000, STORAGE.guestBytes);
    await addStored(me, 0);
    const before = await getStorage(me);
    // A report of the index that arrives before the write takes the room.
    await env.DB.prepare(
      `create trigger room_is_taken after insert on storage_reservations when new.owner_id = '${me.id}'
       begin update storage_totals set search_bytes = search_bytes + 5000000 where owner_id = '${me.id}'; end`,
    ).run();
    const answer = await importChat(me, characterId, text);
    await env.DB.prepare('drop trigger room_is_taken').run();
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({ code: 'storage_full' });
    expect((await getStorage(me)).conversations.count).toBe(before.conversations.count);
    expect(await me.ask('/api/chats')).toEqual({ chats: [] });
  });
});

describe('The number of a guest’s conversations', () => {
  const setCount = (count: number) =>
    env.DB.prepare('update storage_totals set conversations = ? where owner_id = ?').bind(count, me.id).run();

  test('the 201st is refused', async () => {
    const { chat, last } = await startChat(me);
    await setCount(STORAGE.guestConversations);
    const refusals = [
      await forkAt(chat, last),
      await importChat(me, await addCharacter()),
      await me.call('/api/conversations', { json: { character_id: await addCharacter() } }),
    ];
    for (const refused of refusals) {
      expect(refused.status).toBe(409);
      expect(await refused.json()).toMatchObject({ code: 'conversation_limit', limit: 200 });
    }
    await setCount(STORAGE.guestConversations - 1);
    expect((await forkAt(chat, last)).status).toBe(201);
  });

  test('chats without a message of the guest make room for another one', async () => {
    const old = await startConversation(me);
    const newest = await startConversation(me);
    await setCount(STORAGE.guestConversations);
    const id = await startConversation(me);
    const rows = await env.DB.prepare('select id from conversations where owner_id = ? order by id')
      .bind(me.id)
      .all();
    expect(rows.results.map((row) => row['id'])).toEqual([newest, id]);
    expect((await me.call(`/api/conversations/${old}`)).status).toBe(404);
  });

  test('an account has no such limit', async () => {
    const account = await createAccount();
    await startConversation(account);
    await env.DB.prepare('update storage_totals set conversations = 5000 where owner_id = ?')
      .bind(account.id)
      .run();
    expect(await startConversation(account)).toBeTruthy();
    expect((await getStorage(account)).conversations.limit).toBeNull();
  });
});

describe('The bound follows the account', () => {
  test('a guest who becomes an account brings what they store and has more room', async () => {
    const { chat, last } = await startChat(me);
    await fillUpTo(me, 0);
    const { used_bytes: used } = await getStorage(me);
    const account = await createAccount(undefined, me);
    expect(await getStorage(account)).toMatchObject({ used_bytes: used, limit_bytes: 500 * MB });
    expect((await forkAt(chat, last)).status).toBe(201);
  });

  test('a guest who is merged into an account adds their chats to what it stores', async () => {
    const account = await createAccount();
    await startConversation(account);
    const before = await getStorage(account);
    const { chat } = await startChat(me);
    const guest = await getStorage(me);
    await createAccount(account.email, me);
    const after = await getStorage(me);
    expect(after.used_bytes).toBe(before.used_bytes + guest.used_bytes);
    expect(after.conversations.count).toBe(2);
    expect(await chat.texts()).toContain('Hello.');
    expect(await readTotals(me)).toEqual(await sumRows(me));
  });

  test('after the membership has ended above the bound everything stays and writing goes on', async () => {
    const account = await createAccount();
    await env.DB.prepare("update users set plan = 'storyteller' where id = ?").bind(account.id).run();
    const { chat, last } = await startChat(account);
    await addStored(account, 600 * MB);
    expect(await getStorage(account)).toMatchObject({ limit_bytes: 5000 * MB });
    expect((await forkAt(chat, last)).status).toBe(201);
    await env.DB.prepare("update users set plan = 'free' where id = ?").bind(account.id).run();
    expect((await forkAt(chat, last)).status).toBe(409);
    expect((await importChat(account, await addCharacter())).status).toBe(409);
    const picture = new FormData();
    picture.set('file', new Blob(['x']), 'x.png');
    const upload = await account.call('/api/uploads/avatar', { method: 'POST', body: picture });
    expect(await upload.json()).toMatchObject({ code: 'storage_full' });
    expect((await getStorage(account)).conversations.count).toBe(2);
    expect(await chat.texts()).toContain('Hello.');
    const id = await startConversation(account);
    expect((await sendMessage(account, id, 'Hello.')).at(-1)).toMatchObject({ event: 'done' });
  });
});

describe('The trash', () => {
  test('what is in the trash counts, and emptying it makes room at once', async () => {
    const kept = await startListedConversation(me);
    const going = await startListedConversation(me);
    const { used_bytes: used } = await getStorage(me);
    await me.call(`/api/conversations/${going}`, { method: 'DELETE' });
    const trashed = await getStorage(me);
    expect(trashed.used_bytes).toBe(used);
    expect(trashed.kinds.find(({ kind }) => kind === 'trash')?.bytes).toBeGreaterThan(50_000);
    expect(await me.ask('/api/account/trash', { method: 'DELETE' })).toEqual({ erased: 1, has_more: false });
    const after = await getStorage(me);
    expect(after.used_bytes).toBeLessThan(used);
    expect(after.kinds.find(({ kind }) => kind === 'trash')?.bytes).toBe(0);
    expect(after.conversations.count).toBe(1);
    expect((await me.call(`/api/conversations/${kept}`)).status).toBe(200);
    expect((await me.call(`/api/conversations/${going}/restore`, { method: 'POST' })).status).toBe(404);
    expect(await me.ask('/api/account/trash', { method: 'DELETE' })).toEqual({ erased: 0, has_more: false });
  });

  test('emptying the trash erases characters too, and only those of the user', async () => {
    const [account, other] = [await createAccount(), await createAccount()];
    const own = await createOwnCharacter(account, { about: 'x'.repeat(4000) });
    const others = await createOwnCharacter(other);
    await account.call(`/api/characters/${own.id}`, { method: 'DELETE' });
    await other.call(`/api/characters/${others.id}`, { method: 'DELETE' });
    const { kinds } = await getStorage(account);
    expect(kinds.find(({ kind }) => kind === 'trash')?.bytes).toBeGreaterThan(4000);
    expect(await account.ask('/api/account/trash', { method: 'DELETE' })).toMatchObject({ erased: 1 });
    expect((await account.call(`/api/characters/${own.id}/restore`, { method: 'POST' })).status).toBe(404);
    expect((await other.call(`/api/characters/${others.id}/restore`, { method: 'POST' })).status).toBe(200);
  });
});

describe('The sums of what a user stores', () => {
  test('the sums are those of the rows, whatever happened to them', async () => {
    const account = await createAccount();
    const expectSums = async () => expect(await readTotals(account)).toEqual(await sumRows(account));
    const { chat, last } = await startChat(account);
    await expectSums();
    const fork = await (await forkAt(chat, last)).json<{ conversation: { id: string } }>();
    await importJsonCard(account, V3);
    const own = await createOwnCharacter(account);
    await uploadPortrait(account);
    await expectSums();
    await account.call(`/api/conversations/${fork.conversation.id}`, { method: 'DELETE' });
    await account.call(`/api/characters/${own.id}`, {
      method: 'PATCH',
      json: { character_traits: 'Much longer than before. '.repeat(20) },
    });
    await expectSums();
    await account.call(`/api/characters/${own.id}`, { method: 'DELETE' });
    await account.call(`/api/conversations/${fork.conversation.id}/restore`, { method: 'POST' });
    await expectSums();
    await account.call(`/api/conversations/${chat.id}?forever=true`, { method: 'DELETE' });
    await account.ask('/api/account/trash', { method: 'DELETE' });
    await expectSums();
    expect((await readTotals(account))?.['conversations']).toBe(1);
  });

  test('the sums have what a chat has grown to at the end of a sitting', async () => {
    const id = await startListedConversation(me);
    const { used_bytes: before } = await getStorage(me);
    await runInDurableObject(getConversationStub(id), (_, { storage }) => {
      for (let place = 0; place < 30; place += 1)
        storage.sql.exec(
          'insert into contexts (place, version_id, made_at, body) values (?, ?, 0, ?)',
          place,
          `v${place}`,
          JSON.stringify('x'.repeat(20_000)),
        );
      return storage.setAlarm(Date.now() + 60_000);
    });
    await runDurableObjectAlarm(getConversationStub(id));
    expect((await getStorage(me)).used_bytes).toBeGreaterThan(before + 600_000);
  });

  test('the sums have the size of the search index', async () => {
    const characterId = await addCharacter();
    const words = Array.from({ length: 4000 }, (_, index) => (index * 7919).toString(36)).join(' ');
    const lines = Array.from({ length: 12 }, (_, index) =>
      JSON.stringify({ name: 'Orla', is_user: false, mes: `${index} ${words}` }),
    );
    const answer = await importChat(me, characterId, [CHAT, ...lines].join('\n'));
    expect(answer.status).toBe(201);
    const index = env.SEARCHES.get(env.SEARCHES.idFromName(me.id));
    const size = await runInDurableObject(index, (_, { storage }) => storage.sql.databaseSize);
    const row = await env.DB.prepare('select search_bytes from storage_totals where owner_id = ?')
      .bind(me.id)
      .first<{ search_bytes: number }>();
    expect(row?.search_bytes).toBe(size);
  });

  test('a reservation that was left behind lapses', async () => {
    const db = openDatabase(env.DB);
    const reservation = { ownerId: me.id, bytes: 15 * MB, maxBytes: 20 * MB, now: Date.now() };
    expect(await reserveStorage(db, { ...reservation, id: `${me.id}-1` })).toBe(true);
    expect(await reserveStorage(db, { ...reservation, id: `${me.id}-2` })).toBe(false);
    const later = Date.now() + STORAGE.reservationMs + 1;
    expect(await reserveStorage(db, { ...reservation, id: `${me.id}-3`, now: later })).toBe(true);
  });
});
