import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { handleDueEvents, reconcile } from '../../src/services/process-payment-events.ts';
import { BILLING } from '../../src/features/billing/limits.ts';
import { openDatabase } from '../../src/db/open.ts';
import { toBeAsked } from '../../src/features/billing/reconciliation-queue-store.ts';
import { claimsOf } from '../../src/features/billing/event-keys.ts';
import { dueEvents, keepClaim } from '../../src/features/billing/payment-event-store.ts';
import { askedToDelete, confirm } from '../support/leaving.ts';
import {
  activate,
  agreed,
  DAY_MS,
  later,
  member,
  mySubscription,
  paymentsOf,
  planOf,
  told,
} from '../support/members.ts';
import { signedIn } from '../support/makers.ts';
import { booked, changeAtPayPal, happensAtPayPal, pay, signedEvent } from '../support/paypal.ts';

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
  await handleDueEvents(env, Date.now());
}

describe('A membership whose beginning is lost on the way', () => {
  test('begins all the same when PayPal did not answer as I came back from it', async () => {
    const me = await signedIn();
    const { id } = await agreed(me);
    await changeAtPayPal(id, { troubles: [{ at: 'show', status: 500, times: 1 }] });
    const answer = await activate(me, id);
    expect([answer.status, await answer.json()]).toEqual([
      502,
      expect.objectContaining({ code: 'paypal_unavailable' }),
    ]);
    expect(await planOf(me)).toBe('free');
    await aMinuteLater(id);
    expect(await mySubscription(me)).toMatchObject({ plan: 'storyteller', status: 'active' });
    expect(await paymentsOf(me)).toHaveLength(1);
    expect((await eventsOf(id)).filter(({ handled_at }) => handled_at === null)).toEqual([]);
  });

  test('begins all the same when the site died before it had asked, and waits until PayPal answers', async () => {
    const me = await signedIn();
    const { id } = await agreed(me, {
      status: 'APPROVED',
      troubles: [{ at: 'show', status: 404, times: 2 }],
    });
    await keepClaim(db, { userId: me.id, subscriptionId: id }, Date.now());
    expect(await dueEvents(db, Date.now())).not.toContain(id);
    for (const tries of [1, 2]) {
      await aMinuteLater(id);
      expect(await eventsOf(id)).toMatchObject([{ handled_at: null, tries }]);
    }
    await changeAtPayPal(id, { status: 'ACTIVE' });
    await aMinuteLater(id);
    expect(await planOf(me)).toBe('storyteller');
  });

  test('is not waited for where PayPal knows nothing of it, or it is not ours', async () => {
    const me = await signedIn();
    expect((await activate(me, 'I-NOSUCHTHING2')).status).toBe(404);
    expect(await eventsOf('I-NOSUCHTHING2')).toEqual([]);
    const { id } = await agreed(me, { plan_id: 'P-CHEAPER0000000' });
    expect((await activate(me, id)).status).toBe(422);
    expect(await eventsOf(id)).toEqual([]);
    const somebodys = await agreed(await signedIn());
    await keepClaim(db, { userId: me.id, subscriptionId: somebodys.id }, Date.now());
    await aMinuteLater(somebodys.id);
    expect(await planOf(me)).toBe('free');
  });

  test('of too many that somebody names while PayPal is away, not all are asked for', async () => {
    const me = await signedIn();
    for (let number = 0; number < BILLING.openClaims + 3; number += 1)
      await keepClaim(db, { userId: me.id, subscriptionId: `I-${me.id}-${number}` }, 1);
    const kept = () =>
      env.DB.prepare("select count(*) as count from payment_events where subscription_id like ? || '%'")
        .bind(`I-${me.id}`)
        .first<number>('count');
    expect(await kept()).toBe(BILLING.openClaims);
    // Nothing of it outlives me.
    expect((await confirm(me, await askedToDelete(me))).status).toBe(200);
    expect(await kept()).toBe(0);
  });

  test('of which PayPal knows nothing, I may name some within an hour, and my own all the same later', async () => {
    const me = await signedIn();
    for (let number = 0; number < BILLING.misses; number += 1)
      expect((await activate(me, `I-NOTHING${number}`)).status).toBe(404);
    const refused = await activate(me, 'I-NOTHINGMORE');
    expect([refused.status, await refused.json()]).toEqual([
      429,
      expect.objectContaining({ code: 'too_many_requests' }),
    ]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
    // Nobody else waits for it.
    expect((await activate(await signedIn(), 'I-NOTHING0')).status).toBe(404);
    const [from, to] = claimsOf(me.id);
    await env.DB.prepare('update payment_events set received_at = received_at - ? where id >= ? and id < ?')
      .bind(BILLING.missesWithinMs, from, to)
      .run();
    const { id } = await agreed(me);
    expect((await activate(me, id)).status).toBe(200);
  });

  test('and of which a payment is told before PayPal knows it otherwise, waits and begins', async () => {
    const me = await signedIn();
    const { id, event } = await agreed(me, { troubles: [{ at: 'show', status: 404, times: 2 }] });
    await told(event);
    expect(await eventsOf(id)).toMatchObject([{ handled_at: null, tries: 1 }]);
    await aMinuteLater(id);
    expect(await planOf(me)).toBe('storyteller');
    expect(await eventsOf(id)).toMatchObject([{ handled_at: expect.any(Number) }]);
  });

  test('and of which nobody ever says more, stays to be found with what was paid', async () => {
    const me = await signedIn();
    const { id, event } = await agreed(me, { troubles: [{ at: 'show', status: 404 }] });
    const log = vi.spyOn(console, 'error').mockReturnValue();
    await told(event);
    for (let minute = 0; minute < 10; minute += 1) await aMinuteLater(id);
    const lines = log.mock.calls.map(([line]) => String(line)).filter((line) => line.includes(id));
    log.mockRestore();
    expect(lines).toHaveLength(1);
    expect(await eventsOf(id)).toMatchObject([{ handled_at: null, payment: expect.stringContaining('699') }]);
    // Whatever happens to it next brings all of it.
    await changeAtPayPal(id, { troubles: [] });
    await told(await signedEvent({ kind: 'BILLING.SUBSCRIPTION.UPDATED', subscription: id }));
    expect(await paymentsOf(me)).toHaveLength(1);
    expect((await eventsOf(id)).filter(({ handled_at }) => handled_at === null)).toEqual([]);
  });
});

describe('Asking after what nobody told of', () => {
  const placeOf = async (id: string) => (await toBeAsked(db, Date.now())).indexOf(id);
  const ago = (id: string, { checked, end }: { checked: number; end: number }) =>
    env.DB.prepare('update subscriptions set checked_at = ?, period_end = ? where id = ?')
      .bind(Date.now() - checked, Date.now() - end, id)
      .run();

  test('begins with those whose month has just ended, however long others wait', async () => {
    const [long, ended] = [await member(), await member()];
    await ago(long.id, { checked: 300 * DAY_MS, end: -DAY_MS });
    await ago(ended.id, { checked: 2 * HOUR_MS, end: HOUR_MS });
    const [first, second] = [await placeOf(ended.id), await placeOf(long.id)];
    expect(first).toBeGreaterThanOrEqual(0);
    expect(second).toBeGreaterThan(first);
  });

  test('lets others have their turn before it asks again after one without an answer', async () => {
    const { id } = await member();
    const fresh = await agreed(await signedIn());
    await env.DB.prepare(
      "insert into subscriptions (id, user_id, plan, status, period_end, checked_at, created_at, updated_at) select ?, id, 'storyteller', 'active', 1, 0, 1, 1 from users where id = ?",
    )
      .bind(fresh.id, (await signedIn()).id)
      .run();
    await ago(id, { checked: 300 * DAY_MS, end: HOUR_MS });
    for (const one of [id, fresh.id]) {
      await changeAtPayPal(one, { troubles: [{ at: 'show', status: 500 }] });
      expect(await placeOf(one)).toBeGreaterThanOrEqual(0);
    }
    const log = vi.spyOn(console, 'error').mockReturnValue();
    await reconcile(env, Date.now());
    log.mockRestore();
    for (const one of [id, fresh.id]) expect(await placeOf(one)).toBe(-1);
    // Of one that nothing was written down of, that is still so.
    expect(await booked(fresh.id)).toMatchObject({ checked_at: 0 });
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
      const { me, id } = await member();
      const before = await mySubscription(me);
      await told((await happensAtPayPal(id, 'revise', revised)).event);
      expect(await mySubscription(me)).toMatchObject({
        plan: 'storyteller',
        status: 'active',
        current_period_end: before.current_period_end,
      });
      await later(me, 31 * DAY_MS);
      await told((await pay(id, { value })).event);
      await later(me, 1.5 * DAY_MS);
      expect(await planOf(me)).toBe('free');
    },
  );

  test('to several of it is paid for more dearly, and brings no more', async () => {
    const { me, id } = await member();
    await told((await happensAtPayPal(id, 'revise', { quantity: '3' })).event);
    await later(me, 30 * DAY_MS);
    await told((await pay(id, { value: '20.97' })).event);
    const { plan, current_period_end: end } = await mySubscription(me);
    expect(plan).toBe('storyteller');
    expect(Date.parse(end ?? '') - Date.now()).toBeLessThan(36 * DAY_MS);
  });
});
