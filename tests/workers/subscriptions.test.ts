// Over 400 lines: one subscription, from its agreement to its end, over one stand-in company.
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { api } from '../../src/api/app.ts';
import { reconcileSubscriptions } from '../../src/services/process-payment-events.ts';
import {
  activateSubscription,
  createAgreement,
  DAY_MS,
  shiftUserTime,
  createMember,
  getSubscription,
  listPayments,
  getPlan,
} from '../support/memberships.ts';
import { signInGuest, ORIGIN, getPoints, createAccount, type Visitor } from '../support/factories.ts';
import {
  createPayPalSubscription,
  updatePayPalSubscription,
  performPayPalAction,
  pay,
  refund,
  getPayPalState,
} from '../support/paypal.ts';
import { PAYPAL } from '../support/test-environment.ts';

const told = async (response: Response) => [response.status, await response.json()];
const refused = (status: number, code: string) => [status, expect.objectContaining({ code })];
const atPayPal = (id: string) =>
  getPayPalState(id).then(
    ({ status }) => status,
    () => 'UNKNOWN',
  );
const iso = (at: number) => new Date(at).toISOString();
const until = async (me: Visitor) =>
  env.DB.prepare('select plan, plan_until from users where id = ?')
    .bind(me.id)
    .first<{ plan: string; plan_until: number | null }>();

/** A site that its operator has set up otherwise. */
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

describe('When I have agreed to a membership at PayPal', () => {
  test('it is mine at once, with what it brings and until when it is paid', async () => {
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

  test('saying so again changes nothing, and asks PayPal nothing', async () => {
    const { me, id } = await createMember();
    const before = [await getSubscription(me), await until(me), (await getPayPalState(id)).calls.length];
    expect((await activateSubscription(me, id)).status).toBe(200);
    expect([await getSubscription(me), await until(me), (await getPayPalState(id)).calls.length]).toEqual(
      before,
    );
  });

  test('in two tabs at once, it is mine once', async () => {
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

  test('and PayPal has not taken the money yet, it is mine for a day, and then no more', async () => {
    const me = await createAccount();
    const id = await createPayPalSubscription(me, { next_billing_time: iso(Date.now()) });
    expect((await activateSubscription(me, id)).status).toBe(200);
    expect(await getPlan(me)).toBe('storyteller');
    expect((await until(me))?.plan_until).toBeLessThan(Date.now() + 1.01 * DAY_MS);
    await shiftUserTime(me, 1.1 * DAY_MS);
    expect(await getPlan(me)).toBe('free');
    await pay(id);
    await reconcileSubscriptions(env, Date.now());
    expect(await getPlan(me)).toBe('storyteller');
  });

  test('that begins much later than anything is paid for, it brings nothing until it is paid', async () => {
    const me = await createAccount();
    const start = iso(Date.now() + 3000 * DAY_MS);
    const id = await createPayPalSubscription(me, { start_time: start, next_billing_time: start });
    expect(await told(await activateSubscription(me, id))).toEqual([
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

describe('A subscription is refused as a membership', () => {
  test.each<[string, () => Promise<[Visitor, string]>, number, string]>([
    [
      'that PayPal does not know',
      async () => [await createAccount(), 'I-NOSUCHTHING1'],
      404,
      'subscription_unknown',
    ],
    [
      'that is no number of PayPal',
      async () => [await createAccount(), '../../v1/x?y'],
      404,
      'subscription_unknown',
    ],
    [
      'that is somebody else’s here',
      async () => [await createAccount(), (await createMember()).id],
      409,
      'subscription_used',
    ],
    [
      'that somebody else agreed to',
      async () => [await createAccount(), (await createAgreement(await createAccount())).id],
      403,
      'subscription_foreign',
    ],
    [
      'that was begun elsewhere, for nobody here',
      async () => [await createAccount(), (await createAgreement({ id: '' })).id],
      403,
      'subscription_foreign',
    ],
    ...(
      [
        ['of another plan', { plan_id: 'P-CHEAPER0000000' }, 422, 'subscription_wrong_plan'],
        ['that is not agreed to yet', { status: 'APPROVAL_PENDING' }, 409, 'subscription_not_active'],
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
    ).map(([what, atPayPal, status, code]): [string, () => Promise<[Visitor, string]>, number, string] => [
      what,
      async () => {
        const me = await createAccount();
        return [me, (await createAgreement(me, atPayPal)).id];
      },
      status,
      code,
    ]),
    [
      'of which another sum was paid',
      async () => {
        const me = await createAccount();
        return [me, (await createAgreement(me, { price: null }, { value: '0.99' })).id];
      },
      422,
      'subscription_wrong_price',
    ],
    [
      'of which another currency was paid',
      async () => {
        const me = await createAccount();
        return [me, (await createAgreement(me, { price: null }, { currency: 'JPY', value: '699' })).id];
      },
      422,
      'subscription_wrong_currency',
    ],
  ])('%s', async (_, make, status, code) => {
    const [me, id] = await make();
    const before = await atPayPal(id);
    expect(await told(await activateSubscription(me, id))).toEqual(refused(status, code));
    expect(await getSubscription(me)).toMatchObject({ plan: 'free', status: 'none' });
    expect(await getPlan(me)).toBe('free');
    // What they agreed to and is not sold here is not billed either; what is not theirs is left alone.
    expect(await atPayPal(id)).toBe(status === 422 ? 'CANCELLED' : before);
  });

  test('of a guest, who has no account that it could belong to', async () => {
    const me = await signInGuest();
    const { id } = await createAgreement(me);
    expect(await told(await activateSubscription(me, id))).toEqual(refused(403, 'account_required'));
    expect((await getSubscription(me)).client).toBeNull();
  });

  test('where PayPal does not answer, and is mine when it does', async () => {
    const me = await createAccount();
    const { id } = await createAgreement(me, { troubles: [{ at: 'show', status: 500, times: 1 }] });
    expect(await told(await activateSubscription(me, id))).toEqual(refused(502, 'paypal_unavailable'));
    expect(await getPlan(me)).toBe('free');
    expect((await activateSubscription(me, id)).status).toBe(200);
    expect(await getPlan(me)).toBe('storyteller');
  });

  test('on a site without PayPal, which offers no button either', async () => {
    const me = await createAccount();
    const { id } = await createAgreement(me);
    const answer = await callWith(NO_PAYPAL, me, '/api/subscription/activate', { subscription_id: id });
    expect(await told(answer)).toEqual(refused(503, 'payments_unavailable'));
    expect(await told(await callWith(NO_PAYPAL, me, '/api/subscription'))).toEqual([
      200,
      expect.objectContaining({ client: null }),
    ]);
  });
});

describe('PayPal’s button', () => {
  test('is told what it needs, and whose the subscription will be', async () => {
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

describe('When I go back to the free plan', () => {
  test('PayPal takes no more money, and what I paid for stays mine to the end', async () => {
    const { me, id } = await createMember();
    const before = await getSubscription(me);
    expect(await told(await me.call('/api/subscription/downgrade', { method: 'POST' }))).toEqual([
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
    // Said again, it is done already.
    const again = await me.call('/api/subscription/downgrade', { method: 'POST' });
    expect(await again.json()).toEqual(await getSubscription(me));
    await shiftUserTime(me, 27 * DAY_MS);
    expect(await getPlan(me)).toBe('storyteller');
    await shiftUserTime(me, 5 * DAY_MS);
    expect(await getPlan(me)).toBe('free');
    await reconcileSubscriptions(env, Date.now());
    expect(await until(me)).toEqual({ plan: 'free', plan_until: null });
    const after = await getSubscription(me);
    expect(after).toMatchObject({ plan: 'free', status: 'cancelled', pending_downgrade: false });
    // It says when it ended.
    expect(Date.parse(after.current_period_end ?? '')).toBeLessThan(Date.now());
    expect(after.client?.starts_at).toBeNull();
    expect(await told(await me.call('/api/subscription/downgrade', { method: 'POST' }))).toEqual(
      refused(409, 'no_subscription'),
    );
  });

  test('without having a membership, I am told so', async () => {
    const me = await createAccount();
    expect(await told(await me.call('/api/subscription/downgrade', { method: 'POST' }))).toEqual(
      refused(409, 'no_subscription'),
    );
  });

  test.each([
    ['refuses', { at: 'cancel', status: 422 }],
    ['cannot say what became of it', { at: 'show', status: 503 }],
  ] as const)('and PayPal %s, I am told that it failed, and nothing has changed', async (_, trouble) => {
    const { me, id } = await createMember();
    await updatePayPalSubscription(id, { troubles: [{ ...trouble }] });
    expect(await told(await me.call('/api/subscription/downgrade', { method: 'POST' }))).toEqual(
      refused(502, 'downgrade_failed'),
    );
    expect(await getSubscription(me)).toMatchObject({ plan: 'storyteller', status: 'active' });
    await updatePayPalSubscription(id, { troubles: [] });
    expect((await me.call('/api/subscription/downgrade', { method: 'POST' })).status).toBe(200);
  });

  test('and PayPal says yes but still calls it active, it is cancelled for me, until it is found out otherwise', async () => {
    const { me, id } = await createMember();
    await updatePayPalSubscription(id, { troubles: [{ at: 'cancel', status: 204 }] });
    const log = vi.spyOn(console, 'error').mockReturnValue();
    const answer = await me.call('/api/subscription/downgrade', { method: 'POST' });
    const lines = log.mock.calls.map(([line]) => String(line));
    log.mockRestore();
    expect(await told(answer)).toEqual([
      200,
      expect.objectContaining({ plan: 'storyteller', status: 'cancelled', pending_downgrade: true }),
    ]);
    expect(lines.some((line) => line.includes('cancellation_waits'))).toBe(true);
    expect((await getPayPalState(id)).calls.filter((call) => call === 'cancel')).toHaveLength(1);
    await shiftUserTime(me, DAY_MS);
    await reconcileSubscriptions(env, Date.now());
    expect(await getSubscription(me)).toMatchObject({ status: 'active', pending_downgrade: false });
    await updatePayPalSubscription(id, { troubles: [] });
    expect((await me.call('/api/subscription/downgrade', { method: 'POST' })).status).toBe(200);
  });

  test('coming back before the end pays nothing twice, and leaves no day between', async () => {
    const { me, id } = await createMember();
    await me.ask('/api/subscription/downgrade', { method: 'POST' });
    const { client, current_period_end: end } = await getSubscription(me);
    expect(client?.starts_at).toBe(end);
    const again = await createPayPalSubscription(me, {
      start_time: end as string,
      next_billing_time: end as string,
    });
    expect(await told(await activateSubscription(me, again))).toEqual([
      200,
      expect.objectContaining({
        plan: 'storyteller',
        status: 'active',
        auto_renew: true,
        pending_downgrade: false,
        current_period_end: end,
      }),
    ]);
    // PayPal takes the money some hours after the old one has ended.
    const left = Date.parse(end as string) - Date.now();
    await shiftUserTime(me, left + 3 * 3_600_000);
    expect(await getPlan(me)).toBe('storyteller');
    await pay(again);
    await reconcileSubscriptions(env, Date.now());
    await shiftUserTime(me, 20 * DAY_MS);
    expect(await getPlan(me)).toBe('storyteller');
    expect(await getPayPalState(id)).toMatchObject({ status: 'CANCELLED' });
  });

  test('coming back and never paying ends it a day after what was paid for', async () => {
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

describe('Two memberships of one person', () => {
  test('are one too many: the older ends at PayPal, and what is paid of it counts', async () => {
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

describe('A plan that the operator gave', () => {
  test('is never touched by what is paid, and never ends', async () => {
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
    expect(await until(me)).toEqual({ plan: 'legend', plan_until: null });
    expect(await getPlan(me)).toBe('legend');
  });
});

describe('A membership', () => {
  test('lets nobody in who is not logged in', async () => {
    for (const [path, method] of [
      ['/api/subscription', 'GET'],
      ['/api/subscription/activate', 'POST'],
      ['/api/subscription/downgrade', 'POST'],
    ] as const) {
      const answer = await (await createAccount()).call(path, { method, headers: { cookie: '' } });
      expect(answer.status).toBe(401);
    }
  });

  test('of which PayPal knows nothing any more ends with what was paid, and the log says so without a name', async () => {
    const { me, id } = await createMember();
    await updatePayPalSubscription(id, { troubles: [{ at: 'show', status: 404 }] });
    await shiftUserTime(me, DAY_MS);
    const log = vi.spyOn(console, 'error').mockReturnValue();
    await reconcileSubscriptions(env, Date.now());
    const lines = log.mock.calls.map(([line]) => String(line));
    log.mockRestore();
    expect(lines.some((line) => line.includes('subscription_unknown'))).toBe(true);
    for (const secret of [id, me.id, me.email]) expect(lines.join('\n')).not.toContain(secret);
    expect(await getPlan(me)).toBe('storyteller');
    await shiftUserTime(me, 33 * DAY_MS);
    expect(await getPlan(me)).toBe('free');
  });
});
