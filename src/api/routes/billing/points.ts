import { Hono } from 'hono';
import {
  availability,
  availabilityBody,
  ledgerPage,
  ledgerQuery,
  pointsStatus,
} from '../../../features/wallet/contract.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { getEntitlement, getWalletStub } from '../../middleware/wallet.ts';
import { formatTooFewPoints } from '../../../services/create-character.ts';
import { describeResponses, describeTimeZone } from '../../openapi/openapi-route.ts';
import { requireCaller } from '../../middleware/guards.ts';
import { validateRequest } from '../../middleware/validate.ts';

export const points = new Hono<ApiEnv>()
  .get(
    '/',
    describeResponses('Get the user’s points', { 200: pointsStatus }),
    describeTimeZone,
    async (c) => {
      const { user } = await requireCaller(c);
      return c.json(await getWalletStub(c, user.id).getStatus(getEntitlement(c, user)));
    },
  )
  .get(
    '/ledger',
    describeResponses('List the user’s ledger entries, newest first', { 200: ledgerPage }),
    validateRequest('query', ledgerQuery),
    async (c) => {
      const { user } = await requireCaller(c);
      const { cursor, limit } = c.req.valid('query');
      return c.json(await getWalletStub(c, user.id).listEntries(cursor, limit));
    },
  )
  .post(
    '/check-availability',
    describeResponses('Check whether the user has enough points for an action', { 200: availability }),
    describeTimeZone,
    validateRequest('json', availabilityBody),
    async (c) => {
      const { user } = await requireCaller(c);
      const status = await getWalletStub(c, user.id).getStatus(getEntitlement(c, user));
      const { current_points, permanent_points, character_cost: required } = status;
      const enough = current_points + permanent_points >= required;
      return c.json({
        success: enough,
        error: enough ? null : formatTooFewPoints(required),
        points_required: required,
      });
    },
  );
