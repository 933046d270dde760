// Over 400 lines: a subscription from its agreement to its end, against one mock server.
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { api } from '../../../../src/api/app.ts';
import { reconcileSubscriptions } from '../../../../src/services/process-payment-events.ts';
import {
  activateSubscription,
  createAgreement,
  DAY_MS,
  shiftUserTime,
  createMember,
  getSubscription,
  listPayments,
  getPlan,
} from '../../../support/memberships.ts';
import { signInGuest, ORIGIN, getPoints, createAccount, type Visitor } from '../../../support/factories.ts';
import {
  createPayPalSubscription,
  updatePayPalSubscription,
  performPayPalAction,
  pay,
  refund,
  getPayPalState,
} from '../../../support/paypal.ts';
import { PAYPAL } from '../../../support/test-environment.ts';

const readAnswer = async (response: Response) => [response.status, await response.json()];
const refusal = (status: number, code: string) => [status, expect.objectContaining({ code })];
const readPayPalStatus = (id: string) =>
  getPayPalState(id).then(
    ({ status }) => status,
    () => 'UNKNOWN',
  );
const iso = (at: number) => new Date(at).toISOString();
const readPlan = async (me: Visitor) =>
  env.DB.prepare('select plan, plan_until from users where id = ?')
    .bind(me.id)
    .first<{ plan: string; plan_until: number | null }>();

/** Calls a site whose operator has set these variables. */
const callWith = (variables: Record<string, string>, me: Visitor, path: string, body?: unknown) =>
  api.fetch(
    new Request(ORIGIN + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', cookie: me.cookie },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
    { ...env, ...variables },
    { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} } as never,
  );
const NO_PAYPAL = { PAYPAL_CLIENT_ID: '', PAYPAL_CLIENT_SECRET: '' };

describe('Subscription activation', () => {
  test('activating a subscription starts the membership with its benefits and the paid time', async () => {
    const me = await createAccount();
    expect(await getSubscription(me)).toMatchObject({
      plan: 'free',
      status: 'none',
      current_period_end: null,
      auto_renew: false,
      pending_downgrade: false,
    });
    const { id } = await createAgreement(me);
    const view = await (await activateSubscription(me, id)).json();
    expect(view).toMatchObject({
      plan: 'storyteller',
      status: 'active',
      auto_renew: true,
      pending_downgrade: false,
      is_failing: false,
      price_cents: 699,
      is_given: false,
    });
    expect(await getSubscription(me)).toEqual(view);
    expect(await getPlan(me)).toBe('storyteller');
    expect((await getPoints(me)).daily_message_limit).toBeNull();
    const paidFor = Date.parse((await getSubscription(me)).current_period_end ?? '') - Date.now();
    expect(paidFor).toBeGreaterThan(27 * DAY_MS);
    expect(paidFor).toBeLessThan(32 * DAY_MS);
    expect(await listPayments(me)).toMatchObject([
      { amount_cents: 699, refunded_cents: 0, status: 'completed' },
    ]);
  });

  test('activating a subscription again changes nothing and does not ask PayPal', async () => {
    const { me, id } = await createMember();
    const before = [await getSubscription(me), await readPlan(me), (await getPayPalState(id)).calls.length];
    expect((await activateSubscription(me, id)).status).toBe(200);
    expect([await getSubscription(me), await readPlan(me), (await getPayPalState(id)).calls.length]).toEqual(
      before,
    );
  });

  test('activating a subscription in several tabs at once books one payment', async () => {
    const me = await createAccount();
    const { id } = await createAgreement(me);
    const answers = await Promise.all([
      activateSubscription(me, id),
      activateSubscription(me, id),
      activateSubscription(me, id),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await listPayments(me)).toHaveLength(1);
  });

  test('an active subscription without a payment lasts for a day', async () => {
    const me = await createAccount();
    const id = await createPayPalSubscription(me, { next_billing_time: iso(Date.now()) });
    expect((await activateSubscription(me, id)).status).toBe(200);
    expect(await getPlan(me)).toBe('storyteller');
    expect((await readPlan(me))?.plan_until).toBeLessThan(Date.now() + 1.01 * DAY_MS);
    await shiftUserTime(me, 1.1 * DAY_MS);
    expect(await getPlan(me)).toBe('free');
    await pay(id);
    await reconcileSubscriptions(env, Date.now());
    expect(await getPlan(me)).toBe('storyteller');
  });

  test('a subscription that begins later brings nothing until it is paid', async () => {
    const me = await createAccount();
    const start = iso(Date.now() + 3000 * DAY_MS);
    const id = await createPayPalSubscription(me, { start_time: start, next_billing_time: start });
    expect(await readAnswer(await activateSubscription(me, id))).toEqual([
      200,
      expect.objectContaining({ plan: 'free', status: 'active', current_period_end: null }),
    ]);
    expect(await getPlan(me)).toBe('free');
    await performPayPalAction(id, 'cancel');
    await shiftUserTime(me, DAY_MS);
    await reconcileSubscriptions(env, Date.now());
    expect(await getPlan(me)).toBe('free');
  });
});

describe('Refused subscriptions', () => {
  test.each<[string, () => Promise<[Visitor, string]>, number, string]>([
    [
      'that PayPal does not know',
      async () => [await createAccount(), 'I-NOSUCHTHING1'],
      404,
      'subscription_not_found',
    ],
    [
      'with an invalid id',
      async () => [await createAccount(), '../../v1/x?y'],
      404,
      'subscription_not_found',
    ],
    [
      'that another user has activated',
      async () => [await createAccount(), (await createMember()).id],
      409,
      'subscription_already_claimed',
    ],
    [
      'that another user agreed to',
      async () => [await createAccount(), (await createAgreement(await createAccount())).id],
      403,
      'subscription_wrong_account',
    ],
    [
      'that belongs to no user of the site',
      async () => [await createAccount(), (await createAgreement({ id: '' })).id],
      403,
      'subscription_wrong_account',
    ],
    ...(
      [
        ['of another plan', { plan_id: 'P-CHEAPER0000000' }, 422, 'subscription_wrong_plan'],
        ['that is not approved yet', { status: 'APPROVAL_PENDING' }, 409, 'subscription_not_active'],
        ['that has not begun', { status: 'APPROVED' }, 409, 'subscription_not_active'],
        ['that is suspended', { status: 'SUSPENDED' }, 409, 'subscription_not_active'],
        ['that was cancelled', { status: 'CANCELLED' }, 409, 'subscription_not_active'],
        ['that has expired', { status: 'EXPIRED' }, 409, 'subscription_not_active'],
        [
          'in another currency',
          { price: { currency_code: 'MXN', value: '6.99' } },
          422,
          'subscription_wrong_currency',
        ],
        [
          'at another price',
          { price: { currency_code: 'USD', value: '0.01' } },
          422,
          'subscription_wrong_price',
        ],
      ] as const
    ).map(([reason, fields, status, code]): [string, () => Promise<[Visitor, string]>, number, string] => [
      reason,
      async () => {
        const me = await createAccount();
        return [me, (await createAgreement(me, fields)).id];
      },
      status,
      code,
    ]),
    [
      'with a payment of another amount',
      async () => {
        const me = await createAccount();
        return [me, (await createAgreement(me, { price: null }, { value: '0.99' })).id];
      },
      422,
      'subscription_wrong_price',
    ],
    [
      'with a payment in another currency',
      async () => {
        const me = await createAccount();
        return [me, (await createAgreement(me, { price: null }, { currency: 'JPY', value: '699' })).id];
      },
      422,
      'subscription_wrong_currency',
    ],
  ])('activating a subscription %s is refused', async (_, createSubscription, status, code) => {
    const [me, id] = await createSubscription();
    const before = await readPayPalStatus(id);
    expect(await readAnswer(await activateSubscription(me, id))).toEqual(refusal(status, code));
    expect(await getSubscription(me)).toMatchObject({ plan: 'free', status: 'none' });
    expect(await getPlan(me)).toBe('free');
    // A subscription of the user that is not sold here is cancelled; one of another user is left alone.
    expect(await readPayPalStatus(id)).toBe(status === 422 ? 'CANCELLED' : before);
  });

  test('a guest cannot activate a subscription', async () => {
    const me = await signInGuest();
    const { id } = await createAgreement(me);
    expect(await readAnswer(await activateSubscription(me, id))).toEqual(refusal(403, 'account_required'));
    expect((await getSubscription(me)).client).toBeNull();
  });

  test('activation fails while PayPal gives no answer and succeeds later', async () => {
    const me = await createAccount();
    const { id } = await createAgreement(me, { troubles: [{ at: 'show', status: 500, times: 1 }] });
    expect(await readAnswer(await activateSubscription(me, id))).toEqual(refusal(502, 'paypal_unavailable'));
    expect(await getPlan(me)).toBe('free');
    expect((await activateSubscription(me, id)).status).toBe(200);
    expect(await getPlan(me)).toBe('storyteller');
  });

  test('activation is refused and no button is offered on a site without PayPal', async () => {
    const me = await createAccount();
    const { id } = await createAgreement(me);
    const answer = await callWith(NO_PAYPAL, me, '/api/subscription/activate', { subscription_id: id });
    expect(await readAnswer(answer)).toEqual(refusal(503, 'payments_unavailable'));
    expect(await readAnswer(await callWith(NO_PAYPAL, me, '/api/subscription'))).toEqual([
      200,
      expect.objectContaining({ client: null }),
    ]);
  });
});

describe('PayPal button', () => {
  test('the subscription page has the data for PayPal’s button and the user’s id', async () => {
    const me = await createAccount();
    expect((await getSubscription(me)).client).toEqual({
      client_id: PAYPAL.clientId,
      sdk_base: expect.stringMatching(/^http:\/\/127/),
      plan_id: PAYPAL.planStoryteller,
      custom_id: me.id,
      starts_at: null,
    });
  });
});

describe('Downgrade', () => {
  test('a downgrade cancels the PayPal subscription and keeps the paid time', async () => {
    const { me, id } = await createMember();
    const before = await getSubscription(me);
    expect(await readAnswer(await me.call('/api/subscription/downgrade', { method: 'POST' }))).toEqual([
      200,
      expect.objectContaining({
        plan: 'storyteller',
        status: 'cancelled',
        auto_renew: false,
        pending_downgrade: true,
        current_period_end: before.current_period_end,
      }),
    ]);
    expect(await getPayPalState(id)).toMatchObject({ status: 'CANCELLED' });
    // A second downgrade changes nothing.
    const again = await me.call('/api/subscription/downgrade', { method: 'POST' });
    expect(await again.json()).toEqual(await getSubscription(me));
    await shiftUserTime(me, 27 * DAY_MS);
    expect(await getPlan(me)).toBe('storyteller');
    await shiftUserTime(me, 5 * DAY_MS);
    expect(await getPlan(me)).toBe('free');
    await reconcileSubscriptions(env, Date.now());
    expect(await readPlan(me)).toEqual({ plan: 'free', plan_until: null });
    const after = await getSubscription(me);
    expect(after).toMatchObject({ plan: 'free', status: 'cancelled', pending_downgrade: false });
    // The page still shows when the membership ended.
    expect(Date.parse(after.current_period_end ?? '')).toBeLessThan(Date.now());
    expect(after.client?.starts_at).toBeNull();
    expect(await readAnswer(await me.call('/api/subscription/downgrade', { method: 'POST' }))).toEqual(
      refusal(409, 'no_subscription'),
    );
  });

  test('a downgrade without a membership is refused', async () => {
    const me = await createAccount();
    expect(await readAnswer(await me.call('/api/subscription/downgrade', { method: 'POST' }))).toEqual(
      refusal(409, 'no_subscription'),
    );
  });

  test.each([
    ['refuses', { at: 'cancel', status: 422 }],
    ['gives no state afterwards', { at: 'show', status: 503 }],
  ] as const)('a downgrade fails and changes nothing when PayPal %s', async (_, trouble) => {
    const { me, id } = await createMember();
    await updatePayPalSubscription(id, { troubles: [{ ...trouble }] });
    expect(await readAnswer(await me.call('/api/subscription/downgrade', { method: 'POST' }))).toEqual(
      refusal(502, 'downgrade_failed'),
    );
    expect(await getSubscription(me)).toMatchObject({ plan: 'storyteller', status: 'active' });
    await updatePayPalSubscription(id, { troubles: [] });
    expect((await me.call('/api/subscription/downgrade', { method: 'POST' })).status).toBe(200);
  });

  test('a cancellation that PayPal accepts but does not show counts until reconciliation finds otherwise', async () => {
    const { me, id } = await createMember();
    await updatePayPalSubscription(id, { troubles: [{ at: 'cancel', status: 204 }] });
    const log = vi.spyOn(console, 'error').mockReturnValue();
    const answer = await me.call('/api/subscription/downgrade', { method: 'POST' });
    const lines = log.mock.calls.map(([line]) => String(line));
    log.mockRestore();
    expect(await readAnswer(answer)).toEqual([
      200,
      expect.objectContaining({ plan: 'storyteller', status: 'cancelled', pending_downgrade: true }),
    ]);
    expect(lines.some((line) => line.includes('cancellation_deferred'))).toBe(true);
    expect((await getPayPalState(id)).calls.filter((call) => call === 'cancel')).toHaveLength(1);
    await shiftUserTime(me, DAY_MS);
    await reconcileSubscriptions(env, Date.now());
    expect(await getSubscription(me)).toMatchObject({ status: 'active', pending_downgrade: false });
    await updatePayPalSubscription(id, { troubles: [] });
    expect((await me.call('/api/subscription/downgrade', { method: 'POST' })).status).toBe(200);
  });

  test('returning before the end costs nothing twice and leaves no gap', async () => {
    const { me, id } = await createMember();
    await me.ask('/api/subscription/downgrade', { method: 'POST' });
    const { client, current_period_end: end } = await getSubscription(me);
    expect(client?.starts_at).toBe(end);
    const again = await createPayPalSubscription(me, {
      start_time: end as string,
      next_billing_time: end as string,
    });
    expect(await readAnswer(await activateSubscription(me, again))).toEqual([
      200,
      expect.objectContaining({
        plan: 'storyteller',
        status: 'active',
        auto_renew: true,
        pending_downgrade: false,
        current_period_end: end,
      }),
    ]);
    // PayPal takes the money some hours after the old membership has ended.
    const remaining = Date.parse(end as string) - Date.now();
    await shiftUserTime(me, remaining + 3 * 3_600_000);
    expect(await getPlan(me)).toBe('storyteller');
    await pay(again);
    await reconcileSubscriptions(env, Date.now());
    await shiftUserTime(me, 20 * DAY_MS);
    expect(await getPlan(me)).toBe('storyteller');
    expect(await getPayPalState(id)).toMatchObject({ status: 'CANCELLED' });
  });

  test('returning without paying ends the membership a day after the paid time', async () => {
    const { me } = await createMember();
    await me.ask('/api/subscription/downgrade', { method: 'POST' });
    const end = (await getSubscription(me)).current_period_end as string;
    await activateSubscription(
      me,
      await createPayPalSubscription(me, { start_time: end, next_billing_time: end }),
    );
    await shiftUserTime(me, Date.parse(end) - Date.now() + 1.05 * DAY_MS);
    expect(await getPlan(me)).toBe('free');
  });
});

describe('Two memberships', () => {
  test('a second subscription cancels the first at PayPal, and the paid time of both counts', async () => {
    const { me, id } = await createMember();
    const { id: newer } = await createAgreement(me);
    expect((await activateSubscription(me, newer)).status).toBe(200);
    expect([await getPayPalState(id), await getPayPalState(newer)]).toMatchObject([
      { status: 'CANCELLED' },
      { status: 'ACTIVE' },
    ]);
    expect(await getSubscription(me)).toMatchObject({ status: 'active', auto_renew: true });
    const rows = await env.DB.prepare(
      'select status from subscriptions where user_id = ? order by created_at',
    )
      .bind(me.id)
      .all();
    expect(rows.results).toEqual([{ status: 'cancelled' }, { status: 'active' }]);
    await refund(newer);
    await performPayPalAction(newer, 'cancel');
    await shiftUserTime(me, DAY_MS);
    await reconcileSubscriptions(env, Date.now());
    expect(await getPlan(me)).toBe('storyteller');
  });
});

describe('Granted plans', () => {
  test('a plan granted by the operator is not changed by subscriptions and never ends', async () => {
    const me = await createAccount();
    await env.DB.prepare("update users set plan = 'legend' where id = ?").bind(me.id).run();
    expect(await getSubscription(me)).toMatchObject({
      plan: 'legend',
      status: 'none',
      current_period_end: null,
      is_given: true,
    });
    const { id } = await createAgreement(me);
    expect((await activateSubscription(me, id)).status).toBe(200);
    await refund(id);
    await shiftUserTime(me, DAY_MS);
    await reconcileSubscriptions(env, Date.now());
    expect(await readPlan(me)).toEqual({ plan: 'legend', plan_until: null });
    expect(await getPlan(me)).toBe('legend');
  });
});

describe('Subscription routes and reconciliation', () => {
  test('the subscription routes require a session', async () => {
    for (const [path, method] of [
      ['/api/subscription', 'GET'],
      ['/api/subscription/activate', 'POST'],
      ['/api/subscription/downgrade', 'POST'],
    ] as const) {
      const answer = await (await createAccount()).call(path, { method, headers: { cookie: '' } });
      expect(answer.status).toBe(401);
    }
  });

  test('a subscription that PayPal no longer knows ends with the paid time and is logged without a name', async () => {
    const { me, id } = await createMember();
    await updatePayPalSubscription(id, { troubles: [{ at: 'show', status: 404 }] });
    await shiftUserTime(me, DAY_MS);
    const log = vi.spyOn(console, 'error').mockReturnValue();
    await reconcileSubscriptions(env, Date.now());
    const lines = log.mock.calls.map(([line]) => String(line));
    log.mockRestore();
    expect(lines.some((line) => line.includes('subscription_not_found'))).toBe(true);
    for (const secret of [id, me.id, me.email]) expect(lines.join('\n')).not.toContain(secret);
    expect(await getPlan(me)).toBe('storyteller');
    await shiftUserTime(me, 33 * DAY_MS);
    expect(await getPlan(me)).toBe('free');
  });
});
