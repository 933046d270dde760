import type { Context } from 'hono';
import type { SessionUser } from '../../features/account/contract.ts';
import type { Entitlement } from '../../features/wallet/ledger.ts';
import { parseTimeZone } from '../../features/wallet/user-day.ts';
import type { ApiEnv } from './context.ts';

/** Returns the wallet object of a user. */
export function getWalletStub(c: Context<ApiEnv>, userId: string) {
  return c.env.WALLETS.get(c.env.WALLETS.idFromName(userId));
}

/**
 * Returns the caller's entitlement for the wallet: whether a membership covers messages, and the time zone of their day.
 */
export function getEntitlement(c: Context<ApiEnv>, user: SessionUser): Entitlement {
  return { unlimited: user.plan !== 'free', timeZone: parseTimeZone(c.req.header('x-time-zone')) };
}
