// Over 400 lines: every event that PayPal may send, genuine or forged, against one mock server.
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { api } from '../../../../../src/api/app.ts';
import {
  handleDuePaymentEvents,
  reconcileSubscriptions,
} from '../../../../../src/services/process-payment-events.ts';
import { verifyWithTimeout } from '../../../../../src/api/routes/billing/paypal-webhook.ts';
import { openDatabase } from '../../../../../src/db/open.ts';
import {
  savePaymentEvent,
  schedulePaymentEventRetry,
  removeOldPaymentEvents,
  lockPaymentEvents,
} from '../../../../../src/features/billing/payment-event-store.ts';
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
} from '../../../../support/memberships.ts';
import { ORIGIN, createAccount } from '../../../../support/factories.ts';
import {
  updatePayPalSubscription,
  failPayment,
  performPayPalAction,
  pay,
  refund,
  reverse,
  createSignedEvent,
  failVerification,
} from '../../../../support/paypal.ts';
import type { SignedEvent } from '../../../../support/paypal-events.ts';

const readAnswer = async (response: Response) => [response.status, await response.json()];
const refusal = (status: number, code: string) => [status, expect.objectContaining({ code })];
const readEvent = (id: string) =>
  env.DB.prepare('select * from payment_events where id = ?')
    .bind(id)
    .first<{ handled_at: number | null; tries: number; retry_at: number; payment: string | null }>();

const callWith = (variables: Partial<Record<string, string>>, { headers, body }: SignedEvent) =>
  api.fetch(
    new Request(`${ORIGIN}/api/paypal/webhook`, { method: 'POST', headers, body }),
    { ...env, ...variables },
    { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} } as never,
  );

describe('PayPal webhook', () => {
  test('a webhook event is accepted without a session and from any origin', async () => {
    const { me, id } = await createMember();
    const { event } = await performPayPalAction(id, 'suspend');
    const foreign = { ...event.headers, origin: 'https://www.paypal.com', 'sec-fetch-site': 'cross-site' };
    expect(await readAnswer(await postWebhook({ ...event, headers: foreign }))).toEqual([
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
    'a forged webhook event is refused and not stored: another %s',
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
      expect(await readAnswer(await postWebhook(event))).toEqual(refusal(400, 'webhook_signature_invalid'));
      expect(await readEvent(event.id)).toBeNull();
      expect(await getSubscription(me)).toEqual(before);
    },
  );

  test('a webhook call without a valid signature or body is refused', async () => {
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
      expect(await readAnswer(await postWebhook(bad))).toEqual(refusal(400, 'webhook_signature_invalid'));
    expect(await readAnswer(await postWebhook({ body: `${body}${' '.repeat(300_000)}`, headers }))).toEqual(
      refusal(413, 'too_large'),
    );
  });

  test('a webhook event is refused with 502 while PayPal cannot verify it, and accepted later', async () => {
    const { id } = await createMember();
    const event = await createSignedEvent({ kind: 'BILLING.SUBSCRIPTION.UPDATED', subscription: id });
    await failVerification(event.id, { at: 'verify', status: 500, times: 1 });
    expect(await readAnswer(await postWebhook(event))).toEqual(refusal(502, 'paypal_unavailable'));
    expect(await readEvent(event.id)).toBeNull();
    await deliverEvents(event);
    expect(await readEvent(event.id)).not.toBeNull();
  });

  test('a webhook event is refused where the operator has not configured the webhook', async () => {
    const { id } = await createMember();
    const event = await createSignedEvent({ kind: 'BILLING.SUBSCRIPTION.UPDATED', subscription: id });
    for (const missing of [{ PAYPAL_WEBHOOK_ID: '' }, { PAYPAL_CLIENT_ID: '', PAYPAL_CLIENT_SECRET: '' }])
      expect(await readAnswer(await callWith(missing, event))).toEqual(refusal(503, 'payments_unavailable'));
  });

  test('a repeated webhook event changes nothing, and another one under its id is refused', async () => {
    const { me, id } = await createMember();
    const { event } = await performPayPalAction(id, 'suspend');
    await deliverEvents(event);
    const before = [await getSubscription(me), await readEvent(event.id)];
    await deliverEvents(event, event);
    const other = await createSignedEvent({
      kind: 'BILLING.SUBSCRIPTION.CANCELLED',
      subscription: id,
      forge: 'key',
    });
    const forged = { ...event, body: other.body.replaceAll(other.id, event.id) };
    for (const body of [forged.body, `${event.body} `])
      expect(await readAnswer(await postWebhook({ ...event, body }))).toEqual(
        refusal(400, 'webhook_signature_invalid'),
      );
    await failVerification(event.id, { at: 'verify', status: 500, times: 1 });
    expect(await readAnswer(await postWebhook(event))).toEqual(refusal(502, 'paypal_unavailable'));
    expect([await getSubscription(me), await readEvent(event.id)]).toEqual(before);
  });

  test('a network that posts too many forged events is refused, and other networks are not', async () => {
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

  test('a webhook event is answered within seconds, even when PayPal’s verification hangs', async () => {
    const silent = { isGenuine: () => new Promise<never>(() => undefined) };
    const answer = await verifyWithTimeout(silent, { headers: new Headers(), raw: '{}' }, 5);
    expect(answer).toMatchObject({ ok: false, code: 'unavailable' });
    const verified = { isGenuine: async () => ({ ok: true as const, genuine: true }) };
    expect(await verifyWithTimeout(verified, { headers: new Headers(), raw: '{}' }, 5)).toEqual({
      ok: true,
      genuine: true,
    });
  });

  test('a webhook event of an unused kind is accepted and removed after 90 days', async () => {
    const event = await createSignedEvent({
      kind: 'CUSTOMER.DISPUTE.CREATED',
      resource: { dispute_id: 'PP-1' },
    });
    await deliverEvents(event);
    expect(await readEvent(event.id)).toMatchObject({ handled_at: expect.any(Number), payment: null });
    await removeOldPaymentEvents(openDatabase(env.DB), Date.now() + 89 * DAY_MS);
    expect(await readEvent(event.id)).not.toBeNull();
    await removeOldPaymentEvents(openDatabase(env.DB), Date.now() + 91 * DAY_MS);
    expect(await readEvent(event.id)).toBeNull();
  });
});

test('a refund is kept with its payment, and removed after 90 days if no user made the payment', async () => {
  const { id, payment } = await createMember();
  const mine = await refund(id, { value: '1.00' });
  const resource = { id: `R${id}`, sale_id: `S${id}`, amount: { total: '1.00', currency: 'USD' } };
  await deliverEvents(mine.event, await createSignedEvent({ kind: 'PAYMENT.SALE.REFUNDED', resource }));
  const countRefunds = async () =>
    (
      await env.DB.prepare('select payment_id from refunds where payment_id in (?, ?)')
        .bind(payment, `S${id}`)
        .all()
    ).results.length;
  expect(await countRefunds()).toBe(2);
  await removeOldPaymentEvents(openDatabase(env.DB), Date.now() + 91 * DAY_MS);
  expect(await countRefunds()).toBe(1);
});

describe('PayPal events', () => {
  test('a payment event renews the membership', async () => {
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

  test('a failed payment keeps the paid time and ends the membership after it', async () => {
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
  ] as const)(
    'a «%s» event keeps the paid time of the membership and ends it after that',
    async (act, status) => {
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
    },
  );

  test('a full refund ends the membership at once, and a partial one does not', async () => {
    const { me, id, payment } = await createMember();
    await deliverEvents((await refund(id, { value: '2.00' })).event);
    expect(await getPlan(me)).toBe('storyteller');
    expect(await listPayments(me)).toMatchObject([{ id: payment, refunded_cents: 200, status: 'completed' }]);
    await deliverEvents((await refund(id, { value: '4.99' })).event);
    expect(await getPlan(me)).toBe('free');
    expect(await listPayments(me)).toMatchObject([{ id: payment, refunded_cents: 699, status: 'refunded' }]);
  });

  test('a chargeback ends the membership at once', async () => {
    const { me, id, payment } = await createMember();
    await deliverEvents((await reverse(id)).event);
    expect(await getPlan(me)).toBe('free');
    expect(await listPayments(me)).toMatchObject([{ id: payment, status: 'reversed' }]);
  });

  test('an event starts the membership if the browser was closed, and a later activation changes nothing', async () => {
    const me = await createAccount();
    const { id, event } = await createAgreement(me);
    await deliverEvents(event);
    const view = await getSubscription(me);
    expect(view).toMatchObject({ plan: 'storyteller', status: 'active' });
    expect(await (await activateSubscription(me, id)).json()).toEqual(view);
    expect(await listPayments(me)).toHaveLength(1);
  });

  test('events in any order give the same result, even a refund before its payment', async () => {
    const me = await createAccount();
    const { id, payment, event } = await createAgreement(me);
    await updatePayPalSubscription(id, { troubles: [{ at: 'transactions', status: 404 }] });
    const refunded = await refund(id);
    const unlinkedRefund = await createSignedEvent({
      kind: 'PAYMENT.SALE.REFUNDED',
      resource: {
        id: refunded.refund,
        sale_id: payment,
        state: 'completed',
        amount: { total: '6.99', currency: 'USD' },
      },
    });
    await deliverEvents(unlinkedRefund, event);
    expect(await listPayments(me)).toMatchObject([{ id: payment, refunded_cents: 699, status: 'refunded' }]);
    expect(await getPlan(me)).toBe('free');
  });

  test('an event with a foreign plan, price or account makes no user a member', async () => {
    const me = await createAccount();
    const invalidAgreements = [
      await createAgreement(me, { plan_id: 'P-CHEAPER0000000' }),
      await createAgreement(me, { price: { currency_code: 'USD', value: '0.01' } }),
      await createAgreement({ id: 'nobody' }),
      await createAgreement({ id: '' }),
    ];
    await deliverEvents(...invalidAgreements.map(({ event }) => event));
    await deliverEvents(
      await createSignedEvent({ kind: 'BILLING.SUBSCRIPTION.ACTIVATED', subscription: 'I-NOSUCHTHING1' }),
    );
    expect(await getSubscription(me)).toMatchObject({ plan: 'free', status: 'none' });
    for (const { id } of invalidAgreements)
      expect(await env.DB.prepare('select id from subscriptions where id = ?').bind(id).first()).toBeNull();
  });

  test('a payment event before the subscription’s start waits for it', async () => {
    const me = await createAccount();
    const { id, event } = await createAgreement(me, { status: 'APPROVED' });
    await deliverEvents(event);
    expect(await readEvent(event.id)).toMatchObject({ handled_at: null, tries: 1 });
    await updatePayPalSubscription(id, { status: 'ACTIVE' });
    await handleDuePaymentEvents(env, Date.now());
    expect(await getPlan(me)).toBe('free');
    await env.DB.prepare('update payment_events set retry_at = 0 where id = ?').bind(event.id).run();
    await handleDuePaymentEvents(env, Date.now());
    expect(await getPlan(me)).toBe('storyteller');
    expect(await readEvent(event.id)).toMatchObject({ handled_at: expect.any(Number) });
  });

  test('an event that PayPal did not answer about is resolved with the next event', async () => {
    const { me, id } = await createMember();
    await updatePayPalSubscription(id, { troubles: [{ at: 'show', status: 500, times: 1 }] });
    const { event } = await performPayPalAction(id, 'suspend');
    await deliverEvents(event);
    expect(await readEvent(event.id)).toMatchObject({ handled_at: null, tries: 1 });
    const next = await createSignedEvent({ kind: 'BILLING.SUBSCRIPTION.UPDATED', subscription: id });
    await deliverEvents(next);
    expect(await getSubscription(me)).toMatchObject({ status: 'suspended' });
    for (const one of [event, next])
      expect(await readEvent(one.id)).toMatchObject({ handled_at: expect.any(Number) });
  });

  test.each([
    ['its retry is due', 0],
    ['it was given up', Number.MAX_SAFE_INTEGER],
  ])('a repeated event is handled at once if %s', async (_, retryAt) => {
    const { me, id } = await createMember();
    await updatePayPalSubscription(id, { troubles: [{ at: 'show', status: 500, times: 1 }] });
    const { event } = await performPayPalAction(id, 'suspend');
    await deliverEvents(event);
    // A repetition before that leaves it waiting.
    await deliverEvents(event);
    expect(await readEvent(event.id)).toMatchObject({ handled_at: null, tries: 1 });
    await env.DB.prepare('update payment_events set retry_at = ? where id = ?').bind(retryAt, event.id).run();
    await deliverEvents(event);
    expect(await getSubscription(me)).toMatchObject({ status: 'suspended' });
    expect(await readEvent(event.id)).toMatchObject({ handled_at: expect.any(Number) });
  });

  test('an event that another run is handling is left to that run', async () => {
    const { me, id } = await createMember();
    const db = openDatabase(env.DB);
    const { event } = await performPayPalAction(id, 'suspend');
    const countRefunds = { id: event.id, kind: 'X', subscriptionId: id, payment: null };
    await savePaymentEvent(db, countRefunds, Date.now());
    expect(await lockPaymentEvents(db, id, Date.now())).toBe(true);
    expect(await savePaymentEvent(db, { ...countRefunds, id: `${event.id}-2` }, Date.now())).toBe(id);
    expect(await lockPaymentEvents(db, id, Date.now())).toBe(false);
    // A run that could not resolve the events releases them.
    await schedulePaymentEventRetry(db, id, Date.now());
    expect(await lockPaymentEvents(db, id, Date.now())).toBe(true);
    expect(await getSubscription(me)).toMatchObject({ status: 'active' });
  });

  test('an unanswered event is retried at growing intervals, given up and resolved by reconciliation', async () => {
    const { me, id } = await createMember();
    await updatePayPalSubscription(id, { troubles: [{ at: 'show', status: 500 }] });
    const { event } = await performPayPalAction(id, 'suspend');
    const log = vi.spyOn(console, 'error').mockReturnValue();
    await deliverEvents(event);
    const pauses: number[] = [];
    for (let tries = 1; tries < 20; tries += 1) {
      const row = await readEvent(event.id);
      if (row === null || row.retry_at === Number.MAX_SAFE_INTEGER) break;
      expect(row).toMatchObject({ tries, handled_at: null });
      pauses.push(Math.round((row.retry_at - Date.now()) / 60_000));
      await env.DB.prepare('update payment_events set retry_at = 0 where id = ?').bind(event.id).run();
      await handleDuePaymentEvents(env, Date.now());
    }
    await handleDuePaymentEvents(env, Date.now());
    const givenUp = log.mock.calls.filter(([line]) => String(line).includes('payment_events_abandoned'));
    log.mockRestore();
    expect(pauses).toEqual([1, 5, 30, 120, 360, 1440]);
    expect(givenUp.map(([line]) => JSON.parse(String(line)) as unknown)).toEqual([
      { event: 'payment_events_abandoned', level: 'error', reason: `1 of ${id}` },
    ]);
    // An unresolved event is never removed.
    await removeOldPaymentEvents(openDatabase(env.DB), Date.now() + 91 * DAY_MS);
    expect(await readEvent(event.id)).toMatchObject({ handled_at: null, tries: 7 });
    await updatePayPalSubscription(id, { troubles: [] });
    await shiftUserTime(me, DAY_MS);
    await reconcileSubscriptions(env, Date.now());
    expect(await getSubscription(me)).toMatchObject({ status: 'suspended' });
    expect(await readEvent(event.id)).toMatchObject({ handled_at: expect.any(Number) });
  });

  test('reconciliation finds payments and refunds that no event reported', async () => {
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
