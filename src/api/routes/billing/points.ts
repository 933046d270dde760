import { Hono } from 'hono';
import {
  availability,
  availabilityBody,
  ledgerPage,
  ledgerQuery,
  pointsStatus,
} from '../../../features/wallet/contract.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { standingOf, walletOf } from '../../middleware/wallet.ts';
import { tooFewPoints } from '../../../services/create-character.ts';
import { answers, takesTimeZone } from '../../openapi/openapi-route.ts';
import { requireCaller } from '../../middleware/guards.ts';
import { valid } from '../../middleware/validate.ts';

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
