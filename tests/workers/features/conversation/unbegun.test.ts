import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import type {
  ChatList,
  ConversationCreated,
  ConversationList,
} from '../../../../src/features/conversation/contract.ts';
import { HOME_SELECTION_KEY } from '../../../../src/features/home/home-selection.ts';
import type { SearchResult } from '../../../../src/features/search/contract.ts';
import { getConversation, saveExtras, saveNextVersion } from '../../../support/character-versions.ts';
import { ConversationClient } from '../../../support/conversation-client.ts';
import {
  addCharacter,
  createAccount,
  createEmail,
  getConversationStub,
  listMessages,
  postMessage,
  sendMessage,
  setPoints,
  signInGuest,
  startTurn,
  type Visitor,
} from '../../../support/factories.ts';
import { createScene } from '../../../support/scripted-model.ts';

const start = (me: Visitor, characterId: string, more: object = {}) =>
  me.ask<ConversationCreated>('/api/conversations', {
    json: { character_id: characterId, reuse: true, ...more },
    status: 201,
  });
const listIds = async (me: Visitor): Promise<string[]> =>
  (await me.ask<ChatList>('/api/chats')).chats.map(({ id }) => id);
const listWith = async (me: Visitor, characterId: string): Promise<string[]> =>
  (await me.ask<ConversationList>(`/api/characters/${characterId}/conversations`)).items.map(({ id }) => id);
const countChats = (characterId: string) =>
  env.DB.prepare('select chat_count from characters where id = ?').bind(characterId).first('chat_count');

describe('A conversation before the first message', () => {
  test('a conversation is listed and found from the first message on, and counted with the first reply', async () => {
    const me = await signInGuest();
    const characterId = await addCharacter({ firstMessage: 'The quinquereme is back.' });
    const { conversation } = await start(me, characterId);
    const find = async () =>
      (await me.ask<SearchResult>('/api/conversations/search?q=quinquereme')).items.map(
        ({ conversation_id: id }) => id,
      );
    expect([await listIds(me), await listWith(me, characterId), await find()]).toEqual([[], [], []]);
    expect(await countChats(characterId)).toBe(0);
    // It can be read, changed and named all the same, and stays unlisted.
    const chat = new ConversationClient(me, conversation.id);
    await chat.ask('', { method: 'PATCH', json: { title: 'Night' } });
    expect(await listMessages(me, conversation.id)).toHaveLength(1);
    expect(await listIds(me)).toEqual([]);
    await sendMessage(me, conversation.id);
    await vi.waitFor(async () => expect(await find()).toEqual([conversation.id]));
    expect([await listIds(me), await listWith(me, characterId)]).toEqual([
      [conversation.id],
      [conversation.id],
    ]);
    await vi.waitFor(async () => expect(await countChats(characterId)).toBe(1));
  });

  test('a conversation is listed while its first reply is being written', async () => {
    const me = await signInGuest();
    const { conversation } = await start(me, await addCharacter());
    const slow = createScene('gate n=2');
    const reader = await startTurn(me, conversation.id, slow.marker);
    await slow.reached();
    await vi.waitFor(async () => expect(await listIds(me)).toEqual([conversation.id]));
    await slow.open();
    await reader.readRest();
  });

  test('a first message that is refused does not list the conversation', async () => {
    const me = await signInGuest();
    const { conversation } = await start(me, await addCharacter());
    await setPoints(me, 0);
    expect((await postMessage(me, conversation.id, 'Hello.')).status).toBe(402);
    expect(await listIds(me)).toEqual([]);
    await setPoints(me, 5);
    await sendMessage(me, conversation.id);
    expect(await listIds(me)).toEqual([conversation.id]);
  });

  test('a conversation without a message stays unlisted when its guest logs in', async () => {
    const email = createEmail();
    const account = await createAccount(email);
    const me = await signInGuest();
    const characterId = await addCharacter();
    const written = await start(me, characterId);
    await sendMessage(me, written.conversation.id);
    const { conversation } = await start(me, characterId);
    await env.DB.prepare('delete from login_codes where email = ?').bind(email).run();
    await createAccount(email, me);
    expect(me.id).toBe(account.id);
    expect(await listIds(me)).toEqual([written.conversation.id]);
    expect((await start(me, characterId)).conversation.id).toBe(conversation.id);
    await sendMessage(me, conversation.id);
    expect(await listIds(me)).toEqual([conversation.id, written.conversation.id]);
  });

  test('an alarm finds nothing to do for a conversation without a message', async () => {
    const me = await signInGuest();
    const { conversation } = await start(me, await addCharacter());
    const stub = getConversationStub(conversation.id);
    await runDurableObjectAlarm(stub);
    expect(await runInDurableObject(stub, (_, { storage }) => storage.getAlarm())).toBeNull();
    expect(await env.SEARCHES.get(env.SEARCHES.idFromName(me.id)).listConversationIds()).toEqual([]);
  });
});

describe('Starting a character again', () => {
  test('a conversation without a message is opened again, and a new one is made once it has one', async () => {
    const [me, other] = [await signInGuest(), await signInGuest()];
    const [characterId, otherCharacter] = [await addCharacter(), await addCharacter()];
    const first = await start(me, characterId);
    expect(await start(me, characterId)).toEqual(first);
    for (const different of [await start(other, characterId), await start(me, otherCharacter)])
      expect(different.conversation.id).not.toBe(first.conversation.id);
    await sendMessage(me, first.conversation.id);
    const second = await start(me, characterId);
    expect(second.conversation.id).not.toBe(first.conversation.id);
    expect((await start(me, characterId)).conversation.id).toBe(second.conversation.id);
  });

  test('a conversation whose first reply is being written is not opened as a new one', async () => {
    const me = await signInGuest();
    const characterId = await addCharacter();
    const { conversation } = await start(me, characterId);
    const slow = createScene('gate n=2');
    const reader = await startTurn(me, conversation.id, slow.marker);
    await slow.reached();
    expect((await start(me, characterId)).conversation.id).not.toBe(conversation.id);
    await slow.open();
    await reader.readRest();
  });

  test('a program that does not ask for it gets a conversation of its own each time', async () => {
    const me = await signInGuest();
    const characterId = await addCharacter();
    const { conversation } = await start(me, characterId);
    expect((await start(me, characterId, { reuse: false })).conversation.id).not.toBe(conversation.id);
  });

  test('a deleted conversation is not opened again', async () => {
    const me = await signInGuest();
    const characterId = await addCharacter();
    const { conversation } = await start(me, characterId);
    await me.call(`/api/conversations/${conversation.id}`, { method: 'DELETE' });
    expect(await me.ask('/api/conversations/trash')).toMatchObject({ items: [] });
    expect((await start(me, characterId)).conversation.id).not.toBe(conversation.id);
  });

  test('the conversation takes the greeting, the persona and the name of the new start', async () => {
    const me = await createAccount();
    const characterId = await addCharacter({ firstMessage: 'The first, {{user}}.' });
    await saveExtras(characterId, { alternateGreetings: ['The second, {{user}}.'] });
    const first = await start(me, characterId);
    await me.ask('/api/account', { method: 'PATCH', json: { nickname: 'Aino' } });
    expect((await start(me, characterId)).messages).toMatchObject([{ content: 'The first, Aino.' }]);
    const persona = await me.ask<{ id: string }>('/api/personas', {
      json: { name: 'Wren', description: 'A sailor.' },
      status: 201,
    });
    const chosen = await start(me, characterId, { greeting: 1, persona_id: persona.id });
    expect(chosen).toMatchObject({
      conversation: { id: first.conversation.id, persona: { name: 'Wren' }, own_name: 'Aino' },
      messages: [{ content: 'The second, Wren.' }],
    });
  });

  test('the conversation takes the newest version of its character', async () => {
    const me = await signInGuest();
    const characterId = await addCharacter({ firstMessage: 'The old words.' });
    const first = await start(me, characterId);
    await saveNextVersion(characterId, { firstMessage: 'The new words.' });
    const again = await start(me, characterId);
    expect(again).toMatchObject({
      conversation: { id: first.conversation.id, character_version: 2 },
      messages: [{ content: 'The new words.' }],
    });
    const chat = new ConversationClient(me, first.conversation.id);
    expect((await getConversation(chat)).character_version).toBe(2);
  });

  test("the home page's scene and the character's greeting are conversations of their own", async () => {
    const me = await signInGuest();
    const characterId = await addCharacter();
    await env.KV.put(HOME_SELECTION_KEY, JSON.stringify({ scene: characterId, moods: [] }));
    const scene = await start(me, characterId, { scene: 'home' });
    const plain = await start(me, characterId);
    expect(plain.conversation.id).not.toBe(scene.conversation.id);
    expect((await start(me, characterId, { scene: 'home' })).conversation.id).toBe(scene.conversation.id);
    expect((await start(me, characterId)).conversation.id).toBe(plain.conversation.id);
    expect([await listIds(me), await countChats(characterId)]).toEqual([[], 0]);
    await sendMessage(me, scene.conversation.id, 'Where is the boat?');
    expect(await listIds(me)).toEqual([scene.conversation.id]);
    // The scene's own lines of the user title nothing.
    const [listed] = (await me.ask<ChatList>('/api/chats')).chats;
    expect(listed?.title).toBe('Where is the boat?');
  });
});
