import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import {
  readBooks,
  type ReadBooks,
  type Settlement,
  writeBooks,
} from '../../src/features/billing/subscription-state-store.ts';
import { keepEvent } from '../../src/features/billing/payment-event-store.ts';
import { newId } from '../../src/lib/ids.ts';
import { member, mySubscription, paymentsOf, planOf } from '../support/members.ts';
import { booked, subscribed } from '../support/paypal.ts';

const db = openDatabase(env.DB);

/** Somebody's membership as one who settles it has read it, and what they would write: that it was cancelled. */
async function read() {
  const { me, id, payment } = await member();
  const found = (await readBooks(db, id, Date.now())) as ReadBooks;
  const settlement: Settlement = {
    books: { status: 'cancelled', periodEnd: found.row.periodEnd, isFailing: false, wentBack: false },
    terms: { agreedCents: 699, payerHash: null, beginsAt: null, nextBillingAt: null },
    payments: found.payments.map((one) => ({ ...one, refundedCents: 100 })),
    plan: { plan: 'storyteller', until: 1 },
    lookedAt: { paymentIds: [payment], refunds: 0 },
    more: [],
  };
  return { me, id, payment, write: () => writeBooks(db, found, { settlement, now: Date.now() }) };
}

describe('Whoever settles a membership', () => {
  test('writes all that they found out, once', async () => {
    const { me, id, write } = await read();
    expect(await write()).toBe(true);
    expect(await booked(id)).toMatchObject({ status: 'cancelled' });
    expect(await paymentsOf(me)).toMatchObject([{ refunded_cents: 100 }]);
    expect(await planOf(me)).toBe('free');
    expect(await write()).toBe(false);
  });

  test.each<[string, (world: Awaited<ReturnType<typeof read>>) => Promise<unknown>]>([
    [
      'somebody has settled it since, in the very same moment',
      ({ id }) =>
        env.DB.prepare('update subscriptions set checked_at = checked_at + 1 where id = ?').bind(id).run(),
    ],
    ['another one of the same person began since', ({ me }) => subscribed(me)],
    [
      'money went back since',
      ({ payment }) =>
        keepEvent(
          db,
          {
            id: newId(Date.now()),
            kind: 'PAYMENT.SALE.REFUNDED',
            subscriptionId: null,
            payment: {
              what: 'refund',
              id: newId(Date.now()),
              paymentId: payment,
              amountCents: 1,
              currency: 'USD',
              at: Date.now(),
            },
          },
          Date.now(),
        ),
    ],
    [
      'a commission of it was paid out since',
      async ({ me, payment }) =>
        env.DB.prepare(
          "insert into commissions (id, inviter_id, payment_id, amount_cents, currency, status, created_at) values (?, ?, ?, 105, 'USD', 'paid', 1)",
        )
          .bind(newId(Date.now()), me.id, payment)
          .run(),
    ],
  ])('writes nothing at all where %s', async (_, change) => {
    const world = await read();
    await change(world);
    const before = [await booked(world.id), await paymentsOf(world.me)];
    expect(await world.write()).toBe(false);
    expect([await booked(world.id), await paymentsOf(world.me)]).toEqual(before);
    expect(await mySubscription(world.me)).toMatchObject({ plan: 'storyteller' });
  });

  test('writes nothing where the account is gone', async () => {
    const { me, id, write } = await read();
    await env.DB.prepare('delete from users where id = ?').bind(me.id).run();
    expect(await write()).toBe(false);
    expect(await booked(id)).toBeNull();
  });

  test('is told what is wrong where it is not that', async () => {
    const { me, write } = await read();
    const trigger = `full_${newId(Date.now())}`;
    await env.DB.prepare(
      `create trigger ${trigger} before update on users when new.id = '${me.id}' begin select raise(abort, 'full'); end`,
    ).run();
    try {
      await expect(write()).rejects.toThrow();
    } finally {
      await env.DB.prepare(`drop trigger ${trigger}`).run();
    }
    expect(await planOf(me)).toBe('storyteller');
  });
});
