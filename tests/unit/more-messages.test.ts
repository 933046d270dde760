import { describe, expect, test } from 'vitest';
import type { AuthStatus, SessionUser } from '../../src/features/account/contract.ts';
import { getUpgradeAction } from '../../src/islands/chat/scroll/quota-refusals.ts';

const here = (user: Partial<SessionUser> | null) => ({
  status: 'known' as const,
  auth: { is_authenticated: user !== null, isAuthenticated: user !== null, user } as AuthStatus,
});
const MEMBER = here({ is_anonymous: false });
const GUEST = here({ is_anonymous: true });

describe.each(['points_exhausted', 'daily_limit_reached'])('a message refused with %s', (code) => {
  test('leads an account to the memberships', () => {
    expect(getUpgradeAction(code, MEMBER, true)).toBe('membership');
    expect(getUpgradeAction(code, { status: 'loading', auth: null }, true)).toBe('membership');
  });

  test('leads guests and readers who are logged out to log in', () => {
    expect(getUpgradeAction(code, GUEST, true)).toBe('log_in');
    expect(getUpgradeAction(code, here(null), true)).toBe('log_in');
  });

  test('leads nobody to a membership on a site that sells none', () => {
    for (const session of [MEMBER, GUEST, here(null), { status: 'loading' as const, auth: null }])
      expect(getUpgradeAction(code, session, false)).toBeNull();
  });
});

test('a message refused for another reason leads to no membership', () => {
  for (const code of ['', 'text_refused', 'too_many_requests', 'network'])
    expect(getUpgradeAction(code, MEMBER, true)).toBeNull();
});
