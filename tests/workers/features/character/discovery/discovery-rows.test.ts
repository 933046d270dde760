// How many rows a page of the character lists reads when there are thousands of characters.
import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TRENDING } from '../../../../../src/features/character/limits.ts';
import { type Database, openDatabase } from '../../../../../src/db/open.ts';
import type { CharacterList, ListCharactersQuery } from '../../../../../src/features/character/contract.ts';
import {
  toCharacterDay,
  updateTrending,
} from '../../../../../src/features/character/discovery/discovery-refresh-store.ts';
import { listCharacters } from '../../../../../src/features/character/discovery/listing-store.ts';
import { suggestCharacters } from '../../../../../src/features/character/discovery/suggestion-store.ts';
import {
  parseTrendingCursor,
  getTrendingKey,
  type TrendingList,
} from '../../../../../src/features/character/discovery/trending.ts';
import {
  clearCatalogue,
  fillCatalogue,
  insertRecentChats,
  generateCharacter,
} from '../../../../support/large-catalogue.ts';
import { LIST_QUERIES } from '../../../../support/list-queries.ts';
import { createAccount } from '../../../../support/factories.ts';
import { countRowsRead, explainQueries } from '../../../../support/query-stats.ts';

const db = () => openDatabase(env.DB);
const anonymous = { userId: null, spicy: false };
const adult = { userId: null, spicy: true };

describe('Rows read by the character lists', () => {
  const countListRows = (query: Partial<ListCharactersQuery>, viewer = anonymous): Promise<number> =>
    countRowsRead((observedDb) =>
      listCharacters(observedDb, { sort: 'popular', limit: 24, ...query }, viewer, env.KV),
    );

  const COUNT = 3000;
  beforeAll(async () => {
    await fillCatalogue(env.DB, 0, COUNT);
    await insertRecentChats(env.DB, COUNT, toCharacterDay(Date.UTC(2031, 0, 1)));
    await updateTrending(db(), env.KV, Date.UTC(2031, 0, 1));
    const generated = Array.from({ length: COUNT }, (_, index) => generateCharacter(index));
    // The lists also contain adult and since hidden characters, which a page must skip.
    for (const viewer of [anonymous, adult]) await storeTrending(viewer, generated.slice(0, TRENDING.maxIds));
  }, 120_000);
  // The lists of other tests must not contain these characters.
  afterAll(async () => {
    await clearCatalogue(env.DB);
    const { keys } = await env.KV.list({ prefix: 'trending:' });
    await Promise.all(keys.map(({ name }) => env.KV.delete(name)));
  }, 120_000);

  /** Stores a trending list of these characters. */
  const storeTrending = ({ spicy }: { spicy: boolean }, characters: readonly { id: string }[]) =>
    env.KV.put(
      getTrendingKey({ spicy, tag: '' }),
      JSON.stringify({
        version: '9',
        ids: characters.map(({ id }) => id),
        before: null,
      } satisfies TrendingList),
    );

  test.each(Object.entries(LIST_QUERIES))(
    'a list of %s reads at most 300 rows, however many characters there are',
    async (_, query) => {
      for (const viewer of [anonymous, adult]) {
        const first = await countListRows(query, viewer);
        expect(first).toBeLessThanOrEqual(300);
        let cursor: string | null = null;
        for (let page = 0; page < 10; page += 1) {
          const list: CharacterList = await listCharacters(
            db(),
            { sort: 'popular', limit: 60, ...query, ...(cursor === null ? {} : { cursor }) },
            viewer,
            env.KV,
          );
          cursor = list.next_cursor ?? cursor;
        }
        if (cursor !== null)
          expect(await countListRows({ ...query, cursor }, viewer)).toBeLessThanOrEqual(300);
      }
    },
  );

  test('a list of the most liked matches of a filter reads at most 450 rows, and ends after two pages', async () => {
    const query: Partial<ListCharactersQuery> & { sort: 'liked' } = { sort: 'liked', exclude: ['rpg'] };
    for (const viewer of [anonymous, adult]) {
      expect(await countListRows(query, viewer)).toBeLessThanOrEqual(450);
      let cursor: string | null = '';
      const found: string[] = [];
      while (cursor !== null) {
        const page: CharacterList = await listCharacters(db(), { ...query, cursor, limit: 24 }, viewer);
        found.push(...page.items.map(({ id }) => id));
        cursor = page.next_cursor;
      }
      expect(new Set(found).size).toBe(48);
    }
  });

  test('the trending list continues with popular characters and stays cheap when both overlap', async () => {
    const previous = await env.KV.get(getTrendingKey({ spicy: false, tag: '' }));
    const popular: string[] = [];
    let cursor: string | undefined;
    while (popular.length < TRENDING.maxIds + 100) {
      const query = { sort: 'popular', limit: 100, ...(cursor === undefined ? {} : { cursor }) } as const;
      const page = await listCharacters(db(), query, anonymous);
      popular.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor ?? undefined;
    }
    const list = popular.slice(0, TRENDING.maxIds).toReversed();
    await storeTrending(
      anonymous,
      list.map((id) => ({ id })),
    );
    const listedIds: string[] = [];
    let next: string | undefined;
    do {
      const from = next;
      const query: ListCharactersQuery = {
        sort: 'trending',
        limit: 24,
        ...(from === undefined ? {} : { cursor: from }),
      };
      const page = await listCharacters(db(), query, anonymous, env.KV);
      expect(page.items).toHaveLength(24);
      const isPast = parseTrendingCursor(from)?.offset === list.length;
      // The first pages behind the trending list skip all of it, at one row each.
      expect(await countListRows(query)).toBeLessThanOrEqual(isPast ? 300 : 1100);
      listedIds.push(...page.items.map(({ id }) => id));
      next = page.next_cursor ?? undefined;
    } while (next !== undefined && listedIds.length < TRENDING.maxIds + 100);
    expect(listedIds.slice(0, popular.length)).toEqual([...list, ...popular.slice(list.length)]);
    await env.KV.put(getTrendingKey({ spicy: false, tag: '' }), previous ?? '');
  });

  test('suggestions for a user with many choices follow an index at every step and read at most 900 rows', async () => {
    const userId = (await createAccount()).id;
    const popular = `from characters where creator_id glob 'maker*' order by chat_count desc`;
    const choose = (statement: string) => env.DB.prepare(statement).bind(userId).run();
    await env.DB.prepare(
      `update characters set language = 'en' where id in (select id ${popular} limit 200)`,
    ).run();
    await choose(`insert into likes select ?, id, chat_count ${popular} limit 50 offset 30`);
    await choose(`insert into favourites select ?, id, chat_count ${popular} limit 50 offset 80`);
    await choose(`insert into follows select ?, id, 1 from users where id glob 'maker*' limit 200`);
    await choose(`insert into hidden_items values (?, 'tag', 'rpg', 1)`);
    await choose(`insert into conversations (id, owner_id, character_id, created_at, begun)
      select 'suggestions ' || id, ?, id, 1, 1 ${popular} limit 50`);
    try {
      for (const spicy of [false, true]) {
        const input = { userId, viewer: { userId, spicy }, isPersonal: true, language: 'en', limit: 12 };
        const read = (observedDb: Database) => suggestCharacters(observedDb, input);
        expect(await read(db())).toHaveLength(12);
        expect(await countRowsRead(read)).toBeLessThanOrEqual(spicy ? 900 : 700);
        for (const plan of await explainQueries(read))
          expect(plan).not.toMatch(
            /SCAN (characters|character_words|users(?! USING COVERING INDEX users_system)|likes|favourites|follows|conversations|hidden_items|reports)\b/,
          );
      }
    } finally {
      await choose('delete from conversations where owner_id = ?');
    }
  }, 120_000);

  test('the character search puts an exact name first among thousands of characters', async () => {
    const { id, name } = Array.from({ length: COUNT }, (_, index) => generateCharacter(index)).find(
      ({ nsfw }) => nsfw === 0,
    ) as { id: string; name: string };
    const { items } = await listCharacters(
      db(),
      { sort: 'popular', limit: 24, q: name.toUpperCase() },
      anonymous,
    );
    expect(items.filter((item) => item.name === name).map((item) => item.id)).toContain(id);
    expect(items[0]?.name).toBe(name);
  });
});
