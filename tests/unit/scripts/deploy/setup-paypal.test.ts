import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DEFAULT_CENTS, EVENT_TYPES, setUpPayPal } from '../../../../scripts/deploy/setup-paypal.mjs';
import { readTable } from '../../../../scripts/deploy/wrangler-toml.mjs';
import { RUNTIME_CONFIG_DEFAULTS } from '../../../../src/features/runtime-config/defaults.ts';
import { type PayPalServer, startPayPalServer } from '../../../support/paypal-server.ts';

const TOML = readFileSync(new URL('../../../../wrangler.toml', import.meta.url), 'utf8');
const APP = { clientId: 'our-id', clientSecret: 'our-secret' };

let payPal: PayPalServer;
let toml = TOML;

beforeEach(async () => {
  payPal = await startPayPalServer(APP);
  toml = TOML;
});
afterEach(() => payPal.close());

/** Runs the setup and returns its exit code or error, and its output. */
async function run(options: { cents?: number; siteUrl?: string; clientSecret?: string } = {}) {
  const output: string[] = [];
  const code = await setUpPayPal({
    env: 'production',
    account: { ...APP, clientSecret: options.clientSecret ?? APP.clientSecret, apiBase: payPal.url },
    siteUrl: options.siteUrl ?? 'https://chat.example',
    cents: options.cents ?? DEFAULT_CENTS,
    readToml: () => toml,
    writeToml: (text) => void (toml = text),
    say: (text) => void output.push(text),
  }).catch((error: unknown) => (error as Error).message);
  return { code, output: output.join('\n') };
}

const readWrittenVars = () => readTable(toml, 'env.production.vars');

describe('PayPal setup', () => {
  test('the PayPal setup creates the product, a plan at the default price and a webhook, and writes their ids', async () => {
    expect((await run()).code).toBe(0);
    expect(payPal.shop.changes).toEqual([
      'product LORELOOM-MEMBERSHIP-PRODUCTION',
      'plan Storyteller',
      'webhook https://chat.example/api/paypal/webhook',
    ]);
    const [plan] = payPal.shop.plans.values();
    expect(plan).toMatchObject({
      product_id: 'LORELOOM-MEMBERSHIP-PRODUCTION',
      quantity_supported: false,
      billing_cycles: [
        {
          frequency: { interval_unit: 'MONTH', interval_count: 1 },
          total_cycles: 0,
          pricing_scheme: { fixed_price: { value: '6.99', currency_code: 'USD' } },
        },
      ],
    });
    expect(DEFAULT_CENTS).toBe(RUNTIME_CONFIG_DEFAULTS.storyteller_price_cents);
    const [webhook] = payPal.shop.webhooks.values();
    expect(webhook?.event_types.map(({ name }) => name)).toEqual(EVENT_TYPES);
    expect(readWrittenVars()).toMatchObject({
      PAYPAL_CLIENT_ID: 'our-id',
      PAYPAL_PLAN_STORYTELLER: plan?.id,
      PAYPAL_WEBHOOK_ID: webhook?.id,
    });
    expect(toml).not.toContain(APP.clientSecret);
  });

  test('the PayPal setup changes nothing when it runs again', async () => {
    await run();
    const [before, changes] = [toml, payPal.shop.changes.length];
    const { code, output } = await run();
    expect(code).toBe(0);
    expect(output.match(/: exists/g)).toHaveLength(3);
    expect(payPal.shop.changes).toHaveLength(changes);
    expect(toml).toBe(before);
  });

  test.each(['catalogs/products', 'billing/plans', 'notifications/webhooks'])(
    'the PayPal setup creates nothing twice when the answer about %s was lost',
    async (kind) => {
      payPal.shop.dropsResponseTo = kind;
      expect((await run()).code).toMatch(/^PayPal did not answer/);
      expect((await run()).code).toBe(0);
      expect([payPal.shop.products.size, payPal.shop.plans.size, payPal.shop.webhooks.size]).toEqual([
        1, 1, 1,
      ]);
    },
  );

  test('the PayPal setup creates a plan for each price and finds it again among many', async () => {
    await run();
    const first = readWrittenVars().PAYPAL_PLAN_STORYTELLER;
    // A list page shows twenty plans without prices.
    for (let cents = 1000; cents < 1025; cents += 1) await run({ cents });
    expect(payPal.shop.plans.size).toBe(26);
    await run({ cents: 1024 });
    expect(payPal.shop.plans.size).toBe(26);
    await run();
    expect(readWrittenVars().PAYPAL_PLAN_STORYTELLER).toBe(first);
  });

  test.each([
    ['is no longer for sale', { status: 'INACTIVE' }],
    ['may be bought several times', { quantity_supported: true }],
    ['has a setup fee', { payment_preferences: { setup_fee: { value: '1.00', currency_code: 'USD' } } }],
  ])('the PayPal setup does not use a plan that %s', async (_, change) => {
    await run();
    const [id] = payPal.shop.plans.keys();
    Object.assign(payPal.shop.plans.get(id ?? '') ?? {}, change);
    // PayPal remembers repeated creation calls only for days; a new server has forgotten them.
    await payPal.close();
    const { plans, products, webhooks } = payPal.shop;
    payPal = await startPayPalServer(APP);
    for (const [kind, rows] of Object.entries({ plans, products, webhooks }))
      for (const [key, row] of rows) (payPal.shop[kind as 'plans'] as Map<string, unknown>).set(key, row);
    const { output } = await run();
    expect(payPal.shop.plans.size).toBe(2);
    const [, other] = payPal.shop.plans.keys();
    // The configured plan stays, because users who are at PayPal with it may still return.
    expect(readWrittenVars().PAYPAL_PLAN_STORYTELLER).toBe(id);
    expect(output).toContain(
      `npm run business -- set storyteller_price_cents=699 storyteller_paypal_plan=${other} --remote --env production`,
    );
  });

  test('the PayPal setup subscribes an existing webhook to missing events and removes none', async () => {
    await run();
    const [webhook] = payPal.shop.webhooks.values();
    if (webhook === undefined) throw new Error('there is none');
    webhook.event_types = [{ name: 'PAYMENT.SALE.COMPLETED' }, { name: 'CUSTOMER.DISPUTE.CREATED' }];
    await run();
    expect(webhook.event_types.map(({ name }) => name).sort()).toEqual(
      [...EVENT_TYPES, 'CUSTOMER.DISPUTE.CREATED'].sort(),
    );
  });

  test('the PayPal setup warns about another site of the app and creates no webhook without https', async () => {
    await run({ siteUrl: 'https://staging.chat.example' });
    const { output } = await run();
    expect(output).toContain('this app also notifies https://staging.chat.example/api/paypal/webhook');
    expect((await run({ siteUrl: 'http://localhost:8787' })).output).toContain('PayPal needs https');
    expect(payPal.shop.webhooks.size).toBe(2);
  });

  test('the PayPal setup reports that id and secret do not match, without printing the secret', async () => {
    const { code } = await run({ clientSecret: 'another-secret' });
    expect(code).toMatch(/^PayPal does not accept this app .*invalid_client/);
    expect(code).not.toContain('another-secret');
    expect(toml).toBe(TOML);
  });

  test('the PayPal setup subscribes to the events that docs/paypal.md names', () => {
    const page = readFileSync(new URL('../../../../docs/paypal.md', import.meta.url), 'utf8');
    for (const name of EVENT_TYPES) expect(page).toContain(`\`${name}\``);
  });
});
