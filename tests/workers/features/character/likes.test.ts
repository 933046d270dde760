import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../../src/db/open.ts';
import { purgeTrashedCharacters } from '../../../../src/features/account/deletion/character-erasure-store.ts';
import type { CharacterCard, CharacterList, LikeState } from '../../../../src/features/character/contract.ts';
import { listCharacters } from '../../../../src/features/character/discovery/listing-store.ts';
import { MAX_SAVED_ITEMS } from '../../../../src/features/character/limits.ts';
import {
  addCharacter,
  createAccount,
  signInGuest,
  startConversation,
  Visitor,
} from '../../../support/factories.ts';

const getStatus = async (visitor: Visitor, method: string, id: string) =>
  (await visitor.call(`/api/me/likes/${id}`, { method })).status;
const readRefusal = async (visitor: Visitor, id: string) => {
  const answer = await visitor.call(`/api/me/likes/${id}`, { method: 'PUT' });
  return { status: answer.status, code: (await answer.json<{ code: string }>()).code };
};
const readState = (visitor: Visitor, id: string) => visitor.ask<LikeState>(`/api/me/likes/${id}`);
/** The count as the character, each of its places in the lists, and the stored likes have it. */
const readCounts = async (id: string) => {
  const { results } = await env.DB.prepare(
    `select like_count as likes from characters where id = ?1
     union all select like_count from character_listings where character_id = ?1
     union all select count(*) from likes where character_id = ?1`,
  )
    .bind(id)
    .all<{ likes: number }>();
  return results.map(({ likes }) => likes);
};
const setCharacter = (id: string, what: string) =>
  env.DB.prepare(`update characters set ${what} where id = ?`).bind(id).run();

describe('Likes', () => {
  test('the table of likes has no row ids', async () => {
    const table = env.DB.prepare("select wr from pragma_table_list where name = 'likes'");
    expect(await table.first('wr')).toBe(1);
  });

  test('likes are counted once for each account, also when requests are repeated at the same moment', async () => {
    const [one, two] = [await createAccount(), await createAccount()];
    const id = await addCharacter({ tags: ['rpg'] });
    const put = () => getStatus(one, 'PUT', id);
    expect(await Promise.all([put(), put(), put()])).toEqual([204, 204, 204]);
    expect(await getStatus(two, 'PUT', id)).toBe(204);
    expect(await readCounts(id)).toEqual([2, 2, 2, 2]);
    expect(await readState(one, id)).toEqual({ liked: true, likes: 2 });
    expect((await new Visitor().ask<CharacterCard>(`/api/characters/${id}`)).likes).toBe(2);

    const remove = () => getStatus(one, 'DELETE', id);
    expect(await Promise.all([remove(), remove()])).toEqual([204, 204]);
    expect(await readCounts(id)).toEqual([1, 1, 1, 1]);
    expect(await readState(one, id)).toEqual({ liked: false, likes: 1 });
    expect(await readState(two, id)).toEqual({ liked: true, likes: 1 });
  });

  test('guests cannot like, creators cannot like their own character, and others none that they cannot open', async () => {
    const [maker, me, guest] = [await createAccount(), await createAccount(), await signInGuest()];
    const open = await addCharacter({ creatorId: maker.id, visibility: 'unlisted' });
    const own = await addCharacter({ creatorId: maker.id, visibility: 'private' });
    const adult = await addCharacter({ nsfwAllowed: true });
    expect(await readRefusal(guest, open)).toEqual({ status: 403, code: 'account_required' });
    for (const id of [open, own])
      expect(await readRefusal(maker, id)).toEqual({ status: 409, code: 'cannot_target_self' });
    for (const id of [own, adult, 'nobody']) {
      expect(await readRefusal(me, id)).toEqual({ status: 404, code: 'not_found' });
      expect(await readState(me, id)).toEqual({ liked: false, likes: 0 });
    }
    expect(await getStatus(me, 'PUT', open)).toBe(204);
    expect(await readCounts(open)).toEqual([1, 1]);
  });

  test('a like can be taken back when its character can no longer be opened, and the count is not shown', async () => {
    const me = await createAccount();
    const id = await addCharacter();
    expect(await getStatus(me, 'PUT', id)).toBe(204);
    await setCharacter(id, "visibility = 'private'");
    expect(await readState(me, id)).toEqual({ liked: true, likes: 0 });
    expect(await getStatus(me, 'DELETE', id)).toBe(204);
    await setCharacter(id, "visibility = 'public'");
    expect(await readCounts(id)).toEqual([0, 0, 0]);
  });

  test('a deleted account takes its likes back', async () => {
    const [gone, stays] = [await createAccount(), await createAccount()];
    const id = await addCharacter();
    for (const visitor of [gone, stays]) expect(await getStatus(visitor, 'PUT', id)).toBe(204);
    await env.DB.prepare('delete from users where id = ?').bind(gone.id).run();
    expect(await readCounts(id)).toEqual([1, 1, 1]);
  });

  test('a character that is deleted for good loses its likes, also when its conversations keep its row', async () => {
    const me = await createAccount();
    const [kept, gone] = [await addCharacter(), await addCharacter()];
    for (const id of [kept, gone]) expect(await getStatus(me, 'PUT', id)).toBe(204);
    await startConversation(me, kept);
    for (const id of [kept, gone]) await setCharacter(id, 'deleted_at = 1');
    await purgeTrashedCharacters(openDatabase(env.DB), Date.now());
    expect(await readCounts(kept)).toEqual([0, 0]);
    expect(await readCounts(gone)).toEqual([0]);
  });

  test('the likes of an account are limited, and liking again is allowed', async () => {
    const me = await createAccount();
    const [liked, wanted] = [await addCharacter(), await addCharacter()];
    expect(await getStatus(me, 'PUT', liked)).toBe(204);
    const numbers =
      'with recursive n(value) as (select 1 union all select value + 1 from n where value < ?2)';
    await env.DB.batch([
      env.DB.prepare(
        `insert into characters (id, creator_id, name, oneliner, character_traits, model_type, visibility, point_of_view,
           suggested_replies, avatar_key, created_at, updated_at)
         select ?3 || cast(value as integer), ?1, 'x', 'x', 'x', 'roleplay', 'private', 'normal', '[]', 'x', 1, 1
         from (${numbers} select value from n)`,
      ).bind((await createAccount()).id, MAX_SAVED_ITEMS.likes - 1, `${liked}-`),
      env.DB.prepare(
        "insert into likes (user_id, character_id, created_at) select ?1, id, 1 from characters where id like ?2 || '-%'",
      ).bind(me.id, liked),
    ]);
    expect(await readRefusal(me, wanted)).toEqual({ status: 409, code: 'like_limit' });
    expect(await getStatus(me, 'PUT', liked)).toBe(204);
  });
});

describe('The most liked characters', () => {
  /** Adds characters by name with this many likes, all with one free tag. */
  async function addLiked(tag: string, counts: Record<string, number>, language = 'en') {
    for (const [name, likeCount] of Object.entries(counts))
      await addCharacter({ name, likeCount, language, tags: ['rpg'], freeTags: [tag] });
  }
  const listNames = async (visitor: Visitor, query: string) =>
    (await visitor.ask<CharacterList>(`/api/characters?sort=liked&${query}`)).items.map(({ name }) => name);

  test('the most liked characters come first, page by page and with filters', async () => {
    const visitor = new Visitor();
    await addLiked('owls', { three: 3_000_003, five: 3_000_005, four: 3_000_004 });
    await addLiked('owls', { six: 3_000_006 }, 'de');
    expect(await listNames(visitor, 'limit=4')).toEqual(['six', 'five', 'four', 'three']);
    expect(await listNames(visitor, 'tag=rpg&limit=2')).toEqual(['six', 'five']);
    expect(await listNames(visitor, 'include=owls&language=en')).toEqual(['five', 'four', 'three']);
    const found: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: CharacterList = await visitor.ask(
        `/api/characters?sort=liked&include=owls&limit=1&cursor=${cursor}`,
      );
      found.push(...page.items.map(({ name }) => name));
      cursor = page.next_cursor;
    }
    expect(found).toEqual(['six', 'five', 'four', 'three']);
  });

  test('a like moves a character up at once, and a list for everyone has none for adults', async () => {
    await addLiked('newts', { second: 5_000_001, first: 5_000_002 });
    const id = await addCharacter({ name: 'grown', nsfwAllowed: true });
    await setCharacter(id, 'like_count = 5000009');
    const list = async (spicy: boolean) => {
      const page = await listCharacters(
        openDatabase(env.DB),
        { sort: 'liked', limit: 2 },
        { userId: null, spicy },
      );
      return page.items.map(({ name }) => name);
    };
    expect(await list(false)).toEqual(['first', 'second']);
    expect(await list(true)).toEqual(['grown', 'first']);
    const { results } = await env.DB.prepare("select id from characters where name = 'second'").all<{
      id: string;
    }>();
    for (const _ of [1, 2]) await getStatus(await createAccount(), 'PUT', results[0]?.id as string);
    expect(await list(false)).toEqual(['second', 'first']);
  });
});
