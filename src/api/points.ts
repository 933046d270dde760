import { Hono, type Context } from 'hono';
import { ledgerPage, ledgerQuery, pointsStatus } from '../features/wallet/contract.ts';
import type { ApiEnv } from './context.ts';
import { answers } from './describe.ts';
import { requireCaller } from './guards.ts';
import { valid } from './valid.ts';

/** The one place where a person's wallet is found by the API. */
function walletOf(c: Context<ApiEnv>, userId: string) {
  return c.env.WALLETS.get(c.env.WALLETS.idFromName(userId));
}

export const points = new Hono<ApiEnv>()
  .get('/', answers('One’s points', { 200: pointsStatus }), async (c) => {
    const { user } = await requireCaller(c);
    return c.json(await walletOf(c, user.id).status());
  })
  .get(
    '/ledger',
    answers('Every change of one’s points', { 200: ledgerPage }),
    valid('query', ledgerQuery),
    async (c) => {
      const { user } = await requireCaller(c);
      const { cursor, limit } = c.req.valid('query');
      return c.json(await walletOf(c, user.id).ledger(cursor, limit));
    },
  );
