import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import type { Message } from '../../../../../src/features/conversation/contract.ts';
import type { ReplyRating } from '../../../../../src/features/conversation/contract.ts';
import { createId } from '../../../../../src/lib/ids.ts';
import {
  ConversationClient,
  getMessageId,
  startConversationClient,
} from '../../../../support/conversation-client.ts';
import {
  addCharacter,
  createAccount,
  getConversationStub,
  signInGuest,
  startTurn,
} from '../../../../support/factories.ts';
import { createScene } from '../../../../support/scripted-model.ts';

const readCharacter = (id: string) =>
  env.DB.prepare('select liked_count as liked, disliked_count as disliked from characters where id = ?')
    .bind(id)
    .first<{ liked: number; disliked: number }>();
const readModel = async (count: 'liked' | 'disliked'): Promise<number> =>
  (await env.DB.prepare('select sum(value) as value from stat_days where name = ?')
    .bind(`model:loreloom:${count}`)
    .first<number>('value')) ?? 0;
const readChanges = (id: string) =>
  runInDurableObject(
    getConversationStub(id),
    (_, { storage }) =>
      storage.sql.exec<{ rating_changes: string }>('select * from meta').one().rating_changes,
  );
/** Waits until the totals have every rating of a conversation. */
const settle = (id: string) => vi.waitFor(async () => expect(await readChanges(id)).toBe('[]'));

/** A conversation with one reply to a character of its own. */
async function startRated() {
  const characterId = await addCharacter();
  const chat = await startConversationClient(await signInGuest(), characterId);
  await chat.send('Hello [[scenario:tokens n=2 ms=0]]');
  const reply = (await chat.messages()).at(-1) as Message;
  const before = { liked: await readModel('liked'), disliked: await readModel('disliked') };
  /** What the ratings since then have added to the totals of the model. */
  const readModelTotals = async () => ({
    liked: (await readModel('liked')) - before.liked,
    disliked: (await readModel('disliked')) - before.disliked,
  });
  const rate = (rating: ReplyRating | null, status = 200) =>
    chat.rate(reply.id, reply.selected_version_id, rating, status);
  return { chat, characterId, reply, rate, readModelTotals };
}

const getRating = (message: Message | undefined) =>
  message?.versions.find(({ id }) => id === message.selected_version_id)?.rating;
const getReply = async (chat: ConversationClient, id: string) =>
  (await chat.messages()).find((message) => message.id === id);

describe('Ratings of a reply', () => {
  test('a rating stays with its version, and another version has its own', async () => {
    const { chat, reply, rate } = await startRated();
    expect(getRating(await rate('up'))).toBe('up');
    await evictDurableObject(getConversationStub(chat.id));
    expect(getRating(await getReply(chat, reply.id))).toBe('up');
    await chat.regenerate(reply.id);
    const renewed = (await getReply(chat, reply.id)) as Message;
    expect(getRating(renewed)).toBeUndefined();
    await chat.rate(reply.id, renewed.selected_version_id, 'down');
    expect((await getReply(chat, reply.id))?.versions.map(({ rating }) => rating)).toEqual(['up', 'down']);
    await chat.select(reply.id, reply.selected_version_id);
    expect(getRating(await getReply(chat, reply.id))).toBe('up');
  });

  test('a rating survives the trash and is part of a branch', async () => {
    const { chat, reply, rate } = await startRated();
    await rate('down');
    const { id: trashId } = await chat.discard(reply.id);
    await chat.rate(reply.id, reply.selected_version_id, 'up', 404);
    await chat.restore(trashId);
    expect(getRating(await getReply(chat, reply.id))).toBe('down');
    const { chat: branch } = await chat.fork(reply.id);
    expect(getRating(await getReply(branch, reply.id))).toBe('down');
  });

  test('only versions that a model has finished can be rated', async () => {
    const { chat, reply } = await startRated();
    const [greeting, sent] = (await chat.messages()) as [Message, Message];
    for (const message of [greeting, sent])
      expect(await chat.rate(message.id, message.selected_version_id, 'up', 422)).toMatchObject({
        code: 'not_a_reply',
      });
    await chat.rate(reply.id, createId(Date.now()), 'up', 404);
    const slow = createScene('gate n=2');
    const reader = await startTurn(chat.me, chat.id, slow.marker);
    await slow.reached();
    const written = (await chat.messages()).at(-1) as Message;
    expect(await chat.rate(written.id, written.selected_version_id, 'up', 409)).toMatchObject({
      code: 'version_unfinished',
    });
    // An earlier reply can be rated while this one is written.
    await chat.rate(reply.id, reply.selected_version_id, 'up');
    await slow.open();
    await reader.readRest();
  });

  test('a rating of another user’s reply finds nothing, and an unknown rating is refused', async () => {
    const { chat, reply } = await startRated();
    const stranger = new ConversationClient(await signInGuest(), chat.id);
    await stranger.rate(reply.id, reply.selected_version_id, 'up', 404);
    for (const body of [
      { version_id: reply.selected_version_id, rating: 'great' },
      { version_id: reply.selected_version_id },
      { version_id: reply.selected_version_id, rating: 'up', why: 'It is lovely.' },
    ])
      await chat.ask(`/messages/${reply.id}/rating`, { method: 'PUT', json: body, status: 400 });
    expect(getRating(await getReply(chat, reply.id))).toBeUndefined();
  });
});

describe('Totals of ratings', () => {
  test('a rating counts once for the character and once for the model, and a change counts its difference', async () => {
    const { chat, characterId, rate, readModelTotals } = await startRated();
    for (const [rating, liked, disliked] of [
      ['up', 1, 0],
      ['up', 1, 0],
      ['down', 0, 1],
      [null, 0, 0],
      [null, 0, 0],
      ['up', 1, 0],
    ] as const) {
      await rate(rating);
      await settle(chat.id);
      expect(await readCharacter(characterId)).toEqual({ liked, disliked });
      expect(await readModelTotals()).toEqual({ liked, disliked });
    }
  });

  test('a rating is counted once although the answer to its count was lost', async () => {
    const { chat, characterId, rate, readModelTotals } = await startRated();
    await rate('up');
    await settle(chat.id);
    // As after a process that ended between the two writes.
    await runInDurableObject(getConversationStub(chat.id), (_, { storage }) => {
      const day = Math.floor(Date.now() / 86_400_000);
      const change = { number: 1, day, model: 'loreloom', liked: 1, disliked: 0 };
      storage.sql.exec('update meta set rating_changes = ?', JSON.stringify([change]));
    });
    await evictDurableObject(getConversationStub(chat.id));
    await runDurableObjectAlarm(getConversationStub(chat.id));
    await settle(chat.id);
    expect(await readCharacter(characterId)).toEqual({ liked: 1, disliked: 0 });
    expect(await readModelTotals()).toEqual({ liked: 1, disliked: 0 });
    await rate(null);
    await settle(chat.id);
    expect(await readCharacter(characterId)).toEqual({ liked: 0, disliked: 0 });
  });

  test('ratings that could not be counted are counted later, none twice', async () => {
    const { chat, characterId, rate, readModelTotals } = await startRated();
    await env.DB.prepare(
      `create trigger unrated before update of liked_count on characters when old.id = '${characterId}'
       begin select raise(abort, 'no'); end`,
    ).run();
    try {
      await rate('up');
      await rate('down');
      await vi.waitFor(async () => expect(JSON.parse(await readChanges(chat.id))).toHaveLength(2));
    } finally {
      await env.DB.prepare('drop trigger unrated').run();
    }
    expect(await readCharacter(characterId)).toEqual({ liked: 0, disliked: 0 });
    expect(await readModelTotals()).toEqual({ liked: 0, disliked: 0 });
    await evictDurableObject(getConversationStub(chat.id));
    await runDurableObjectAlarm(getConversationStub(chat.id));
    await settle(chat.id);
    expect(await readCharacter(characterId)).toEqual({ liked: 0, disliked: 1 });
    expect(await readModelTotals()).toEqual({ liked: 0, disliked: 1 });
  });

  test('a creator’s rating of their own character counts for nothing', async () => {
    const me = await createAccount();
    const characterId = await addCharacter({ creatorId: me.id as string });
    const chat = await startConversationClient(me, characterId);
    await chat.send('Hello [[scenario:tokens n=2 ms=0]]');
    const reply = (await chat.messages()).at(-1) as Message;
    const before = await readModel('liked');
    await chat.rate(reply.id, reply.selected_version_id, 'up');
    await settle(chat.id);
    expect(getRating(await getReply(chat, reply.id))).toBe('up');
    expect(await readCharacter(characterId)).toEqual({ liked: 0, disliked: 0 });
    expect(await readModel('liked')).toBe(before);
  });

  test('a branch, an edit and an imported reply count for nothing', async () => {
    const { chat, characterId, reply, rate } = await startRated();
    await rate('up');
    await settle(chat.id);
    const { chat: branch } = await chat.fork(reply.id);
    await branch.rate(reply.id, reply.selected_version_id, null);
    const edited = await chat.edit(reply.id, 'What she meant.');
    await chat.rate(reply.id, edited.selected_version_id, 'down');
    await chat.insertMessages('An old message.', 'An old reply.');
    const imported = (await chat.messages()).at(-1) as Message;
    await chat.rate(imported.id, imported.selected_version_id, 'down');
    for (const { id } of [chat, branch]) await settle(id);
    expect(await readCharacter(characterId)).toEqual({ liked: 1, disliked: 0 });
  });

  test('erasing a conversation does not change the totals', async () => {
    const { chat, characterId, rate, readModelTotals } = await startRated();
    await rate('up');
    const erased = await chat.call('?forever=true', { method: 'DELETE' });
    expect(erased.status).toBe(204);
    expect(await readCharacter(characterId)).toEqual({ liked: 1, disliked: 0 });
    expect(await readModelTotals()).toEqual({ liked: 1, disliked: 0 });
  });

  test('the creator sees both totals of a character', async () => {
    const creator = await createAccount();
    const characterId = await addCharacter({ creatorId: creator.id as string });
    for (const rating of ['up', 'up', 'down'] as const) {
      const chat = await startConversationClient(await signInGuest(), characterId);
      await chat.send('Hello [[scenario:tokens n=2 ms=0]]');
      const said = await chat.messages();
      await chat.rate(getMessageId(said, -1), said.at(-1)?.selected_version_id ?? '', rating);
      await settle(chat.id);
    }
    expect(await creator.ask('/api/me/characters')).toMatchObject({
      items: [{ id: characterId, liked_count: 2, disliked_count: 1 }],
    });
  });
});
