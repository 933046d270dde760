import { getGoogleUrls } from '../vendors/google.ts';
import { getPayPalScriptBase } from '../vendors/paypal-call.ts';
import { formatIssues, type ModelName, parseVariables, type Values } from './schema.js';
import { withLogContext, log } from '../lib/log.ts';

const readProvider = (values: Values, name: ModelName) => ({
  baseUrl: values[`MODEL_${name}_BASE_URL`],
  apiKey: values[`MODEL_${name}_API_KEY`],
  model: values[`MODEL_${name}_MODEL`],
  label: values[`MODEL_${name}_LABEL`],
  contextTokens: values[`MODEL_${name}_CONTEXT_TOKENS`],
  tokenizer: values[`MODEL_${name}_TOKENIZER`],
  idleSeconds: values[`MODEL_${name}_IDLE_SECONDS`],
  reasoning: values[`MODEL_${name}_REASONING`],
  memberTier: values[`MODEL_${name}_MEMBER_TIER`],
  inputPrice: values[`MODEL_${name}_INPUT_PRICE`],
  outputPrice: values[`MODEL_${name}_OUTPUT_PRICE`],
});
type Provider = ReturnType<typeof readProvider>;
/** One model provider; without a base URL the model is not offered. */
export type ProviderSettings = Partial<Provider> & Pick<Provider, 'contextTokens' | 'idleSeconds'>;
const toProvider: (values: Values, name: ModelName) => ProviderSettings = readProvider;

/** Google sign-in. The button needs the client id; sign-in by redirect also needs the secret. */
function toGoogleSettings(values: Values) {
  const clientId = values.GOOGLE_CLIENT_ID;
  if (clientId === undefined) return undefined;
  const settings = { clientId, clientSecret: values.GOOGLE_CLIENT_SECRET, apiBase: values.GOOGLE_API_BASE };
  return { ...settings, ...getGoogleUrls(settings) };
}

/** Requires id and secret together: without the secret the site could start memberships and never cancel them. */
function toPayPalSettings(values: Values) {
  const [clientId, clientSecret] = [values.PAYPAL_CLIENT_ID, values.PAYPAL_CLIENT_SECRET];
  if (clientId === undefined || clientSecret === undefined) return undefined;
  const settings = {
    clientId,
    clientSecret,
    /** Receives the secret and all orders about payments. */
    apiBase: values.PAYPAL_API_BASE,
    /** PayPal's id of our webhook; without it the site only polls PayPal. */
    webhookId: values.PAYPAL_WEBHOOK_ID,
    /** The PayPal plan that a membership starts with; without it none is for sale. */
    planStoryteller: values.PAYPAL_PLAN_STORYTELLER,
  };
  /** Origin of PayPal's browser script, at `/sdk/js`. */
  return { ...settings, sdkBase: getPayPalScriptBase(settings) };
}

/** The moderation model, which works in addition to the rules. It receives private texts and the key. */
function toModerationSettings(values: Values) {
  const baseUrl = values.MODERATION_BASE_URL;
  if (baseUrl === undefined) return undefined;
  return {
    kind: values.MODERATION_KIND ?? ('openai' as const),
    baseUrl,
    apiKey: values.MODERATION_API_KEY,
    model: values.MODERATION_MODEL,
  };
}

/** Whether a declaration of age is enough, or the provider that checks ages and the secret that signs its results. */
type AgeCheck = { mode: 'declared' } | { mode: 'required'; url: string; secret: string };

function toAgeCheck(values: Values): AgeCheck {
  const [url, secret] = [values.AGE_CHECK_URL, values.AGE_CHECK_SECRET];
  return values.AGE_CHECK === 'required' && url !== undefined && secret !== undefined
    ? { mode: 'required', url, secret }
    : { mode: 'declared' };
}

/** The operator's own shared cache, in addition to the platform's; the secret authenticates purge requests. */
function toCachePurge(values: Values) {
  const [url, secret] = [values.CACHE_PURGE_URL, values.CACHE_PURGE_SECRET];
  return url === undefined || secret === undefined ? undefined : { url, secret };
}

const toEnvironment = (values: Values) => ({
  authSecret: values.AUTH_SECRET,
  adminEmails: values.ADMIN_EMAILS,
  /** Whether the admin pages need a login with a passkey. */
  adminPasskeys: values.ADMIN_PASSKEYS,
  mailFrom: values.MAIL_FROM,
  rateLimits: values.RATE_LIMITS,
  syntheticChecks: values.SYNTHETIC_CHECKS,
  googleAnalyticsId: values.GA_MEASUREMENT_ID,
  supportEmail: values.SUPPORT_EMAIL,
  /** Base of links in mails that no request triggers; without it those mails are not sent. */
  siteUrl: values.SITE_URL,
  cachePurge: toCachePurge(values),
  communityLinks: values.COMMUNITY_LINKS ?? [],
  google: toGoogleSettings(values),
  paypal: toPayPalSettings(values),
  /** `off` removes all adult content from the site, regardless of the settings of accounts and characters. */
  spicyMode: values.SPICY_MODE,
  /** Where the AI notice is in bold capitals. */
  aiNotice: values.AI_NOTICE,
  ageCheck: toAgeCheck(values),
  moderation: toModerationSettings(values),
  models: {
    roleplay: toProvider(values, 'ROLEPLAY'),
    chatgpt: toProvider(values, 'CHATGPT'),
    deepseek: toProvider(values, 'DEEPSEEK'),
    mistral: toProvider(values, 'MISTRAL'),
  },
});
export type Environment = ReturnType<typeof toEnvironment>;

const environmentCache = new WeakMap<object, Environment>();

/**
 * Reads the operator's variables, validated once per isolate by schema.js.
 * @throws Error with one sentence that names each missing or wrong variable and what it must be, never its value
 */
export function readEnvironment(env: Env): Environment {
  const known = environmentCache.get(env);
  if (known !== undefined) return known;
  const { values, issues } = parseVariables(env);
  if (values === undefined) throw new Error(formatIssues(issues));
  const environment = toEnvironment(values);
  environmentCache.set(env, environment);
  return environment;
}

/** Returns what is wrong with the environment, for the log; null when it is valid. */
export function getEnvironmentError(env: Env): string | null {
  if (environmentCache.has(env)) return null;
  try {
    readEnvironment(env);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** An operator can correct a variable within minutes, so clients may retry soon. */
const RETRY_AFTER_SECONDS = 60;

const HEADERS = {
  'cache-control': 'private, no-store',
  'retry-after': String(RETRY_AFTER_SECONDS),
  'x-content-type-options': 'nosniff',
};

/**
 * Whether a variable is missing or wrong. Logs which one; the response does not name it.
 * @param operation the work that cannot be done, for the log
 */
export function isMisconfigured(env: Env, operation: string): boolean {
  const reason = getEnvironmentError(env);
  if (reason !== null) log('config_invalid', { reason, operation });
  return reason !== null;
}

/** Creates the 503 response to every request while a variable is missing or wrong; null when all are right. */
export function createConfigErrorResponse(request: Request, env: Env): Response | null {
  if (getEnvironmentError(env) === null) return null;
  const { pathname } = new URL(request.url);
  const isApiCall = pathname === '/api' || pathname.startsWith('/api/');
  const id = crypto.randomUUID();
  withLogContext(id, () => isMisconfigured(env, isApiCall ? 'api' : 'page'));
  const error = 'Server error. Please try again later.';
  const headers = { ...HEADERS, 'x-request-id': id };
  return isApiCall
    ? Response.json({ error, code: 'server_error' }, { status: 503, headers })
    : new Response(`${error}\n`, {
        status: 503,
        headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' },
      });
}
