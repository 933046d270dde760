import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { handleDuePaymentEvents, reconcileSubscriptions } from '../../src/services/process-payment-events.ts';
import { BILLING } from '../../src/features/billing/limits.ts';
import { openDatabase } from '../../src/db/open.ts';
import { listDueForReconciliation } from '../../src/features/billing/reconciliation-queue-store.ts';
import { getClaimKeyRange } from '../../src/features/billing/event-keys.ts';
import { listDueSubscriptionIds, saveClaim } from '../../src/features/billing/payment-event-store.ts';
import { requestDeletion, confirmDeletion } from '../support/account-deletion.ts';
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
} from '../support/memberships.ts';
import { createAccount } from '../support/factories.ts';
import {
  readSubscriptionRow,
  updatePayPalSubscription,
  performPayPalAction,
  pay,
  createSignedEvent,
} from '../support/paypal.ts';

const db = openDatabase(env.DB);
const HOUR_MS = 3_600_000;

/** What waits of a subscription, or waited. */
const eventsOf = async (id: string) =>
  (
    await env.DB.prepare('select * from payment_events where subscription_id = ? order by received_at')
      .bind(id)
      .all<{ id: string; handled_at: number | null; tries: number; try_at: number }>()
  ).results;
/** The next minute whose turn it is. */
async function aMinuteLater(id: string): Promise<void> {
  await env.DB.prepare('update payment_events set try_at = 1 where subscription_id = ?').bind(id).run();
  await handleDuePaymentEvents(env, Date.now());
}

describe('A membership whose beginning is lost on the way', () => {
  test('begins all the same when PayPal did not answer as I came back from it', async () => {
    const me = await createAccount();
    const { id } = await createAgreement(me);
    await updatePayPalSubscription(id, { troubles: [{ at: 'show', status: 500, times: 1 }] });
    const answer = await activateSubscription(me, id);
    expect([answer.status, await answer.json()]).toEqual([
      502,
      expect.objectContaining({ code: 'paypal_unavailable' }),
    ]);
    expect(await getPlan(me)).toBe('free');
    await aMinuteLater(id);
    expect(await getSubscription(me)).toMatchObject({ plan: 'storyteller', status: 'active' });
    expect(await listPayments(me)).toHaveLength(1);
    expect((await eventsOf(id)).filter(({ handled_at }) => handled_at === null)).toEqual([]);
  });

  test('begins all the same when the site died before it had asked, and waits until PayPal answers', async () => {
    const me = await createAccount();
    const { id } = await createAgreement(me, {
      status: 'APPROVED',
      troubles: [{ at: 'show', status: 404, times: 2 }],
    });
    await saveClaim(db, { userId: me.id, subscriptionId: id }, Date.now());
    expect(await listDueSubscriptionIds(db, Date.now())).not.toContain(id);
    for (const tries of [1, 2]) {
      await aMinuteLater(id);
      expect(await eventsOf(id)).toMatchObject([{ handled_at: null, tries }]);
    }
    await updatePayPalSubscription(id, { status: 'ACTIVE' });
    await aMinuteLater(id);
    expect(await getPlan(me)).toBe('storyteller');
  });

  test('is not waited for where PayPal knows nothing of it, or it is not ours', async () => {
    const me = await createAccount();
    expect((await activateSubscription(me, 'I-NOSUCHTHING2')).status).toBe(404);
    expect(await eventsOf('I-NOSUCHTHING2')).toEqual([]);
    const { id } = await createAgreement(me, { plan_id: 'P-CHEAPER0000000' });
    expect((await activateSubscription(me, id)).status).toBe(422);
    expect(await eventsOf(id)).toEqual([]);
    const somebodys = await createAgreement(await createAccount());
    await saveClaim(db, { userId: me.id, subscriptionId: somebodys.id }, Date.now());
    await aMinuteLater(somebodys.id);
    expect(await getPlan(me)).toBe('free');
  });

  test('of too many that somebody names while PayPal is away, not all are asked for', async () => {
    const me = await createAccount();
    for (let number = 0; number < BILLING.maxOpenClaims + 3; number += 1)
      await saveClaim(db, { userId: me.id, subscriptionId: `I-${me.id}-${number}` }, 1);
    const kept = () =>
      env.DB.prepare("select count(*) as count from payment_events where subscription_id like ? || '%'")
        .bind(`I-${me.id}`)
        .first<number>('count');
    expect(await kept()).toBe(BILLING.maxOpenClaims);
    // Nothing of it outlives me.
    expect((await confirmDeletion(me, await requestDeletion(me))).status).toBe(200);
    expect(await kept()).toBe(0);
  });

  test('of which PayPal knows nothing, I may name some within an hour, and my own all the same later', async () => {
    const me = await createAccount();
    for (let number = 0; number < BILLING.maxMissedClaims; number += 1)
      expect((await activateSubscription(me, `I-NOTHING${number}`)).status).toBe(404);
    const refused = await activateSubscription(me, 'I-NOTHINGMORE');
    expect([refused.status, await refused.json()]).toEqual([
      429,
      expect.objectContaining({ code: 'too_many_requests' }),
    ]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
    // Nobody else waits for it.
    expect((await activateSubscription(await createAccount(), 'I-NOTHING0')).status).toBe(404);
    const [from, to] = getClaimKeyRange(me.id);
    await env.DB.prepare('update payment_events set received_at = received_at - ? where id >= ? and id < ?')
      .bind(BILLING.missedClaimsWindowMs, from, to)
      .run();
    const { id } = await createAgreement(me);
    expect((await activateSubscription(me, id)).status).toBe(200);
  });

  test('and of which a payment is told before PayPal knows it otherwise, waits and begins', async () => {
    const me = await createAccount();
    const { id, event } = await createAgreement(me, { troubles: [{ at: 'show', status: 404, times: 2 }] });
    await deliverEvents(event);
    expect(await eventsOf(id)).toMatchObject([{ handled_at: null, tries: 1 }]);
    await aMinuteLater(id);
    expect(await getPlan(me)).toBe('storyteller');
    expect(await eventsOf(id)).toMatchObject([{ handled_at: expect.any(Number) }]);
  });

  test('and of which nobody ever says more, stays to be found with what was paid', async () => {
    const me = await createAccount();
    const { id, event } = await createAgreement(me, { troubles: [{ at: 'show', status: 404 }] });
    const log = vi.spyOn(console, 'error').mockReturnValue();
    await deliverEvents(event);
    for (let minute = 0; minute < 10; minute += 1) await aMinuteLater(id);
    const lines = log.mock.calls.map(([line]) => String(line)).filter((line) => line.includes(id));
    log.mockRestore();
    expect(lines).toHaveLength(1);
    expect(await eventsOf(id)).toMatchObject([{ handled_at: null, payment: expect.stringContaining('699') }]);
    // Whatever happens to it next brings all of it.
    await updatePayPalSubscription(id, { troubles: [] });
    await deliverEvents(await createSignedEvent({ kind: 'BILLING.SUBSCRIPTION.UPDATED', subscription: id }));
    expect(await listPayments(me)).toHaveLength(1);
    expect((await eventsOf(id)).filter(({ handled_at }) => handled_at === null)).toEqual([]);
  });
});

describe('Asking after what nobody told of', () => {
  const placeOf = async (id: string) => (await listDueForReconciliation(db, Date.now())).indexOf(id);
  const ago = (id: string, { checked, end }: { checked: number; end: number }) =>
    env.DB.prepare('update subscriptions set checked_at = ?, period_end = ? where id = ?')
      .bind(Date.now() - checked, Date.now() - end, id)
      .run();

  test('begins with those whose month has just ended, however long others wait', async () => {
    const [long, ended] = [await createMember(), await createMember()];
    await ago(long.id, { checked: 300 * DAY_MS, end: -DAY_MS });
    await ago(ended.id, { checked: 2 * HOUR_MS, end: HOUR_MS });
    const [first, second] = [await placeOf(ended.id), await placeOf(long.id)];
    expect(first).toBeGreaterThanOrEqual(0);
    expect(second).toBeGreaterThan(first);
  });

  test('lets others have their turn before it asks again after one without an answer', async () => {
    const { id } = await createMember();
    const fresh = await createAgreement(await createAccount());
    await env.DB.prepare(
      "insert into subscriptions (id, user_id, plan, status, period_end, checked_at, created_at, updated_at) select ?, id, 'storyteller', 'active', 1, 0, 1, 1 from users where id = ?",
    )
      .bind(fresh.id, (await createAccount()).id)
      .run();
    await ago(id, { checked: 300 * DAY_MS, end: HOUR_MS });
    for (const one of [id, fresh.id]) {
      await updatePayPalSubscription(one, { troubles: [{ at: 'show', status: 500 }] });
      expect(await placeOf(one)).toBeGreaterThanOrEqual(0);
    }
    const log = vi.spyOn(console, 'error').mockReturnValue();
    await reconcileSubscriptions(env, Date.now());
    log.mockRestore();
    for (const one of [id, fresh.id]) expect(await placeOf(one)).toBe(-1);
    // Of one that nothing was written down of, that is still so.
    expect(await readSubscriptionRow(fresh.id)).toMatchObject({ checked_at: 0 });
    await ago(id, { checked: HOUR_MS + 1000, end: 3 * HOUR_MS });
    expect(await placeOf(id)).toBeGreaterThanOrEqual(0);
  });
});

describe('A membership that somebody changes at PayPal', () => {
  test.each([
    ['plan', { plan_id: 'P-CHEAPER0000000', price: { currency_code: 'USD', value: '0.99' } }, '0.99'],
    ['price', { price: { currency_code: 'USD', value: '0.01' } }, '0.01'],
  ])(
    'to a cheaper %s leaves me what I paid for, and what I pay then is not enough for more',
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

  test('to several of it is paid for more dearly, and brings no more', async () => {
    const { me, id } = await createMember();
    await deliverEvents((await performPayPalAction(id, 'revise', { quantity: '3' })).event);
    await shiftUserTime(me, 30 * DAY_MS);
    await deliverEvents((await pay(id, { value: '20.97' })).event);
    const { plan, current_period_end: end } = await getSubscription(me);
    expect(plan).toBe('storyteller');
    expect(Date.parse(end ?? '') - Date.now()).toBeLessThan(36 * DAY_MS);
  });
});
