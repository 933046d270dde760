// Over 400 lines: everything that PayPal may tell, true or made up, over one stand-in company.
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { api } from '../../src/api/app.ts';
import { handleDuePaymentEvents, reconcileSubscriptions } from '../../src/services/process-payment-events.ts';
import { verifyWithTimeout } from '../../src/api/routes/billing/paypal-webhook.ts';
import { openDatabase } from '../../src/db/open.ts';
import {
  savePaymentEvent,
  schedulePaymentEventRetry,
  removeOldPaymentEvents,
  lockPaymentEvents,
} from '../../src/features/billing/payment-event-store.ts';
import {
  activateSubscription,
  createAgreement,
  waitForEvents,
  DAY_MS,
  shiftUserTime,
  createMember,
  getSubscription,
  listPayments,
  getPlan,
  postWebhook,
  deliverEvents,
} from '../support/memberships.ts';
import { ORIGIN, createAccount } from '../support/factories.ts';
import {
  updatePayPalSubscription,
  failPayment,
  performPayPalAction,
  pay,
  refund,
  reverse,
  createSignedEvent,
  failVerification,
} from '../support/paypal.ts';
import type { SignedEvent } from '../support/paypal-events.ts';

const answered = async (response: Response) => [response.status, await response.json()];
const refused = (status: number, code: string) => [status, expect.objectContaining({ code })];
const eventOf = (id: string) =>
  env.DB.prepare('select * from payment_events where id = ?')
    .bind(id)
    .first<{ handled_at: number | null; tries: number; try_at: number; payment: string | null }>();

const callWith = (variables: Partial<Record<string, string>>, { headers, body }: SignedEvent) =>
  api.fetch(
    new Request(`${ORIGIN}/api/paypal/webhook`, { method: 'POST', headers, body }),
    { ...env, ...variables },
    { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} } as never,
  );

describe('An event that PayPal posts', () => {
  test('is taken from a server of its own, without a session and whatever it says of its origin', async () => {
    const { me, id } = await createMember();
    const { event } = await performPayPalAction(id, 'suspend');
    const foreign = { ...event.headers, origin: 'https://www.paypal.com', 'sec-fetch-site': 'cross-site' };
    expect(await answered(await postWebhook({ ...event, headers: foreign }))).toEqual([
      200,
      { received: true },
    ]);
    await waitForEvents();
    expect(await getSubscription(me)).toMatchObject({
      status: 'suspended',
      auto_renew: false,
      plan: 'storyteller',
    });
  });

  test.each(['key', 'body', 'webhook', 'cert'] as const)(
    'and is not PayPal’s is refused, and nothing of it is kept: another %s',
    async (forge) => {
      const { me, id, payment } = await createMember();
      await refund(id);
      const before = await getSubscription(me);
      const event = await createSignedEvent({
        kind: 'PAYMENT.SALE.REFUNDED',
        subscription: id,
        payment,
        forge,
      });
      expect(await answered(await postWebhook(event))).toEqual(refused(400, 'webhook_not_genuine'));
      expect(await eventOf(event.id)).toBeNull();
      expect(await getSubscription(me)).toEqual(before);
    },
  );

  test('without a signature, or that is nothing at all, is refused', async () => {
    const { id } = await createMember();
    const { body, headers } = await createSignedEvent({
      kind: 'BILLING.SUBSCRIPTION.UPDATED',
      subscription: id,
    });
    for (const bad of [
      { body, headers: { 'content-type': 'application/json' } },
      { body: '', headers },
      { body: '[]', headers },
      { body: '{"id":', headers },
      { body: body.slice(1), headers },
    ])
      expect(await answered(await postWebhook(bad))).toEqual(refused(400, 'webhook_not_genuine'));
    expect(await answered(await postWebhook({ body: `${body}${' '.repeat(300_000)}`, headers }))).toEqual(
      refused(413, 'too_large'),
    );
  });

  test('is to be posted again when PayPal cannot say whether it is its own', async () => {
    const { id } = await createMember();
    const event = await createSignedEvent({ kind: 'BILLING.SUBSCRIPTION.UPDATED', subscription: id });
    await failVerification(event.id, { at: 'verify', status: 500, times: 1 });
    expect(await answered(await postWebhook(event))).toEqual(refused(502, 'paypal_unavailable'));
    expect(await eventOf(event.id)).toBeNull();
    await deliverEvents(event);
    expect(await eventOf(event.id)).not.toBeNull();
  });

  test('is not taken where the operator has not said what is told to whom', async () => {
    const { id } = await createMember();
    const event = await createSignedEvent({ kind: 'BILLING.SUBSCRIPTION.UPDATED', subscription: id });
    for (const none of [{ PAYPAL_WEBHOOK_ID: '' }, { PAYPAL_CLIENT_ID: '', PAYPAL_CLIENT_SECRET: '' }])
      expect(await answered(await callWith(none, event))).toEqual(refused(503, 'payments_unavailable'));
  });

  test('again changes nothing, and whoever posts another under its name is refused', async () => {
    const { me, id } = await createMember();
    const { event } = await performPayPalAction(id, 'suspend');
    await deliverEvents(event);
    const before = [await getSubscription(me), await eventOf(event.id)];
    await deliverEvents(event, event);
    const other = await createSignedEvent({
      kind: 'BILLING.SUBSCRIPTION.CANCELLED',
      subscription: id,
      forge: 'key',
    });
    const forged = { ...event, body: other.body.replaceAll(other.id, event.id) };
    for (const body of [forged.body, `${event.body} `])
      expect(await answered(await postWebhook({ ...event, body }))).toEqual(
        refused(400, 'webhook_not_genuine'),
      );
    await failVerification(event.id, { at: 'verify', status: 500, times: 1 });
    expect(await answered(await postWebhook(event))).toEqual(refused(502, 'paypal_unavailable'));
    expect([await getSubscription(me), await eventOf(event.id)]).toEqual(before);
  });

  test('and is not PayPal’s too often is not asked about any more; others’ are, and PayPal’s own', async () => {
    const { id } = await createMember();
    let left = 3;
    const from = (address: string, event: SignedEvent) =>
      callWith(
        {
          RATE_LIMITS: 'on',
          AUTH_LIMIT: {
            limit: async ({ key }: { key: string }) => {
              if (key.includes('203.0.113.')) left -= 1;
              return { success: left >= 0 };
            },
          },
        } as never,
        { ...event, headers: { ...event.headers, 'cf-connecting-ip': address } },
      );
    const forged = () =>
      createSignedEvent({ kind: 'BILLING.SUBSCRIPTION.UPDATED', subscription: id, forge: 'key' });
    const own = () => createSignedEvent({ kind: 'BILLING.SUBSCRIPTION.UPDATED', subscription: id });
    const statuses: number[] = [];
    for (let post = 0; post < 6; post += 1)
      statuses.push((await from('203.0.113.41', await forged())).status);
    expect(statuses).toEqual([400, 400, 400, 400, 429, 429]);
    const refusal = await from('203.0.113.41', await own());
    expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(50);
    expect((await from('198.51.100.41', await own())).status).toBe(200);
    await waitForEvents();
  });

  test('is answered within some seconds, also when PayPal says nothing of it', async () => {
    const silent = { isGenuine: () => new Promise<never>(() => undefined) };
    const answer = await verifyWithTimeout(silent, { headers: new Headers(), raw: '{}' }, 5);
    expect(answer).toMatchObject({ ok: false, code: 'unavailable' });
    const sure = { isGenuine: async () => ({ ok: true as const, genuine: true }) };
    expect(await verifyWithTimeout(sure, { headers: new Headers(), raw: '{}' }, 5)).toEqual({
      ok: true,
      genuine: true,
    });
  });

  test('of a kind that says nothing to us is taken, and forgotten after a while', async () => {
    const event = await createSignedEvent({
      kind: 'CUSTOMER.DISPUTE.CREATED',
      resource: { dispute_id: 'PP-1' },
    });
    await deliverEvents(event);
    expect(await eventOf(event.id)).toMatchObject({ handled_at: expect.any(Number), payment: null });
    await removeOldPaymentEvents(openDatabase(env.DB), Date.now() + 89 * DAY_MS);
    expect(await eventOf(event.id)).not.toBeNull();
    await removeOldPaymentEvents(openDatabase(env.DB), Date.now() + 91 * DAY_MS);
    expect(await eventOf(event.id)).toBeNull();
  });
});

test('What went back is kept with its payment, and forgotten after a while where nobody here paid it', async () => {
  const { id, payment } = await createMember();
  const mine = await refund(id, { value: '1.00' });
  const resource = { id: `R${id}`, sale_id: `S${id}`, amount: { total: '1.00', currency: 'USD' } };
  await deliverEvents(mine.event, await createSignedEvent({ kind: 'PAYMENT.SALE.REFUNDED', resource }));
  const kept = async () =>
    (
      await env.DB.prepare('select payment_id from refunds where payment_id in (?, ?)')
        .bind(payment, `S${id}`)
        .all()
    ).results.length;
  expect(await kept()).toBe(2);
  await removeOldPaymentEvents(openDatabase(env.DB), Date.now() + 91 * DAY_MS);
  expect(await kept()).toBe(1);
});

describe('What PayPal tells', () => {
  test('renews my membership', async () => {
    const { me, id } = await createMember();
    await shiftUserTime(me, 30 * DAY_MS);
    const { event } = await pay(id);
    await deliverEvents(event);
    expect(await getSubscription(me)).toMatchObject({
      plan: 'storyteller',
      status: 'active',
      auto_renew: true,
    });
    expect(await listPayments(me)).toHaveLength(2);
  });

  test('of a payment that failed ends nothing that is paid, and at its end everything', async () => {
    const { me, id } = await createMember();
    const before = await getSubscription(me);
    const { event } = await failPayment(id);
    await deliverEvents(event);
    expect(await getSubscription(me)).toMatchObject({
      plan: 'storyteller',
      is_failing: true,
      current_period_end: before.current_period_end,
    });
    await shiftUserTime(me, 31.5 * DAY_MS);
    expect(await getPlan(me)).toBe('free');
    await deliverEvents((await pay(id)).event);
    expect(await getSubscription(me)).toMatchObject({ plan: 'storyteller', is_failing: false });
  });

  test.each([
    ['cancel', 'cancelled'],
    ['suspend', 'suspended'],
    ['expire', 'expired'],
  ] as const)('that it came to «%s» leaves me what I paid for', async (act, status) => {
    const { me, id } = await createMember();
    const before = await getSubscription(me);
    await deliverEvents((await performPayPalAction(id, act)).event);
    expect(await getSubscription(me)).toMatchObject({
      plan: 'storyteller',
      status,
      auto_renew: false,
      pending_downgrade: act !== 'suspend',
      current_period_end: before.current_period_end,
    });
    await shiftUserTime(me, 32 * DAY_MS);
    expect(await getPlan(me)).toBe('free');
  });

  test('of money that went back in full ends at once what it paid for; in part, nothing', async () => {
    const { me, id, payment } = await createMember();
    await deliverEvents((await refund(id, { value: '2.00' })).event);
    expect(await getPlan(me)).toBe('storyteller');
    expect(await listPayments(me)).toMatchObject([{ id: payment, refunded_cents: 200, status: 'completed' }]);
    await deliverEvents((await refund(id, { value: '4.99' })).event);
    expect(await getPlan(me)).toBe('free');
    expect(await listPayments(me)).toMatchObject([{ id: payment, refunded_cents: 699, status: 'refunded' }]);
  });

  test('of money that a bank took back ends at once what it paid for', async () => {
    const { me, id, payment } = await createMember();
    await deliverEvents((await reverse(id)).event);
    expect(await getPlan(me)).toBe('free');
    expect(await listPayments(me)).toMatchObject([{ id: payment, status: 'reversed' }]);
  });

  test('begins my membership where my browser was closed, and saying so afterwards changes nothing', async () => {
    const me = await createAccount();
    const { id, event } = await createAgreement(me);
    await deliverEvents(event);
    const view = await getSubscription(me);
    expect(view).toMatchObject({ plan: 'storyteller', status: 'active' });
    expect(await (await activateSubscription(me, id)).json()).toEqual(view);
    expect(await listPayments(me)).toHaveLength(1);
  });

  test('in any order makes the same of it: what went back may be told of before it was paid', async () => {
    const me = await createAccount();
    const { id, payment, event } = await createAgreement(me);
    await updatePayPalSubscription(id, { troubles: [{ at: 'transactions', status: 404 }] });
    const back = await refund(id);
    const unnamed = await createSignedEvent({
      kind: 'PAYMENT.SALE.REFUNDED',
      resource: {
        id: back.refund,
        sale_id: payment,
        state: 'completed',
        amount: { total: '6.99', currency: 'USD' },
      },
    });
    await deliverEvents(unnamed, event);
    expect(await listPayments(me)).toMatchObject([{ id: payment, refunded_cents: 699, status: 'refunded' }]);
    expect(await getPlan(me)).toBe('free');
  });

  test('of somebody else’s plan, price or nobody at all makes nobody a member', async () => {
    const me = await createAccount();
    const odd = [
      await createAgreement(me, { plan_id: 'P-CHEAPER0000000' }),
      await createAgreement(me, { price: { currency_code: 'USD', value: '0.01' } }),
      await createAgreement({ id: 'nobody' }),
      await createAgreement({ id: '' }),
    ];
    await deliverEvents(...odd.map(({ event }) => event));
    await deliverEvents(
      await createSignedEvent({ kind: 'BILLING.SUBSCRIPTION.ACTIVATED', subscription: 'I-NOSUCHTHING1' }),
    );
    expect(await getSubscription(me)).toMatchObject({ plan: 'free', status: 'none' });
    for (const { id } of odd)
      expect(await env.DB.prepare('select id from subscriptions where id = ?').bind(id).first()).toBeNull();
  });

  test('of a payment before the subscription has begun waits until it has', async () => {
    const me = await createAccount();
    const { id, event } = await createAgreement(me, { status: 'APPROVED' });
    await deliverEvents(event);
    expect(await eventOf(event.id)).toMatchObject({ handled_at: null, tries: 1 });
    await updatePayPalSubscription(id, { status: 'ACTIVE' });
    await handleDuePaymentEvents(env, Date.now());
    expect(await getPlan(me)).toBe('free');
    await env.DB.prepare('update payment_events set try_at = 0 where id = ?').bind(event.id).run();
    await handleDuePaymentEvents(env, Date.now());
    expect(await getPlan(me)).toBe('storyteller');
    expect(await eventOf(event.id)).toMatchObject({ handled_at: expect.any(Number) });
  });

  test('and waits for PayPal to answer is found out with the next that it tells', async () => {
    const { me, id } = await createMember();
    await updatePayPalSubscription(id, { troubles: [{ at: 'show', status: 500, times: 1 }] });
    const { event } = await performPayPalAction(id, 'suspend');
    await deliverEvents(event);
    expect(await eventOf(event.id)).toMatchObject({ handled_at: null, tries: 1 });
    const next = await createSignedEvent({ kind: 'BILLING.SUBSCRIPTION.UPDATED', subscription: id });
    await deliverEvents(next);
    expect(await getSubscription(me)).toMatchObject({ status: 'suspended' });
    for (const one of [event, next])
      expect(await eventOf(one.id)).toMatchObject({ handled_at: expect.any(Number) });
  });

  test.each([
    ['its time has come', 0],
    ['it was given up', Number.MAX_SAFE_INTEGER],
  ])('again is found out at once where %s', async (_, tryAt) => {
    const { me, id } = await createMember();
    await updatePayPalSubscription(id, { troubles: [{ at: 'show', status: 500, times: 1 }] });
    const { event } = await performPayPalAction(id, 'suspend');
    await deliverEvents(event);
    // Before that, it waits.
    await deliverEvents(event);
    expect(await eventOf(event.id)).toMatchObject({ handled_at: null, tries: 1 });
    await env.DB.prepare('update payment_events set try_at = ? where id = ?').bind(tryAt, event.id).run();
    await deliverEvents(event);
    expect(await getSubscription(me)).toMatchObject({ status: 'suspended' });
    expect(await eventOf(event.id)).toMatchObject({ handled_at: expect.any(Number) });
  });

  test('while somebody finds it out is left to them', async () => {
    const { me, id } = await createMember();
    const db = openDatabase(env.DB);
    const { event } = await performPayPalAction(id, 'suspend');
    const kept = { id: event.id, kind: 'X', subscriptionId: id, payment: null };
    await savePaymentEvent(db, kept, Date.now());
    expect(await lockPaymentEvents(db, id, Date.now())).toBe(true);
    expect(await savePaymentEvent(db, { ...kept, id: `${event.id}-2` }, Date.now())).toBe(id);
    expect(await lockPaymentEvents(db, id, Date.now())).toBe(false);
    // Whoever found nothing lets go of it.
    await schedulePaymentEventRetry(db, id, Date.now());
    expect(await lockPaymentEvents(db, id, Date.now())).toBe(true);
    expect(await getSubscription(me)).toMatchObject({ status: 'active' });
  });

  test('waits longer each time when PayPal does not answer, is given up in the end, and found all the same', async () => {
    const { me, id } = await createMember();
    await updatePayPalSubscription(id, { troubles: [{ at: 'show', status: 500 }] });
    const { event } = await performPayPalAction(id, 'suspend');
    const log = vi.spyOn(console, 'error').mockReturnValue();
    await deliverEvents(event);
    const pauses: number[] = [];
    for (let tries = 1; tries < 20; tries += 1) {
      const row = await eventOf(event.id);
      if (row === null || row.try_at === Number.MAX_SAFE_INTEGER) break;
      expect(row).toMatchObject({ tries, handled_at: null });
      pauses.push(Math.round((row.try_at - Date.now()) / 60_000));
      await env.DB.prepare('update payment_events set try_at = 0 where id = ?').bind(event.id).run();
      await handleDuePaymentEvents(env, Date.now());
    }
    await handleDuePaymentEvents(env, Date.now());
    const givenUp = log.mock.calls.filter(([line]) => String(line).includes('payment_events_given_up'));
    log.mockRestore();
    expect(pauses).toEqual([1, 5, 30, 120, 360, 1440]);
    expect(givenUp.map(([line]) => JSON.parse(String(line)) as unknown)).toEqual([
      { event: 'payment_events_given_up', level: 'error', reason: `1 of ${id}` },
    ]);
    // Nobody forgets it while it was not found out what it means.
    await removeOldPaymentEvents(openDatabase(env.DB), Date.now() + 91 * DAY_MS);
    expect(await eventOf(event.id)).toMatchObject({ handled_at: null, tries: 7 });
    await updatePayPalSubscription(id, { troubles: [] });
    await shiftUserTime(me, DAY_MS);
    await reconcileSubscriptions(env, Date.now());
    expect(await getSubscription(me)).toMatchObject({ status: 'suspended' });
    expect(await eventOf(event.id)).toMatchObject({ handled_at: expect.any(Number) });
  });

  test('and never told is found out by asking', async () => {
    const { me, id } = await createMember();
    await shiftUserTime(me, 30 * DAY_MS);
    await pay(id);
    await reconcileSubscriptions(env, Date.now());
    expect(await listPayments(me)).toHaveLength(2);
    expect(await getSubscription(me)).toMatchObject({ plan: 'storyteller' });
    await refund(id);
    await shiftUserTime(me, DAY_MS);
    await reconcileSubscriptions(env, Date.now());
    expect(await getPlan(me)).toBe('free');
    expect((await listPayments(me)).map(({ status }) => status)).toEqual(['completed', 'refunded']);
  });
});
