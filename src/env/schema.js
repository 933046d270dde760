/**
 * The operator's variables as one zod schema. It validates and types the Worker's environment;
 * docs/tables/variables.md, the setup's questions and the tests of invalid values are generated from its metadata.
 * JavaScript, because the first `npm start` may run on a Node that cannot load TypeScript.
 */
import { z } from 'zod';
import * as kinds from './kinds.js';

/**
 * @typedef {object} Variable
 * @property {import('./kinds.js').Kind} kind
 * @property {string} wants what a value must be, to follow "it wants"
 * @property {boolean} required required to start
 * @property {boolean} secret set with `wrangler secret`, never in wrangler.toml
 * @property {string} [default] the value when it is missing
 * @property {string} description a sentence for the operator, in Markdown; links are relative to docs
 * @property {string} [ifMissing] what happens when it is missing
 * @property {string} [locally] what `npm start` sets
 * @property {string} [hint] where the operator gets it
 * @property {boolean} [generated] the setup generates it
 * @property {boolean} [prompted] the setup asks for it, although it is optional
 * @property {boolean} [requiredToDeploy]
 * @property {readonly string[]} [requiredWith] required when one of these is set; `NAME=value`: when set to that value.
 *   A variable with a default is always set. Never name a secret here: it goes live on upload, before the deployment that
 *   adds this variable
 * @property {string} [onlyWith] used only when that one is set
 *
 * @typedef {{ name: string, text: string }} Issue a problem with a variable; the text never contains its value
 */

/**
 * Adds a variable's metadata to its schema. Whether it is required, and its default, come from the schema.
 * @template {z.ZodType} S
 * @param {S} schema
 * @param {Omit<Variable, 'kind' | 'wants' | 'secret' | 'required' | 'default'>} metadata
 * @returns {S}
 */
function variable(schema, metadata) {
  const hasDefault = schema instanceof z.ZodPrefault;
  const required = !hasDefault && !(schema instanceof z.ZodOptional);
  kinds.registry.add(schema, {
    ...kinds.registry.get(required ? schema : schema.unwrap()),
    required,
    default: hasDefault ? schema.def.defaultValue : undefined,
    ...metadata,
  });
  return schema;
}

/** The product's models, by the names in their variables. */
export const MODEL_NAMES = /** @type {const} */ (['ROLEPLAY', 'CHATGPT', 'DEEPSEEK', 'MISTRAL']);

/** @typedef {typeof MODEL_NAMES[number]} ModelName */

/** The variables of one model, by the ends of their names. @param {ModelName} model */
function createModelFields(model) {
  const onlyWith = `MODEL_${model}_BASE_URL`;
  // The setup asks about the first model only.
  const prompted = model === 'ROLEPLAY';
  return {
    BASE_URL: variable(kinds.base().optional(), {
      description:
        'the address of an OpenAI-compatible API, up to and including `/v1`. [Examples](deployment.md#7-models)',
      ifMissing: 'the model is shown as unavailable',
      locally: 'the demo model, for `ROLEPLAY`',
      prompted,
    }),
    API_KEY: variable(kinds.key().optional(), {
      description: 'the key of that API, if it requires one',
      onlyWith,
    }),
    MODEL: variable(kinds.text(200).optional(), {
      description: 'the provider’s name of the model',
      ifMissing: 'the product’s id of the model',
      onlyWith,
      prompted,
    }),
    LABEL: variable(kinds.text(60).optional(), {
      description: 'the name in the list of models',
      ifMissing: 'the product’s name for it',
      onlyWith,
    }),
    CONTEXT_TOKENS: variable(kinds.integer(1024, 2_000_000).prefault('16000'), {
      description: 'the size of the context window, for prompt and reply together',
      onlyWith,
    }),
    TOKENIZER: variable(kinds.choice('cl100k', 'o200k', 'llama3', 'mistral-v1', 'tekken').optional(), {
      description:
        'how the model splits text into tokens, if its name does not tell. [Which](deployment.md#7-models)',
      ifMissing: 'found by the model’s name, else the highest count of all',
      onlyWith,
    }),
    IDLE_SECONDS: variable(kinds.number(0.1, 3600).prefault('30'), {
      description: 'seconds without output after which a reply is aborted; a slow local model may need more',
      onlyWith,
    }),
    REASONING: variable(kinds.choice('on', 'off').optional(), {
      description:
        'whether the model takes the parameters of OpenAI’s reasoning models: `max_completion_tokens`, with 8,000 tokens more for thinking, which budgets count, and no `temperature`',
      ifMissing: 'on for names such as `o3-mini` and `gpt-5`',
      onlyWith,
    }),
    MEMBER_TIER: variable(kinds.word(40).optional(), {
      description:
        'the `service_tier` of members’ messages, such as `priority`; other messages have none. [Why](memberships.md)',
      onlyWith,
    }),
    INPUT_PRICE: variable(kinds.number(0, 10_000).optional(), {
      description:
        'the price of a million input tokens in US dollars, for [statistics](metrics.md) and [budgets](limits.md)',
      requiredWith: [`MODEL_${model}_OUTPUT_PRICE`],
      ifMissing: 'its cost is not shown and does not count towards budgets in cents',
      onlyWith,
    }),
    OUTPUT_PRICE: variable(kinds.number(0, 10_000).optional(), {
      description: 'the price of a million output tokens in US dollars; set both prices or neither',
      requiredWith: [`MODEL_${model}_INPUT_PRICE`],
      onlyWith,
    }),
  };
}

/** The variables of all models. */
function createModelShape() {
  const fields = MODEL_NAMES.flatMap((model) =>
    Object.entries(createModelFields(model)).map(([field, schema]) => [`MODEL_${model}_${field}`, schema]),
  );
  /** @typedef {ReturnType<typeof createModelFields>} Fields */
  return /** @type {{ [F in keyof Fields as `MODEL_${ModelName}_${F}`]: Fields[F] }} */ (
    Object.fromEntries(fields)
  );
}

const createSchema = () =>
  z
    .object({
      AUTH_SECRET: variable(kinds.secret(16), {
        description:
          'hashes login codes and signs links in mails; a new value invalidates those already sent',
        locally: 'generated once',
        generated: true,
      }),
      SITE_URL: variable(kinds.site().optional(), {
        description:
          'the site’s address, like `https://chat.example`; with it, [shared caches](caching.md) store public pages, and subscribers get the newsletter, at most every 62 days',
        locally: 'this machine',
        requiredToDeploy: true,
      }),
      MAIL_FROM: variable(kinds.sender(), {
        description: 'the sender of mails, like `Loreloom <hello@chat.example>`',
        locally: '`Loreloom <hello@localhost.test>`',
        hint: 'an address of a domain that may send: docs/deployment.md, «Mail»',
      }),
      ADMIN_EMAILS: variable(kinds.emails().prefault('admin@localhost.test'), {
        description: 'the addresses of the admins. [What they can do](reports.md)',
        requiredToDeploy: true,
      }),
      ADMIN_PASSKEYS: variable(kinds.choice('optional', 'required').prefault('optional'), {
        description:
          '`required`: the admin pages need a login with a passkey, once an admin has one. [How](security.md#passkeys)',
      }),
      SUPPORT_EMAIL: variable(kinds.email().optional(), {
        description: 'receives requests for help and [feedback](reports.md#feedback)',
        ifMissing: 'no contact address is shown',
        locally: '`support@localhost.test`',
        prompted: true,
      }),
      COMMUNITY_LINKS: variable(kinds.links(6).optional(), {
        description: 'up to six links to the community, as `Name=https://…, Name=https://…`',
        locally: 'two examples',
      }),
      GA_MEASUREMENT_ID: variable(kinds.measurement().optional(), {
        description: 'a Google Analytics id like `G-XXXXXXXXXX`',
        ifMissing: 'no page contains Google Analytics',
      }),
      RATE_LIMITS: variable(kinds.choice('on', 'off').prefault('on'), {
        description: '[limits](limits.md) per minute, per network address, and of guests per device',
        locally: '`off`',
      }),
      SYNTHETIC_CHECKS: variable(kinds.choice('on', 'off').prefault('on'), {
        description:
          'every five minutes a test conversation, with each model in turn, for the [status page](monitoring.md); each takes about 360 tokens, an hour more than 4,000',
        locally: '`off`',
      }),
      CACHE_PURGE_URL: variable(kinds.safeAddress().optional(), {
        description: 'the address of your own shared cache for purge requests. [How](caching.md)',
        ifMissing: 'none are sent',
      }),
      CACHE_PURGE_SECRET: variable(kinds.secret(16).optional(), {
        description: 'authenticates the purge requests',
        requiredWith: ['CACHE_PURGE_URL'],
      }),
      GOOGLE_CLIENT_ID: variable(kinds.id().optional(), {
        description: 'the OAuth client id from Google. [How to get it](google.md)',
        ifMissing: 'login with Google is not offered',
        hint: 'Google’s console: docs/google.md',
        prompted: true,
      }),
      GOOGLE_CLIENT_SECRET: variable(kinds.key().optional(), {
        description: 'the OAuth client secret, for browsers that block pop-ups',
        ifMissing: 'the button needs its pop-up',
        hint: 'Google’s console: docs/google.md',
        onlyWith: 'GOOGLE_CLIENT_ID',
      }),
      GOOGLE_API_BASE: variable(kinds.base().optional(), {
        description: 'a server that replaces Google in tests',
        ifMissing: 'Google',
      }),
      PAYPAL_CLIENT_ID: variable(kinds.id().optional(), {
        description: 'the client id from PayPal. [How to get it, and what PayPal permits](paypal.md)',
        ifMissing: 'memberships cannot be paid for',
        hint: 'PayPal’s dashboard: docs/paypal.md',
        prompted: true,
      }),
      PAYPAL_CLIENT_SECRET: variable(kinds.key().optional(), {
        description: 'the client secret from PayPal; it has no effect alone',
        hint: 'PayPal’s dashboard: docs/paypal.md',
        requiredWith: ['PAYPAL_CLIENT_ID'],
      }),
      PAYPAL_PLAN_STORYTELLER: variable(kinds.id(64).optional(), {
        description: 'PayPal’s id of the plan for sale; `npm run setup:paypal` creates it',
        ifMissing: 'no plan is for sale',
      }),
      PAYPAL_WEBHOOK_ID: variable(kinds.id(64).optional(), {
        description: 'PayPal’s id of the webhook for payments; `npm run setup:paypal` creates it',
        ifMissing: 'the site polls PayPal, which takes longer',
      }),
      PAYPAL_API_BASE: variable(kinds.safeBase().prefault('https://api-m.paypal.com'), {
        description:
          'PayPal’s API, or its sandbox at `https://api-m.sandbox.paypal.com`, or a server that replaces it in tests',
      }),
      SPICY_MODE: variable(kinds.choice('on', 'off').prefault('on'), {
        description:
          '`off` removes all adult content from the site: the switch, the characters, the texts about them',
      }),
      AI_NOTICE: variable(kinds.choice('everywhere', 'by_region').prefault('everywhere'), {
        description:
          'where the [AI notice](crisis-support.md#ai-notice) is in bold capitals; `by_region`: only where a law asks for that or the region is unknown',
      }),
      AGE_CHECK: variable(kinds.choice('declared', 'required').prefault('declared'), {
        description:
          '`declared`: users declare that they are 18 or older; `required`: a provider checks their age. [When, and how](age-verification.md)',
      }),
      AGE_CHECK_URL: variable(kinds.safeAddress().optional(), {
        description: 'the page of the provider that checks ages',
        requiredWith: ['AGE_CHECK=required'],
      }),
      AGE_CHECK_SECRET: variable(kinds.secret(32).optional(), {
        description: 'signs the provider’s results',
        hint: 'the provider, or generate one and give it to them: docs/age-verification.md',
        requiredWith: ['AGE_CHECK=required'],
      }),
      MODERATION_BASE_URL: variable(kinds.base().optional(), {
        description: 'the address of a moderation model’s API, up to and including `/v1`',
        ifMissing: '[only the rules](moderation.md) moderate texts',
        requiredWith: ['MODERATION_KIND', 'MODERATION_MODEL'],
      }),
      MODERATION_KIND: variable(kinds.choice('openai', 'llama-guard').optional(), {
        description:
          '`openai` for `POST /moderations`, `llama-guard` for Llama Guard by `POST /chat/completions`',
        ifMissing: '`openai`',
      }),
      MODERATION_API_KEY: variable(kinds.key().optional(), {
        description: 'the key of that API, if it requires one',
        onlyWith: 'MODERATION_BASE_URL',
      }),
      MODERATION_MODEL: variable(kinds.text(200).optional(), {
        description: 'the model’s name there; servers of Llama Guard require one',
      }),
      ...createModelShape(),
    })
    // `when`: also if a value is wrong, so that the operator sees all problems at once.
    .superRefine(requireDependencies, { when: () => true });

/** @typedef {z.infer<ReturnType<typeof createSchema>>} Values */
/** @typedef {keyof Values} VariableName */

/** @type {ReturnType<typeof createSchema> | undefined} */
let schema;
/** Creates the schema at its first use: its hundreds of objects are too many for the start of an isolate. */
const getSchema = () => (schema ??= createSchema());

/** @type {Readonly<Record<string, Variable>> | undefined} */
let variables;
/** Returns the metadata of all variables by their names. @returns {Readonly<Record<string, Variable>>} */
export function getVariables() {
  const { shape } = getSchema();
  variables ??= Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => [name, kinds.registry.get(schema)]),
  );
  return variables;
}

/**
 * Whether a condition of `requiredWith` or `onlyWith` is met.
 * @param {string} condition
 * @param {Readonly<Record<string, unknown>>} values
 */
export function isConditionMet(condition, values) {
  const [name = '', wanted] = condition.split('=');
  const value = values[name] ?? '';
  return wanted === undefined ? value !== '' : value === wanted;
}

/** @param {Readonly<Record<string, unknown>>} values @param {z.core.$RefinementCtx} context */
function requireDependencies(values, context) {
  for (const [name, { requiredWith = [], wants }] of Object.entries(getVariables())) {
    const reason = requiredWith.find((condition) => isConditionMet(condition, values));
    if (values[name] !== undefined || reason === undefined) continue;
    const message = `it is missing, and ${reason.split('=')[0]} needs it; it wants ${wants}`;
    context.addIssue({ code: 'custom', path: [name], message });
  }
}

/** Whether a text is a valid value of a variable. @param {string} name @param {string} text */
export const isValidValue = (name, text) =>
  getSchema().shape[/** @type {VariableName} */ (name)].safeParse(text).success;

/**
 * Parses and validates the operator's variables. An empty value counts as missing; other names are ignored.
 * @param {object} source
 * @returns {{ values: Values | undefined, issues: Issue[] }} values only without issues, and one issue for each variable
 */
export function parseVariables(source) {
  const texts = Object.keys(getVariables()).flatMap((name) =>
    // wrangler.toml may hold numbers and booleans.
    (source[name] ?? '') === '' ? [] : [[name, String(source[name])]],
  );
  const { data, error } = getSchema().safeParse(Object.fromEntries(texts), {
    error: ({ path = [], input }) => {
      const { wants } = getVariables()[String(path[0])] ?? {};
      return `${input === undefined ? 'it is missing; ' : ''}it wants ${wants}`;
    },
  });
  const messages = new Map(error?.issues.map(({ path, message }) => [String(path[0]), message]));
  return { values: data, issues: [...messages].map(([name, text]) => ({ name, text })) };
}

/** Lists all problems in one sentence for the operator. @param {readonly Issue[]} issues */
export function formatIssues(issues) {
  const all = issues.map(({ name, text }) => `${name}: ${text}`).join('; ');
  return `The environment is not right: ${all}. See docs/tables/variables.md.`;
}
