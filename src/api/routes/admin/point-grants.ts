import { Hono } from 'hono';
import { isThere } from '../../../features/account/account-store.ts';
import { giftBody, giftGiven } from '../../../features/wallet/contract.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { answers } from '../../openapi/openapi-route.ts';
import { requireAdmin, requireCaller } from '../../middleware/guards.ts';
import { walletOf } from '../../middleware/wallet.ts';
import { Problem } from '../../middleware/problems.ts';
import { valid } from '../../middleware/validate.ts';
import { log } from '../../../lib/log.ts';

/** Points as a present of the operator: they stay, and the ledger says where they came from. */
export const gifts = new Hono<ApiEnv>().post(
  '/',
  answers('Give somebody points that stay; the same gift again gives nothing twice', { 201: giftGiven }),
  requireAdmin,
  valid('json', giftBody),
  async (c) => {
    const { user } = await requireCaller(c);
    const { gift_id: giftId, user_id: userId, points } = c.req.valid('json');
    // A wallet would be made for anybody.
    if (!(await isThere(c.get('db'), userId))) throw new Problem('not_found');
    const { given, points: now } = await walletOf(c, userId).give(`gift:${giftId}`, { kind: 'gift', points });
    if (!given) return c.json({ user_id: userId, given, points: now }, 201);
    log('points_given', { admin_id: user.id, gift_id: giftId, points });
    return c.json({ user_id: userId, given, points: now }, 201);
  },
);
