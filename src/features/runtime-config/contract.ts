import { z } from 'zod';

const points = z.number().int().min(0).max(1_000_000);
const cents = z.number().int().min(1).max(1_000_000);
const personas = z.number().int().min(1).max(10_000);
const date = z.iso.date();
const budgetCents = z.number().int().min(1).max(100_000_000);
/** A list with commas, as the command line takes it. */
const tagList = z.string().max(10_000);
const budgetTokens = z.number().int().min(1).max(1_000_000_000_000);

/** The business constants that operators can change without a deployment. Units are in the names. */
export const runtimeConfigShape = {
  /** Initial points of accounts and guests. */
  start_points: points,
  /** A refill raises the current points to this value, */
  refill_to_points: points,
  /** once per this many hours. */
  refill_hours: z
    .number()
    .int()
    .min(1)
    .max(24 * 365),
  message_cost_points: z.number().int().min(0).max(10_000),
  /** Messages per user and day without a membership; null for no limit. */
  daily_message_limit: z.number().int().min(1).max(1_000_000).nullable(),
  character_cost_points: points,
  /** Permanent points for accepting an invitation. */
  invite_points: points,
  /** Share of an invited member's payments. */
  commission_percent: z.number().int().min(0).max(100),
  /** US cents per month. */
  storyteller_price_cents: cents,
  adventurer_price_cents: cents,
  legend_price_cents: cents,
  /** PayPal id of the plan on sale; null for the one in `PAYPAL_PLAN_STORYTELLER`. */
  storyteller_paypal_plan: z
    .string()
    .regex(/^[\x21-\x7e]{1,64}$/, 'Not a PayPal id')
    .nullable(),
  /** Persona limits of the free plan and of all paid plans. */
  personas_free: personas,
  personas_storyteller: personas,
  /** Number of the competition's season, and its dates in UTC; the last day is included. */
  competition_season: z.number().int().min(1).max(10_000),
  competition_begins_on: date,
  competition_ends_on: date,
  competition_winners_on: date,
  /** `off` stops all calls to text models, for every user. */
  model_calls: z.enum(['on', 'off']),
  /** Whether a model writes a title for a conversation after its third turn; users pay nothing for it. */
  model_titles: z.enum(['on', 'off']),
  /** Daily budget of all models together (UTC), by the operator's prices and in tokens; null for no limit. */
  model_budget_cents_per_day: budgetCents.nullable(),
  model_budget_tokens_per_day: budgetTokens.nullable(),
  /** The same per user and day, also for members. */
  person_model_cents_per_day: budgetCents.nullable(),
  person_model_tokens_per_day: budgetTokens.nullable(),
  /** Replies, suggestions and drafts that one user can have in progress at once. */
  replies_at_once: z.number().int().min(1).max(1000),
  /** Free tags of characters that are refused and not shown, with commas between them. */
  blocked_tags: tagList,
  /** Free tags that replace others: `sci fi > sci-fi, scifi > sci-fi`. */
  merged_tags: tagList.refine(
    (text) =>
      text.split(',').every((item) => item.trim() === '' || /^[^>]*[^>\s][^>]*>[^>]*[^>\s][^>]*$/.test(item)),
    'Write each merge as: old tag > new tag',
  ),
} as const;

export type RuntimeConfigKey = keyof typeof runtimeConfigShape;
export const RUNTIME_CONFIG_KEYS = Object.keys(runtimeConfigShape) as RuntimeConfigKey[];

export const runtimeConfig = z.strictObject(runtimeConfigShape);
export type RuntimeConfig = z.infer<typeof runtimeConfig>;

/** The changed constants, as stored. */
export type RuntimeConfigOverrides = Partial<RuntimeConfig>;

type ChangeShape = {
  [Name in RuntimeConfigKey]: z.ZodOptional<z.ZodNullable<(typeof runtimeConfigShape)[Name]>>;
};

/**
 * An operator's change. Null resets a constant to its default, unless null is one of its values (no limit, no
 * PayPal plan).
 */
export const runtimeConfigChange = z
  .strictObject(
    Object.fromEntries(
      RUNTIME_CONFIG_KEYS.map((name) => [name, runtimeConfigShape[name].nullable().optional()]),
    ) as unknown as ChangeShape,
  )
  .refine((change) => Object.keys(change).length > 0, {
    error: 'There is nothing to change',
    when: ({ issues }) => issues.length === 0,
  });

/** The constants as operators see them. */
export const runtimeConfigView = z.object({
  business: runtimeConfig.describe('Values in force'),
  defaults: runtimeConfig,
  changed: z.array(z.string()).describe('Names of the constants that override their defaults'),
  not_understood: z
    .array(z.string())
    .describe(
      'Names whose stored values are invalid, so that the defaults apply; `_` means all stored values',
    ),
});
export type RuntimeConfigView = z.infer<typeof runtimeConfigView>;
