import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import {
  handleDuePaymentEvents,
  reconcileSubscriptions,
} from '../../../../src/services/process-payment-events.ts';
import { BILLING } from '../../../../src/features/billing/limits.ts';
import { openDatabase } from '../../../../src/db/open.ts';
import { listDueForReconciliation } from '../../../../src/features/billing/reconciliation-queue-store.ts';
import { getClaimKeyRange } from '../../../../src/features/billing/event-keys.ts';
import { listDueSubscriptionIds, saveClaim } from '../../../../src/features/billing/payment-event-store.ts';
import { requestDeletion, confirmDeletion } from '../../../support/account-deletion.ts';
import {
  activateSubscription,
  createAgreement,
  DAY_MS,
  shiftUserTime,
  createMember,
  getSubscription,
  listPayments,
  getPlan,
  deliverEvents,
} from '../../../support/memberships.ts';
import { createAccount } from '../../../support/factories.ts';
import {
  readSubscriptionRow,
  updatePayPalSubscription,
  performPayPalAction,
  pay,
  createSignedEvent,
} from '../../../support/paypal.ts';

const db = openDatabase(env.DB);
const HOUR_MS = 3_600_000;

/** The stored payment events of a subscription, handled or waiting. */
const readEvents = async (id: string) =>
  (
    await env.DB.prepare('select * from payment_events where subscription_id = ? order by received_at')
      .bind(id)
      .all<{ id: string; handled_at: number | null; tries: number; retry_at: number }>()
  ).results;
/** Lets the event become due and runs the job of the next minute. */
async function runNextMinute(id: string): Promise<void> {
  await env.DB.prepare('update payment_events set retry_at = 1 where subscription_id = ?').bind(id).run();
  await handleDuePaymentEvents(env, Date.now());
}

describe('Lost subscription starts', () => {
  test('a membership begins although PayPal gave no answer when the user came back from it', async () => {
    const me = await createAccount();
    const { id } = await createAgreement(me);
    await updatePayPalSubscription(id, { troubles: [{ at: 'show', status: 500, times: 1 }] });
    const answer = await activateSubscription(me, id);
    expect([answer.status, await answer.json()]).toEqual([
      502,
      expect.objectContaining({ code: 'paypal_unavailable' }),
    ]);
    expect(await getPlan(me)).toBe('free');
    await runNextMinute(id);
    expect(await getSubscription(me)).toMatchObject({ plan: 'storyteller', status: 'active' });
    expect(await listPayments(me)).toHaveLength(1);
    expect((await readEvents(id)).filter(({ handled_at }) => handled_at === null)).toEqual([]);
  });

  test('a claimed membership begins after the site crashed before asking, once PayPal answers', async () => {
    const me = await createAccount();
    const { id } = await createAgreement(me, {
      status: 'APPROVED',
      troubles: [{ at: 'show', status: 404, times: 2 }],
    });
    await saveClaim(db, { userId: me.id, subscriptionId: id }, Date.now());
    expect(await listDueSubscriptionIds(db, Date.now())).not.toContain(id);
    for (const tries of [1, 2]) {
      await runNextMinute(id);
      expect(await readEvents(id)).toMatchObject([{ handled_at: null, tries }]);
    }
    await updatePayPalSubscription(id, { status: 'ACTIVE' });
    await runNextMinute(id);
    expect(await getPlan(me)).toBe('storyteller');
  });

  test('a claim is not kept for a subscription that PayPal does not know or that is another user’s', async () => {
    const me = await createAccount();
    expect((await activateSubscription(me, 'I-NOSUCHTHING2')).status).toBe(404);
    expect(await readEvents('I-NOSUCHTHING2')).toEqual([]);
    const { id } = await createAgreement(me, { plan_id: 'P-CHEAPER0000000' });
    expect((await activateSubscription(me, id)).status).toBe(422);
    expect(await readEvents(id)).toEqual([]);
    const otherUsers = await createAgreement(await createAccount());
    await saveClaim(db, { userId: me.id, subscriptionId: otherUsers.id }, Date.now());
    await runNextMinute(otherUsers.id);
    expect(await getPlan(me)).toBe('free');
  });

  test('the number of open claims of one user is limited, and account deletion removes them', async () => {
    const me = await createAccount();
    for (let number = 0; number < BILLING.maxOpenClaims + 3; number += 1)
      await saveClaim(db, { userId: me.id, subscriptionId: `I-${me.id}-${number}` }, 1);
    const countClaims = () =>
      env.DB.prepare("select count(*) as count from payment_events where subscription_id like ? || '%'")
        .bind(`I-${me.id}`)
        .first<number>('count');
    expect(await countClaims()).toBe(BILLING.maxOpenClaims);
    // Account deletion removes the claims.
    expect((await confirmDeletion(me, await requestDeletion(me))).status).toBe(200);
    expect(await countClaims()).toBe(0);
  });

  test('naming too many unknown subscriptions within an hour is refused, and an own one works later', async () => {
    const me = await createAccount();
    for (let number = 0; number < BILLING.maxMissedClaims; number += 1)
      expect((await activateSubscription(me, `I-NOTHING${number}`)).status).toBe(404);
    const refused = await activateSubscription(me, 'I-NOTHINGMORE');
    expect([refused.status, await refused.json()]).toEqual([
      429,
      expect.objectContaining({ code: 'too_many_requests' }),
    ]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
    // The limit applies to this user only.
    expect((await activateSubscription(await createAccount(), 'I-NOTHING0')).status).toBe(404);
    const [from, to] = getClaimKeyRange(me.id);
    await env.DB.prepare('update payment_events set received_at = received_at - ? where id >= ? and id < ?')
      .bind(BILLING.missedClaimsWindowMs, from, to)
      .run();
    const { id } = await createAgreement(me);
    expect((await activateSubscription(me, id)).status).toBe(200);
  });

  test('a payment event that comes before PayPal knows the subscription waits and starts it later', async () => {
    const me = await createAccount();
    const { id, event } = await createAgreement(me, { troubles: [{ at: 'show', status: 404, times: 2 }] });
    await deliverEvents(event);
    expect(await readEvents(id)).toMatchObject([{ handled_at: null, tries: 1 }]);
    await runNextMinute(id);
    expect(await getPlan(me)).toBe('storyteller');
    expect(await readEvents(id)).toMatchObject([{ handled_at: expect.any(Number) }]);
  });

  test('an unresolved payment event is logged once and kept with its payment', async () => {
    const me = await createAccount();
    const { id, event } = await createAgreement(me, { troubles: [{ at: 'show', status: 404 }] });
    const log = vi.spyOn(console, 'error').mockReturnValue();
    await deliverEvents(event);
    for (let minute = 0; minute < 10; minute += 1) await runNextMinute(id);
    const lines = log.mock.calls.map(([line]) => String(line)).filter((line) => line.includes(id));
    log.mockRestore();
    expect(lines).toHaveLength(1);
    expect(await readEvents(id)).toMatchObject([
      { handled_at: null, payment: expect.stringContaining('699') },
    ]);
    // The next event of the subscription settles everything.
    await updatePayPalSubscription(id, { troubles: [] });
    await deliverEvents(await createSignedEvent({ kind: 'BILLING.SUBSCRIPTION.UPDATED', subscription: id }));
    expect(await listPayments(me)).toHaveLength(1);
    expect((await readEvents(id)).filter(({ handled_at }) => handled_at === null)).toEqual([]);
  });
});

describe('Subscription reconciliation', () => {
  const getQueuePosition = async (id: string) => (await listDueForReconciliation(db, Date.now())).indexOf(id);
  const backdate = (id: string, { checked, end }: { checked: number; end: number }) =>
    env.DB.prepare('update subscriptions set reconciled_at = ?, period_end = ? where id = ?')
      .bind(Date.now() - checked, Date.now() - end, id)
      .run();

  test('reconciliation starts with subscriptions whose month has just ended', async () => {
    const [long, ended] = [await createMember(), await createMember()];
    await backdate(long.id, { checked: 300 * DAY_MS, end: -DAY_MS });
    await backdate(ended.id, { checked: 2 * HOUR_MS, end: HOUR_MS });
    const [first, second] = [await getQueuePosition(ended.id), await getQueuePosition(long.id)];
    expect(first).toBeGreaterThanOrEqual(0);
    expect(second).toBeGreaterThan(first);
  });

  test('reconciliation asks about other subscriptions before one that gave no answer', async () => {
    const { id } = await createMember();
    const fresh = await createAgreement(await createAccount());
    await env.DB.prepare(
      "insert into subscriptions (id, user_id, plan, status, period_end, reconciled_at, created_at, updated_at) select ?, id, 'storyteller', 'active', 1, 0, 1, 1 from users where id = ?",
    )
      .bind(fresh.id, (await createAccount()).id)
      .run();
    await backdate(id, { checked: 300 * DAY_MS, end: HOUR_MS });
    for (const one of [id, fresh.id]) {
      await updatePayPalSubscription(one, { troubles: [{ at: 'show', status: 500 }] });
      expect(await getQueuePosition(one)).toBeGreaterThanOrEqual(0);
    }
    const log = vi.spyOn(console, 'error').mockReturnValue();
    await reconcileSubscriptions(env, Date.now());
    log.mockRestore();
    for (const one of [id, fresh.id]) expect(await getQueuePosition(one)).toBe(-1);
    // Nothing was written about this one, so its time of the last check is unchanged.
    expect(await readSubscriptionRow(fresh.id)).toMatchObject({ reconciled_at: 0 });
    await backdate(id, { checked: HOUR_MS + 1000, end: 3 * HOUR_MS });
    expect(await getQueuePosition(id)).toBeGreaterThanOrEqual(0);
  });
});

describe('Subscriptions changed at PayPal', () => {
  test.each([
    ['plan', { plan_id: 'P-CHEAPER0000000', price: { currency_code: 'USD', value: '0.99' } }, '0.99'],
    ['price', { price: { currency_code: 'USD', value: '0.01' } }, '0.01'],
  ])(
    'a change to a cheaper %s keeps the paid month, and the lower payment brings no plan',
    async (_what, revised, value) => {
      const { me, id } = await createMember();
      const before = await getSubscription(me);
      await deliverEvents((await performPayPalAction(id, 'revise', revised)).event);
      expect(await getSubscription(me)).toMatchObject({
        plan: 'storyteller',
        status: 'active',
        current_period_end: before.current_period_end,
      });
      await shiftUserTime(me, 31 * DAY_MS);
      await deliverEvents((await pay(id, { value })).event);
      await shiftUserTime(me, 1.5 * DAY_MS);
      expect(await getPlan(me)).toBe('free');
    },
  );

  test('a higher quantity costs more and brings no longer membership', async () => {
    const { me, id } = await createMember();
    await deliverEvents((await performPayPalAction(id, 'revise', { quantity: '3' })).event);
    await shiftUserTime(me, 30 * DAY_MS);
    await deliverEvents((await pay(id, { value: '20.97' })).event);
    const { plan, current_period_end: end } = await getSubscription(me);
    expect(plan).toBe('storyteller');
    expect(Date.parse(end ?? '') - Date.now()).toBeLessThan(36 * DAY_MS);
  });
});
