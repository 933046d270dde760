import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LOGIN_CODE } from '../../../../src/features/account/limits.ts';
import {
  describeCodeWait,
  getWait,
  type RequestedCodes,
} from '../../../../src/features/account/login-code/login-code-waits.ts';

const NOW = Date.UTC(2027, 0, 2);
const STRANGER = { requester: 'a network', isKnownBrowser: false };

const codes = fc.uniqueArray(
  fc.record({
    requester: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'),
    isKnownBrowser: fc.boolean(),
    age: fc.integer({ min: 0, max: 2 * LOGIN_CODE.dayWaitMs }),
    unused: fc.integer({ min: 1, max: 5 }),
  }),
  { selector: ({ requester }) => requester },
);
const toRows = (
  list: readonly { age: number; requester: string; isKnownBrowser: boolean; unused: number }[],
) =>
  list.map(({ age, ...row }): RequestedCodes => ({
    ...row,
    sentAt: NOW - age,
    expiresAt: NOW - age + LOGIN_CODE.lifetimeMs,
  }));

describe('Waiting for a login code', () => {
  test('the wait is ten minutes, then an hour, then a day', () => {
    const waits = [1, 2, 3, 4, 5].map((unused) => getWait(unused, LOGIN_CODE.maxUnused) / 60_000);
    expect(waits).toEqual([10, 10, 60, 1440, 1440]);
  });

  test('no one waits for longer than a day, and after the wait a code may be sent', () => {
    fc.assert(
      fc.property(codes, fc.boolean(), (list, isKnownBrowser) => {
        const rows = toRows(list);
        const by = { requester: 'a', isKnownBrowser };
        const { retryAt } = describeCodeWait(rows, by, NOW);
        expect(retryAt).toBeGreaterThanOrEqual(NOW);
        expect(retryAt).toBeLessThanOrEqual(NOW + LOGIN_CODE.dayWaitMs);
        expect(describeCodeWait(rows, by, retryAt).retryAt).toBe(retryAt);
      }),
    );
  });

  test('a known browser waits for its own codes only', () => {
    fc.assert(
      fc.property(codes, (list) => {
        const rows = toRows(list).filter(({ requester }) => requester !== 'a');
        expect(describeCodeWait(rows, { requester: 'a', isKnownBrowser: true }, NOW).retryAt).toBe(NOW);
      }),
    );
  });

  test('a stranger’s code works for ten minutes, and only then the reason is the unused codes', () => {
    const row = { ...STRANGER, unused: 3, sentAt: NOW, expiresAt: NOW + LOGIN_CODE.lifetimeMs };
    expect(describeCodeWait([row], STRANGER, NOW + 1).code).toBe('code_recently_sent');
    expect(describeCodeWait([row], STRANGER, NOW + LOGIN_CODE.lifetimeMs)).toEqual({
      code: 'too_many_unused_codes',
      retryAt: NOW + LOGIN_CODE.hourWaitMs,
    });
  });
});
