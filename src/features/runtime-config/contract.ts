import { z } from 'zod';

const points = z.number().int().min(0).max(1_000_000);
const cents = z.number().int().min(1).max(1_000_000);
const personas = z.number().int().min(1).max(10_000);
const date = z.iso.date();
const budgetCents = z.number().int().min(1).max(100_000_000);
const budgetTokens = z.number().int().min(1).max(1_000_000_000_000);

/** Every constant of the business that an operator may change without a deployment; units are in the names. */
export const runtimeConfigShape = {
  /** What an account and a guest begin with. */
  start_points: points,
  /** Current points are filled up to so many, */
  refill_to_points: points,
  /** every so many hours. */
  refill_hours: z
    .number()
    .int()
    .min(1)
    .max(24 * 365),
  message_cost_points: z.number().int().min(0).max(10_000),
  /** Messages of one person's day without a membership; null for no limit. */
  daily_message_limit: z.number().int().min(1).max(1_000_000).nullable(),
  character_cost_points: points,
  /** What an invitation brings to whoever takes it; permanent. */
  invite_points: points,
  /** Of what an invited member pays. */
  commission_percent: z.number().int().min(0).max(100),
  /** A month, in cents of US dollars. */
  storyteller_price_cents: cents,
  adventurer_price_cents: cents,
  legend_price_cents: cents,
  /** PayPal's id of the plan that is sold; null for the one in `PAYPAL_PLAN_STORYTELLER`. */
  storyteller_paypal_plan: z
    .string()
    .regex(/^[\x21-\x7e]{1,64}$/, 'Not as PayPal shows it')
    .nullable(),
  /** As many as a plan without a price holds, and as every other one does. */
  personas_free: personas,
  personas_storyteller: personas,
  /** The competition's season by its number, and its days in UTC; the last day is in it. */
  competition_season: z.number().int().min(1).max(10_000),
  competition_begins_on: date,
  competition_ends_on: date,
  competition_winners_on: date,
  /** `off`: no model is asked to write anything, whoever asks. */
  model_calls: z.enum(['on', 'off']),
  /** What all models together may come to in a day (UTC): by the operator's prices, and in tokens; null for no bound. */
  model_budget_cents_per_day: budgetCents.nullable(),
  model_budget_tokens_per_day: budgetTokens.nullable(),
  /** The same of one person's own day, whatever a membership covers. */
  person_model_cents_per_day: budgetCents.nullable(),
  person_model_tokens_per_day: budgetTokens.nullable(),
  /** Replies, suggestions and drafts that may be written at once for one person. */
  replies_at_once: z.number().int().min(1).max(1000),
} as const;

export type RuntimeConfigKey = keyof typeof runtimeConfigShape;
export const RUNTIME_CONFIG_KEYS = Object.keys(runtimeConfigShape) as RuntimeConfigKey[];

export const runtimeConfig = z.strictObject(runtimeConfigShape);
export type RuntimeConfig = z.infer<typeof runtimeConfig>;

/** Some of the constants: those that are changed, as they are kept. */
export type RuntimeConfigOverrides = Partial<RuntimeConfig>;

type ChangeShape = {
  [Name in RuntimeConfigKey]: z.ZodOptional<z.ZodNullable<(typeof runtimeConfigShape)[Name]>>;
};

/**
 * What an operator asks for. Null takes a constant back to its default; where null is a value of its own (no limit, no
 * plan of PayPal's), it is that value.
 */
export const runtimeConfigChange = z
  .strictObject(
    Object.fromEntries(
      RUNTIME_CONFIG_KEYS.map((name) => [name, runtimeConfigShape[name].nullable().optional()]),
    ) as unknown as ChangeShape,
  )
  .refine((change) => Object.keys(change).length > 0, {
    error: 'Nothing is to be changed',
    when: ({ issues }) => issues.length === 0,
  });

/** The constants as an operator sees them. */
export const runtimeConfigView = z.object({
  business: runtimeConfig.describe('what is in force'),
  defaults: runtimeConfig,
  changed: z.array(z.string()).describe('the names of those that are not left to their defaults'),
  not_understood: z
    .array(z.string())
    .describe('what is kept under these names cannot be used, so their defaults are; `_` is all of it'),
});
export type RuntimeConfigView = z.infer<typeof runtimeConfigView>;
