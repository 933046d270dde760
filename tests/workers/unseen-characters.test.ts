import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import type { ListCharactersQuery } from '../../src/features/character/contract.ts';
import { listCharacters } from '../../src/features/character/discovery/listing-store.ts';
import { createId } from '../../src/lib/ids.ts';
import { addCharacter } from '../support/factories.ts';
import { countRowsRead } from '../support/query-stats.ts';

const db = () => openDatabase(env.DB);
const everybody = { userId: null, spicy: false };
const adult = { userId: null, spicy: true };

/** A word that no other test's characters hold. */
const freshWord = (): string => `eta${createId(Date.now())}`;

describe('What is private or for adults', () => {
  const hidden = (fields: object) =>
    Promise.all([
      ...Array.from({ length: 50 }, () => addCharacter({ ...fields, visibility: 'private' })),
      ...Array.from({ length: 50 }, () => addCharacter({ ...fields, nsfwAllowed: true })),
    ]);

  test.each(['popular', 'new'] as const)(
    'is counted by no place of a search: the way on by %s names who was shown last, and nothing else',
    async (sort) => {
      const word = freshWord();
      const find = (cursor?: string, viewer = everybody) =>
        listCharacters(db(), { sort, q: word, limit: 2, ...(cursor ? { cursor } : {}) }, viewer);
      const names = async (cursor?: string, viewer = everybody) =>
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
      const on = first.next_cursor ?? '';
      expect(await names(on)).toEqual([`${word} c`, `${word} d`]);

      // Where somebody stands whom this reader does not find, they learn nothing: their step begins anew.
      const adults = ids.get('for adults');
      expect(await names(`${step}.${adults}`)).toEqual([`${word} a`, `${word} b`]);
      expect(await names(`${step}.${adults}`, adult)).toEqual([`${word} c`, `${word} d`]);
      await env.DB.prepare("update characters set visibility = 'private' where id = ?")
        .bind(ids.get('b'))
        .run();
      expect(await names(on)).toEqual([`${word} a`, `${word} c`]);
      const second = await find(on);
      expect(await names(second.next_cursor ?? '')).toEqual([`${word} d`, `${word} e`]);
    },
  );

  test('costs nobody a row: a page reads as much when a hundred more are private or for adults', async () => {
    const word = freshWord();
    // A stretch of every list in which no other test's characters are.
    const [chats, time] = [400_000_000, Date.UTC(2019, 0, 1)];
    const fields = (index: number) => ({
      name: `${word} ${index}`,
      tags: ['male'],
      chatCount: chats + index,
      createdAt: time + index,
    });
    await Promise.all(Array.from({ length: 30 }, (_, index) => addCharacter(fields(index))));
    // An index reads one row less where it ends: somebody stands behind them from the beginning.
    await addCharacter({ tags: ['male'] });
    const stretches: Partial<ListCharactersQuery>[] = [
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
        stretches.map(async (query) => {
          const ask = { sort: 'popular', limit: 24, ...query } as const;
          const rows = await countRowsRead((asked) => listCharacters(asked, ask, everybody));
          return { query, rows, page: await listCharacters(db(), ask, everybody) };
        }),
      );
    const before = await read();
    for (const { page } of before) expect(page.items).toHaveLength(24);
    await hidden(fields(15));
    expect(await read()).toEqual(before);
  });
});
