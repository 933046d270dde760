import { readVariables, formatIssues } from './check.js';
import type { MODEL_FIELDS, ModelName, OWN_VARIABLES } from './variables.js';
import { getGoogleUrls } from '../vendors/google.ts';
import { getPayPalScriptBase } from '../vendors/paypal-call.ts';

/** What a variable of the table is worth when it is there. */
type ParsedValue<V> = V extends { kind: 'number' }
  ? number
  : V extends { kind: 'choice'; choices: readonly (infer C)[] }
    ? C
    : V extends { kind: 'emails' }
      ? string[]
      : V extends { kind: 'links' }
        ? { name: string; url: string }[]
        : string;
type VariableValue<V> = V extends { default: unknown } | { needed: true }
  ? ParsedValue<V>
  : ParsedValue<V> | undefined;

type ModelFields = typeof MODEL_FIELDS;
type OwnVariables = typeof OWN_VARIABLES;
type Values = { [K in keyof OwnVariables]: VariableValue<OwnVariables[K]> } & {
  [
    K in `MODEL_${ModelName}_${keyof ModelFields}`
  ]: K extends `MODEL_${ModelName}_${infer F extends keyof ModelFields}`
    ? VariableValue<ModelFields[F]>
    : never;
};

/** What may be left out, left out. */
type OptionalUndefined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: T[K];
};

/** One model provider; without a base URL the model is not offered. */
export type ProviderSettings = OptionalUndefined<ReturnType<typeof toProviderValues>>;
const toProviderValues = (values: Values, name: ModelName) => ({
  baseUrl: values[`MODEL_${name}_BASE_URL`],
  apiKey: values[`MODEL_${name}_API_KEY`],
  model: values[`MODEL_${name}_MODEL`],
  label: values[`MODEL_${name}_LABEL`],
  contextTokens: values[`MODEL_${name}_CONTEXT_TOKENS`],
  idleSeconds: values[`MODEL_${name}_IDLE_SECONDS`],
  memberTier: values[`MODEL_${name}_MEMBER_TIER`],
  inputPrice: values[`MODEL_${name}_INPUT_PRICE`],
  outputPrice: values[`MODEL_${name}_OUTPUT_PRICE`],
});
const toProvider: (values: Values, name: ModelName) => ProviderSettings = toProviderValues;

/** Google's sign-in: the button takes the client id, the way by Google's own page the secret as well. */
function toGoogleSettings(values: Values) {
  const clientId = values.GOOGLE_CLIENT_ID;
  if (clientId === undefined) return undefined;
  const settings = { clientId, clientSecret: values.GOOGLE_CLIENT_SECRET, apiBase: values.GOOGLE_API_BASE };
  return { ...settings, ...getGoogleUrls(settings) };
}

/** Id and secret come together: memberships would run on that nobody here can end. */
function toPayPalSettings(values: Values) {
  const [clientId, clientSecret] = [values.PAYPAL_CLIENT_ID, values.PAYPAL_CLIENT_SECRET];
  if (clientId === undefined || clientSecret === undefined) return undefined;
  const settings = {
    clientId,
    clientSecret,
    /** The secret goes there, and so do orders about money. */
    apiBase: values.PAYPAL_API_BASE,
    /** What PayPal calls the address that it tells of payments; without it the site only asks by itself. */
    webhookId: values.PAYPAL_WEBHOOK_ID,
    /** The plan at PayPal that a membership is begun with; without it none is for sale. */
    planStoryteller: values.PAYPAL_PLAN_STORYTELLER,
  };
  /** Where the page gets PayPal's own script from, at `/sdk/js`. */
  return { ...settings, sdkBase: getPayPalScriptBase(settings) };
}

/** A model that looks at texts beside the rules; texts that may be a person's own go there, and so does the key. */
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

/** Whether people's own word is enough, or else who checks their age and signs the results with which secret. */
type AgeCheck = { mode: 'declared' } | { mode: 'required'; url: string; secret: string };

function toAgeCheck(values: Values): AgeCheck {
  const [url, secret] = [values.AGE_CHECK_URL, values.AGE_CHECK_SECRET];
  return values.AGE_CHECK === 'required' && url !== undefined && secret !== undefined
    ? { mode: 'required', url, secret }
    : { mode: 'declared' };
}

/** A shared cache of the operator's own, beside the platform's, that is told by this secret what to forget. */
function toCachePurge(values: Values) {
  const [url, secret] = [values.CACHE_PURGE_URL, values.CACHE_PURGE_SECRET];
  return url === undefined || secret === undefined ? undefined : { url, secret };
}

const toEnvironment = (values: Values) => ({
  authSecret: values.AUTH_SECRET,
  adminEmails: values.ADMIN_EMAILS,
  mailFrom: values.MAIL_FROM,
  rateLimits: values.RATE_LIMITS,
  syntheticChecks: values.SYNTHETIC_CHECKS,
  googleAnalyticsId: values.GA_MEASUREMENT_ID,
  supportEmail: values.SUPPORT_EMAIL,
  /** Where this site is, for mails that no visit causes; without it none of those is sent. */
  siteUrl: values.SITE_URL,
  cachePurge: toCachePurge(values),
  communityLinks: values.COMMUNITY_LINKS ?? [],
  google: toGoogleSettings(values),
  paypal: toPayPalSettings(values),
  /** `off`: nothing for adults is on this site, whatever accounts and characters say. */
  spicyMode: values.SPICY_MODE,
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
 * The operator's variables, checked once for each isolate by the table in environment/variables.js.
 * @throws Error of one sentence that names each variable that is missing or wrong and what it wants, never its value
 */
export function readEnvironment(env: Env): Environment {
  const known = environmentCache.get(env);
  if (known !== undefined) return known;
  const { values, troubles } = readVariables(env as unknown as Record<string, unknown>);
  if (troubles.length > 0) throw new Error(formatIssues(troubles));
  const environment = toEnvironment(values as unknown as Values);
  environmentCache.set(env, environment);
  return environment;
}

/** Why nothing can be answered here, for the log; null where the environment is right. */
export function getEnvironmentError(env: Env): string | null {
  if (environmentCache.has(env)) return null;
  try {
    readEnvironment(env);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
