import { describe, expect, test } from 'vitest';
import type { CharacterList } from '../../src/features/character/contract.ts';
import {
  parseCatalogueQuery,
  isUnindexed,
  getCatalogueCachePolicy,
} from '../../src/components/data/catalogue-query.ts';

const HERE = '/en/discover';
const FULL = { items: [{ id: 'wren' }], next_cursor: null } as unknown as CharacterList;
const EMPTY: CharacterList = { items: [], next_cursor: null };

/** Whether shared caches are given the page at an address of the catalogue, whatever it shows. */
function isGiven(search: string, list: CharacterList | null = FULL): boolean {
  const { here, whole } = getCatalogueCachePolicy(
    HERE,
    parseCatalogueQuery(new URLSearchParams(search), null),
    list,
  );
  return whole && here === HERE + search;
}

describe('A page of the catalogue', () => {
  test('is given to shared caches in the one form that its list writes', () => {
    for (const search of ['', '?sort=new', '?cursor=7.wren', '?sort=new&cursor=1700000000000.wren'])
      expect([search, isGiven(search)]).toEqual([search, true]);
    for (const search of [
      '?sort=trending',
      '?sort=trending&cursor=t1.24',
      '?sort=trending&cursor=t1.500.7.wren',
    ])
      expect([search, isGiven(search)]).toEqual([search, true]);
  });

  test('is for whoever asked, where the address names no place in the list', () => {
    const cursors = ['x', '1', '007.wren', '7.wren&x=1', 't1.24', '7.a%20b', `7.${'a'.repeat(65)}`];
    for (const cursor of cursors) expect([cursor, isGiven(`?cursor=${cursor}`)]).toEqual([cursor, false]);
    for (const cursor of ['7.wren', 't1', 't1.024'])
      expect([cursor, isGiven(`?sort=trending&cursor=${cursor}`)]).toEqual([cursor, false]);
  });

  test('is for whoever asked, where it is a search, is empty further down, or could not be read', () => {
    expect(isGiven('?q=rain')).toBe(false);
    expect(isGiven('?sort=popular')).toBe(false);
    expect(isGiven('', EMPTY)).toBe(true);
    expect(isGiven('?cursor=7.wren', EMPTY)).toBe(false);
    expect(isGiven('', null)).toBe(false);
  });

  test('is kept by search engines where it is a list from its beginning, and not where it is a search or a place within', () => {
    const kept = (search: string) => !isUnindexed(parseCatalogueQuery(new URLSearchParams(search), null));
    for (const search of ['', '?sort=new', '?sort=trending', '?q=', '?q=%20', '?from=friend'])
      expect([search, kept(search)]).toEqual([search, true]);
    for (const search of ['?q=rain', '?q=rain&sort=new', '?cursor=7.wren', '?sort=trending&cursor=t1.24'])
      expect([search, kept(search)]).toEqual([search, false]);
  });
});
