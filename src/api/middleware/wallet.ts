import type { Context } from 'hono';
import type { SessionUser } from '../../features/account/contract.ts';
import type { Entitlement } from '../../features/wallet/ledger.ts';
import { parseTimeZone } from '../../features/wallet/user-day.ts';
import type { ApiEnv } from './context.ts';

/** The wallet object of a person. */
export function getWalletStub(c: Context<ApiEnv>, userId: string) {
  return c.env.WALLETS.get(c.env.WALLETS.idFromName(userId));
}

/** What the wallet has to know of whoever calls: whether a membership covers them, and whose clock they live by. */
export function getEntitlement(c: Context<ApiEnv>, user: SessionUser): Entitlement {
  return { unlimited: user.plan !== 'free', timeZone: parseTimeZone(c.req.header('x-time-zone')) };
}
