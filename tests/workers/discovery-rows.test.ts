// What a page of the lists costs the database, with a catalogue of thousands.
import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TRENDING } from '../../src/features/character/limits.ts';
import { openDatabase } from '../../src/db/open.ts';
import type { CharacterList, ListCharactersQuery } from '../../src/features/character/contract.ts';
import {
  toCharacterDay,
  updateTrending,
} from '../../src/features/character/discovery/discovery-refresh-store.ts';
import { listCharacters } from '../../src/features/character/discovery/listing-store.ts';
import {
  parseTrendingCursor,
  getTrendingKey,
  type TrendingList,
} from '../../src/features/character/discovery/trending.ts';
import {
  clearCatalogue,
  fillCatalogue,
  insertRecentChats,
  generateCharacter,
} from '../support/large-catalogue.ts';
import { LIST_QUERIES } from '../support/list-queries.ts';
import { countRowsRead } from '../support/query-stats.ts';

const db = () => openDatabase(env.DB);
const everybody = { userId: null, spicy: false };
const adult = { userId: null, spicy: true };

describe('A page of the lists', () => {
  const rowsOf = (query: Partial<ListCharactersQuery>, viewer = everybody): Promise<number> =>
    countRowsRead((asked) => listCharacters(asked, { sort: 'popular', limit: 24, ...query }, viewer, env.KV));

  const COUNT = 3000;
  beforeAll(async () => {
    await fillCatalogue(env.DB, 0, COUNT);
    await insertRecentChats(env.DB, COUNT, toCharacterDay(Date.UTC(2031, 0, 1)));
    await updateTrending(db(), env.KV, Date.UTC(2031, 0, 1));
    const made = Array.from({ length: COUNT }, (_, index) => generateCharacter(index));
    // Those for adults in the list of everybody are passed over, as are all who are hidden since it was made.
    for (const viewer of [everybody, adult]) await keep(viewer, made.slice(0, TRENDING.maxIds));
  }, 120_000);
  // The other tests' lists are to be their own.
  afterAll(async () => {
    await clearCatalogue(env.DB);
    const { keys } = await env.KV.list({ prefix: 'trending:' });
    await Promise.all(keys.map(({ name }) => env.KV.delete(name)));
  }, 120_000);

  /** A trending list of all characters. */
  const keep = ({ spicy }: { spicy: boolean }, characters: readonly { id: string }[]) =>
    env.KV.put(
      getTrendingKey({ spicy, tag: '' }),
      JSON.stringify({
        version: '9',
        ids: characters.map(({ id }) => id),
        before: null,
      } satisfies TrendingList),
    );

  test.each(Object.entries(LIST_QUERIES))(
    'of %s reads a few hundred rows at most, however many characters there are',
    async (_, query) => {
      for (const viewer of [everybody, adult]) {
        const first = await rowsOf(query, viewer);
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
        if (cursor !== null) expect(await rowsOf({ ...query, cursor }, viewer)).toBeLessThanOrEqual(300);
      }
    },
  );

  test('of a list of what is trending goes on behind it, and costs little where all of it is the most popular', async () => {
    const kept = await env.KV.get(getTrendingKey({ spicy: false, tag: '' }));
    const popular: string[] = [];
    let cursor: string | undefined;
    while (popular.length < TRENDING.maxIds + 100) {
      const query = { sort: 'popular', limit: 100, ...(cursor === undefined ? {} : { cursor }) } as const;
      const page = await listCharacters(db(), query, everybody);
      popular.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor ?? undefined;
    }
    const list = popular.slice(0, TRENDING.maxIds).toReversed();
    await keep(
      everybody,
      list.map((id) => ({ id })),
    );
    const told: string[] = [];
    let next: string | undefined;
    do {
      const from = next;
      const query: ListCharactersQuery = {
        sort: 'trending',
        limit: 24,
        ...(from === undefined ? {} : { cursor: from }),
      };
      const page = await listCharacters(db(), query, everybody, env.KV);
      expect(page.items).toHaveLength(24);
      const isPast = parseTrendingCursor(from)?.offset === list.length;
      // The first pages behind the list pass over all of it, by one row each.
      expect(await rowsOf(query)).toBeLessThanOrEqual(isPast ? 300 : 1100);
      told.push(...page.items.map(({ id }) => id));
      next = page.next_cursor ?? undefined;
    } while (next !== undefined && told.length < TRENDING.maxIds + 100);
    expect(told.slice(0, popular.length)).toEqual([...list, ...popular.slice(list.length)]);
    await env.KV.put(getTrendingKey({ spicy: false, tag: '' }), kept ?? '');
  });

  test('finds one among thousands by its whole name first', async () => {
    const { id, name } = Array.from({ length: COUNT }, (_, index) => generateCharacter(index)).find(
      ({ nsfw }) => nsfw === 0,
    ) as { id: string; name: string };
    const { items } = await listCharacters(
      db(),
      { sort: 'popular', limit: 24, q: name.toUpperCase() },
      everybody,
    );
    expect(items.filter((item) => item.name === name).map((item) => item.id)).toContain(id);
    expect(items[0]?.name).toBe(name);
  });
});
