import { z } from 'zod';
import { googleAddresses } from './vendors/google.ts';
import { MODEL_TIMEOUTS } from './vendors/model.ts';
import { PAYPAL_API_BASE, payPalScripts } from './vendors/paypal-call.ts';

/** US dollars a million tokens; the dearest model takes some hundred. */
const price = z.coerce.number().min(0).max(10_000);

/** Variables of one model provider; without a base URL the model is not offered. */
const provider = z.object({
  baseUrl: z.url().optional(),
  apiKey: z.string().min(1).optional(),
  model: z.string().min(1).optional(),
  /** What people read in the list in place of the product's own name for the model. */
  label: z.string().min(1).max(60).optional(),
  contextTokens: z.coerce.number().int().min(1024).max(2_000_000).default(16_000),
  /** How long it may be silent; a slow model on one's own machine may need more. */
  idleSeconds: z.coerce
    .number()
    .min(0.1)
    .max(3600)
    .default(MODEL_TIMEOUTS.idleMs / 1000),
  /** The provider's name for the queue in which members' messages stand, such as `priority`. */
  memberTier: z
    .string()
    .regex(/^[\w-]{1,40}$/, 'A tier is one word, such as priority')
    .optional(),
  /** What it takes for what it reads and writes, in US dollars a million tokens; for the operator's figures alone. */
  inputPrice: price.optional(),
  outputPrice: price.optional(),
});
export type ProviderSettings = z.infer<typeof provider>;

/** More places than people can follow; the shell shows them in one row. */
const MAX_COMMUNITY_LINKS = 6;

const communityLinks = z
  .array(
    z.object({
      name: z.string().min(1, 'Each link is written Name=https://…').max(40),
      url: z.url({ protocol: /^https$/, error: 'Each link is written Name=https://…' }),
    }),
  )
  .max(MAX_COMMUNITY_LINKS);

/** `Name=https://…, Name=https://…`; a part without an equals sign is no link and is refused afterwards. */
function readLinks(list: string): { name: string; url: string }[] {
  return list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [name = '', ...url] = part.split('=');
      return { name: name.trim(), url: url.join('=').trim() };
    });
}

/** Google's sign-in: the button takes the client id, the way by Google's own page the secret as well. */
const google = z
  .object({
    clientId: z.string().regex(/^\S+$/, 'A client id has no blanks'),
    clientSecret: z.string().min(1).optional(),
    /** A stand-in for all of Google, for tests. */
    apiBase: z
      .url({ protocol: /^https?$/ })
      .transform((url) => url.replace(/\/+$/, ''))
      .optional(),
  })
  .transform((settings) => ({ ...settings, ...googleAddresses(settings) }));

/** What PayPal gives out is plain text; it goes into a header. */
const paypalText = z.string().regex(/^[\x21-\x7e]+$/, 'Not as PayPal shows it');
/** Whether it is an id that PayPal knows, PayPal says when it is asked: a wrong one is no reason to be away. */
const paypalId = z.string().regex(/^[\x21-\x7e]{1,64}$/, 'Not as PayPal shows it');

const paypal = z
  .object({
    clientId: paypalText,
    clientSecret: paypalText,
    /** The secret goes there, and so do orders about money. */
    apiBase: z
      .url({ protocol: /^https?$/ })
      .refine(isSafe, 'Only https leads out of this machine')
      .transform((url) => url.replace(/\/+$/, ''))
      .default(PAYPAL_API_BASE),
    /** What PayPal calls the address that it tells of payments; without it the site only asks by itself. */
    webhookId: paypalId.optional(),
    /** The plan at PayPal that a membership is begun with; without it none is for sale. */
    planStoryteller: paypalId.optional(),
  })
  .transform((settings) => ({
    ...settings,
    /** Where the page gets PayPal's own script from, at `/sdk/js`. */
    sdkBase: payPalScripts(settings),
  }));

/** Whether people's own word is enough, or else who checks their age and signs the results with which secret. */
const ageCheck = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('declared') }),
  z.object({
    mode: z.literal('required'),
    url: z.url({ protocol: /^https?$/ }).refine(isSafe, 'Only https leads out of this machine'),
    secret: z.string().min(32),
  }),
]);

/** Plain http is for this machine alone. */
function isSafe(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

/** Texts that may be a person's own go there, and so does the key. */
const moderation = z.object({
  kind: z.enum(['openai', 'llama-guard']).default('openai'),
  baseUrl: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, '')),
  apiKey: z.string().min(1).optional(),
  model: z.string().min(1).max(200).optional(),
});

const environment = z.object({
  authSecret: z.string().min(16),
  adminEmails: z
    .string()
    .default('admin@localhost.test')
    .transform((list) =>
      list
        .split(',')
        .map((address) => address.trim().toLowerCase())
        .filter((address) => address !== ''),
    ),
  mailFrom: z.string().min(3),
  rateLimits: z.enum(['on', 'off']).default('on'),
  googleAnalyticsId: z
    .string()
    .regex(/^G-[A-Z0-9]{4,20}$/, 'Not a measurement id like G-XXXXXXXXXX')
    .optional(),
  supportEmail: z.email().optional(),
  /** Where this site is, for mails that no visit causes; without it none of those is sent. */
  siteUrl: z
    .url({ protocol: /^https?$/ })
    .transform((url) => new URL(url).origin)
    .optional(),
  /** A shared cache of the operator's own, beside the platform's, that is told by this secret what to forget. */
  cachePurge: z
    .object({
      url: z.url({ protocol: /^https?$/ }).refine(isSafe, 'Only https leads out of this machine'),
      secret: z.string().min(16),
    })
    .optional(),
  communityLinks: z.string().default('').transform(readLinks).pipe(communityLinks),
  google: google.optional(),
  paypal: paypal.optional(),
  /** `off`: nothing for adults is on this site, whatever accounts and characters say. */
  spicyMode: z.enum(['on', 'off']).default('on'),
  ageCheck,
  /** A model that looks at texts beside the rules; without it the rules are alone. */
  moderation: moderation.optional(),
  models: z.object({ roleplay: provider, chatgpt: provider, deepseek: provider, mistral: provider }),
});
export type Environment = z.infer<typeof environment>;

/** Variables whose names are not made from where something is wrong in them. */
const VARIABLE_NAMES: Record<string, string> = {
  googleAnalyticsId: 'GA_MEASUREMENT_ID',
  communityLinks: 'COMMUNITY_LINKS',
};

/** `['models', 'roleplay', 'baseUrl']` is the operator's `MODEL_ROLEPLAY_BASE_URL`. */
function variableName(path: readonly PropertyKey[]): string {
  const named = VARIABLE_NAMES[String(path[0])];
  if (named !== undefined) return named;
  return path
    .map((part) => String(part).replace(/^models$/, 'model'))
    .map((part) => part.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase())
    .join('_')
    .replace(/^AGE_CHECK_MODE$/, 'AGE_CHECK');
}

const checked = new WeakMap<object, Environment>();

/**
 * The operator's variables, checked once for each isolate.
 * @throws Error that names the variable when one is missing or wrong, never its value
 */
export function readEnvironment(env: Env): Environment {
  const known = checked.get(env);
  if (known !== undefined) return known;
  // An empty variable is one that was left out.
  const read = (name: string): string | undefined =>
    (env as unknown as Record<string, string | undefined>)[name] || undefined;
  const model = (name: string) => ({
    baseUrl: read(`MODEL_${name}_BASE_URL`),
    apiKey: read(`MODEL_${name}_API_KEY`),
    model: read(`MODEL_${name}_MODEL`),
    label: read(`MODEL_${name}_LABEL`),
    contextTokens: read(`MODEL_${name}_CONTEXT_TOKENS`),
    idleSeconds: read(`MODEL_${name}_IDLE_SECONDS`),
    memberTier: read(`MODEL_${name}_MEMBER_TIER`),
    inputPrice: read(`MODEL_${name}_INPUT_PRICE`),
    outputPrice: read(`MODEL_${name}_OUTPUT_PRICE`),
  });
  const parsed = environment.safeParse({
    authSecret: read('AUTH_SECRET'),
    adminEmails: read('ADMIN_EMAILS'),
    mailFrom: read('MAIL_FROM'),
    rateLimits: read('RATE_LIMITS'),
    googleAnalyticsId: read('GA_MEASUREMENT_ID'),
    supportEmail: read('SUPPORT_EMAIL'),
    siteUrl: read('SITE_URL'),
    cachePurge:
      (read('CACHE_PURGE_URL') ?? read('CACHE_PURGE_SECRET')) === undefined
        ? undefined
        : { url: read('CACHE_PURGE_URL'), secret: read('CACHE_PURGE_SECRET') },
    communityLinks: read('COMMUNITY_LINKS'),
    google:
      read('GOOGLE_CLIENT_ID') === undefined
        ? undefined
        : {
            clientId: read('GOOGLE_CLIENT_ID'),
            clientSecret: read('GOOGLE_CLIENT_SECRET'),
            apiBase: read('GOOGLE_API_BASE'),
          },
    // One without the other is a mistake: memberships would run on that nobody here can end.
    paypal:
      (read('PAYPAL_CLIENT_ID') ?? read('PAYPAL_CLIENT_SECRET')) === undefined
        ? undefined
        : {
            clientId: read('PAYPAL_CLIENT_ID'),
            clientSecret: read('PAYPAL_CLIENT_SECRET'),
            apiBase: read('PAYPAL_API_BASE'),
            webhookId: read('PAYPAL_WEBHOOK_ID'),
            planStoryteller: read('PAYPAL_PLAN_STORYTELLER'),
          },
    spicyMode: read('SPICY_MODE'),
    ageCheck: {
      mode: read('AGE_CHECK') ?? 'declared',
      url: read('AGE_CHECK_URL'),
      secret: read('AGE_CHECK_SECRET'),
    },
    // A key, a model or a kind without an address is a mistake: texts would go by that an operator believes looked at.
    moderation:
      (read('MODERATION_BASE_URL') ??
        read('MODERATION_API_KEY') ??
        read('MODERATION_MODEL') ??
        read('MODERATION_KIND')) === undefined
        ? undefined
        : {
            kind: read('MODERATION_KIND'),
            baseUrl: read('MODERATION_BASE_URL'),
            apiKey: read('MODERATION_API_KEY'),
            model: read('MODERATION_MODEL'),
          },
    models: {
      roleplay: model('ROLEPLAY'),
      chatgpt: model('CHATGPT'),
      deepseek: model('DEEPSEEK'),
      mistral: model('MISTRAL'),
    },
  });
  if (!parsed.success) {
    const what = parsed.error.issues
      .map((issue) => `${variableName(issue.path)}: ${issue.message}`)
      .join('; ');
    throw new Error(`The environment is not complete: ${what}. See README.md, «Variables».`);
  }
  checked.set(env, parsed.data);
  return parsed.data;
}
