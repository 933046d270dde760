import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { getCharacter } from '../../src/features/character/character-store.ts';
import type { CharacterDetail, CharacterList } from '../../src/features/character/contract.ts';
import { RESTRICTED_PORTRAIT } from '../../src/features/character/portrait.ts';
import type {
  ChatList,
  Conversation,
  ConversationPage,
  TrashedChats,
} from '../../src/features/conversation/contract.ts';
import type { SearchResult } from '../../src/features/search/contract.ts';
import { openDatabase } from '../../src/db/open.ts';
import { createId } from '../../src/lib/ids.ts';
import { ConversationClient, startConversationClient } from '../support/conversation-client.ts';
import { ConfiguredVisitor } from '../support/configured-visitor.ts';
import {
  addCharacter,
  getConversationStub,
  expectBalancedLedger,
  signInGuest,
  createTurnId,
  getPoints,
  createAccount,
  Visitor,
} from '../support/factories.ts';
import { createScene } from '../support/scripted-model.ts';

const freshWord = (): string => `omicron${createId(Date.now())}`;

/** Turns spicy mode on or off as the switch does, the first time with the one confirmation. */
const turn = (me: Visitor, on: boolean) =>
  me.ask('/api/account', {
    method: 'PATCH',
    json: on ? { spicy_mode: true, age_confirmed: true } : { spicy_mode: false },
  });

async function spicyReader(): Promise<Visitor> {
  const me = await createAccount();
  await turn(me, true);
  return me;
}

/** A story for adults with an exchange in it, whose reader has turned spicy mode off since. */
async function coveredStory(): Promise<{
  chat: ConversationClient;
  me: Visitor;
  characterId: string;
  word: string;
}> {
  const me = await spicyReader();
  const word = freshWord();
  const characterId = await addCharacter({ name: 'Vesper', nsfwAllowed: true });
  const chat = await startConversationClient(me, characterId);
  await chat.insertMessages(`Tell me of the ${word}.`, 'Come closer.');
  await turn(me, false);
  return { chat, me, characterId, word };
}

/** Everything that has a model write in a story, as [what it is, call]. */
function writing(chat: ConversationClient, reply: string): [string, (turnId: string) => Promise<Response>][] {
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

describe('Spicy mode', () => {
  test('is off until I turn it on, asks for my word once, and is never a guest’s', async () => {
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

  test('tells the model of it only where the character is for adults, too', async () => {
    const me = await spicyReader();
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

  test('follows the character: once its maker opens it to adults alone, readers without the mode cannot go on', async () => {
    const maker = await spicyReader();
    const characterId = await addCharacter({ creatorId: maker.id });
    const reader = await createAccount();
    const chat = await startConversationClient(reader, characterId);
    await chat.send('Hello.');
    await maker.ask(`/api/characters/${characterId}`, { method: 'PATCH', json: { nsfw_allowed: true } });
    expect(
      await chat.ask('/messages', { json: { content: 'x', client_message_id: createTurnId() }, status: 403 }),
    ).toMatchObject({
      code: 'spicy_mode_off',
    });
    await turn(reader, true);
    await chat.send('And then?');
  });
});

describe('A story for adults, with spicy mode turned off again,', () => {
  test('stays mine to read, to export, to fork and to delete', async () => {
    const { chat, me } = await coveredStory();
    expect(await chat.texts()).toContain('Come closer.');
    expect((await chat.call('/export?format=md')).status).toBe(200);
    const { chat: copy } = await chat.fork((await chat.ids()).at(-1) as string);
    expect(await copy.texts()).toEqual(await chat.texts());
    expect((await me.call(`/api/conversations/${chat.id}`, { method: 'DELETE' })).status).toBe(204);
  });

  test('is not gone on with: whatever has the model write is refused, costs nothing and leaves nothing', async () => {
    const { chat, me } = await coveredStory();
    const ids = await chat.ids();
    const before = [await chat.texts(), await getPoints(me)];
    for (const [what, call] of writing(chat, ids.at(-1) as string)) {
      const answer = await call(createTurnId());
      const { code } = (await answer.json()) as { code: string };
      expect([what, answer.status, code]).toEqual([what, 403, 'spicy_mode_off']);
    }
    expect([await chat.texts(), await getPoints(me)]).toEqual(before);
    await expectBalancedLedger(me);
    await turn(me, true);
    await chat.send('And then?');
  });

  test('still gives the reply that was asked for before, under its old id', async () => {
    const me = await spicyReader();
    const chat = await startConversationClient(me, await addCharacter({ nsfwAllowed: true }));
    const turnId = createTurnId();
    await chat.send('Hello.', { turnId });
    const texts = await chat.texts();
    await turn(me, false);
    await chat.send('Hello.', { turnId });
    expect(await chat.texts()).toEqual(texts);
  });

  test('shows its character’s picture nowhere until the mode is on again', async () => {
    const { chat, me, word } = await coveredStory();
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
    await turn(me, true);
    expect(new Set(await pictures())).toEqual(new Set([`/media/${'0'.repeat(32)}.webp`]));
    await turn(me, false);
    await me.call(`/api/conversations/${chat.id}`, { method: 'DELETE' });
    const trash = await me.ask<TrashedChats>('/api/conversations/trash');
    expect(trash.items.map((item) => item.avatar_url)).toEqual([RESTRICTED_PORTRAIT]);
  });

  test('is not begun anew, not even by who made the character', async () => {
    const { me, characterId } = await coveredStory();
    const begin = (id: string, status: number) =>
      me.ask('/api/conversations', { json: { character_id: id }, status });
    expect(await begin(characterId, 404)).toMatchObject({ code: 'not_found' });
    const own = await addCharacter({ nsfwAllowed: true, creatorId: me.id });
    expect(await me.ask(`/api/characters/${own}`)).toMatchObject({ nsfw_allowed: true });
    expect(await begin(own, 403)).toMatchObject({ code: 'spicy_mode_off' });
  });
});

describe('Whether my character is for adults', () => {
  test('I change with the mode on, and what I see says whether it is mine', async () => {
    const me = await spicyReader();
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
    const theirs = await startConversationClient(me, await addCharacter());
    expect((await theirs.page()).conversation).toMatchObject({ own_character: false });
  });

  test('nobody else changes, nor anybody without the mode, nor to nothing', async () => {
    const owner = await createAccount();
    const id = await addCharacter({ creatorId: owner.id });
    const patch = async (me: Visitor, json: object) => {
      const answer = await me.call(`/api/characters/${id}`, { method: 'PATCH', json });
      return [answer.status, ((await answer.json()) as { code: string }).code];
    };
    expect(await patch(new Visitor(), { nsfw_allowed: false })).toEqual([401, 'unauthenticated']);
    expect(await patch(await spicyReader(), { nsfw_allowed: true })).toEqual([404, 'not_found']);
    expect(await patch(owner, { nsfw_allowed: true })).toEqual([403, 'spicy_mode_off']);
    expect(await patch(owner, {})).toEqual([400, 'invalid_input']);
    expect(await patch(owner, { nsfw_allowed: 'yes' })).toEqual([400, 'invalid_input']);
  });
});

describe('Where the operator has no spicy mode', () => {
  const off = (of?: Visitor) => new ConfiguredVisitor({ SPICY_MODE: 'off' }, of);

  test('the account has none, whatever it held, and it cannot be turned on', async () => {
    const me = off(await spicyReader());
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

  test('nothing for adults is in any list, opens, begins or goes on; what was said stays readable', async () => {
    const reader = await spicyReader();
    const word = freshWord();
    const id = await addCharacter({ name: word, nsfwAllowed: true, tags: ['rpg'], featured: true });
    const chat = await startConversationClient(reader, id);
    await chat.insertMessages('Hello.', 'Come closer.');
    const me = off(reader);
    for (const query of [`q=${word}`, 'limit=100&sort=new', 'limit=100&tag=rpg', 'limit=100&sort=trending']) {
      const { items } = await me.ask<CharacterList>(`/api/characters?${query}`);
      expect(items.filter((item) => item.nsfw_allowed)).toEqual([]);
    }
    expect((await me.call(`/api/characters/${id}`)).status).toBe(404);
    expect((await me.call('/api/conversations', { json: { character_id: id } })).status).toBe(404);
    const there = new ConversationClient(me, chat.id);
    expect(await there.texts()).toContain('Come closer.');
    expect((await there.page()).conversation).toMatchObject({ avatar_url: RESTRICTED_PORTRAIT });
    expect((await me.ask<ChatList>('/api/chats')).chats[0]).toMatchObject({
      avatar_url: RESTRICTED_PORTRAIT,
    });
    for (const [what, call] of writing(there, (await there.ids()).at(-1) as string))
      expect([what, (await call(createTurnId())).status]).toEqual([what, 403]);
    const none = { code: 'spicy_mode_unavailable' };
    expect(
      await there.ask('/character-version', { method: 'PUT', json: { version: 2 }, status: 403 }),
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

  test('other stories go on, and the model hears nothing of it', async () => {
    const me = off(await spicyReader());
    const chat = await startConversationClient(me);
    const { marker, requests } = createScene('tokens n=2 ms=0');
    await chat.send(marker);
    expect(JSON.stringify((await requests())[0]?.body)).toContain('No sexual content');
  });
});

test('what pages draw for everybody never holds a character for adults', async () => {
  const id = await addCharacter({ nsfwAllowed: true });
  expect(await getCharacter(openDatabase(env.DB), id, { userId: null, spicy: false })).toBeNull();
});
