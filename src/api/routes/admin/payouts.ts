import { Hono } from 'hono';
import { payoutOverview, payout, payoutBody } from '../../../features/billing/contract.ts';
import {
  listOwedCommissions,
  listPayouts,
  recordPayout,
  type Payout,
} from '../../../features/billing/payout-store.ts';
import { recordStaffViews } from '../../../features/moderation/staff-store.ts';
import { createId } from '../../../lib/ids.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';
import { requireAdmin, requireCaller } from '../../middleware/guards.ts';
import { Problem } from '../../middleware/problems.ts';
import { validateRequest } from '../../middleware/validate.ts';
import { log } from '../../../lib/log.ts';

const toPayoutBody = ({ id, userId, amountCents, currency, note, createdAt }: Payout) => ({
  id,
  user_id: userId,
  amount_cents: amountCents,
  currency,
  note,
  at: new Date(createdAt).toISOString(),
});

/** Records payouts to inviters. The payment itself happens outside this system. */
export const payouts = new Hono<ApiEnv>()
  .get(
    '/',
    describeResponses(
      'List the users owed commission, who can see that staff viewed them, and past payouts',
      {
        200: payoutOverview,
      },
    ),
    requireAdmin,
    async (c) => {
      const { user } = await requireCaller(c);
      const db = c.get('db');
      const [items, paid] = await Promise.all([listOwedCommissions(db), listPayouts(db)]);
      // The list shows names and addresses, so record an access for each user in it.
      const viewed = items.map(
        ({ user_id: id }) => ({ ownerId: id, resourceType: 'account', resourceId: id }) as const,
      );
      await recordStaffViews(db, { adminId: user.id, viewed, now: Date.now() });
      return c.json({ items, paid: paid.map(toPayoutBody) });
    },
  )
  .post(
    '/',
    describeResponses('Record the payout of all commissions due to a user', { 201: payout }),
    requireAdmin,
    validateRequest('json', payoutBody),
    async (c) => {
      const { user } = await requireCaller(c);
      const { user_id: userId, amount_cents: amountCents, note } = c.req.valid('json');
      const now = Date.now();
      const { done, dueCents } = await recordPayout(c.get('db'), {
        id: createId(now),
        userId,
        amountCents,
        note,
        now,
      });
      if (done === null) {
        if (dueCents <= 0) throw new Problem('no_balance_due');
        throw new Problem('payout_conflict', { amount_cents: dueCents });
      }
      log('payout_recorded', { admin_id: user.id, payout_id: done.id });
      return c.json(toPayoutBody(done), 201);
    },
  );
