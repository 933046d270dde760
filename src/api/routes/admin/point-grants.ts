import { Hono } from 'hono';
import { isExistingUser } from '../../../features/account/account-store.ts';
import { recordStaffViews } from '../../../features/moderation/staff-store.ts';
import { pointGrantBody, pointGrantResult } from '../../../features/wallet/contract.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';
import { requireAdmin, requireCaller } from '../../middleware/guards.ts';
import { getWalletStub } from '../../middleware/wallet.ts';
import { Problem } from '../../middleware/problems.ts';
import { validateRequest } from '../../middleware/validate.ts';
import { log } from '../../../lib/log.ts';

/** Grants permanent points to a user; the ledger records the source. */
export const pointGrants = new Hono<ApiEnv>().post(
  '/',
  describeResponses('Grant permanent points to a user; repeating a `gift_id` grants nothing', {
    201: pointGrantResult,
  }),
  requireAdmin,
  validateRequest('json', pointGrantBody),
  async (c) => {
    const { user } = await requireCaller(c);
    const { gift_id: giftId, user_id: userId, points, reason } = c.req.valid('json');
    const db = c.get('db');
    // Check first, because calling the wallet creates one for any id.
    if (!(await isExistingUser(db, userId))) throw new Problem('not_found');
    // The answer contains the user's points.
    const viewed = [{ ownerId: userId, resourceType: 'account', resourceId: userId } as const];
    await recordStaffViews(db, { adminId: user.id, viewed, now: Date.now() });
    const { given, points: now } = await getWalletStub(c, userId).grant(`gift:${giftId}`, {
      kind: 'gift',
      points,
      reason,
    });
    if (!given) return c.json({ user_id: userId, given, points: now }, 201);
    log('points_granted', { admin_id: user.id, grant_id: giftId, points });
    return c.json({ user_id: userId, given, points: now }, 201);
  },
);
