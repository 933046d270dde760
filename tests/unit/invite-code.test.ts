import { describe, expect, test } from 'vitest';
import { generateInviteCode, normalizeInviteCode } from '../../src/features/account/invite-code.ts';

describe('An invite code', () => {
  const codes = Array.from({ length: 4000 }, generateInviteCode);

  test('has eight letters and digits that nobody takes for each other, and is sent as it is kept', () => {
    for (const code of codes) {
      expect(code).toMatch(/^[2-9a-hj-km-np-z]{8}$/);
      expect(normalizeInviteCode(` ${code.toUpperCase()} `)).toBe(code);
    }
    expect(new Set(codes).size).toBe(codes.length);
  });

  test('has each of them about as often', () => {
    const counts = new Map<string, number>();
    for (const letter of codes.join('')) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    expect(counts.size).toBe(31);
    // About 1032 are expected; ten standard deviations either way never happen by chance.
    for (const count of counts.values()) {
      expect(count).toBeGreaterThan(715);
      expect(count).toBeLessThan(1350);
    }
  });
});
