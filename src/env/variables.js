/**
 * Every variable that an operator sets, once: what it is, what it may be, and where it is needed. The Worker checks its
 * environment by this table, docs/variables.md is written from it, and so are the questions of the setup and the tests of
 * wrong values. Plain JavaScript without an import: `npm start` reads it before anything is installed.
 */

/**
 * What a value may be.
 * - `secret`, `key`, `text`, `id`: printable characters; a key or an id has no blanks
 * - `base`: an address by http or https to which paths are put; `safe-base` and `safe-address`: by https, or by http to
 *   this machine; `site`: an address without its path
 * - `sender`: an e-mail address, with a name before it or without; `email`, `emails`: one, or some with commas between
 * - `links`: `Name=https://…`, with commas between
 * @typedef {'secret' | 'key' | 'text' | 'id' | 'word' | 'base' | 'safe-base' | 'safe-address' | 'site' | 'sender' | 'email' | 'emails' | 'links' | 'number' | 'choice' | 'measurement'} Kind
 */

/**
 * @typedef {object} Variable
 * @property {Kind} kind
 * @property {string} what a sentence for the operator, in Markdown
 * @property {string} [without] what happens without it
 * @property {string | number} [default] what holds without it
 * @property {string} [locally] what `npm start` sets
 * @property {number} [min] characters of a text, or the least number
 * @property {number} [max] characters of a text, parts of a list, or the greatest number
 * @property {boolean} [whole] a number without a fraction
 * @property {readonly string[]} [choices]
 * @property {boolean} [secret] it goes by `wrangler secret`, never by wrangler.toml
 * @property {boolean} [made] the setup makes one
 * @property {boolean} [needed] nothing starts without it
 * @property {boolean} [deployed] no deployment goes out without it
 * @property {readonly string[]} [neededWith] and neither without it, where one of these is set; `NAME=value`: to that.
 *   Never a secret: those are live as soon as they are put, before the deployment that brings what they go with
 * @property {string} [goesWith] it is of use where that one is set
 * @property {boolean} [asked] the setup asks for it, though nothing is missing without it
 * @property {string} [found] where the operator finds it
 */

/** The models of the product, by the names in their variables. */
export const MODEL_NAMES = /** @type {const} */ (['ROLEPLAY', 'CHATGPT', 'DEEPSEEK', 'MISTRAL']);

/** Of each model: `MODEL_<NAME>_<FIELD>`, also where one names another. */
export const MODEL_FIELDS = /** @type {const} */ ({
  BASE_URL: {
    kind: 'base',
    what: 'where an OpenAI-compatible model is asked, up to and with `/v1`. [Examples](operate.md#7-models)',
    without: 'the model is shown as unavailable',
    locally: 'the demo model, for `ROLEPLAY`',
  },
  API_KEY: { kind: 'key', secret: true, what: 'its key, if it wants one' },
  MODEL: { kind: 'text', max: 200, what: 'the model’s name at the provider', without: 'our name for it' },
  LABEL: {
    kind: 'text',
    max: 60,
    what: 'what people read in the list of models',
    without: 'the product’s name for it',
  },
  CONTEXT_TOKENS: {
    kind: 'number',
    whole: true,
    min: 1024,
    max: 2_000_000,
    default: 16_000,
    what: 'how much it reads and writes together',
  },
  IDLE_SECONDS: {
    kind: 'number',
    min: 0.1,
    max: 3600,
    default: 30,
    what: 'how long it may be silent before the reply is given up; a slow model on one’s own machine may need more',
  },
  MEMBER_TIER: {
    kind: 'word',
    max: 40,
    what: 'in which of the provider’s queues members’ messages stand, sent as `service_tier`, such as `priority`; for everybody else nothing is sent. [Why](memberships.md)',
  },
  INPUT_PRICE: {
    kind: 'number',
    min: 0,
    max: 10_000,
    what: 'what the provider takes for a million tokens that it reads, in US dollars, for the [figures](stats.md) and [budgets](limits.md)',
    neededWith: ['MODEL_<NAME>_OUTPUT_PRICE'],
    without: 'its cost is not shown, and is nothing to the budgets in cents',
  },
  OUTPUT_PRICE: {
    kind: 'number',
    min: 0,
    max: 10_000,
    neededWith: ['MODEL_<NAME>_INPUT_PRICE'],
    what: 'the same for a million tokens that it writes; the two belong together',
  },
});

/** What the setup asks of a model: of the first one alone, and the others are set like it. */
const PROMPTED_MODEL_VARIABLES = new Set(['MODEL_ROLEPLAY_BASE_URL', 'MODEL_ROLEPLAY_MODEL']);

/** All others, by what they are about. */
export const OWN_VARIABLES = /** @type {const} */ ({
  AUTH_SECRET: {
    kind: 'secret',
    min: 16,
    secret: true,
    made: true,
    needed: true,
    what: 'what login codes are hashed with and links in mails are signed with; another one makes those that are on their way worthless',
    locally: 'made once',
  },
  SITE_URL: {
    kind: 'site',
    deployed: true,
    what: 'the site’s address, like `https://chat.example`; with it [shared caches](caches.md) keep public pages, and who said yes gets news by mail, at most every 62 days',
    locally: 'this machine',
  },
  MAIL_FROM: {
    kind: 'sender',
    needed: true,
    what: 'the sender of mails, like `Loreloom <hello@chat.example>`',
    locally: '`Loreloom <hello@localhost.test>`',
    found: 'an address of a domain that may send: docs/operate.md, «Mail»',
  },
  ADMIN_EMAILS: {
    kind: 'emails',
    deployed: true,
    default: 'admin@localhost.test',
    what: 'who is an admin, separated by commas. [What they can do](reports.md)',
  },
  SUPPORT_EMAIL: {
    kind: 'email',
    asked: true,
    what: 'where people write when they need help, and where [feedback](feedback.md) goes',
    without: 'no contact is shown',
    locally: '`support@localhost.test`',
  },
  COMMUNITY_LINKS: {
    kind: 'links',
    max: 6,
    what: 'where people meet, up to six, as `Name=https://…, Name=https://…`',
    locally: 'two examples',
  },
  GA_MEASUREMENT_ID: {
    kind: 'measurement',
    what: 'a Google Analytics id like `G-XXXXXXXXXX`',
    without: 'nothing of Google Analytics is in any page',
  },
  RATE_LIMITS: {
    kind: 'choice',
    choices: ['on', 'off'],
    default: 'on',
    what: '[limits](limits.md) by the minute, by network address, and of guests by device',
    locally: '`off`',
  },
  SYNTHETIC_CHECKS: {
    kind: 'choice',
    choices: ['on', 'off'],
    default: 'on',
    what: 'whether a conversation of the site’s own every five minutes, with each model in turn, feeds the [status page](watching.md); one takes some 360 tokens, so an hour over 4,000',
    locally: '`off`',
  },
  CACHE_PURGE_URL: {
    kind: 'safe-address',
    what: 'a shared cache of one’s own that is to be told what changes. [How](caches.md)',
    without: 'none is told',
  },
  CACHE_PURGE_SECRET: {
    kind: 'secret',
    min: 16,
    secret: true,
    neededWith: ['CACHE_PURGE_URL'],
    what: 'what that cache knows those calls by',
  },
  GOOGLE_CLIENT_ID: {
    kind: 'id',
    asked: true,
    what: 'what Google knows this site by. [How to get it](google.md)',
    without: 'nobody is offered to log in with Google',
    found: 'Google’s console: docs/google.md',
  },
  GOOGLE_CLIENT_SECRET: {
    kind: 'key',
    secret: true,
    goesWith: 'GOOGLE_CLIENT_ID',
    what: 'its secret, for browsers that block pop-ups',
    without: 'the button works by its pop-up alone',
    found: 'Google’s console: docs/google.md',
  },
  GOOGLE_API_BASE: {
    kind: 'base',
    what: 'a stand-in for all of Google, for tests',
    without: 'Google',
  },
  PAYPAL_CLIENT_ID: {
    kind: 'key',
    asked: true,
    what: 'what PayPal knows this site by. [How to get it](paypal.md), and what PayPal permits',
    without: 'memberships cannot be paid for',
    found: 'PayPal’s dashboard: docs/paypal.md',
  },
  PAYPAL_CLIENT_SECRET: {
    kind: 'key',
    secret: true,
    neededWith: ['PAYPAL_CLIENT_ID'],
    what: 'its secret; alone it does nothing',
    found: 'PayPal’s dashboard: docs/paypal.md',
  },
  PAYPAL_PLAN_STORYTELLER: {
    kind: 'id',
    max: 64,
    what: 'PayPal’s id of the plan that is for sale; `npm run setup:paypal` makes one',
    without: 'none is',
  },
  PAYPAL_WEBHOOK_ID: {
    kind: 'id',
    max: 64,
    what: 'PayPal’s id of the address that it tells of payments; `npm run setup:paypal` makes one',
    without: 'the site finds out by asking, later',
  },
  PAYPAL_API_BASE: {
    kind: 'safe-base',
    default: 'https://api-m.paypal.com',
    what: 'where PayPal is asked: its sandbox at `https://api-m.sandbox.paypal.com`, or a stand-in for tests',
  },
  SPICY_MODE: {
    kind: 'choice',
    choices: ['on', 'off'],
    default: 'on',
    what: '`off` takes everything for adults off this site: the switch, the characters, the words about them',
  },
  AGE_CHECK: {
    kind: 'choice',
    choices: ['declared', 'required'],
    default: 'declared',
    what: '`declared`: people say that they are 18 or older; `required`: their age has to be checked. [When, and how](age.md)',
  },
  AGE_CHECK_URL: {
    kind: 'safe-address',
    neededWith: ['AGE_CHECK=required'],
    what: 'the page of whoever checks ages, when that is required',
  },
  AGE_CHECK_SECRET: {
    kind: 'secret',
    min: 32,
    secret: true,
    neededWith: ['AGE_CHECK=required'],
    what: 'what the results are signed with',
    found: 'whoever checks ages, or one that you make and give to them: docs/age.md',
  },
  MODERATION_BASE_URL: {
    kind: 'base',
    neededWith: ['MODERATION_KIND', 'MODERATION_MODEL'],
    what: 'where a moderation model is asked about texts, up to and with `/v1`',
    without: '[the rules are alone](moderation.md)',
  },
  MODERATION_KIND: {
    kind: 'choice',
    choices: ['openai', 'llama-guard'],
    what: '`openai` for `POST /moderations`, `llama-guard` for Llama Guard by `POST /chat/completions`',
    without: '`openai`',
  },
  MODERATION_API_KEY: {
    kind: 'key',
    secret: true,
    goesWith: 'MODERATION_BASE_URL',
    what: 'its key, if it wants one',
  },
  MODERATION_MODEL: {
    kind: 'text',
    max: 200,
    what: 'the model’s name there; Llama Guard’s servers want one',
  },
});

/** @typedef {typeof MODEL_NAMES[number]} ModelName */
/** @typedef {keyof typeof MODEL_FIELDS} ModelField */
/** @typedef {keyof typeof OWN_VARIABLES | `MODEL_${ModelName}_${ModelField}`} VariableName */

/** @param {ModelName} name @param {string} field @param {Variable} variable @returns {[string, Variable]} */
function toModelVariable(name, field, { neededWith, ...variable }) {
  const whole = `MODEL_${name}_${field}`;
  const base = `MODEL_${name}_BASE_URL`;
  const asked = PROMPTED_MODEL_VARIABLES.has(whole);
  const others = neededWith?.map((one) => one.replace('<NAME>', name));
  return [
    whole,
    {
      ...variable,
      ...(whole === base ? {} : { goesWith: base }),
      ...(asked ? { asked } : {}),
      ...(others === undefined ? {} : { neededWith: others }),
    },
  ];
}

/** All of them, the four models' included. @type {Readonly<Record<string, Variable>>} */
export const VARIABLES = {
  ...OWN_VARIABLES,
  ...Object.fromEntries(
    MODEL_NAMES.flatMap((name) =>
      Object.entries(MODEL_FIELDS).map(([field, variable]) => toModelVariable(name, field, variable)),
    ),
  ),
};
