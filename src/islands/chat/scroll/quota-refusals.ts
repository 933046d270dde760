import type { AuthStatus } from '../../../features/account/contract.ts';

const QUOTA_CODES: Record<string, true> = { points_exhausted: true, daily_limit_reached: true };

/** Returns whether a refusal ends with more points or a new day only: retrying at once would change nothing. */
export const isQuotaExceeded = (code: string): boolean => QUOTA_CODES[code] === true;

/**
 * Returns how a reader gets more messages after a refusal: `log_in` for guests, since a membership belongs to an account;
 * `membership` for accounts; null after other refusals and where no membership is sold.
 * @param code of the refusal
 * @param session whose `status` is `loading` until the server has answered who is here
 */
export function getUpgradeAction(
  code: string,
  session: { status: 'loading' | 'known'; auth: AuthStatus | null },
  sells: boolean,
): 'log_in' | 'membership' | null {
  if (!isQuotaExceeded(code) || !sells) return null;
  const user = session.auth?.user;
  return session.status === 'known' && (!user || user.is_anonymous) ? 'log_in' : 'membership';
}
