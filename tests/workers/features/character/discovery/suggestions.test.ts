import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import type {
  Suggestion,
  SuggestionList,
} from '../../../../../src/features/character/discovery/suggestion-contract.ts';
import { suggestCharacters } from '../../../../../src/features/character/discovery/suggestion-store.ts';
import { createId } from '../../../../../src/lib/ids.ts';
import {
  addCharacter,
  createAccount,
  signInGuest,
  startConversation,
  startListedConversation,
  Visitor,
} from '../../../../support/factories.ts';
import { explainQueries } from '../../../../support/query-stats.ts';

/** More chats than any other character of the run has. */
const POPULAR = 8_000_000_000;

/** A free tag that no other test's characters have. */
const createTag = (): string => `zeta${createId(Date.now())}`;

const suggest = (visitor: Visitor, query = 'language=en&limit=24') =>
  visitor.ask<SuggestionList>(`/api/characters/for-you?${query}`);
const listIds = ({ items }: SuggestionList): string[] => items.map(({ character }) => character.id);
const findReason = ({ items }: SuggestionList, id: string): Suggestion['reason'] | undefined =>
  items.find(({ character }) => character.id === id)?.reason;
/** Whether choices speak for a character; it may be suggested as a popular one in any case. */
const isPersonal = (list: SuggestionList, id: string): boolean =>
  (findReason(list, id)?.kind ?? 'popular') !== 'popular';

async function put(visitor: Visitor, path: string): Promise<void> {
  expect((await visitor.call(path, { method: 'PUT' })).status).toBe(204);
}

const like = (visitor: Visitor, id: string) => put(visitor, `/api/me/likes/${id}`);

async function switchOff(visitor: Visitor): Promise<void> {
  await visitor.ask('/api/account', { method: 'PATCH', json: { personal_suggestions: false } });
}

describe('Suggestions for a user', () => {
  test('a like brings characters with its tag, with the reason, and none that the user cannot or does not want to see', async () => {
    const [me, tag] = [await createAccount(), createTag()];
    const fields = { freeTags: [tag], language: 'en', tags: ['rpg'] };
    const [liked, similar] = [
      await addCharacter({ ...fields, name: 'Lumi' }),
      await addCharacter({ ...fields, chatCount: 5 }),
    ];
    const hiddenCreator = (await createAccount()).id;
    const others = {
      chatted: await addCharacter(fields),
      reported: await addCharacter(fields),
      own: await addCharacter({ ...fields, creatorId: me.id }),
      hiddenCreator: await addCharacter({ ...fields, creatorId: hiddenCreator }),
      hiddenTag: await addCharacter({ ...fields, tags: ['fantasy'] }),
      private: await addCharacter({ ...fields, visibility: 'private' }),
      unlisted: await addCharacter({ ...fields, visibility: 'unlisted' }),
      moderated: await addCharacter({ ...fields, moderation: 'hidden' }),
      trashed: await addCharacter({ ...fields, deletedAt: 1 }),
      adult: await addCharacter({ ...fields, nsfwAllowed: true }),
    };
    await like(me, liked);
    await startListedConversation(me, others.chatted);
    await me.ask(`/api/characters/${others.reported}/reports`, {
      json: { reason: 'spam', details: '' },
      status: 201,
    });
    await put(me, `/api/me/hidden/creators/${hiddenCreator}`);
    await put(me, '/api/me/hidden/tags/fantasy');

    const list = await suggest(me);
    expect(list.personal).toBe(true);
    expect(list.items[0]).toMatchObject({
      character: { id: similar, chat_count: 5, tags: ['rpg'] },
      reason: { kind: 'tag', tag, because: 'liked', character: { id: liked, name: 'Lumi' } },
    });
    for (const id of [liked, ...Object.values(others)]) expect(listIds(list)).not.toContain(id);

    await env.DB.prepare('update users set spicy_mode = 1, age_confirmed = 1 where id = ?').bind(me.id).run();
    expect(listIds(await suggest(me))).toEqual(expect.arrayContaining([similar, others.adult]));
    expect((await suggest(me, 'language=en&limit=1')).items).toHaveLength(1);
  });

  test('the choices of one user change nothing for another, and a visitor is refused', async () => {
    const [me, other, tag] = [await createAccount(), await createAccount(), createTag()];
    const fields = { freeTags: [tag], language: 'en' };
    const [liked, similar] = [await addCharacter(fields), await addCharacter(fields)];
    await like(me, liked);
    const answer = await me.call('/api/characters/for-you');
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect(listIds(await suggest(me))[0]).toBe(similar);
    const theirs = await suggest(other);
    expect(theirs.items.every(({ reason }) => reason.kind === 'popular')).toBe(true);
    expect((await new Visitor().call('/api/characters/for-you')).status).toBe(401);
  });

  test('a character that the user can no longer open is no reason', async () => {
    const [me, tag] = [await createAccount(), createTag()];
    const fields = { freeTags: [tag], language: 'en' };
    const [liked, similar] = [await addCharacter(fields), await addCharacter(fields)];
    await like(me, liked);
    expect(isPersonal(await suggest(me), similar)).toBe(true);
    await env.DB.prepare(`update characters set visibility = 'private', name = 'Secret' where id = ?`)
      .bind(liked)
      .run();
    const list = await suggest(me);
    expect(isPersonal(list, similar)).toBe(false);
    expect(JSON.stringify(list)).not.toContain('Secret');
  });

  test('the chats in which a guest has written are choices, unless they are in the trash', async () => {
    const [guest, tag] = [await signInGuest(), createTag()];
    const fields = { freeTags: [tag], language: 'en' };
    const [chatted, similar] = [await addCharacter({ ...fields, name: 'Lumi' }), await addCharacter(fields)];
    const id = await startConversation(guest, chatted);
    expect(isPersonal(await suggest(guest), similar)).toBe(false);
    const update = (change: string) =>
      env.DB.prepare(`update conversations set ${change} where id = ?`).bind(id).run();
    await update('begun = 1');
    expect(findReason(await suggest(guest), similar)).toEqual({
      kind: 'tag',
      tag,
      because: 'chatted',
      character: { id: chatted, name: 'Lumi' },
    });
    await update('deleted_at = 1');
    const list = await suggest(guest);
    expect(isPersonal(list, similar)).toBe(false);
    expect(listIds(list)).not.toContain(chatted);
  });

  test('a followed creator’s newest characters are suggested, at most two of them', async () => {
    const [me, creator] = [await createAccount(), (await createAccount()).id];
    const ids: string[] = [];
    for (let index = 0; index < 4; index += 1)
      ids.push(await addCharacter({ creatorId: creator, language: 'en', createdAt: Date.now() + index }));
    await put(me, `/api/me/following/${creator}`);
    const list = await suggest(me);
    const found = listIds(list).filter((id) => ids.includes(id));
    expect(found).toHaveLength(2);
    // The newest three are candidates.
    expect(found).not.toContain(ids[0]);
    for (const id of found) expect(findReason(list, id)).toEqual({ kind: 'creator', character: null });
  });

  test('a user who switches it off gets popular characters of the page’s language, and no choices are read', async () => {
    const [me, tag] = [await createAccount(), createTag()];
    const [liked, similar] = [
      await addCharacter({ freeTags: [tag], language: 'pl' }),
      await addCharacter({ freeTags: [tag], language: 'pl' }),
    ];
    const popular = await addCharacter({ language: 'pl', chatCount: POPULAR });
    await like(me, liked);
    expect((await suggest(me, 'language=pl')).items[0]?.character.id).toBe(similar);
    await switchOff(me);
    expect(await me.ask('/api/auth/status')).toMatchObject({ user: { personal_suggestions: false } });
    const list = await suggest(me, 'language=pl');
    expect(list.personal).toBe(false);
    expect(list.items[0]).toMatchObject({
      character: { id: popular },
      reason: { kind: 'popular', language: 'pl' },
    });
    expect(list.items.every(({ reason }) => reason.kind === 'popular')).toBe(true);
    const input = { userId: me.id, viewer: { userId: me.id, spicy: false }, language: 'pl', limit: 12 };
    const readTables = async (personal: boolean) =>
      (await explainQueries((db) => suggestCharacters(db, { ...input, isPersonal: personal }))).join('\n');
    expect(await readTables(true)).toMatch(/likes.*favourites.*conversations/s);
    expect(await readTables(false)).not.toMatch(/likes|favourites|follows|conversations/);
  });

  test('characters in other languages fill the list after those that the user reads', async () => {
    const me = await signInGuest();
    const foreign = await addCharacter({ language: 'en', chatCount: POPULAR });
    const list = await suggest(me, 'language=id&limit=24');
    expect(findReason(list, foreign)).toEqual({ kind: 'popular', language: null });
    const own = await addCharacter({ language: 'id' });
    expect(listIds(await suggest(me, 'language=id&limit=24')).indexOf(own)).toBe(
      list.items.filter(({ character }) => character.language === 'id').length,
    );
  });
});
