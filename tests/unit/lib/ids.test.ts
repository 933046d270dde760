import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isId, getIdTime, createId } from '../../../src/lib/ids.ts';

const time = fc.integer({ min: 0, max: 2 ** 48 - 1 });
const random = fc.uint8Array({ minLength: 10, maxLength: 10 });

describe('Ids', () => {
  test('an id has 26 characters that need no URL escaping and passes isId', () => {
    fc.assert(
      fc.property(time, random, (now, bytes) => {
        const id = createId(now, bytes);
        expect(id).toMatch(/^[0-9a-hjkmnp-tv-z]{26}$/);
        expect(encodeURIComponent(id)).toBe(id);
        expect(isId(id)).toBe(true);
      }),
    );
  });

  test('an id made later sorts after an earlier one', () => {
    fc.assert(
      fc.property(time, time, random, random, (one, other, first, second) => {
        fc.pre(one !== other);
        expect(createId(one, first) < createId(other, second)).toBe(one < other);
      }),
    );
  });

  test('the time of an id is the time at which it was created', () => {
    fc.assert(
      fc.property(time, random, (now, bytes) => {
        expect(getIdTime(createId(now, bytes))).toBe(now);
      }),
    );
  });

  test('two ids of the same time are equal only if their random bytes are equal', () => {
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

  test('ten thousand ids of the same millisecond are all different', () => {
    const now = Date.now();
    expect(new Set(Array.from({ length: 10_000 }, () => createId(now))).size).toBe(10_000);
  });

  test('isId rejects texts of the wrong length, case or characters', () => {
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
