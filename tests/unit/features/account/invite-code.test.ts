import { describe, expect, test } from 'vitest';
import { generateInviteCode, normalizeInviteCode } from '../../../../src/features/account/invite-code.ts';

describe('Invite codes', () => {
  const codes = Array.from({ length: 4000 }, generateInviteCode);

  test('an invite code has eight unambiguous letters and digits and is unique', () => {
    for (const code of codes) {
      expect(code).toMatch(/^[2-9a-hj-km-np-z]{8}$/);
      expect(normalizeInviteCode(` ${code.toUpperCase()} `)).toBe(code);
    }
    expect(new Set(codes).size).toBe(codes.length);
  });

  test('all letters and digits are about equally frequent in invite codes', () => {
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
