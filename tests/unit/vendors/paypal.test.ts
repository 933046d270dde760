// Over 400 lines: every answer that PayPal may give, over one stand-in.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cancelSubscription, listTransactions, showSubscription } from '../../../src/vendors/paypal.ts';
import type { PayPalSettings } from '../../../src/vendors/paypal-call.ts';
import type {
  PayPalAction,
  PayPalSubscription,
  ObservedSubscription,
  InjectedResponse,
} from '../../support/paypal-subscriptions.ts';
import { type PayPalServer, startPayPalServer } from '../../support/paypal-server.ts';

const CREDENTIALS = { clientId: 'ours', clientSecret: 'our-secret' };
const NOW = 1_800_000_000_000;
const SUBSCRIBER = /payer@example|2J6QB8YJQSJRJ/;
let server: PayPalServer;
let settings: PayPalSettings;

beforeAll(async () => {
  server = await startPayPalServer(CREDENTIALS);
  settings = { ...CREDENTIALS, apiBase: server.url };
});
afterAll(() => server.close());

async function control<Answer>(path: string, json?: unknown): Promise<Answer> {
  const init = json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) };
  return (await fetch(`${server.url}/control/${path}`, init)).json() as Promise<Answer>;
}
const subscription = async (fields: Partial<PayPalSubscription> = {}) =>
  (await control<{ id: string }>('subscriptions', fields)).id;
const simulate = (id: string, act: PayPalAction, subscriptionReturning: Record<string, unknown> = {}) =>
  control<{ payment: string }>(`subscriptions/${id}/${act}`, subscriptionReturning);
const getObserved = (id: string) => control<ObservedSubscription>(`subscriptions/${id}`);
const countTokens = async () => (await control<{ given: number }>('tokens')).given;
const failTokenRequests = (...troubles: InjectedResponse[]) => control('tokens', { troubles });
/** Makes every token issued so far invalid. */
const revokeTokens = () => control('tokens', {});

// Ensures that no cached token of an earlier test is valid.
let now = NOW;
beforeEach(async () => {
  await revokeTokens();
  now += 24 * 3_600_000;
});
const show = (id: string, timeoutMs?: number) => showSubscription(settings, id, { now, timeoutMs });
const cancel = (id: string, timeoutMs?: number) =>
  cancelSubscription(settings, id, 'The account goes.', { now, timeoutMs });

describe('PayPal subscription', () => {
  test.each(['APPROVAL_PENDING', 'APPROVED', 'ACTIVE', 'SUSPENDED', 'CANCELLED', 'EXPIRED'] as const)(
    'a subscription has the status that PayPal reports: %s',
    async (status) => {
      const id = await subscription({ status });
      expect(await show(id)).toMatchObject({ ok: true, subscription: { id, status } });
    },
  );

  test('a subscription has its user, plan, price and next billing time', async () => {
    const id = await subscription({ custom_id: 'somebody', start_time: '2026-12-15T10:00:00Z' });
    expect(await show(id)).toEqual({
      ok: true,
      subscription: {
        id,
        status: 'ACTIVE',
        planId: 'P-5ML4271244454362WXNWU5NQ',
        customId: 'somebody',
        payerId: expect.stringMatching(/^[0-9A-F]{13}$/),
        nextBillingAt: Date.UTC(2027, 0, 15, 10),
        beganAt: Date.UTC(2026, 11, 15, 10),
        lastPayment: null,
        failedPayments: 0,
        price: { cents: 699, currency: 'USD' },
        amounts: [{ cents: 699, currency: 'USD' }],
      },
    });
  });

  test('a subscription has its last payment and the number of failed payments since', async () => {
    const id = await subscription();
    const at = Date.UTC(2027, 0, 31, 10);
    await simulate(id, 'pay', { value: '5.49', currency: 'EUR', at });
    await simulate(id, 'fail');
    await simulate(id, 'fail');
    expect(await show(id)).toMatchObject({
      subscription: {
        lastPayment: { amountCents: 549, currency: 'EUR', at },
        failedPayments: 2,
        nextBillingAt: Date.UTC(2027, 1, 28, 10),
      },
    });
  });

  test('a cancelled subscription has no next billing time', async () => {
    const id = await subscription({ status: 'CANCELLED' });
    expect(await show(id)).toMatchObject({ subscription: { nextBillingAt: null } });
  });

  test('a subscription whose price was changed in the browser has the changed price', async () => {
    const price = { currency_code: 'USD', value: '0.01' };
    expect(await show(await subscription({ price }))).toMatchObject({
      subscription: { price: { cents: 1, currency: 'USD' } },
    });
    expect(await show(await subscription({ price, quantity: '3' }))).toMatchObject({
      subscription: { price: { cents: 3, currency: 'USD' } },
    });
  });

  test('a subscription that PayPal moved to another plan has that plan and price', async () => {
    const id = await subscription();
    const price = { currency_code: 'USD', value: '14.99' };
    await simulate(id, 'revise', { plan_id: 'P-ADVENTURER', price });
    expect(await show(id)).toMatchObject({
      subscription: { planId: 'P-ADVENTURER', price: { cents: 1499, currency: 'USD' } },
    });
  });

  test('missing fields of a subscription are null', async () => {
    const body = (id: string) => ({
      id,
      status: 'APPROVAL_PENDING',
      billing_info: null,
      plan: {},
      start_time: 'soon',
    });
    const id = await subscription({
      id: 'I-LITTLE',
      troubles: [{ at: 'show', status: 200, body: body('I-LITTLE') }],
    });
    expect(await show(id)).toEqual({
      ok: true,
      subscription: {
        id,
        status: 'APPROVAL_PENDING',
        planId: null,
        customId: null,
        payerId: null,
        nextBillingAt: null,
        beganAt: null,
        lastPayment: null,
        failedPayments: 0,
        price: null,
        amounts: [],
      },
    });
  });

  test('a subscription with a trial costs its regular price', async () => {
    const cycle = (tenure_type: string, value: string) => ({
      tenure_type,
      pricing_scheme: { fixed_price: { currency_code: 'USD', value } },
    });
    const body = {
      id: 'I-TRIAL',
      status: 'ACTIVE',
      plan: { billing_cycles: [cycle('TRIAL', '0.0'), { tenure_type: 'TRIAL' }, cycle('REGULAR', '6.99')] },
    };
    const id = await subscription({ id: 'I-TRIAL', troubles: [{ at: 'show', status: 200, body }] });
    expect(await show(id)).toMatchObject({ subscription: { price: { cents: 699, currency: 'USD' } } });
  });

  /** Creates a subscription for which PayPal returns these fields. */
  const subscriptionReturning = (body: Record<string, unknown>) =>
    subscription({ troubles: [{ at: 'show', status: 200, body: { status: 'ACTIVE', ...body } }] });

  test("a subscription costs its plan's price even if the cycle has no tenure", async () => {
    const fixed_price = { currency_code: 'USD', value: 6.99 };
    const id = await subscriptionReturning({
      plan: { billing_cycles: [{ pricing_scheme: { fixed_price } }] },
    });
    expect(await show(id)).toMatchObject({ subscription: { price: { cents: 699, currency: 'USD' } } });
  });

  test('a subscription has the requested id when PayPal does not repeat it', async () => {
    const id = await subscriptionReturning({});
    expect(await show(id)).toMatchObject({ ok: true, subscription: { id, status: 'ACTIVE' } });
  });

  test('a subscription is requested again without its plan when PayPal refuses the first request', async () => {
    for (const status of [400, 404]) {
      const id = await subscription({ troubles: [{ at: 'show', status, times: 1 }] });
      expect(await show(id)).toMatchObject({ ok: true, subscription: { id } });
      expect(await getObserved(id)).toMatchObject({ calls: ['show', 'show'] });
    }
    const refused = await subscription({ troubles: [{ at: 'show', status: 403, times: 1 }] });
    expect(await show(refused)).toMatchObject({ ok: false, code: 'refused' });
  });

  test.each([200, 202, 204])('a cancellation succeeds with status %i', async (status) => {
    const id = await subscription({ troubles: [{ at: 'cancel', status, body: 'Done.' }] });
    expect(await cancel(id)).toEqual({ ok: true });
  });

  test.each(['ACTIVE', 'SUSPENDED'] as const)('a cancellation sends its reason: %s', async (status) => {
    const id = await subscription({ status });
    expect(await cancel(id)).toEqual({ ok: true });
    expect(await getObserved(id)).toEqual({
      status: 'CANCELLED',
      calls: ['cancel'],
      reason: 'The account goes.',
    });
  });

  test("a second cancellation is refused, and its reason names PayPal's error", async () => {
    const id = await subscription();
    const answers = await Promise.all([cancel(id), cancel(id)]);
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(answers.find(({ ok }) => !ok)).toMatchObject({
      code: 'refused',
      reason: expect.stringMatching(/^cancel answered 422 SUBSCRIPTION_STATUS_INVALID debug_id \w+$/),
    });
  });

  test('an unknown or malformed subscription id is reported as unknown', async () => {
    expect(await show('I-NOTHING')).toMatchObject({
      ok: false,
      code: 'unknown',
      reason: expect.stringContaining('show answered 404 INVALID_RESOURCE_ID'),
    });
    expect(await cancel('I/../x?y')).toMatchObject({ ok: false, code: 'unknown' });
  });
});

describe('PayPal transactions', () => {
  const DECEMBER_15 = Date.UTC(2026, 11, 15, 10);
  const JANUARY_15 = Date.UTC(2027, 0, 15, 10);
  const list = (id: string, to = JANUARY_15, timeoutMs?: number) =>
    listTransactions(settings, id, { from: DECEMBER_15, to }, { now, timeoutMs });

  test('transactions are listed from the oldest on, with the state of each payment', async () => {
    const id = await subscription();
    const pay = (at: number, subscriptionReturning = {}) =>
      simulate(id, 'pay', { at, ...subscriptionReturning });
    const { payment: refunded } = await pay(DECEMBER_15);
    await simulate(id, 'refund', { payment: refunded });
    const { payment: part } = await pay(DECEMBER_15 + 1000);
    await simulate(id, 'refund', { payment: part, value: '2.00' });
    const { payment: declined } = await pay(DECEMBER_15 + 2000, { status: 'DECLINED' });
    const { payment: reversed } = await pay(DECEMBER_15 + 3000);
    await simulate(id, 'reverse', { payment: reversed });
    const { payment: completed } = await pay(JANUARY_15, { value: '5.49', currency: 'EUR' });
    await pay(JANUARY_15 + 1000);
    expect(await list(id)).toEqual({
      ok: true,
      transactions: [
        { id: refunded, status: 'REFUNDED', amountCents: 699, currency: 'USD', at: DECEMBER_15 },
        { id: part, status: 'PARTIALLY_REFUNDED', amountCents: 699, currency: 'USD', at: DECEMBER_15 + 1000 },
        { id: declined, status: 'DECLINED', amountCents: 699, currency: 'USD', at: DECEMBER_15 + 2000 },
        { id: reversed, status: 'REFUNDED', amountCents: 699, currency: 'USD', at: DECEMBER_15 + 3000 },
        { id: completed, status: 'COMPLETED', amountCents: 549, currency: 'EUR', at: JANUARY_15 },
      ],
    });
    expect(await getObserved(id)).toMatchObject({ calls: ['transactions'] });
  });

  test('transactions that are no payments are left out', async () => {
    const row = (id: string, status: string, value: unknown, time = '2026-12-20T10:00:00Z') => ({
      id,
      status,
      amount_with_breakdown: { gross_amount: { currency_code: 'USD', value } },
      time,
    });
    const body = {
      transactions: [
        row('A', 'FAILED', '6.99'),
        row('B', 'COMPLETED', '-6.99'),
        row('C', 'COMPLETED', 'a lot'),
        row('D', 'GIVEN', '6.99'),
        row('E', 'COMPLETED', '6.99', 'yesterday'),
        { id: 'F', status: 'COMPLETED' },
        null,
      ],
    };
    const id = await subscription({ troubles: [{ at: 'transactions', status: 200, body }] });
    expect(await list(id)).toEqual({
      ok: true,
      transactions: [
        { id: 'A', status: 'DECLINED', amountCents: 699, currency: 'USD', at: Date.UTC(2026, 11, 20, 10) },
      ],
    });
  });

  test('a subscription without transactions has an empty list', async () => {
    expect(await list(await subscription())).toEqual({ ok: true, transactions: [] });
    for (const body of [{ links: [] }, { total_items: 0 }, { transactions: [] }]) {
      const id = await subscription({ troubles: [{ at: 'transactions', status: 200, body }] });
      expect(await list(id)).toEqual({ ok: true, transactions: [] });
    }
  });

  test('transactions are unknown when PayPal does not return a list', async () => {
    expect(await list('I-NOTHING')).toMatchObject({ ok: false, code: 'unknown' });
    const bodies = [
      [],
      {},
      { transactions: null },
      { transactions: 'none' },
      { links: [], status: 'ACTIVE' },
      { links: [], plan_id: 'P-1' },
    ];
    const answered = bodies.map((body) => ({ status: 200, body }));
    for (const trouble of [{ status: 500 }, ...answered, {}]) {
      const id = await subscription({ troubles: [{ at: 'transactions', ...trouble }] });
      expect(await list(id, JANUARY_15, 200)).toMatchObject({ ok: false, code: 'unavailable' });
    }
  });
});

describe('PayPal token', () => {
  test('a token is reused for many calls and renewed shortly before it expires', async () => {
    const id = await subscription();
    const before = await countTokens();
    await show(id);
    await show(id);
    await cancel(id);
    expect(await countTokens()).toBe(before + 1);
    now += 31_668_000 - 60_000;
    expect(await show(id)).toMatchObject({ ok: true });
    expect(await countTokens()).toBe(before + 2);
  });

  test('a token without a lifetime is used once', async () => {
    const id = await subscription();
    const before = await countTokens();
    await failTokenRequests({ at: 'token', status: 200, body: { access_token: 'once' }, times: 1 });
    expect(await show(id)).toMatchObject({ ok: true });
    await show(id);
    expect(await countTokens()).toBe(before + 1);
  });

  test('a revoked token is renewed once', async () => {
    const id = await subscription();
    await show(id);
    await revokeTokens();
    expect(await cancel(id)).toEqual({ ok: true });
    const before = await countTokens();
    const stubborn = await subscription({
      troubles: [{ at: 'show', status: 401, body: { error: 'invalid_token' } }],
    });
    expect(await show(stubborn)).toMatchObject({ ok: false, code: 'unavailable' });
    expect(await getObserved(stubborn)).toMatchObject({ calls: ['show', 'show'] });
    expect(await countTokens()).toBe(before + 1);
  });

  test('a token is not shared with other credentials', async () => {
    const id = await subscription();
    await show(id);
    const other = { ...settings, clientSecret: 'not-our-secret' };
    expect(await showSubscription(other, id, { now })).toEqual({
      ok: false,
      code: 'unavailable',
      reason: 'token answered 401 invalid_client',
    });
  });

  test.each<[string, InjectedResponse]>([
    ['has an error', { at: 'token', status: 503 }],
    ['gives none', { at: 'token', status: 200, body: {} }],
    ['gives one that is none', { at: 'token', status: 200, body: { access_token: 'a\nb', expires_in: 9 } }],
    ['says that it is asked too much', { at: 'token', status: 429, body: { name: 'RATE_LIMIT_REACHED' } }],
    ['does not answer', { at: 'token' }],
  ])('a call is unavailable and changes nothing when the token endpoint %s', async (_, trouble) => {
    const id = await subscription();
    await failTokenRequests(trouble);
    expect(await cancel(id, 200)).toMatchObject({
      ok: false,
      code: 'unavailable',
      reason: expect.stringMatching(/^token /),
    });
    expect(await getObserved(id)).toEqual({ status: 'ACTIVE', calls: [], reason: null });
  });
});

describe('PayPal outage', () => {
  test.each<[string, InjectedResponse]>([
    ['has an error', { at: 'show', status: 500 }],
    ['says that it is asked too much', { at: 'show', status: 429 }],
    ['answers with a page', { at: 'show', status: 200, body: '<!doctype html><title>Sorry</title>' }],
    ['answers with nothing', { at: 'show', status: 204 }],
    ['sends us elsewhere', { at: 'show', status: 302 }],
    ['shows another subscription', { at: 'show', status: 200, body: { id: 'I-OTHER', status: 'CANCELLED' } }],
    ['has a new word for its state', { at: 'show', status: 200, body: { id: 'I-X', status: 'FINE' } }],
    ['does not stop answering', { at: 'show', status: 200, body: `{"id":"${'x'.repeat(200_000)}"}` }],
    ['does not answer', { at: 'show' }],
  ])('a subscription is unavailable when PayPal %s', async (_, trouble) => {
    await show(await subscription());
    expect(await show(await subscription({ troubles: [trouble] }), 200)).toMatchObject({
      ok: false,
      code: 'unavailable',
    });
  });

  test('a slow answer is awaited until the timeout', async () => {
    const id = await subscription({ troubles: [{ at: 'show', slowMs: 150, times: 1 }] });
    expect(await show(id, 5000)).toMatchObject({ ok: true });
    const slower = await subscription({ troubles: [{ at: 'show', slowMs: 1000 }] });
    expect(await show(slower, 100)).toMatchObject({ ok: false, code: 'unavailable' });
  });

  test('an answer that never ends is cut off by the timeout', async () => {
    const endless = createServer((_, res) => {
      res.writeHead(200, { 'content-type': 'application/json' }).write('{"access_token":');
    });
    await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve));
    const apiBase = `http://127.0.0.1:${(endless.address() as AddressInfo).port}`;
    const answer = await showSubscription({ ...CREDENTIALS, apiBase }, 'I-1', { now, timeoutMs: 80 });
    endless.closeAllConnections();
    endless.close();
    expect(answer).toEqual({ ok: false, code: 'unavailable', reason: 'token did not answer' });
  });

  test('a failure names what failed without secrets or personal data', async () => {
    const body = {
      name: 'payer@example.test owes',
      debug_id: 'not one: payer@example.test',
      details: [{ issue: 'payer@example.test', description: '2J6QB8YJQSJRJ' }],
    };
    const answers = [];
    for (const trouble of [{ at: 'show', status: 403, body } as const, { at: 'show' } as const]) {
      const id = await subscription({ troubles: [trouble] });
      const answer = await show(id, 200);
      expect(JSON.stringify(answer)).not.toContain(id);
      answers.push(answer);
    }
    expect(answers).toEqual([
      { ok: false, code: 'refused', reason: 'show answered 403' },
      { ok: false, code: 'unavailable', reason: 'show did not answer' },
    ]);
    expect(JSON.stringify(answers)).not.toMatch(SUBSCRIBER);
    expect(JSON.stringify(answers)).not.toContain(CREDENTIALS.clientSecret);
  });
});
