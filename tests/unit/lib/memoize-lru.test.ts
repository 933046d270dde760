import { expect, test, vi } from 'vitest';
import { memoizeLru } from '../../../src/lib/memoize-lru.ts';

test('what was asked for of late is made once', () => {
  const make = vi.fn((key: string) => key.length);
  const lengthOf = memoizeLru(2, make);
  expect(['one', 'three', 'one', 'three'].map(lengthOf)).toEqual([3, 5, 3, 5]);
  expect(make).toHaveBeenCalledTimes(2);
});

test('what was asked for longest ago is made anew, and nothing is forgotten before it', () => {
  const made: string[] = [];
  const same = memoizeLru(2, (key) => (made.push(key), key));
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) same(key);
  expect(made).toEqual(['a', 'b', 'c', 'b']);
});

test('nothing made is remembered too, and what could not be made is not', () => {
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
