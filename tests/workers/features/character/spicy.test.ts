import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { getCharacter } from '../../../../src/features/character/character-store.ts';
import type { CharacterDetail, CharacterList } from '../../../../src/features/character/contract.ts';
import { RESTRICTED_PORTRAIT } from '../../../../src/features/character/portrait.ts';
import type {
  ChatList,
  Conversation,
  ConversationPage,
  TrashedChats,
} from '../../../../src/features/conversation/contract.ts';
import { ConversationObject } from '../../../../src/features/conversation/conversation-object.ts';
import type { SearchResult } from '../../../../src/features/search/contract.ts';
import { openDatabase } from '../../../../src/db/open.ts';
import { createId } from '../../../../src/lib/ids.ts';
import { ConversationClient, startConversationClient } from '../../../support/conversation-client.ts';
import { ConfiguredVisitor } from '../../../support/configured-visitor.ts';
import {
  addCharacter,
  getConversationStub,
  expectBalancedLedger,
  signInGuest,
  createTurnId,
  getPoints,
  createAccount,
  Visitor,
} from '../../../support/factories.ts';
import { createScene } from '../../../support/scripted-model.ts';
import { buildTurnRequest } from '../../../support/turn-requests.ts';

const createWord = (): string => `omicron${createId(Date.now())}`;

/** Turns spicy mode on or off; turning it on confirms the age. */
const setSpicyMode = (me: Visitor, on: boolean) =>
  me.ask('/api/account', {
    method: 'PATCH',
    json: on ? { spicy_mode: true, age_confirmed: true } : { spicy_mode: false },
  });

async function createSpicyReader(): Promise<Visitor> {
  const me = await createAccount();
  await setSpicyMode(me, true);
  return me;
}

/** An adult conversation with messages whose user has turned spicy mode off. */
async function createHiddenConversation(): Promise<{
  chat: ConversationClient;
  me: Visitor;
  characterId: string;
  word: string;
}> {
  const me = await createSpicyReader();
  const word = createWord();
  const characterId = await addCharacter({ name: 'Vesper', nsfwAllowed: true });
  const chat = await startConversationClient(me, characterId);
  await chat.insertMessages(`Tell me of the ${word}.`, 'Come closer.');
  await setSpicyMode(me, false);
  return { chat, me, characterId, word };
}

/** Every call that makes a model write in a conversation, with its name. */
function listWritingCalls(
  chat: ConversationClient,
  reply: string,
): [string, (turnId: string) => Promise<Response>][] {
  const post =
    (path: string, more: object = {}) =>
    (turnId: string) =>
      chat.call(path, { json: { client_message_id: turnId, ...more } });
  return [
    ['a message', post('/messages', { content: 'And then?' })],
    ['a reply written anew', post(`/messages/${reply}/regenerate`)],
    ['a reply that goes on', post(`/messages/${reply}/continue`)],
    ['an answer', post('/reply')],
    ['suggestions', post('/suggestions')],
    ['a draft', post('/impersonate')],
  ];
}

/** How many of these calls are turns, whose rating the conversation's object decides. */
const TURN_CALLS = 4;

describe('Spicy mode', () => {
  test('spicy mode is off by default, needs one age confirmation and is refused for guests', async () => {
    const me = await createAccount();
    const patch = (json: object, status = 200) =>
      me.ask<{ code?: string }>('/api/account', { method: 'PATCH', json, status });
    expect(await me.ask('/api/account')).toMatchObject({ spicy_mode: false, age_confirmed: false });
    expect(await patch({ spicy_mode: true }, 403)).toMatchObject({ code: 'age_confirmation_required' });
    expect(await patch({ spicy_mode: true, age_confirmed: true })).toMatchObject({ spicy_mode: true });
    expect(await patch({ spicy_mode: false })).toMatchObject({ spicy_mode: false, age_confirmed: true });
    expect(await patch({ spicy_mode: true })).toMatchObject({ spicy_mode: true });
    expect(await patch({ age_confirmed: false })).toMatchObject({ spicy_mode: false, age_confirmed: false });
    for (const json of [{ spicy_mode: true, age_confirmed: true }, { age_confirmed: true }]) {
      const answer = await (await signInGuest()).call('/api/account', { method: 'PATCH', json });
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
        403,
        'account_required',
      ]);
    }
  });

  test('the prompt allows sexual content only with spicy mode and an adult character', async () => {
    const me = await createSpicyReader();
    const asked = async (nsfwAllowed: boolean) => {
      const chat = await startConversationClient(me, await addCharacter({ nsfwAllowed }));
      const { marker, requests } = createScene('tokens n=2 ms=0');
      await chat.send(marker);
      const [request] = await requests();
      return JSON.stringify(request?.body);
    };
    expect(await asked(true)).toContain('Sexual content only where the person leads there');
    expect(await asked(false)).toContain('No sexual content');
    expect(await asked(false)).not.toContain('Sexual content only');
  });

  test('a conversation cannot continue without spicy mode once its character becomes adult', async () => {
    const creator = await createSpicyReader();
    const characterId = await addCharacter({ creatorId: creator.id });
    const reader = await createAccount();
    const chat = await startConversationClient(reader, characterId);
    await chat.send('Hello.');
    await creator.ask(`/api/characters/${characterId}`, { method: 'PATCH', json: { nsfw_allowed: true } });
    expect(
      await chat.ask('/messages', { json: { content: 'x', client_message_id: createTurnId() }, status: 403 }),
    ).toMatchObject({
      code: 'spicy_mode_off',
    });
    await setSpicyMode(reader, true);
    await chat.send('And then?');
  });
});

describe('Adult conversations without spicy mode', () => {
  test('an adult conversation can be read, exported, forked and deleted without spicy mode', async () => {
    const { chat, me } = await createHiddenConversation();
    expect(await chat.texts()).toContain('Come closer.');
    expect((await chat.call('/export?format=md')).status).toBe(200);
    const { chat: copy } = await chat.fork((await chat.ids()).at(-1) as string);
    expect(await copy.texts()).toEqual(await chat.texts());
    expect((await me.call(`/api/conversations/${chat.id}`, { method: 'DELETE' })).status).toBe(204);
  });

  test('every call that writes in an adult conversation is refused for free without spicy mode', async () => {
    const { chat, me } = await createHiddenConversation();
    const ids = await chat.ids();
    const before = [await chat.texts(), await getPoints(me)];
    for (const [name, call] of listWritingCalls(chat, ids.at(-1) as string)) {
      const answer = await call(createTurnId());
      const { code } = (await answer.json()) as { code: string };
      expect([name, answer.status, code]).toEqual([name, 403, 'spicy_mode_off']);
    }
    expect([await chat.texts(), await getPoints(me)]).toEqual(before);
    await expectBalancedLedger(me);
    await setSpicyMode(me, true);
    await chat.send('And then?');
  });

  test('resending an old turn returns its reply without spicy mode', async () => {
    const me = await createSpicyReader();
    const chat = await startConversationClient(me, await addCharacter({ nsfwAllowed: true }));
    const turnId = createTurnId();
    await chat.send('Hello.', { turnId });
    const texts = await chat.texts();
    await setSpicyMode(me, false);
    await chat.send('Hello.', { turnId });
    expect(await chat.texts()).toEqual(texts);
  });

  test('an adult character’s picture is hidden everywhere until spicy mode is on again', async () => {
    const { chat, me, word } = await createHiddenConversation();
    const pictures = async () => {
      const { chats } = await me.ask<ChatList>('/api/chats');
      const page = await me.ask<ConversationPage>(`/api/conversations/${chat.id}`);
      const search = await me.ask<SearchResult>(`/api/conversations/search?q=${word}`);
      const renamed = await me.ask<Conversation>(`/api/conversations/${chat.id}`, {
        method: 'PATCH',
        json: { title: 'A title' },
      });
      const chosen = await me.ask<Conversation>(`/api/conversations/${chat.id}/persona`, {
        method: 'PUT',
        json: { persona_id: null },
      });
      const forked = await chat.fork((await chat.ids())[0] as string);
      return [chats[0], page.conversation, search.items[0], renamed, chosen, forked.conversation].map(
        (shown) => shown?.avatar_url,
      );
    };
    await getConversationStub(chat.id).reindex(me.id);
    expect(new Set(await pictures())).toEqual(new Set([RESTRICTED_PORTRAIT]));
    await setSpicyMode(me, true);
    expect(new Set(await pictures())).toEqual(new Set([`/media/${'0'.repeat(32)}.webp`]));
    await setSpicyMode(me, false);
    await me.call(`/api/conversations/${chat.id}`, { method: 'DELETE' });
    const trash = await me.ask<TrashedChats>('/api/conversations/trash');
    expect(trash.items.map((item) => item.avatar_url)).toEqual([RESTRICTED_PORTRAIT]);
  });

  test('starting an adult conversation without spicy mode is refused, for the creator as well', async () => {
    const { me, characterId } = await createHiddenConversation();
    const begin = (id: string, status: number) =>
      me.ask('/api/conversations', { json: { character_id: id }, status });
    expect(await begin(characterId, 404)).toMatchObject({ code: 'not_found' });
    const own = await addCharacter({ nsfwAllowed: true, creatorId: me.id });
    expect(await me.ask(`/api/characters/${own}`)).toMatchObject({ nsfw_allowed: true });
    expect(await begin(own, 403)).toMatchObject({ code: 'spicy_mode_off' });
  });
});

describe('Adult rating', () => {
  test('a creator with spicy mode can change the adult rating of a character', async () => {
    const me = await createSpicyReader();
    const id = await addCharacter({ creatorId: me.id });
    const chat = await startConversationClient(me, id);
    const shown = async () => (await chat.page()).conversation;
    const patch = (nsfw_allowed: boolean) =>
      me.ask<CharacterDetail>(`/api/characters/${id}`, { method: 'PATCH', json: { nsfw_allowed } });
    expect(await shown()).toMatchObject({ nsfw_allowed: false, own_character: true });
    expect(await patch(true)).toMatchObject({ id, nsfw_allowed: true });
    expect(await shown()).toMatchObject({ nsfw_allowed: true });
    expect((await new Visitor().call(`/api/characters/${id}`)).status).toBe(404);
    expect(await patch(false)).toMatchObject({ nsfw_allowed: false });
    expect((await new Visitor().call(`/api/characters/${id}`)).status).toBe(200);
    const foreign = await startConversationClient(me, await addCharacter());
    expect((await foreign.page()).conversation).toMatchObject({ own_character: false });
  });

  test('changing the adult rating is refused for other users, without spicy mode and for invalid values', async () => {
    const owner = await createAccount();
    const id = await addCharacter({ creatorId: owner.id });
    const patch = async (me: Visitor, json: object) => {
      const answer = await me.call(`/api/characters/${id}`, { method: 'PATCH', json });
      return [answer.status, ((await answer.json()) as { code: string }).code];
    };
    expect(await patch(new Visitor(), { nsfw_allowed: false })).toEqual([401, 'unauthenticated']);
    expect(await patch(await createSpicyReader(), { nsfw_allowed: true })).toEqual([404, 'not_found']);
    expect(await patch(owner, { nsfw_allowed: true })).toEqual([403, 'spicy_mode_off']);
    expect(await patch(owner, {})).toEqual([400, 'invalid_input']);
    expect(await patch(owner, { nsfw_allowed: 'yes' })).toEqual([400, 'invalid_input']);
  });
});

describe('Spicy mode switched off by the operator', () => {
  const createVisitorWithoutSpicy = (of?: Visitor) => new ConfiguredVisitor({ SPICY_MODE: 'off' }, of);

  test('an account has no spicy mode and cannot turn it on where the operator switched it off', async () => {
    const me = createVisitorWithoutSpicy(await createSpicyReader());
    for (const path of ['/api/account', '/api/auth/status']) {
      const answer = await me.ask<{ user?: object }>(path);
      expect(answer.user ?? answer).toMatchObject({ spicy_mode: false, age_confirmed: false });
    }
    const none = { spicy_mode: false, age_confirmed: false };
    expect(await me.ask('/api/account', { method: 'PATCH', json: { nickname: 'Ada' } })).toMatchObject(none);
    for (const json of [
      { spicy_mode: true },
      { spicy_mode: true, age_confirmed: true },
      { age_confirmed: true },
    ]) {
      expect(await me.ask('/api/account', { method: 'PATCH', json, status: 403 })).toMatchObject({
        code: 'spicy_mode_unavailable',
      });
    }
    expect((await me.call('/api/account/age-check/requests', { json: {} })).status).toBe(404);
  });

  test('adult characters are neither listed nor usable without spicy mode, and old messages stay readable', async () => {
    const reader = await createSpicyReader();
    const word = createWord();
    const id = await addCharacter({ name: word, nsfwAllowed: true, tags: ['rpg'], featured: true });
    const chat = await startConversationClient(reader, id);
    await chat.insertMessages('Hello.', 'Come closer.');
    const me = createVisitorWithoutSpicy(reader);
    for (const query of [`q=${word}`, 'limit=100&sort=new', 'limit=100&tag=rpg', 'limit=100&sort=trending']) {
      const { items } = await me.ask<CharacterList>(`/api/characters?${query}`);
      expect(items.filter((item) => item.nsfw_allowed)).toEqual([]);
    }
    expect((await me.call(`/api/characters/${id}`)).status).toBe(404);
    expect((await me.call('/api/conversations', { json: { character_id: id } })).status).toBe(404);
    const chatWithoutSpicy = new ConversationClient(me, chat.id);
    expect(await chatWithoutSpicy.texts()).toContain('Come closer.');
    expect((await chatWithoutSpicy.page()).conversation).toMatchObject({ avatar_url: RESTRICTED_PORTRAIT });
    expect((await me.ask<ChatList>('/api/chats')).chats[0]).toMatchObject({
      avatar_url: RESTRICTED_PORTRAIT,
    });
    const replyId = (await chatWithoutSpicy.ids()).at(-1) as string;
    for (const [name, call] of listWritingCalls(chatWithoutSpicy, replyId).slice(TURN_CALLS))
      expect([name, (await call(createTurnId())).status]).toEqual([name, 403]);
    const request = { ...(await buildTurnRequest(reader, chat.id)), replyId, content: 'And then?' };
    await runInDurableObject(getConversationStub(chat.id), async (_, ctx) => {
      const object = new ConversationObject(ctx, { ...env, SPICY_MODE: 'off' } as Env);
      const off = { ok: false, code: 'spicy_mode_off' };
      expect(await object.send(request)).toEqual(off);
      expect(await object.regenerate(request)).toEqual(off);
      expect(await object.continueReply(request)).toEqual(off);
    });
    const none = { code: 'spicy_mode_unavailable' };
    expect(
      await chatWithoutSpicy.ask('/character-version', { method: 'PUT', json: { version: 2 }, status: 403 }),
    ).toMatchObject(none);
    const own = await addCharacter({ creatorId: me.id });
    expect(
      await me.ask(`/api/characters/${own}`, { method: 'PATCH', json: { nsfw_allowed: true }, status: 403 }),
    ).toMatchObject(none);
    const spicyOwn = await addCharacter({ creatorId: me.id, nsfwAllowed: true });
    expect(
      await me.ask('/api/conversations', { json: { character_id: spicyOwn }, status: 403 }),
    ).toMatchObject(none);
  });

  test('general conversations continue where the operator switched spicy mode off', async () => {
    const me = createVisitorWithoutSpicy(await createSpicyReader());
    const chat = await startConversationClient(me);
    const { marker, requests } = createScene('tokens n=2 ms=0');
    await chat.send(marker);
    expect(JSON.stringify((await requests())[0]?.body)).toContain('No sexual content');
  });
});

test('a public page never contains an adult character', async () => {
  const id = await addCharacter({ nsfwAllowed: true });
  expect(await getCharacter(openDatabase(env.DB), id, { userId: null, spicy: false })).toBeNull();
});
