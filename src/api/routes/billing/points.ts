import { Hono, type Context } from 'hono';
import type { SessionUser } from '../../../features/account/contract.ts';
import {
  availability,
  availabilityBody,
  ledgerPage,
  ledgerQuery,
  pointsStatus,
} from '../../../features/wallet/contract.ts';
import type { Standing } from '../../../features/wallet/ledger.ts';
import { zoneNamed } from '../../../features/wallet/user-day.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { answers, takesTimeZone } from '../../openapi/openapi-route.ts';
import { requireCaller } from '../../middleware/guards.ts';
import { valid } from '../../middleware/validate.ts';

/** The one place where a person's wallet is found by the API. */
export function walletOf(c: Context<ApiEnv>, userId: string) {
  return c.env.WALLETS.get(c.env.WALLETS.idFromName(userId));
}

/** What the wallet has to know of whoever calls: whether a membership covers them, and whose clock they live by. */
export function standingOf(c: Context<ApiEnv>, user: SessionUser): Standing {
  return { unlimited: user.plan !== 'free', timeZone: zoneNamed(c.req.header('x-time-zone')) };
}

/** SPEC section 8: for somebody who has fewer. */
export const tooFewPoints = (required: number): string =>
  `You need at least ${required} points to create a character...`;

export const points = new Hono<ApiEnv>()
  .get('/', answers('One’s points', { 200: pointsStatus }), takesTimeZone, async (c) => {
    const { user } = await requireCaller(c);
    return c.json(await walletOf(c, user.id).status(standingOf(c, user)));
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
  )
  .post(
    '/check-availability',
    answers('Whether one’s points are enough for an action', { 200: availability }),
    takesTimeZone,
    valid('json', availabilityBody),
    async (c) => {
      const { user } = await requireCaller(c);
      const status = await walletOf(c, user.id).status(standingOf(c, user));
      const { current_points, permanent_points, character_cost: required } = status;
      const enough = current_points + permanent_points >= required;
      return c.json({
        success: enough,
        error: enough ? null : tooFewPoints(required),
        points_required: required,
      });
    },
  );
