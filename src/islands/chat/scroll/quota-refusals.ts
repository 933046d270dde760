import type { AuthStatus } from '../../../features/account/contract.ts';

const QUOTA_CODES: Record<string, true> = { points_exhausted: true, daily_limit_reached: true };

/** Whether only more points or a new day can resolve a refusal, so that a retry now would fail again. */
export const isQuotaExceeded = (code: string): boolean => QUOTA_CODES[code] === true;

/**
 * Returns the way to more messages after a quota refusal: `log_in` for guests, because a membership needs an account;
 * `membership` for accounts; null for other codes and when no memberships are sold.
 * @param code of the refusal
 * @param session `status` is `loading` until the server has answered
 */
export function getUpgradeAction(
  code: string,
  session: { status: 'loading' | 'known'; auth: AuthStatus | null },
  hasMemberships: boolean,
): 'log_in' | 'membership' | null {
  if (!isQuotaExceeded(code) || !hasMemberships) return null;
  const user = session.auth?.user;
  return session.status === 'known' && (!user || user.is_anonymous) ? 'log_in' : 'membership';
}
