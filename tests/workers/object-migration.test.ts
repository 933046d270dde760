import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import { CONVERSATION_MIGRATIONS } from '../../src/features/conversation/conversation-migrations.ts';
import { addToIndex } from '../../src/features/conversation/conversation-index-store.ts';
import { newId } from '../../src/ids.ts';
import { Chat, versionsOf } from '../support/chat.ts';
import { shapeOf, textOf } from '../support/event-reader.ts';
import {
  character,
  conversationStub,
  expectBalancedLedger,
  guest,
  ledger,
  points,
  type Visitor,
  walletStub,
} from '../support/makers.ts';
import { scene } from '../support/scripted-model.ts';

const AT = Date.parse('2026-03-10T12:00:00.000Z');
const LAMP = 'The lamp is lit.';

/**
 * A conversation as the product of the first schema left it: an opening, an answer, and a reply with two versions.
 * @param wasWriting it went away in the middle of the second of them
 */
async function firstConversation(me: Visitor, { wasWriting = false } = {}): Promise<Chat> {
  const id = newId(AT);
  const characterId = await character();
  const snapshot = {
    id: characterId,
    name: 'Mira',
    oneliner: 'Keeper of the last lighthouse',
    character_traits: 'Patient.',
    first_message: LAMP,
    model_type: 'roleplay',
    point_of_view: 'normal',
    suggested_replies: ['Who are you?'],
    avatar_url: '/media/x.webp',
  };
  await runInDurableObject(conversationStub(id), (_, { storage }) => {
    const { sql } = storage;
    sql.exec('create table object_migrations (step integer primary key, applied_at integer not null)');
    sql.exec(CONVERSATION_MIGRATIONS[0]);
    sql.exec('insert into object_migrations values (1, ?)', AT);
    sql.exec(
      `insert into meta (one, id, owner_id, user_name, character, title, created_at, updated_at, index_dirty, counted)
       values (1, ?, ?, 'Anouk', ?, 'The lamp', ?, ?, 0, 1)`,
      id,
      me.id,
      JSON.stringify(snapshot),
      AT,
      AT + 2,
    );
    const message = (position: number, key: string, role: string, turn: string | null, version: string) =>
      sql.exec(
        `insert into messages (position, id, role, client_message_id, edited, selected_version_id, created_at)
         values (?, ?, ?, ?, 0, ?, ?)`,
        position,
        key,
        role,
        turn,
        version,
        AT + position,
      );
    const version = (key: string, of: string, content: string, model: string | null, status = 'complete') =>
      sql.exec(
        `insert into versions (id, message_id, content, model, status, error_code, created_at)
         values (?, ?, ?, ?, ?, null, ?)`,
        key,
        of,
        content,
        model,
        status,
        AT,
      );
    message(1, 'm1', 'character', null, 'v1');
    version('v1', 'm1', LAMP, null);
    message(2, 'm2', 'user', 'turn-of-long-ago', 'v2');
    version('v2', 'm2', 'Who lit the beacon?', null);
    message(3, 'm3', 'character', null, 'v4');
    version('v3', 'm3', 'Nobody did.', 'roleplay');
    if (wasWriting) version('v4', 'm3', 'Half a', 'loreloom', 'streaming');
    else version('v4', 'm3', 'Somebody did.', 'loreloom');
    sql.exec(
      `insert into turns (id, user_message_id, reply_id, version_id, previous_version_id, payer_id, ended, created_at)
       values ('turn-of-long-ago', 'm2', 'm3', 'v3', null, ?, 1, ?), ('turn-anew-long-ago', null, 'm3', 'v4', 'v3', ?, ?, ?)`,
      me.id,
      AT,
      me.id,
      Number(!wasWriting),
      AT,
    );
    // The wallet had not confirmed the first reply when it went away.
    sql.exec(
      "insert into settlements (version_id, payer_id, reply_id, outcome) values ('v3', ?, 'm3', 'settle')",
      me.id,
    );
  });
  await addToIndex(openDatabase(env.DB), {
    id,
    ownerId: me.id,
    characterId,
    // As the character is by now: nobody wrote down what the story knows.
    characterName: 'Mira the Elder',
    avatarUrl: '/media/y.webp',
    title: 'The lamp',
    createdAt: AT,
    lastMessageAt: AT + 2,
    messageCount: 3,
    network: null,
  });
  // It wakes as the product of today.
  await abortAllDurableObjects();
  return new Chat(me, id);
}

const found = async (me: Visitor, query: string) =>
  (await me.ask<{ items: { message_id: string }[] }>(`/api/conversations/search?q=${query}`)).items.map(
    ({ message_id }) => message_id,
  );

describe('A conversation from the time of the first schema', () => {
  test('opens as it was, with its count, its versions and nothing that it never had', async () => {
    const me = await guest();
    const chat = await firstConversation(me);
    const { conversation, messages, next_cursor: earlier } = await chat.page();
    expect(conversation).toMatchObject({
      id: chat.id,
      title: 'The lamp',
      message_count: 3,
      persona: null,
      user_name: 'Anouk',
      context_start_id: null,
      last_message_time: new Date(AT + 2).toISOString(),
    });
    expect(earlier).toBeNull();
    expect(messages.map(({ content }) => content)).toEqual([LAMP, 'Who lit the beacon?', 'Somebody did.']);
    for (const message of messages)
      expect(message).toMatchObject({ edited: false, pinned: false, status: 'complete' });
    expect(versionsOf(messages[2])).toEqual(['Nobody did.', 'Somebody did.']);
    expect(messages[1]).toMatchObject({ client_message_id: 'turn-of-long-ago' });
    expect(await chat.ask('/memory')).toMatchObject({ summary: '', entries: [] });
    expect((await chat.trash()).items).toEqual([]);
    await runInDurableObject(conversationStub(chat.id), (_, { storage }) => {
      expect(storage.sql.exec('select step from object_migrations order by step').toArray()).toEqual(
        CONVERSATION_MIGRATIONS.map((_step, index) => ({ step: index + 1 })),
      );
    });
  });

  test('goes on: send, rejoin an old turn, edit, select, continue, delete and restore', async () => {
    const me = await guest();
    const chat = await firstConversation(me);
    const told = scene('tokens n=3');
    expect(shapeOf(await chat.send(`And now? ${told.marker}`))).toEqual(['accepted', 'delta', 'done']);
    expect(JSON.stringify((await told.requests())[0]?.body)).toContain('Who lit the beacon?');
    expect(await chat.count()).toBe(5);
    const old = await chat.send('Who lit the beacon?', { turnId: 'turn-of-long-ago' });
    expect(textOf(old)).toBe('Somebody did.');
    expect(await chat.count()).toBe(5);
    await chat.edit('m2', 'Who lit the lantern?');
    await chat.select('m3', 'v3');
    expect(textOf(await chat.goOn('m3'))).not.toBe('');
    const before = await chat.messages();
    expect(before[2]?.content).toMatch(/^Nobody did\./);
    const { id, message_count: count } = await chat.discard('m2');
    expect([count, await chat.count()]).toEqual([4, 1]);
    await chat.restore(id);
    expect(await chat.messages()).toEqual(before);
    await chat.pin('m1');
    const { chat: fork } = await chat.fork('m3');
    expect(await fork.ids()).toEqual(['m1', 'm2', 'm3']);
    expect(await points(me)).toMatchObject({ current_points: 48 });
    await expectBalancedLedger(me);
  });

  test('pays for what it still owed, once', async () => {
    const me = await guest();
    await walletStub(me.id).reserve('v3', 'any');
    const chat = await firstConversation(me);
    await chat.page();
    await chat.page();
    expect((await ledger(me)).filter(({ kind }) => kind === 'message')).toMatchObject([
      { amount: -1, message_id: 'm3' },
    ]);
    await expectBalancedLedger(me);
  });

  test('is found by its words, though nobody says anything in it', async () => {
    const me = await guest();
    const chat = await firstConversation(me);
    await chat.page();
    expect(await runDurableObjectAlarm(conversationStub(chat.id))).toBe(true);
    expect(await found(me, 'beacon')).toEqual(['m2']);
    expect(await found(me, 'somebody')).toEqual(['m3']);
    await runInDurableObject(conversationStub(chat.id), async (_, { storage }) => {
      expect(storage.sql.exec('select * from search_queue').toArray()).toEqual([]);
      expect(await storage.getAlarm()).toBeNull();
    });
  });

  test('has its own name and face in my list, though nobody says anything in it', async () => {
    const me = await guest();
    const chat = await firstConversation(me);
    await chat.page();
    await runDurableObjectAlarm(conversationStub(chat.id));
    expect(await me.ask('/api/chats')).toMatchObject({
      chats: [{ id: chat.id, character_name: 'Mira', avatar_url: '/media/x.webp' }],
    });
  });

  test('in which a reply was being written gives back its points and keeps what was written', async () => {
    const me = await guest();
    await walletStub(me.id).reserve('v4', 'any');
    expect(await points(me)).toMatchObject({ current_points: 49 });
    const chat = await firstConversation(me, { wasWriting: true });
    expect((await chat.messages())[2]).toMatchObject({
      content: 'Half a',
      status: 'interrupted',
      error_code: 'reply_interrupted',
    });
    expect(await points(me)).toMatchObject({ current_points: 50 });
    expect(await ledger(me)).toContainEqual(expect.objectContaining({ kind: 'message_free' }));
    await expectBalancedLedger(me);
  });
});
