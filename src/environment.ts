import { z } from 'zod';
import { MODEL_TIMEOUTS } from './vendors/model.ts';

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
});
export type ProviderSettings = z.infer<typeof provider>;

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
  models: z.object({ roleplay: provider, chatgpt: provider, deepseek: provider, mistral: provider }),
});
export type Environment = z.infer<typeof environment>;

/** `['models', 'roleplay', 'baseUrl']` is the operator's `MODEL_ROLEPLAY_BASE_URL`. */
function variableName(path: readonly PropertyKey[]): string {
  return path
    .map((part) => String(part).replace(/^models$/, 'model'))
    .map((part) => part.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase())
    .join('_');
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
  });
  const parsed = environment.safeParse({
    authSecret: read('AUTH_SECRET'),
    adminEmails: read('ADMIN_EMAILS'),
    mailFrom: read('MAIL_FROM'),
    rateLimits: read('RATE_LIMITS'),
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
