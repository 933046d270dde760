import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KNOWN_BROWSER } from '../../../../src/features/account/limits.ts';
import {
  addMark,
  createMark,
  findKnownBrowser,
  storeKnownBrowser,
} from '../../../../src/features/account/login-code/known-browser.ts';

const SECRET = 'a-secret-of-the-operator';
const MINE = 'me@example.test';

describe('Known browsers', () => {
  test('a browser is known to the addresses that were logged in to there, and to no others', async () => {
    const mine = await storeKnownBrowser(undefined, MINE, SECRET);
    const both = await storeKnownBrowser(mine, 'you@example.test', SECRET);
    expect(await findKnownBrowser(both, MINE, SECRET)).toBe(mine);
    expect(await findKnownBrowser(both, 'you@example.test', SECRET)).not.toBeNull();
    expect(await findKnownBrowser(both, 'others@example.test', SECRET)).toBeNull();
    expect(await findKnownBrowser(both, MINE, `${SECRET}!`)).toBeNull();
    expect(await findKnownBrowser(undefined, MINE, SECRET)).toBeNull();
    expect(both).not.toContain('example');
  });

  test('logging in again keeps the mark, so a new login brings no new waits', async () => {
    const mine = await storeKnownBrowser(undefined, MINE, SECRET);
    expect(await storeKnownBrowser(mine, MINE, SECRET)).toBe(mine);
    const other = await storeKnownBrowser(mine, 'you@example.test', SECRET);
    expect((await storeKnownBrowser(other, MINE, SECRET)).split('.')[0]).toBe(mine);
  });

  test('two browsers have different marks for one address', async () => {
    expect(await createMark(MINE, SECRET)).not.toBe(await createMark(MINE, SECRET));
  });

  test('a browser keeps the marks of its latest addresses', async () => {
    let cookie: string | undefined;
    for (let count = 0; count <= KNOWN_BROWSER.maxAddresses; count += 1)
      cookie = await storeKnownBrowser(cookie, `${count}@example.test`, SECRET);
    expect(cookie?.split('.')).toHaveLength(KNOWN_BROWSER.maxAddresses);
    expect(await findKnownBrowser(cookie, '0@example.test', SECRET)).toBeNull();
    expect(await findKnownBrowser(cookie, '1@example.test', SECRET)).not.toBeNull();
  });

  test('no text in the cookie or a link is an error or a mark, unless it was made here', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 500 }), fc.string({ maxLength: 60 }), async (cookie, mark) => {
        expect(await findKnownBrowser(addMark(cookie, mark), MINE, SECRET)).toBeNull();
      }),
    );
    const mark = await createMark(MINE, SECRET);
    expect(addMark(undefined, mark)).toBe(mark);
    expect(addMark(mark, `${mark}0`)).toBe(mark);
    expect(addMark('not a mark; Path=/', mark)).toBe(mark);
    const changed = mark.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    expect(await findKnownBrowser(addMark(undefined, changed), MINE, SECRET)).toBeNull();
  });
});
