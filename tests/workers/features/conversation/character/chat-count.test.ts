import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { openDatabase } from '../../../../../src/db/open.ts';
import { computeNetworkFingerprint } from '../../../../../src/features/account/network-fingerprint.ts';
import {
  deleteConversationRow,
  insertConversationRow,
  updateConversationRow,
} from '../../../../../src/features/conversation/conversation-rows-store.ts';
import { CHAT_COUNT } from '../../../../../src/features/conversation/limits.ts';
import { createId } from '../../../../../src/lib/ids.ts';
import { ConversationClient } from '../../../../support/conversation-client.ts';
import {
  addCharacter,
  clearScenes,
  createAccount,
  createEmail,
  getConversationStub,
  signInGuest,
  startTurn,
  type Visitor,
} from '../../../../support/factories.ts';
import { explainQueries } from '../../../../support/query-stats.ts';
import { createScene } from '../../../../support/scripted-model.ts';

const DAY_MS = 86_400_000;
const db = openDatabase(env.DB);

/** An address in a /24 that no other chat of this file comes from. */
let networks = 0;
const createAddress = () => `198.18.${(networks += 1)}.7`;

/** Starts a conversation from an address. */
async function startFrom(
  me: Visitor,
  characterId: string,
  address = createAddress(),
): Promise<ConversationClient> {
  const { conversation } = await me.ask<{ conversation: { id: string } }>('/api/conversations', {
    json: { character_id: characterId },
    headers: { 'cf-connecting-ip': address },
    status: 201,
  });
  return new ConversationClient(me, conversation.id);
}

/** Waits until D1 has what the conversation owes it: renaming waits for that. */
const sync = (chat: ConversationClient) => chat.ask('', { method: 'PATCH', json: { title: 'x' } });

/** Starts a conversation from an address and has one message answered. */
async function talk(me: Visitor, characterId: string, address?: string): Promise<ConversationClient> {
  const chat = await startFrom(me, characterId, address);
  await chat.send('Hello. [[scenario:tokens n=2 ms=0]]');
  await sync(chat);
  return chat;
}

/** The character's count, which the days have as well. */
async function countChats(characterId: string): Promise<number> {
  const found = await env.DB.prepare(
    `select chat_count as count, (select coalesce(sum(chats), 0) from character_days where character_id = id) as days
     from characters where id = ?`,
  )
    .bind(characterId)
    .first<{ count: number; days: number }>();
  expect(found?.days).toBe(found?.count);
  return found?.count ?? -1;
}

const remove = async (chat: ConversationClient, how = '') =>
  expect((await chat.call(how, { method: 'DELETE' })).status).toBe(204);
const restore = (chat: ConversationClient) => chat.ask('/restore', { method: 'POST' });

/** Makes the chat's first reply older. */
async function age(chat: ConversationClient, ms: number): Promise<void> {
  const stub = getConversationStub(chat.id);
  await runInDurableObject(stub, (_, { storage }) => {
    storage.sql.exec('update meta set completed_at = completed_at - ?', ms);
  });
  await evictDurableObject(stub);
  await env.DB.prepare('update conversations set counted_at = counted_at - ? where id = ?')
    .bind(ms, chat.id)
    .run();
}

describe('What counts as a chat', () => {
  test('a chat counts with its first completed reply, and once however long it goes on', async () => {
    const [me, characterId] = [await signInGuest(), await addCharacter()];
    const chat = await startFrom(me, characterId);
    await sync(chat);
    expect(await countChats(characterId)).toBe(0);
    for (const text of ['One.', 'Two.']) await chat.send(text);
    await sync(chat);
    expect(await countChats(characterId)).toBe(1);
  });

  test('chats that are begun and stopped before the first word do not count', async () => {
    const [me, characterId] = [await signInGuest(), await addCharacter()];
    for (let times = 0; times < 5; times += 1) {
      const chat = await startFrom(me, characterId);
      const reader = await startTurn(me, chat.id, 'Hello. [[scenario:hang]]');
      await chat.ask('/stop', { method: 'POST' });
      await reader.readRest();
      await sync(chat);
    }
    expect(await countChats(characterId)).toBe(0);
  });

  test('a reply that is stopped or cut off after some words does not count, and the next complete one does', async () => {
    const [me, characterId] = [await signInGuest(), await addCharacter()];
    const chat = await startFrom(me, characterId);
    const slow = createScene('gate n=2');
    const reader = await startTurn(me, chat.id, slow.marker);
    await reader.readUntilText((text) => text === 'w0 w1');
    await chat.ask('/stop', { method: 'POST' });
    await clearScenes(chat.id);
    await chat.send('Again. [[scenario:cut n=2]]');
    await sync(chat);
    expect(await countChats(characterId)).toBe(0);
    await clearScenes(chat.id);
    await chat.send('Once more.');
    await sync(chat);
    expect(await countChats(characterId)).toBe(1);
  });

  test('a chat whose first reply failed counts once that reply is regenerated', async () => {
    const [me, characterId] = [await signInGuest(), await addCharacter()];
    const chat = await startFrom(me, characterId);
    await chat.send('Hello. [[scenario:status code=500]]');
    await sync(chat);
    expect(await countChats(characterId)).toBe(0);
    await clearScenes(chat.id);
    await chat.regenerate((await chat.ids()).at(-1) as string);
    await sync(chat);
    expect(await countChats(characterId)).toBe(1);
  });

  test('regenerating the greeting before a message counts nothing', async () => {
    const [me, characterId] = [await signInGuest(), await addCharacter()];
    const chat = await startFrom(me, characterId);
    const [greeting] = await chat.ids();
    await chat.regenerate(greeting as string);
    expect((await chat.messages()).at(-1)).toMatchObject({ status: 'complete', versions: [{}, {}] });
    await sync(chat);
    expect(await countChats(characterId)).toBe(0);
  });

  test('a fork does not count before a reply is completed in it, and then as another chat of the same user', async () => {
    const [me, characterId] = [await signInGuest(), await addCharacter()];
    const chat = await talk(me, characterId);
    const { chat: fork } = await chat.fork((await chat.ids()).at(-1) as string);
    await fork.send('Onwards.');
    await sync(fork);
    expect(await countChats(characterId)).toBe(1);
  });

  test('messages that were not written here do not count before a reply is completed', async () => {
    const [me, characterId] = [await signInGuest(), await addCharacter()];
    const chat = await startFrom(me, characterId);
    await chat.insertMessages('One.', 'Two.');
    await sync(chat);
    expect(await countChats(characterId)).toBe(0);
    await chat.send('Three.');
    await sync(chat);
    expect(await countChats(characterId)).toBe(1);
  });
});

describe('Whose chats count', () => {
  test('the creator’s own chats do not count, under any address of their mailbox', async () => {
    const name = createEmail().replace('@example.test', '');
    const maker = await createAccount(`${name}@example.test`);
    const characterId = await addCharacter({ creatorId: maker.id });
    for (const me of [maker, await createAccount(`${name}+two@example.test`)]) await talk(me, characterId);
    expect(await countChats(characterId)).toBe(0);
  });

  test('a creator’s chats as a guest leave the count when they log in', async () => {
    const email = createEmail();
    const maker = await createAccount(email);
    const [own, other] = [await addCharacter({ creatorId: maker.id }), await addCharacter()];
    const guest = await signInGuest();
    for (const id of [own, other]) await talk(guest, id);
    expect([await countChats(own), await countChats(other)]).toEqual([1, 1]);
    await env.DB.prepare('delete from login_codes where email = ?').bind(email).run();
    await createAccount(email, guest);
    expect(guest.id).toBe(maker.id);
    expect([await countChats(own), await countChats(other)]).toEqual([0, 1]);
  });

  test('a guest who becomes an account is the same user', async () => {
    const [me, characterId] = [await signInGuest(), await addCharacter()];
    await talk(me, characterId);
    await createAccount(undefined, me);
    await talk(me, characterId);
    expect(await countChats(characterId)).toBe(1);
  });

  test('one user counts once a day for a character, however many networks they have', async () => {
    const [me, characterId, other] = [await signInGuest(), await addCharacter(), await addCharacter()];
    for (let times = 0; times < 3; times += 1) await talk(me, characterId);
    await talk(me, other);
    expect([await countChats(characterId), await countChats(other)]).toEqual([1, 1]);
  });

  test('one network counts once a day for a character, however many users it has', async () => {
    const characterId = await addCharacter();
    for (const address of ['203.0.113.7', '203.0.113.7', '2001:db8:1:2::1', '2001:db8:1:2:ffff::9'])
      await talk(await signInGuest(), characterId, address);
    expect(await countChats(characterId)).toBe(2);
  });

  test('a larger network counts as many times a day as its limit', async () => {
    const characterId = await addCharacter();
    for (let one = 0; one < CHAT_COUNT.perWiderNetworkPerDay + 2; one += 1)
      await talk(await signInGuest(), characterId, `2001:db8:7:${one}::1`);
    expect(await countChats(characterId)).toBe(CHAT_COUNT.perWiderNetworkPerDay);
  });

  test('a user and a network count again on the next day', async () => {
    const [me, characterId] = [await signInGuest(), await addCharacter()];
    const address = createAddress();
    await age(await talk(me, characterId, address), DAY_MS);
    await talk(me, characterId, address);
    expect(await countChats(characterId)).toBe(2);
  });

  test('a conversation that is opened again has the network that its user comes back from', async () => {
    const [me, characterId] = [await signInGuest(), await addCharacter()];
    const open = (address: string) =>
      me.ask<{ conversation: { id: string } }>('/api/conversations', {
        json: { character_id: characterId, reuse: true },
        headers: { 'cf-connecting-ip': address },
        status: 201,
      });
    const [first, again] = [await open('203.0.113.7'), await open('198.51.100.1')];
    expect(again.conversation.id).toBe(first.conversation.id);
    const expected = await computeNetworkFingerprint('198.51.100.1', env.AUTH_SECRET ?? '');
    await vi.waitFor(async () =>
      expect(
        await env.DB.prepare('select network from conversations where id = ?')
          .bind(first.conversation.id)
          .first('network'),
      ).toBe(expected),
    );
  });
});

describe('Chats that are deleted', () => {
  test('a chat that moves to the trash within a day leaves the count, and counts again when it is restored', async () => {
    const [me, characterId] = [await signInGuest(), await addCharacter()];
    const chat = await talk(me, characterId);
    for (let times = 0; times < 2; times += 1) {
      await remove(chat);
      expect(await countChats(characterId)).toBe(0);
      await restore(chat);
      expect(await countChats(characterId)).toBe(1);
    }
  });

  test('a chat that is deleted for good within a day leaves the count once', async () => {
    const [me, characterId] = [await signInGuest(), await addCharacter()];
    await talk(await signInGuest(), characterId);
    for (const steps of [['?forever=true'], ['', '?forever=true']]) {
      const chat = await talk(me, characterId);
      expect(await countChats(characterId)).toBe(2);
      for (const how of steps) await remove(chat, how);
      expect(await countChats(characterId)).toBe(1);
    }
  });

  test('a user who deletes a chat and begins another one counts once, also when the first one is restored', async () => {
    const [me, characterId] = [await signInGuest(), await addCharacter()];
    const first = await talk(me, characterId);
    await remove(first);
    await talk(me, characterId);
    expect(await countChats(characterId)).toBe(1);
    await restore(first);
    expect(await countChats(characterId)).toBe(1);
  });

  test('a chat that is deleted a day later stays in the count, in the trash and after it', async () => {
    const [me, characterId] = [await signInGuest(), await addCharacter()];
    const chat = await talk(me, characterId);
    await age(chat, CHAT_COUNT.withdrawnUnderMs + 60_000);
    await remove(chat);
    expect(await countChats(characterId)).toBe(1);
    await restore(chat);
    expect(await countChats(characterId)).toBe(1);
    await remove(chat);
    await remove(chat, '?forever=true');
    expect(await countChats(characterId)).toBe(1);
  });

  test('a deleted account takes the chats of its last day out of the count, and no older ones', async () => {
    const me = await signInGuest();
    const [fresh, old] = [await addCharacter(), await addCharacter()];
    await talk(me, fresh);
    await age(await talk(me, old), CHAT_COUNT.withdrawnUnderMs + 60_000);
    await env.DB.prepare('delete from users where id = ?').bind(me.id).run();
    expect([await countChats(fresh), await countChats(old)]).toEqual([0, 1]);
  });

  test('the list of popular characters follows a chat that leaves the count', async () => {
    const [me, characterId] = [await signInGuest(), await addCharacter()];
    const chat = await talk(me, characterId);
    await env.DB.prepare('update character_days set is_pending = 0 where character_id = ?')
      .bind(characterId)
      .run();
    await remove(chat);
    expect(
      await env.DB.prepare('select chats, is_pending from character_days where character_id = ?')
        .bind(characterId)
        .first(),
    ).toEqual({ chats: 0, is_pending: 1 });
  });
});

/** A chat of the property, with small numbers so that many share a user, a network or a day. */
const someChat = fc.record({
  user: fc.nat(5),
  wider: fc.nat(1),
  network: fc.nat(7),
  isUnknown: fc.boolean(),
  day: fc.nat(1),
  deleted: fc.constantFrom('no', 'trash', 'forever'),
});

test('whatever chats there are, as many count as the limits allow, and no user or network counts twice a day', async () => {
  const makers = await Promise.all(Array.from({ length: 6 }, () => signInGuest()));
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  await fc.assert(
    fc.asyncProperty(fc.array(someChat, { maxLength: 24 }), async (chats) => {
      const characterId = await addCharacter({ creatorId: makers[5]?.id as string });
      const left: { user: number; network: string | null; day: number; isCounted: boolean }[] = [];
      for (const chat of chats) {
        const network = chat.isUnknown ? null : `0000000${chat.wider}0000000${chat.network}`;
        const [id, at] = [createId(Date.now()), today + chat.day * DAY_MS + 1000];
        const row = {
          ...{ id, characterId, network, createdAt: at, characterName: 'Mira', avatarUrl: '' },
          ownerId: makers[chat.user]?.id as string,
        };
        await insertConversationRow(db, row, { bytes: 0, copy: null }, at);
        await updateConversationRow(db, { id, turns: 1 }, at);
        // A repeated call changes nothing.
        await updateConversationRow(db, { id, turns: 1 }, at);
        if (chat.deleted === 'trash')
          await updateConversationRow(db, { id, turns: 1, deletedAt: at + 1 }, null);
        if (chat.deleted === 'forever') await deleteConversationRow(db, id);
        if (chat.deleted !== 'no') continue;
        const stored = await env.DB.prepare('select counted_at from conversations where id = ?')
          .bind(id)
          .first();
        const isCounted = stored?.['counted_at'] !== null;
        const same = left.filter((other) => other.isCounted && other.day === chat.day);
        const isBlocked =
          chat.user === 5 ||
          same.some((other) => other.user === chat.user || other.network === network) ||
          (network !== null &&
            same.filter((other) => other.network?.slice(0, 8) === network.slice(0, 8)).length >=
              CHAT_COUNT.perWiderNetworkPerDay);
        expect({ ...chat, isCounted }).toEqual({ ...chat, isCounted: !isBlocked });
        left.push({ user: chat.user, network, day: chat.day, isCounted });
      }
      expect(await countChats(characterId)).toBe(left.filter(({ isCounted }) => isCounted).length);
    }),
    { numRuns: 20 },
  );
});

test('the statement that counts a chat follows an index at every step', async () => {
  const [, plan] = await explainQueries((observed) =>
    updateConversationRow(observed, { id: 'nowhere', turns: 1 }, Date.now()),
  );
  expect(plan).not.toMatch(/SCAN (?!CONSTANT)/);
  expect(plan).toContain('conversations_character (character_id=? AND owner_id=?)');
  expect(plan).toContain('conversations_counted (character_id=? AND <expr>=? AND network=?)');
  expect(plan).toContain('conversations_counted (character_id=? AND <expr>=? AND network>? AND network<?)');
});
