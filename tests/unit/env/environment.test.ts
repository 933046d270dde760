import { describe, expect, test } from 'vitest';
import { readEnvironment } from '../../../src/env/read-environment.ts';

const GOOD = { AUTH_SECRET: 'long-enough-to-be-one', MAIL_FROM: 'Us <hello@example.test>' };
const read = (variables: Record<string, string>) => readEnvironment(variables as unknown as Env);

describe('An operator’s variables', () => {
  test('two variables suffice, and every other one has a default', () => {
    expect(read(GOOD)).toEqual({
      authSecret: 'long-enough-to-be-one',
      mailFrom: 'Us <hello@example.test>',
      adminEmails: ['admin@localhost.test'],
      adminPasskeys: 'optional',
      rateLimits: 'on',
      syntheticChecks: 'on',
      communityLinks: [],
      spicyMode: 'on',
      aiNotice: 'everywhere',
      ageCheck: { mode: 'declared' },
      models: Object.fromEntries(
        ['roleplay', 'chatgpt', 'deepseek', 'mistral'].map((name) => [
          name,
          { contextTokens: 16_000, idleSeconds: 30 },
        ]),
      ),
    });
  });

  test('the variables of a model are read together', () => {
    const { models } = read({
      ...GOOD,
      MODEL_MISTRAL_BASE_URL: 'http://127.0.0.1:11434/v1',
      MODEL_MISTRAL_API_KEY: 'k',
      MODEL_MISTRAL_MODEL: 'mistral-small',
      MODEL_MISTRAL_LABEL: 'Mine',
      MODEL_MISTRAL_CONTEXT_TOKENS: '8192',
      MODEL_MISTRAL_IDLE_SECONDS: '90',
      MODEL_MISTRAL_MEMBER_TIER: 'priority',
    });
    expect(models.mistral).toEqual({
      baseUrl: 'http://127.0.0.1:11434/v1',
      apiKey: 'k',
      model: 'mistral-small',
      label: 'Mine',
      contextTokens: 8192,
      idleSeconds: 90,
      memberTier: 'priority',
    });
    expect(models.chatgpt.baseUrl).toBeUndefined();
  });

  test('an empty variable counts as missing', () => {
    expect(read({ ...GOOD, MODEL_CHATGPT_BASE_URL: '', RATE_LIMITS: '', ADMIN_EMAILS: '' })).toMatchObject({
      rateLimits: 'on',
      adminEmails: ['admin@localhost.test'],
      models: { chatgpt: { contextTokens: 16_000 } },
    });
  });

  test('a variable can be a number in wrangler.toml', () => {
    const variables = { ...GOOD, MODEL_CHATGPT_CONTEXT_TOKENS: 8192 } as unknown as Record<string, string>;
    expect(read(variables).models.chatgpt.contextTokens).toBe(8192);
  });

  test('several administrators can be named, in any case and with spaces between them', () => {
    expect(read({ ...GOOD, ADMIN_EMAILS: ' Anna@Example.test, ,bob@example.test,' }).adminEmails).toEqual([
      'anna@example.test',
      'bob@example.test',
    ]);
  });

  test('the support address, community links and measurement id are optional', () => {
    expect(
      read({
        ...GOOD,
        SUPPORT_EMAIL: 'help@example.test',
        COMMUNITY_LINKS: ' Discord=https://discord.example/a?b=c ,, Reddit = https://reddit.example/r/x,',
        GA_MEASUREMENT_ID: 'G-ABCDE12345',
      }),
    ).toMatchObject({
      supportEmail: 'help@example.test',
      communityLinks: [
        { name: 'Discord', url: 'https://discord.example/a?b=c' },
        { name: 'Reddit', url: 'https://reddit.example/r/x' },
      ],
      googleAnalyticsId: 'G-ABCDE12345',
    });
    expect(read(GOOD)).toMatchObject({ communityLinks: [] });
    expect(read(GOOD).supportEmail).toBeUndefined();
    expect(read(GOOD).googleAnalyticsId).toBeUndefined();
  });

  test('the address of the site is read without its path', () => {
    expect(read(GOOD).siteUrl).toBeUndefined();
    expect(read({ ...GOOD, SITE_URL: 'https://loreloom.example/de/' }).siteUrl).toBe(
      'https://loreloom.example',
    );
  });

  test('a shared cache is read with its purge address and secret', () => {
    const cachePurge = { url: 'https://cache.example/purge', secret: 'a-secret-of-the-cache' };
    const named = { CACHE_PURGE_URL: cachePurge.url, CACHE_PURGE_SECRET: cachePurge.secret };
    expect(read({ ...GOOD, ...named }).cachePurge).toEqual(cachePurge);
    expect(read(GOOD).cachePurge).toBeUndefined();
  });

  test('a moderation model is optional, and its key, name or kind without an address is refused', () => {
    expect(read(GOOD).moderation).toBeUndefined();
    const MODERATION_BASE_URL = 'https://api.openai.example/v1/';
    expect(read({ ...GOOD, MODERATION_BASE_URL }).moderation).toEqual({
      kind: 'openai',
      baseUrl: 'https://api.openai.example/v1',
    });
    const guard = {
      MODERATION_KIND: 'llama-guard',
      MODERATION_API_KEY: 'k',
      MODERATION_MODEL: 'llama-guard3',
    };
    expect(read({ ...GOOD, MODERATION_BASE_URL, ...guard }).moderation).toMatchObject({
      kind: 'llama-guard',
      apiKey: 'k',
      model: 'llama-guard3',
    });
    expect(() => read({ ...GOOD, ...guard })).toThrow(/MODERATION_BASE_URL/);
    expect(() => read({ ...GOOD, MODERATION_BASE_URL, MODERATION_KIND: 'other' })).toThrow(/MODERATION_KIND/);
  });

  test('a client id alone sets up the Google button, and a secret without a client id is ignored', () => {
    expect(
      read({
        ...GOOD,
        GOOGLE_CLIENT_ID: 'ours.apps.googleusercontent.com',
        GOOGLE_CLIENT_SECRET: 's',
        GOOGLE_API_BASE: 'http://127.0.0.1:4000/',
      }).google,
    ).toEqual({
      clientId: 'ours.apps.googleusercontent.com',
      clientSecret: 's',
      apiBase: 'http://127.0.0.1:4000',
      script: 'http://127.0.0.1:4000/gsi/client',
      userInfo: 'http://127.0.0.1:4000/oauth2/v3/userinfo',
    });
    expect(read({ ...GOOD, GOOGLE_CLIENT_ID: 'ours' }).google).toEqual({
      clientId: 'ours',
      script: 'https://accounts.google.com/gsi/client',
      userInfo: 'https://www.googleapis.com/oauth2/v3/userinfo',
    });
    expect(read({ ...GOOD, GOOGLE_CLIENT_SECRET: 's' }).google).toBeUndefined();
  });

  test('an id and a secret together set up PayPal, whose API address has a default', () => {
    const both = { PAYPAL_CLIENT_ID: 'our-id', PAYPAL_CLIENT_SECRET: 'our-secret' };
    expect(read({ ...GOOD, ...both }).paypal).toEqual({
      clientId: 'our-id',
      clientSecret: 'our-secret',
      apiBase: 'https://api-m.paypal.com',
      sdkBase: 'https://www.paypal.com',
    });
    const apiBase = 'https://api-m.sandbox.paypal.com';
    expect(read({ ...GOOD, ...both, PAYPAL_API_BASE: `${apiBase}/` }).paypal?.apiBase).toBe(apiBase);
    expect(read({ ...GOOD, PAYPAL_API_BASE: apiBase }).paypal).toBeUndefined();
  });

  test('the PayPal plan and webhook id are read when PayPal is set up', () => {
    const both = { PAYPAL_CLIENT_ID: 'our-id', PAYPAL_CLIENT_SECRET: 'our-secret' };
    const sold = {
      PAYPAL_WEBHOOK_ID: '8PT597110X687430L',
      PAYPAL_PLAN_STORYTELLER: 'P-5ML4271244454362WXNWU5NQ',
    };
    expect(read({ ...GOOD, ...both, ...sold }).paypal).toMatchObject({
      webhookId: '8PT597110X687430L',
      planStoryteller: 'P-5ML4271244454362WXNWU5NQ',
    });
    expect(read({ ...GOOD, ...sold }).paypal).toBeUndefined();
  });

  test.each(['WEBHOOK_ID', 'PLAN_STORYTELLER'])(
    'a PAYPAL_%s in another format than PayPal’s is accepted',
    (name) => {
      const both = { PAYPAL_CLIENT_ID: 'our-id', PAYPAL_CLIENT_SECRET: 'our-secret' };
      for (const id of ['Storyteller', 'wh:1.2/3', 'x'.repeat(64)])
        expect(Object.values(read({ ...GOOD, ...both, [`PAYPAL_${name}`]: id }).paypal ?? {})).toContain(id);
    },
  );

  test.each([
    ['https://api-m.sandbox.paypal.com', 'https://www.paypal.com'],
    ['http://127.0.0.1:9999', 'http://127.0.0.1:9999'],
    ['https://paypal.com.example', 'https://paypal.com.example'],
    ['https://notpaypal.com', 'https://notpaypal.com'],
  ])(
    'the address of the API decides where PayPal’s button comes from: with %s, from %s',
    (apiBase, sdkBase) => {
      const both = { PAYPAL_CLIENT_ID: 'our-id', PAYPAL_CLIENT_SECRET: 'our-secret' };
      expect(read({ ...GOOD, ...both, PAYPAL_API_BASE: apiBase }).paypal?.sdkBase).toBe(sdkBase);
    },
  );

  test('the operator can switch spicy mode off or require age checks', () => {
    expect(read({ ...GOOD, SPICY_MODE: 'off' }).spicyMode).toBe('off');
    const secret = 'x'.repeat(32);
    const url = 'https://ages.example/check';
    expect(
      read({ ...GOOD, AGE_CHECK: 'required', AGE_CHECK_URL: url, AGE_CHECK_SECRET: secret }).ageCheck,
    ).toEqual({ mode: 'required', url, secret });
    expect(read({ ...GOOD, AGE_CHECK_URL: url, AGE_CHECK_SECRET: secret }).ageCheck).toEqual({
      mode: 'declared',
    });
  });

  test.each([
    ['SPICY_MODE', { ...GOOD, SPICY_MODE: 'a little' }],
    ['AGE_CHECK:', { ...GOOD, AGE_CHECK: 'sometimes' }],
    ['AGE_CHECK_URL', { ...GOOD, AGE_CHECK: 'required', AGE_CHECK_SECRET: 'y'.repeat(32) }],
    ['AGE_CHECK_SECRET', { ...GOOD, AGE_CHECK: 'required', AGE_CHECK_URL: 'https://ages.example/' }],
    [
      'AGE_CHECK_SECRET',
      {
        ...GOOD,
        AGE_CHECK: 'required',
        AGE_CHECK_URL: 'https://ages.example/',
        AGE_CHECK_SECRET: 'z'.repeat(31),
      },
    ],
    [
      'AGE_CHECK_URL',
      {
        ...GOOD,
        AGE_CHECK: 'required',
        AGE_CHECK_URL: 'http://ages.example/',
        AGE_CHECK_SECRET: 'y'.repeat(32),
      },
    ],
    ['GOOGLE_CLIENT_ID', { ...GOOD, GOOGLE_CLIENT_ID: 'two words' }],
    ['GOOGLE_API_BASE', { ...GOOD, GOOGLE_CLIENT_ID: 'ours-at-google', GOOGLE_API_BASE: 'ftp://x.example' }],
    ['PAYPAL_CLIENT_SECRET', { ...GOOD, PAYPAL_CLIENT_ID: 'id-at-paypal' }],
    [
      'PAYPAL_CLIENT_ID',
      { ...GOOD, PAYPAL_CLIENT_ID: 'two words', PAYPAL_CLIENT_SECRET: 'secret-at-paypal' },
    ],
    [
      'PAYPAL_API_BASE',
      {
        ...GOOD,
        PAYPAL_CLIENT_ID: 'id-at-paypal',
        PAYPAL_CLIENT_SECRET: 'secret-at-paypal',
        PAYPAL_API_BASE: 'http://paypal.example',
      },
    ],
    ...Object.entries({
      PAYPAL_WEBHOOK_ID: `https://ours.example/${'x'.repeat(64)}`,
      PAYPAL_PLAN_STORYTELLER: 'The Storyteller',
    }).map(([name, value]): [string, Record<string, string>] => [
      name,
      { ...GOOD, PAYPAL_CLIENT_ID: 'id-at-paypal', PAYPAL_CLIENT_SECRET: 'secret-at-paypal', [name]: value },
    ]),
    ['AUTH_SECRET', { MAIL_FROM: GOOD.MAIL_FROM }],
    ['AUTH_SECRET', { ...GOOD, AUTH_SECRET: 'sHoRtSeCrEt' }],
    ['MAIL_FROM', { AUTH_SECRET: GOOD.AUTH_SECRET }],
    ['RATE_LIMITS', { ...GOOD, RATE_LIMITS: 'sometimes' }],
    ['MODEL_ROLEPLAY_BASE_URL', { ...GOOD, MODEL_ROLEPLAY_BASE_URL: 'no address' }],
    ['MODEL_ROLEPLAY_OUTPUT_PRICE', { ...GOOD, MODEL_ROLEPLAY_INPUT_PRICE: '0.15' }],
    ['MODEL_DEEPSEEK_INPUT_PRICE', { ...GOOD, MODEL_DEEPSEEK_OUTPUT_PRICE: '0.65' }],
    ['MODEL_DEEPSEEK_CONTEXT_TOKENS', { ...GOOD, MODEL_DEEPSEEK_CONTEXT_TOKENS: 'many' }],
    ['MODEL_MISTRAL_MEMBER_TIER', { ...GOOD, MODEL_MISTRAL_MEMBER_TIER: 'the first of all' }],
    ['MODEL_MISTRAL_IDLE_SECONDS', { ...GOOD, MODEL_MISTRAL_IDLE_SECONDS: '0.01' }],
    ['SUPPORT_EMAIL', { ...GOOD, SUPPORT_EMAIL: 'nobody at all' }],
    ['SITE_URL', { ...GOOD, SITE_URL: 'javascript:alert(1)' }],
    ['SITE_URL', { ...GOOD, SITE_URL: 'loreloom.example' }],
    ['CACHE_PURGE_SECRET', { ...GOOD, CACHE_PURGE_URL: 'https://cache.example' }],
    [
      'CACHE_PURGE_URL',
      { ...GOOD, CACHE_PURGE_URL: 'http://cache.example', CACHE_PURGE_SECRET: 'a-secret-of-the-cache' },
    ],
    ['GA_MEASUREMENT_ID', { ...GOOD, GA_MEASUREMENT_ID: 'UA-12345-6' }],
    ['GA_MEASUREMENT_ID', { ...GOOD, GA_MEASUREMENT_ID: 'G-AB"><script>' }],
    ['COMMUNITY_LINKS', { ...GOOD, COMMUNITY_LINKS: 'https://discord.example' }],
    ['COMMUNITY_LINKS', { ...GOOD, COMMUNITY_LINKS: 'Discord=http://discord.example' }],
    ['COMMUNITY_LINKS', { ...GOOD, COMMUNITY_LINKS: 'Discord=javascript:alert(1)' }],
    [
      'COMMUNITY_LINKS',
      {
        ...GOOD,
        COMMUNITY_LINKS: [1, 2, 3, 4, 5, 6, 7].map((n) => `Place${n}=https://p${n}.example`).join(),
      },
    ],
    ['MODEL_CHATGPT_CONTEXT_TOKENS', { ...GOOD, MODEL_CHATGPT_CONTEXT_TOKENS: '12' }],
  ])('the error names a missing or invalid variable without its value: %s', (name, variables) => {
    let message = '';
    try {
      read(variables as Record<string, string>);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toContain(name);
    for (const value of Object.values(variables)) expect(message).not.toContain(value);
  });

  test('an environment is checked once, and again if it was invalid', () => {
    const env = { ...GOOD } as unknown as Env;
    expect(readEnvironment(env)).toBe(readEnvironment(env));
    const wrong = {} as Record<string, string>;
    expect(() => read(wrong)).toThrow();
    Object.assign(wrong, GOOD);
    expect(read(wrong).authSecret).toBe(GOOD.AUTH_SECRET);
  });
});
