import { Hono } from 'hono';
import { owed, payout, payoutBody } from '../features/billing/contract.ts';
import { owedTo, payOut } from '../features/billing/payout-store.ts';
import { newId } from '../ids.ts';
import type { ApiEnv } from './context.ts';
import { answers } from './describe.ts';
import { requireAdmin, requireCaller } from './guards.ts';
import { Problem } from './problems.ts';
import { valid } from './valid.ts';

/** What the operator pays to inviters. The money goes another way: this is where it is written down. */
export const payouts = new Hono<ApiEnv>()
  .get('/', answers('Who is owed commission, and how much', { 200: owed }), requireAdmin, async (c) =>
    c.json({ items: await owedTo(c.get('db')) }),
  )
  .post(
    '/',
    answers('Write down that somebody was paid all that they are owed', { 201: payout }),
    requireAdmin,
    valid('json', payoutBody),
    async (c) => {
      const { user } = await requireCaller(c);
      const { user_id: userId, note } = c.req.valid('json');
      const now = Date.now();
      const done = await payOut(c.get('db'), { id: newId(now), userId, note, now });
      if (done === null) throw new Problem('nothing_due');
      const { id, amountCents, currency } = done;
      console.log(
        JSON.stringify({
          event: 'paid_out',
          request_id: c.get('requestId'),
          admin_id: user.id,
          payout_id: id,
        }),
      );
      return c.json(
        { id, user_id: userId, amount_cents: amountCents, currency, note, at: new Date(now).toISOString() },
        201,
      );
    },
  );
