import { describe, expect, test } from 'vitest';
import type { CharacterList } from '../../../../src/features/character/contract.ts';
import {
  parseCatalogueQuery,
  isUnindexed,
  getCatalogueCachePolicy,
} from '../../../../src/components/data/catalogue-query.ts';

const HERE = '/en/discover';
const FULL = { items: [{ id: 'wren' }], next_cursor: null } as unknown as CharacterList;
const EMPTY: CharacterList = { items: [], next_cursor: null };

/** Whether the catalogue page at this address may be stored by shared caches. */
function isShared(search: string, list: CharacterList | null = FULL): boolean {
  const { here, whole } = getCatalogueCachePolicy(
    HERE,
    parseCatalogueQuery(new URLSearchParams(search), null),
    list,
    ['noir', 'slow burn'],
  );
  return whole && here === HERE + search;
}

describe('Catalogue page', () => {
  test('a list page is shared by caches at its canonical address', () => {
    for (const search of [
      '',
      '?sort=new',
      '?sort=liked&cursor=7.wren',
      '?sort=new&cursor=1700000000000.wren',
    ])
      expect([search, isShared(search)]).toEqual([search, true]);
    for (const search of [
      '?sort=trending',
      '?sort=trending&cursor=t1.24',
      '?sort=trending&cursor=t1.500.7.wren',
    ])
      expect([search, isShared(search)]).toEqual([search, true]);
  });

  test('a list page with a malformed cursor is not shared by caches', () => {
    const cursors = ['x', '1', '007.wren', '7.wren&x=1', 't1.24', '7.a%20b', `7.${'a'.repeat(65)}`];
    for (const cursor of cursors)
      expect([cursor, isShared(`?sort=new&cursor=${cursor}`)]).toEqual([cursor, false]);
    for (const cursor of ['7.wren', 't1', 't1.024'])
      expect([cursor, isShared(`?sort=trending&cursor=${cursor}`)]).toEqual([cursor, false]);
  });

  test('search results, empty later pages and failed lists are not shared by caches', () => {
    expect(isShared('?q=rain')).toBe(false);
    expect(isShared('?sort=popular')).toBe(false);
    expect(isShared('', EMPTY)).toBe(true);
    expect(isShared('?sort=liked&cursor=7.wren', EMPTY)).toBe(false);
    // These lists are read from the search index, where a made-up cursor starts from the beginning.
    expect(isShared('?cursor=7.wren')).toBe(false);
    expect(isShared('?language=ja&sort=new&cursor=7.wren')).toBe(false);
    expect(isShared('', null)).toBe(false);
  });

  test('of lists with filters, those of one language and of one listed tag are shared by caches', () => {
    for (const search of ['?language=ja', '?include=slow+burn', '?language=ja&include=noir&sort=new'])
      expect([search, isShared(search)]).toEqual([search, true]);
    for (const search of [
      ...['?language=xx', '?language=', '?include=rare', '?include=noir%2Cslow+burn', '?exclude=noir'],
      ...['?include=Noir', '?include=noir&language=ja'],
    ])
      expect([search, isShared(search)]).toEqual([search, false]);
  });

  test('the tags of a filter are read as the operator merged and blocked them', () => {
    const rules = { blocked: new Set(['gore']), merges: new Map([['sci fi', 'sci-fi']]) };
    const search = new URLSearchParams({
      include: 'Sci  Fi,gore, noir,noir',
      exclude: `${'x'.repeat(31)},a,b,c,d,e,f`,
    });
    expect(parseCatalogueQuery(search, null, rules)).toMatchObject({
      include: ['noir', 'sci-fi'],
      exclude: ['a', 'b', 'c', 'd', 'e'],
    });
  });

  test('search engines index the beginning of a list, but no searches and no later pages', () => {
    const isIndexed = (search: string) =>
      !isUnindexed(parseCatalogueQuery(new URLSearchParams(search), null));
    for (const search of ['', '?sort=new', '?sort=trending', '?q=', '?q=%20', '?from=friend'])
      expect([search, isIndexed(search)]).toEqual([search, true]);
    for (const search of [
      '?q=rain',
      '?q=rain&sort=new',
      '?cursor=7.wren',
      '?sort=trending&cursor=t1.24',
      '?language=ja',
    ])
      expect([search, isIndexed(search)]).toEqual([search, false]);
  });
});
