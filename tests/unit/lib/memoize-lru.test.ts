import { expect, test, vi } from 'vitest';
import { memoizeLru, memoizeRecent } from '../../../src/lib/memoize-lru.ts';

test('a memoized function computes a recent key once', () => {
  const make = vi.fn((key: string) => key.length);
  const getLength = memoizeLru(2, make);
  expect(['one', 'three', 'one', 'three'].map(getLength)).toEqual([3, 5, 3, 5]);
  expect(make).toHaveBeenCalledTimes(2);
});

test('a memoized function computes the least recently used key again and forgets no other', () => {
  const made: string[] = [];
  const same = memoizeLru(2, (key) => (made.push(key), key));
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) same(key);
  expect(made).toEqual(['a', 'b', 'c', 'b']);
});

test('a memoized function remembers an undefined result but not an error', () => {
  let times = 0;
  const make = memoizeLru(2, (key) => {
    times += 1;
    if (key === 'bad') throw new Error('no');
    return undefined;
  });
  make('none');
  make('none');
  expect(times).toBe(1);
  expect(() => make('bad')).toThrow('no');
  expect(() => make('bad')).toThrow('no');
  expect(times).toBe(3);
});

test('a function that memoizes recent keys computes them once and forgets the others', () => {
  const made: string[] = [];
  const same = memoizeRecent(2, (key) => (made.push(key), key));
  for (const key of ['a', 'b', 'a', 'b', 'c', 'a']) expect(same(key)).toBe(key);
  expect(made).toEqual(['a', 'b', 'c']);
  // Both generations hold other keys now.
  for (const key of ['d', 'e', 'f', 'a']) same(key);
  expect(made).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'a']);
});
