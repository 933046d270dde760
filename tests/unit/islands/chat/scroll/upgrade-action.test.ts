import { describe, expect, test } from 'vitest';
import type { AuthStatus, SessionUser } from '../../../../../src/features/account/contract.ts';
import { getUpgradeAction } from '../../../../../src/islands/chat/scroll/upgrade-action.ts';

const createSession = (user: Partial<SessionUser> | null) => ({
  status: 'known' as const,
  auth: { is_authenticated: user !== null, isAuthenticated: user !== null, user } as AuthStatus,
});
const MEMBER = createSession({ is_anonymous: false });
const GUEST = createSession({ is_anonymous: true });

describe.each(['points_exhausted', 'daily_limit_reached'])('Upgrade action for %s', (code) => {
  test('a refused message leads an account to the memberships', () => {
    expect(getUpgradeAction(code, MEMBER, true)).toBe('membership');
    expect(getUpgradeAction(code, { status: 'loading', auth: null }, true)).toBe('membership');
  });

  test('a refused message leads guests and logged-out users to log in', () => {
    expect(getUpgradeAction(code, GUEST, true)).toBe('log_in');
    expect(getUpgradeAction(code, createSession(null), true)).toBe('log_in');
  });

  test('a refused message never leads to memberships on a site that sells none', () => {
    for (const session of [MEMBER, GUEST, createSession(null), { status: 'loading' as const, auth: null }])
      expect(getUpgradeAction(code, session, false)).toBeNull();
  });
});

test('a message refused for another reason leads to no membership', () => {
  for (const code of ['', 'text_refused', 'too_many_requests', 'network'])
    expect(getUpgradeAction(code, MEMBER, true)).toBeNull();
});
