// `npm run setup:paypal -- --env staging|production`: creates the product, the plan and the webhook at PayPal and writes their
// ids to wrangler.toml. Each is looked for first, and created with a request id, so a run can be repeated. docs/paypal.md
import { BILLING } from '../../src/features/billing/limits.ts';
import { BRAND } from '../../src/config/brand.ts';
import { RUNTIME_CONFIG_DEFAULTS } from '../../src/features/runtime-config/defaults.ts';
import { getVariables } from '../../src/env/schema.js';
import { PLAN_NAMES } from '../../src/features/billing/plans.ts';
import { CliError } from '../lib/prepare.mjs';
import { openPrompt, readArguments, readToml, runCommand, writeToml } from './command.mjs';
import { readVars } from './settings.mjs';
import { getValue } from './setup-cloudflare.mjs';
import { quote, setValue } from './wrangler-toml.mjs';

export const DEFAULT_CENTS = RUNTIME_CONFIG_DEFAULTS.storyteller_price_cents;
const USAGE = `usage: npm run setup:paypal -- --env staging|production [--cents ${DEFAULT_CENTS}]
It asks for what it needs, or takes it from the shell: PAYPAL_CLIENT_ID, PAYPAL_CLIENT_SECRET, and for the sandbox
PAYPAL_API_BASE=https://api-m.sandbox.paypal.com. --cents: the price of a month.`;

/** The events that the site handles. */
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
/** PayPal's largest page of plans, and how many pages are read. */
const PAGE_SIZE = 20;
const MAX_PAGES = 20;
const TIMEOUT_MS = 20_000;

/**
 * @typedef {object} Setup
 * @property {string} env
 * @property {{ clientId: string, clientSecret: string, apiBase: string }} account
 * @property {string} siteUrl
 * @property {number} cents the price of a month
 * @property {() => string} readToml
 * @property {(text: string) => void} writeToml
 * @property {(text: string) => void} say
 */
/** @typedef {{ status: number, body: any }} Answer (any: each caller reads the few fields it needs, which may be missing) */
/** @typedef {(method: string, path: string, options?: { body?: unknown, requestId?: string }) => Promise<Answer>} Call */

/** PayPal's error, with the id that its support asks for. @param {Answer} answer */
function describeError({ status, body }) {
  const name = body?.details?.[0]?.issue ?? body?.name ?? body?.error;
  const id = body?.debug_id && `debug_id ${body.debug_id}`;
  return [`PayPal answered ${status}`, name, id].filter(Boolean).join(' ');
}

/** Logs in as the app. @param {Setup['account']} account @returns {Promise<Call>} */
async function logIn({ clientId, clientSecret, apiBase }) {
  const request = async (path, init) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const response = await fetch(apiBase + path, { ...init, redirect: 'manual', signal });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
      return { status: response.status, body: isJson ? JSON.parse(text) : null };
    } catch {
      throw new CliError(`PayPal did not answer at ${apiBase}. Run this again.`);
    }
  };
  const token = await request('/v1/oauth2/token', {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  if (token.status !== 200 || typeof token.body?.access_token !== 'string')
    throw new CliError(
      `PayPal does not accept this app at ${apiBase} (${describeError(token)}): PAYPAL_CLIENT_ID and PAYPAL_CLIENT_SECRET must be of one app, either live or in the sandbox.`,
    );
  return (method, path, { body, requestId } = {}) =>
    request(path, {
      method,
      headers: {
        authorization: `Bearer ${token.body.access_token}`,
        accept: 'application/json',
        prefer: 'return=representation',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(requestId === undefined ? {} : { 'paypal-request-id': requestId }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
}

/** @param {Answer} answer @param {string} action @returns {any} its body */
function requireSuccess(answer, action) {
  if (answer.status >= 200 && answer.status < 300) return answer.body;
  throw new CliError(`${action} failed: ${describeError(answer)}.`);
}

/** @param {Setup} setup @param {Call} call @returns {Promise<string>} its id */
async function ensureProduct({ env, say }, call) {
  const id = `${BRAND.name}-membership-${env}`.toUpperCase();
  const known = await call('GET', `/v1/catalogs/products/${id}`);
  if (known.status !== 404) requireSuccess(known, 'Reading the product');
  else {
    const body = { id, name: `${BRAND.name} membership`, type: 'SERVICE', category: 'SOFTWARE' };
    const options = { body, requestId: `product-${id}` };
    requireSuccess(await call('POST', '/v1/catalogs/products', options), 'Creating the product');
  }
  say(`product     ${id}: ${known.status === 404 ? 'created' : 'exists'}`);
  return id;
}

/** @param {number} cents */
const toDollars = (cents) => (cents / 100).toFixed(2);

/** Whether a plan is active and takes this price each month without end or fee: the site refuses any other. */
function fits(plan, cents) {
  const [cycle, ...others] = plan.billing_cycles ?? [];
  const price = cycle?.pricing_scheme?.fixed_price;
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
    Number(plan.payment_preferences?.setup_fee?.value ?? 0) === 0
  );
}

/** @param {Call} call @param {string} product @param {number} cents @returns {Promise<string | null>} its id */
async function findPlan(call, product, cents) {
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const query = `product_id=${product}&page_size=${PAGE_SIZE}&page=${page}`;
    const list = await call('GET', `/v1/billing/plans?${query}`);
    const { plans = [] } = requireSuccess(list, 'Listing the plans') ?? {};
    for (const { id, status } of plans) {
      if (status !== 'ACTIVE') continue;
      // The list has no prices.
      const plan = requireSuccess(await call('GET', `/v1/billing/plans/${id}`), 'Reading a plan');
      if (fits(plan, cents)) return id;
    }
    if (plans.length < PAGE_SIZE) break;
  }
  return null;
}

/** @param {Setup} setup @param {Call} call @param {string} product @returns {Promise<string>} its id */
async function ensurePlan({ cents, say }, call, product) {
  const label = `${PLAN_NAMES.storyteller}, ${toDollars(cents)} ${BILLING.currency} a month`;
  const known = await findPlan(call, product, cents);
  if (known !== null) {
    say(`plan        ${known}: exists (${label})`);
    return known;
  }
  const price = { value: toDollars(cents), currency_code: BILLING.currency };
  const body = {
    product_id: product,
    name: PLAN_NAMES.storyteller,
    description: 'Messages without a daily limit, more personas, support first.',
    billing_cycles: [
      {
        frequency: { interval_unit: 'MONTH', interval_count: 1 },
        ...{ tenure_type: 'REGULAR', sequence: 1, total_cycles: 0 },
        pricing_scheme: { fixed_price: price },
      },
    ],
    payment_preferences: { auto_bill_outstanding: true, payment_failure_threshold: 2 },
    quantity_supported: false,
  };
  const options = { body, requestId: `plan-${product}-${cents}` };
  const { id } = requireSuccess(await call('POST', '/v1/billing/plans', options), 'Creating the plan');
  say(`plan        ${id}: created (${label})`);
  return id;
}

/** @param {Setup} setup @param {Call} call @returns {Promise<string | null>} its id; null without https */
async function ensureWebhook({ siteUrl, say }, call) {
  const path = '/v1/notifications/webhooks';
  const url = `${siteUrl}/api/paypal/webhook`;
  if (!siteUrl.startsWith('https://')) {
    say(`webhook     none: PayPal needs https, and SITE_URL is ${siteUrl || 'not set'}`);
    return null;
  }
  const { webhooks = [] } = requireSuccess(await call('GET', path), 'Listing the webhooks') ?? {};
  for (const other of webhooks.filter((one) => one.url !== url))
    say(
      `            this app also notifies ${other.url}: give each deployment its own app, or one ends the other’s subscriptions`,
    );
  const known = webhooks.find((one) => one.url === url);
  const names = new Set((known?.event_types ?? []).map(({ name }) => name));
  if (known === undefined) {
    const body = { url, event_types: EVENT_TYPES.map((name) => ({ name })) };
    const { id } = requireSuccess(await call('POST', path, { body }), 'Creating the webhook');
    say(`webhook     ${id}: created (${url})`);
    return id;
  }
  if (names.has('*') || EVENT_TYPES.every((name) => names.has(name)))
    say(`webhook     ${known.id}: exists (${url})`);
  else {
    const value = [...names.union(new Set(EVENT_TYPES))].map((name) => ({ name }));
    const body = [{ op: 'replace', path: '/event_types', value }];
    requireSuccess(await call('PATCH', `${path}/${known.id}`, { body }), 'Changing the webhook');
    say(`webhook     ${known.id}: subscribed to the missing events`);
  }
  return known.id;
}

/** @param {Setup} setup @param {string} name @param {string} value */
function ensureVariable({ env, readToml, writeToml, say }, name, value) {
  const isSet = readVars(readToml(), env)[name] === value;
  if (!isSet) writeToml(setValue(readToml(), `env.${env}.vars`, name, quote(value)));
  say(`variable    ${name}: ${isSet ? 'set' : 'written to wrangler.toml'}`);
}

/**
 * Creates at PayPal what an environment needs to sell its plan.
 * @param {Setup} setup
 * @returns {Promise<number>} the exit code
 */
export async function setUpPayPal(setup) {
  const { env, say, cents, account, readToml } = setup;
  const call = await logIn(account);
  say(`PayPal      ${account.apiBase}: logged in`);
  const plan = await ensurePlan(setup, call, await ensureProduct(setup, call));
  const webhook = await ensureWebhook(setup, call);
  ensureVariable(setup, 'PAYPAL_CLIENT_ID', account.clientId);
  if (account.apiBase !== getVariables().PAYPAL_API_BASE.default)
    ensureVariable(setup, 'PAYPAL_API_BASE', account.apiBase);
  const current = readVars(readToml(), env).PAYPAL_PLAN_STORYTELLER ?? '';
  // Subscribers of a plan on sale may return to it, so another one replaces it only through the business constants.
  if (current !== '' && current !== plan)
    say(`variable    PAYPAL_PLAN_STORYTELLER: ${current} is set and stays. To sell the plan above:
            npm run business -- set storyteller_price_cents=${cents} storyteller_paypal_plan=${plan} --remote --env ${env}`);
  else ensureVariable(setup, 'PAYPAL_PLAN_STORYTELLER', plan);
  if (webhook !== null) ensureVariable(setup, 'PAYPAL_WEBHOOK_ID', webhook);
  say(
    `\nReady. npm run setup:cloudflare -- --env ${env} stores the secret in the Worker; all of it takes effect with the next deployment.`,
  );
  return 0;
}

if (import.meta.main)
  await runCommand(async () => {
    const options = { cents: { type: 'string', default: String(DEFAULT_CENTS) } };
    const { env, cents } = readArguments(process.argv.slice(2), { usage: USAGE, options });
    if (!/^[1-9]\d*$/.test(cents)) throw new CliError(`--cents needs a price in whole cents.\n${USAGE}`);
    const vars = readVars(readToml(), env);
    const prompt = openPrompt();
    const say = (text) => console.log(text);
    const requireValue = async (name) => {
      const shell = { [name]: process.env[name] || vars[name] || getVariables()[name].default };
      const value = await getValue({ shell, ask: prompt?.ask ?? null, say }, name);
      if (value === '') throw new CliError(`${name} is missing.`);
      return value.replace(/\/+$/, '');
    };
    try {
      return await setUpPayPal({
        ...{ env, cents: Number(cents), siteUrl: process.env.SITE_URL || vars.SITE_URL || '' },
        account: {
          clientId: await requireValue('PAYPAL_CLIENT_ID'),
          clientSecret: await requireValue('PAYPAL_CLIENT_SECRET'),
          apiBase: await requireValue('PAYPAL_API_BASE'),
        },
        ...{ readToml, writeToml, say },
      });
    } finally {
      prompt?.close();
    }
  });
