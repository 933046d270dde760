import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../../src/db/open.ts';
import {
  loadSubscriptionState,
  type LoadedSubscriptionState,
  type Settlement,
  saveSubscriptionState,
} from '../../../../src/features/billing/subscription-state-store.ts';
import { savePaymentEvent } from '../../../../src/features/billing/payment-event-store.ts';
import { createId } from '../../../../src/lib/ids.ts';
import { createMember, getSubscription, listPayments, getPlan } from '../../../support/memberships.ts';
import { readSubscriptionRow, createActiveSubscription } from '../../../support/paypal.ts';

const db = openDatabase(env.DB);

/** Loads the state of a new membership and returns a function that writes its settlement as cancelled. */
async function loadSettlement() {
  const { me, id, payment } = await createMember();
  const found = (await loadSubscriptionState(db, id, Date.now())) as LoadedSubscriptionState;
  const settlement: Settlement = {
    books: { status: 'cancelled', periodEnd: found.row.periodEnd, paymentFailed: false, isRefunded: false },
    terms: { priceCents: 699, payerHash: null, startsAt: null, nextBillingAt: null },
    payments: found.payments.map((one) => ({ ...one, refundedCents: 100 })),
    plan: { plan: 'storyteller', until: 1 },
    basedOn: { paymentIds: [payment], refunds: 0 },
    extraStatements: [],
  };
  return { me, id, payment, write: () => saveSubscriptionState(db, found, { settlement, now: Date.now() }) };
}

describe('saveSubscriptionState', () => {
  test('saving a settlement writes the subscription, the payments and the plan once', async () => {
    const { me, id, write } = await loadSettlement();
    expect(await write()).toBe(true);
    expect(await readSubscriptionRow(id)).toMatchObject({ status: 'cancelled' });
    expect(await listPayments(me)).toMatchObject([{ refunded_cents: 100 }]);
    expect(await getPlan(me)).toBe('free');
    expect(await write()).toBe(false);
  });

  test.each<[string, (loaded: Awaited<ReturnType<typeof loadSettlement>>) => Promise<unknown>]>([
    [
      'the subscription was settled at the same moment',
      ({ id }) =>
        env.DB.prepare('update subscriptions set reconciled_at = reconciled_at + 1 where id = ?')
          .bind(id)
          .run(),
    ],
    ['another subscription of the same user began', ({ me }) => createActiveSubscription(me)],
    [
      'a refund arrived',
      ({ payment }) =>
        savePaymentEvent(
          db,
          {
            id: createId(Date.now()),
            kind: 'PAYMENT.SALE.REFUNDED',
            subscriptionId: null,
            payment: {
              what: 'refund',
              id: createId(Date.now()),
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
      'a commission on it was paid out',
      async ({ me, payment }) =>
        env.DB.prepare(
          "insert into commissions (id, inviter_id, payment_id, amount_cents, currency, status, created_at) values (?, ?, ?, 105, 'USD', 'paid', 1)",
        )
          .bind(createId(Date.now()), me.id, payment)
          .run(),
    ],
  ])('saving a settlement writes nothing when %s', async (_, change) => {
    const loaded = await loadSettlement();
    await change(loaded);
    const before = [await readSubscriptionRow(loaded.id), await listPayments(loaded.me)];
    expect(await loaded.write()).toBe(false);
    expect([await readSubscriptionRow(loaded.id), await listPayments(loaded.me)]).toEqual(before);
    expect(await getSubscription(loaded.me)).toMatchObject({ plan: 'storyteller' });
  });

  test('saving a settlement writes nothing when the account is deleted', async () => {
    const { me, id, write } = await loadSettlement();
    await env.DB.prepare('delete from users where id = ?').bind(me.id).run();
    expect(await write()).toBe(false);
    expect(await readSubscriptionRow(id)).toBeNull();
  });

  test('saving a settlement rethrows an unexpected database error', async () => {
    const { me, write } = await loadSettlement();
    const trigger = `full_${createId(Date.now())}`;
    await env.DB.prepare(
      `create trigger ${trigger} before update on users when new.id = '${me.id}' begin select raise(abort, 'full'); end`,
    ).run();
    try {
      await expect(write()).rejects.toThrow();
    } finally {
      await env.DB.prepare(`drop trigger ${trigger}`).run();
    }
    expect(await getPlan(me)).toBe('storyteller');
  });
});
