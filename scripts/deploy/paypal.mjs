// What `npm run setup:paypal` does at PayPal: the product, the plan that is sold and the address that PayPal tells of
// payments. Everything is looked for first, and what is made has a name of ours that PayPal knows a repeated call by.
import { BILLING } from '../../src/features/billing/limits.ts';
import { BRAND } from '../../src/config/brand.ts';
import { RUNTIME_CONFIG_DEFAULTS } from '../../src/features/runtime-config/defaults.ts';
import { PLAN_NAMES } from '../../src/features/billing/plans.ts';
import { Trouble } from '../lib/prepare.mjs';
import { quoted, valuesIn, withValue } from './toml.mjs';

/** What the books are kept by; PayPal sends nothing else of it. */
export const EVENT_TYPES = [
  'BILLING.SUBSCRIPTION.CREATED',
  'BILLING.SUBSCRIPTION.ACTIVATED',
  'BILLING.SUBSCRIPTION.UPDATED',
  'BILLING.SUBSCRIPTION.SUSPENDED',
  'BILLING.SUBSCRIPTION.CANCELLED',
  'BILLING.SUBSCRIPTION.EXPIRED',
  'BILLING.SUBSCRIPTION.PAYMENT.FAILED',
  'PAYMENT.SALE.COMPLETED',
  'PAYMENT.SALE.REFUNDED',
  'PAYMENT.SALE.REVERSED',
];

/** PayPal gives no longer lists of plans at once; whoever has more pages than this has another matter. */
const PAGE = 20;
const MAX_PAGES = 20;
const TIMEOUT_MS = 20_000;

/**
 * @typedef {object} Till
 * @property {string} env
 * @property {boolean} dryRun
 * @property {{ clientId: string, clientSecret: string, apiBase: string }} account
 * @property {string} siteUrl
 * @property {number} cents the price of a month
 * @property {() => string} readToml
 * @property {(text: string) => void} writeToml
 * @property {(text: string) => void} say
 */

/** @typedef {{ status: number, body: any }} Answer what PayPal said (any: each caller reads the few fields it needs, and they may be missing) */
/** @typedef {(method: string, path: string, options?: { body?: unknown, once?: string }) => Promise<Answer>} Call */

/** PayPal's names for what was wrong, and its number for the call, which its support asks for. @param {Answer} answer */
function whyOf({ status, body }) {
  const name = body?.details?.[0]?.issue ?? body?.name ?? body?.error ?? '';
  return [`PayPal answered ${status}`, name, body?.debug_id && `debug_id ${body.debug_id}`]
    .filter(Boolean)
    .join(' ');
}

/** Speaks to PayPal as the app. @param {Till['account']} account @returns {Promise<Call>} */
async function openCalls({ clientId, clientSecret, apiBase }) {
  const ask = async (path, init) => {
    let response;
    try {
      response = await fetch(apiBase + path, {
        ...init,
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
    } catch {
      throw new Trouble(`PayPal did not answer at ${apiBase}. Run this again.`);
    }
    const text = await response.text();
    let body = null;
    try {
      body = text === '' ? null : JSON.parse(text);
    } catch {
      body = null;
    }
    return { status: response.status, body };
  };
  const token = await ask('/v1/oauth2/token', {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  });
  if (token.status !== 200 || typeof token.body?.access_token !== 'string')
    throw new Trouble(
      `PayPal does not know this app at ${apiBase} (${whyOf(token)}): PAYPAL_CLIENT_ID and PAYPAL_CLIENT_SECRET belong together, and to the sandbox or to PayPal itself.`,
    );
  return (method, path, { body, once } = {}) =>
    ask(path, {
      method,
      headers: {
        authorization: `Bearer ${token.body.access_token}`,
        accept: 'application/json',
        prefer: 'return=representation',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(once === undefined ? {} : { 'paypal-request-id': once }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
}

/** @param {Answer} answer @param {string} what */
function must(answer, what) {
  if (answer.status < 200 || answer.status > 299)
    throw new Trouble(`${what} did not work: ${whyOf(answer)}.`);
  return answer.body;
}

/** Ours for the product, so that a second run finds it. @param {string} env */
const productIdOf = (env) => `${BRAND.name}-membership-${env}`.toUpperCase();

/** @param {Till} till @param {Call} call @returns {Promise<string | null>} null where a dry run would make it */
async function settleProduct({ env, dryRun, say }, call) {
  const id = productIdOf(env);
  const known = await call('GET', `/v1/catalogs/products/${id}`);
  if (known.status === 200) {
    say(`product     ${id}: there`);
    return id;
  }
  if (known.status !== 404) must(known, 'Looking for the product');
  if (dryRun) {
    say(`product     ${id}: would be made`);
    return null;
  }
  const body = { id, name: `${BRAND.name} membership`, type: 'SERVICE', category: 'SOFTWARE' };
  const made = must(
    await call('POST', '/v1/catalogs/products', { body, once: `product-${id}` }),
    'Making the product',
  );
  say(`product     ${made.id}: made`);
  return made.id;
}

/** A price as PayPal writes it. @param {number} cents */
const dollars = (cents) => (cents / 100).toFixed(2);

/** Whether a plan takes this price each month, for good and once: anything else the site refuses. */
function isOurs(plan, cents) {
  const [cycle, ...others] = plan.billing_cycles ?? [];
  const price = cycle?.pricing_scheme?.fixed_price;
  const fee = Number(plan.payment_preferences?.setup_fee?.value ?? 0);
  return (
    plan.status === 'ACTIVE' &&
    others.length === 0 &&
    cycle?.tenure_type === 'REGULAR' &&
    cycle.frequency?.interval_unit === 'MONTH' &&
    Number(cycle.frequency?.interval_count) === 1 &&
    Number(cycle.total_cycles ?? 0) === 0 &&
    price?.currency_code === BILLING.currency &&
    Math.round(Number(price.value) * 100) === cents &&
    plan.quantity_supported !== true &&
    fee === 0
  );
}

/** @param {Till} till @param {Call} call @param {string | null} product */
async function settlePlan({ dryRun, cents, say }, call, product) {
  const label = `${PLAN_NAMES.storyteller}, ${dollars(cents)} ${BILLING.currency} a month`;
  for (let page = 1; product !== null && page <= MAX_PAGES; page += 1) {
    const query = new URLSearchParams({ product_id: product, page_size: String(PAGE), page: String(page) });
    const { plans = [] } = must(await call('GET', `/v1/billing/plans?${query}`), 'Listing the plans') ?? {};
    for (const { id, status } of plans) {
      if (status !== 'ACTIVE') continue;
      // A list says no price.
      const plan = must(await call('GET', `/v1/billing/plans/${id}`), 'Looking at a plan');
      if (!isOurs(plan, cents)) continue;
      say(`plan        ${id}: there (${label})`);
      return id;
    }
    if (plans.length < PAGE) break;
  }
  if (dryRun) {
    say(`plan        would be made (${label})`);
    return null;
  }
  const body = {
    product_id: product,
    name: PLAN_NAMES.storyteller,
    description: 'Messages without a daily limit, more personas, support first.',
    billing_cycles: [
      {
        frequency: { interval_unit: 'MONTH', interval_count: 1 },
        ...{ tenure_type: 'REGULAR', sequence: 1, total_cycles: 0 },
        pricing_scheme: { fixed_price: { value: dollars(cents), currency_code: BILLING.currency } },
      },
    ],
    payment_preferences: { auto_bill_outstanding: true, payment_failure_threshold: 2 },
    quantity_supported: false,
  };
  const made = must(
    await call('POST', '/v1/billing/plans', { body, once: `plan-${product}-${cents}` }),
    'Making the plan',
  );
  say(`plan        ${made.id}: made (${label})`);
  return made.id;
}

/** @param {Till} till @param {Call} call */
async function settleWebhook({ dryRun, siteUrl, say }, call) {
  const url = `${siteUrl}/api/paypal/webhook`;
  if (!siteUrl.startsWith('https://')) {
    say(`webhook     none: PayPal reaches https alone, and SITE_URL is ${siteUrl || 'not set'}`);
    return null;
  }
  const { webhooks = [] } =
    must(await call('GET', '/v1/notifications/webhooks'), 'Listing the webhooks') ?? {};
  for (const other of webhooks.filter((one) => one.url !== url))
    say(
      `            this app tells ${other.url} as well: each deployment has an app of its own, or one ends what belongs to the other`,
    );
  const event_types = EVENT_TYPES.map((name) => ({ name }));
  const known = webhooks.find((one) => one.url === url);
  if (known !== undefined) {
    const told = new Set((known.event_types ?? []).map(({ name }) => name));
    if (told.has('*') || EVENT_TYPES.every((name) => told.has(name))) {
      say(`webhook     ${known.id}: there (${url})`);
      return known.id;
    }
    if (dryRun) say(`webhook     ${known.id}: would be told the events that it misses`);
    else {
      const all = [...new Set([...told, ...EVENT_TYPES])].map((name) => ({ name }));
      const body = [{ op: 'replace', path: '/event_types', value: all }];
      must(
        await call('PATCH', `/v1/notifications/webhooks/${known.id}`, { body }),
        'Changing the webhook’s events',
      );
      say(`webhook     ${known.id}: told the events that it missed`);
    }
    return known.id;
  }
  if (dryRun) {
    say(`webhook     would be made (${url})`);
    return null;
  }
  const made = must(
    await call('POST', '/v1/notifications/webhooks', { body: { url, event_types } }),
    'Making the webhook',
  );
  say(`webhook     ${made.id}: made (${url})`);
  return made.id;
}

/** @param {Till} till @param {string} name @param {string | null} value */
function keep({ env, dryRun, readToml, writeToml, say }, name, value) {
  if (value === null) return;
  const set = valuesIn(readToml(), `env.${env}.vars`)[name] ?? '';
  if (set === value) return say(`variable    ${name}: set`);
  if (dryRun) return say(`variable    ${name}: would be written to wrangler.toml`);
  writeToml(withValue(readToml(), `env.${env}.vars`, name, quoted(value)));
  say(`variable    ${name}: written to wrangler.toml`);
  return undefined;
}

/** A plan that is for sale already is remembered by people at PayPal: another comes after it by the constants alone. */
function keepPlan(till, plan) {
  const { env, cents, say } = till;
  const set = valuesIn(till.readToml(), `env.${env}.vars`).PAYPAL_PLAN_STORYTELLER ?? '';
  if (set === '' || set === plan || plan === null) return keep(till, 'PAYPAL_PLAN_STORYTELLER', plan);
  say(`variable    PAYPAL_PLAN_STORYTELLER: ${set} is set and stays. The plan above is put on sale by
            npm run business -- set storyteller_price_cents=${cents} storyteller_paypal_plan=${plan} --remote --env ${env}`);
  return undefined;
}

/** The price of the product as it comes. */
export const OWN_PRICE_CENTS = RUNTIME_CONFIG_DEFAULTS.storyteller_price_cents;

/**
 * Makes at PayPal what a deployment sells by.
 * @param {Till} till
 * @returns {Promise<number>} the exit code
 */
export async function setUpPayPal(till) {
  const { env, say, account } = till;
  const call = await openCalls(account);
  say(`PayPal      ${account.apiBase}: it knows this app`);
  const product = await settleProduct(till, call);
  const plan = await settlePlan(till, call, product);
  const webhook = await settleWebhook(till, call);
  keep(till, 'PAYPAL_CLIENT_ID', account.clientId);
  if (account.apiBase !== 'https://api-m.paypal.com') keep(till, 'PAYPAL_API_BASE', account.apiBase);
  keepPlan(till, plan);
  keep(till, 'PAYPAL_WEBHOOK_ID', webhook);
  say(
    till.dryRun
      ? '\nNothing was changed.'
      : `\nReady. The secret goes to the Worker by npm run setup:cloudflare -- --env ${env}; all of it is in force with the next deployment.`,
  );
  return 0;
}
