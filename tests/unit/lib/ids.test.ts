import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isId, getIdTime, createId } from '../../../src/lib/ids.ts';

const time = fc.integer({ min: 0, max: 2 ** 48 - 1 });
const random = fc.uint8Array({ minLength: 10, maxLength: 10 });

describe('An id', () => {
  test('is 26 signs that need no escaping in an address, and is known as one', () => {
    fc.assert(
      fc.property(time, random, (now, bytes) => {
        const id = createId(now, bytes);
        expect(id).toMatch(/^[0-9a-hjkmnp-tv-z]{26}$/);
        expect(encodeURIComponent(id)).toBe(id);
        expect(isId(id)).toBe(true);
      }),
    );
  });

  test('that was made later sorts later', () => {
    fc.assert(
      fc.property(time, time, random, random, (one, other, first, second) => {
        fc.pre(one !== other);
        expect(createId(one, first) < createId(other, second)).toBe(one < other);
      }),
    );
  });

  test('says when it was made', () => {
    fc.assert(
      fc.property(time, random, (now, bytes) => {
        expect(getIdTime(createId(now, bytes))).toBe(now);
      }),
    );
  });

  test('holds all of its randomness: other bytes, other id', () => {
    fc.assert(
      fc.property(time, random, random, (now, first, second) => {
        expect(createId(now, first) === createId(now, second)).toBe(
          first.every((byte, index) => byte === second[index]),
        );
      }),
    );
    expect(createId(0, new Uint8Array(10))).toBe('0'.repeat(26));
    expect(createId(2 ** 48 - 1, new Uint8Array(10).fill(255))).toBe(`7${'z'.repeat(25)}`);
  });

  test('is never made twice', () => {
    const now = Date.now();
    expect(new Set(Array.from({ length: 10_000 }, () => createId(now))).size).toBe(10_000);
  });

  test('is not anything else', () => {
    for (const text of [
      '',
      '0'.repeat(25),
      '0'.repeat(27),
      '0'.repeat(26).replace('0', 'A'),
      `${'0'.repeat(25)}/`,
      `${'0'.repeat(26)}\n`,
      '../'.repeat(9),
    ]) {
      expect(isId(text)).toBe(false);
    }
  });
});
