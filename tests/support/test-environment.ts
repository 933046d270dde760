/** The addresses of a test run's servers. */
export interface TestServers {
  /** The scripted model server's base URL, ending in /v1. */
  modelUrl: string;
  /** A base URL where nothing listens. */
  closedUrl: string;
  /** The mock OpenID provider. */
  googleUrl: string;
  /** The mock PayPal server. */
  payPalUrl: string;
}

/** The tests' client id at Google. */
export const GOOGLE_CLIENT_ID = 'loreloom-tests.apps.example';

/** The tests' configuration at PayPal. */
export const PAYPAL = {
  clientId: 'loreloom-tests-at-paypal',
  clientSecret: 'secret-of-paypal',
  /** The id of the webhook. */
  webhookId: '8PT597110X687430L',
  /** The plan that is for sale. */
  planStoryteller: 'P-5ML4271244454362WXNWU5NQ',
} as const;

/**
 * The operator's variables of the tests: three models, of which `chatgpt` times out after a second and `deepseek` cannot be
 * reached, and a fourth that is not configured.
 */
export function createTestEnvironment({
  modelUrl,
  closedUrl,
  googleUrl,
  payPalUrl,
}: TestServers): Record<string, string> {
  return {
    AUTH_SECRET: 'a-secret-for-tests-alone',
    MAIL_FROM: 'Loreloom <hello@localhost.test>',
    RATE_LIMITS: 'off',
    SUPPORT_EMAIL: 'support@localhost.test',
    ADMIN_EMAILS: 'admin@localhost.test',
    GOOGLE_CLIENT_ID,
    GOOGLE_CLIENT_SECRET: 'secret-of-google',
    GOOGLE_API_BASE: googleUrl,
    PAYPAL_CLIENT_ID: PAYPAL.clientId,
    PAYPAL_CLIENT_SECRET: PAYPAL.clientSecret,
    PAYPAL_API_BASE: payPalUrl,
    PAYPAL_WEBHOOK_ID: PAYPAL.webhookId,
    PAYPAL_PLAN_STORYTELLER: PAYPAL.planStoryteller,
    MODEL_ROLEPLAY_BASE_URL: modelUrl,
    MODEL_ROLEPLAY_API_KEY: 'key-of-roleplay',
    MODEL_ROLEPLAY_MODEL: 'roleplay-test',
    MODEL_ROLEPLAY_MEMBER_TIER: 'priority',
    MODEL_CHATGPT_BASE_URL: modelUrl,
    MODEL_CHATGPT_API_KEY: 'key-of-chatgpt',
    MODEL_CHATGPT_MODEL: 'chatgpt-test',
    MODEL_CHATGPT_IDLE_SECONDS: '1',
    MODEL_DEEPSEEK_BASE_URL: closedUrl,
    MODEL_DEEPSEEK_API_KEY: 'key-of-deepseek',
    MODEL_MISTRAL_BASE_URL: '',
  };
}
