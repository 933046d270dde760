import type { AuthStatus } from '../../../features/account/contract.ts';
import { isQuotaExceeded } from './quota-refusals.ts';

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
