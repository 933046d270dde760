import { Hono } from 'hono';
import {
  availability,
  availabilityBody,
  ledgerHistory,
  ledgerHistoryQuery,
  ledgerPage,
  ledgerQuery,
  pointsStatus,
} from '../../../features/wallet/contract.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { getEntitlement, getWalletStub } from '../../middleware/wallet.ts';
import { formatTooFewPoints } from '../../../services/create-character.ts';
import { listPointsHistory } from '../../../services/points-history.ts';
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
      const { cursor, limit, group } = c.req.valid('query');
      return c.json(await getWalletStub(c, user.id).listEntries(cursor, limit, group));
    },
  )
  .get(
    '/history',
    describeResponses('List the changes of the user’s points by day and conversation, newest first', {
      200: ledgerHistory,
    }),
    validateRequest('query', ledgerHistoryQuery),
    async (c) => {
      const { user } = await requireCaller(c);
      return c.json(
        await listPointsHistory(
          { wallet: getWalletStub(c, user.id), db: c.get('db') },
          { userId: user.id, ...c.req.valid('query') },
        ),
      );
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
