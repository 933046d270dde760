import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../../../src/db/open.ts';
import type { ListCharactersQuery } from '../../../../../src/features/character/contract.ts';
import { listCharacters } from '../../../../../src/features/character/discovery/listing-store.ts';
import { createId } from '../../../../../src/lib/ids.ts';
import { addCharacter } from '../../../../support/factories.ts';
import { countRowsRead } from '../../../../support/query-stats.ts';

const db = () => openDatabase(env.DB);
const PUBLIC_READER = { userId: null, spicy: false };
const ADULT_READER = { userId: null, spicy: true };

/** A word that is in no other test’s characters. */
const createWord = (): string => `eta${createId(Date.now())}`;

describe('Hidden characters in lists', () => {
  const addHiddenCharacters = (fields: object) =>
    Promise.all([
      ...Array.from({ length: 50 }, () => addCharacter({ ...fields, visibility: 'private' })),
      ...Array.from({ length: 50 }, () => addCharacter({ ...fields, nsfwAllowed: true })),
    ]);

  test.each(['popular', 'new'] as const)(
    'a cursor of the search by %s does not count private or adult characters',
    async (sort) => {
      const word = createWord();
      const find = (cursor?: string, viewer = PUBLIC_READER) =>
        listCharacters(db(), { sort, q: word, limit: 2, ...(cursor ? { cursor } : {}) }, viewer);
      const names = async (cursor?: string, viewer = PUBLIC_READER) =>
        (await find(cursor, viewer)).items.map(({ name }) => name);
      const ids = new Map<string, string>();
      for (const [index, name] of ['e', 'd', 'c', 'for adults', 'b', 'a'].entries()) {
        const createdAt = Date.UTC(2020, 0, 1, 0, index);
        const nsfwAllowed = name === 'for adults';
        ids.set(name, await addCharacter({ name: `${word} ${name}`, createdAt, nsfwAllowed }));
      }
      const first = await find();
      const step = sort === 'new' ? 0 : 1;
      expect(first.items.map(({ name }) => name)).toEqual([`${word} a`, `${word} b`]);
      expect(first.next_cursor).toBe(`${step}.${ids.get('b')}`);
      const firstCursor = first.next_cursor ?? '';
      expect(await names(firstCursor)).toEqual([`${word} c`, `${word} d`]);

      // A cursor at a character that the user cannot see starts its step again.
      const adultId = ids.get('for adults');
      expect(await names(`${step}.${adultId}`)).toEqual([`${word} a`, `${word} b`]);
      expect(await names(`${step}.${adultId}`, ADULT_READER)).toEqual([`${word} c`, `${word} d`]);
      await env.DB.prepare("update characters set visibility = 'private' where id = ?")
        .bind(ids.get('b'))
        .run();
      expect(await names(firstCursor)).toEqual([`${word} a`, `${word} c`]);
      const second = await find(firstCursor);
      expect(await names(second.next_cursor ?? '')).toEqual([`${word} d`, `${word} e`]);
    },
  );

  test('a page of characters reads no more rows when a hundred private and adult ones are added', async () => {
    const word = createWord();
    // A range of every list without other tests’ characters.
    const [chats, time] = [400_000_000, Date.UTC(2019, 0, 1)];
    const fields = (index: number) => ({
      name: `${word} ${index}`,
      tags: ['male'],
      chatCount: chats + index,
      createdAt: time + index,
    });
    await Promise.all(Array.from({ length: 30 }, (_, index) => addCharacter(fields(index))));
    // An index scan reads one row less at its end, so one character is placed after the range.
    await addCharacter({ tags: ['male'] });
    const queries: Partial<ListCharactersQuery>[] = [
      { sort: 'popular', cursor: `${chats + 100}.x` },
      { sort: 'popular', tag: 'male', cursor: `${chats + 100}.x` },
      { sort: 'new', cursor: `${time + 100}.x` },
      { sort: 'new', tag: 'male', cursor: `${time + 100}.x` },
      { q: word },
      { q: word, tag: 'male' },
      { q: word, sort: 'new' },
    ];
    const read = () =>
      Promise.all(
        queries.map(async (query) => {
          const ask = { sort: 'popular', limit: 24, ...query } as const;
          const rows = await countRowsRead((asked) => listCharacters(asked, ask, PUBLIC_READER));
          return { query, rows, page: await listCharacters(db(), ask, PUBLIC_READER) };
        }),
      );
    const before = await read();
    for (const { page } of before) expect(page.items).toHaveLength(24);
    await addHiddenCharacters(fields(15));
    expect(await read()).toEqual(before);
  });
});
