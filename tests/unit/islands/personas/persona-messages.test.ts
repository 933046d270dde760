import { afterEach, expect, test, vi } from 'vitest';
import { canBuyMore } from '../../../../src/islands/personas/persona-messages.ts';

afterEach(() => vi.unstubAllGlobals());

test.each([
  { limit: 5, memberLimit: 500, sold: true, expected: true },
  { limit: 500, memberLimit: 500, sold: true, expected: false },
  { limit: 5, memberLimit: 500, sold: false, expected: false },
])('a limit of $limit can be raised to $memberLimit, memberships sold $sold: $expected', (given) => {
  vi.stubGlobal('document', { documentElement: { dataset: given.sold ? { memberships: '' } : {} } });
  expect(canBuyMore(given)).toBe(given.expected);
});
