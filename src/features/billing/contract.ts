import { z } from 'zod';

/** A subscription that has ended according to PayPal. */
export const endedSubscription = z.object({
  id: z.string().describe('PayPal’s subscription id'),
  status: z.enum(['cancelled', 'expired']),
  paid_until: z.iso.datetime(),
});
export type EndedSubscription = z.infer<typeof endedSubscription>;

/** Benefits of a plan, in display order; the sentences are in the dictionaries. */
export const planFeature = z.enum([
  'all_characters',
  'points_refill',
  'daily_messages',
  'unlimited_messages',
  'faster_responses',
  'priority_support',
  'personas',
]);

export const plan = z.object({
  id: z.enum(['free', 'storyteller', 'adventurer', 'legend']),
  name: z.string(),
  price_cents: z.number().int(),
  currency: z.literal('USD'),
  period: z.literal('month'),
  features: z.array(planFeature),
  limits: z
    .object({
      daily_messages: z.number().int().nullable(),
      personas: z.number().int(),
      refill_points: z.number().int().nullable(),
      refill_hours: z.number().int().nullable(),
    })
    .nullable()
    .describe('Null for an upcoming plan, whose benefits are not announced'),
  /** Whether it can be bought now; the other plans are announced. */
  available: z.boolean(),
  paypal_plan_id: z.string().optional(),
});
export type Plan = z.infer<typeof plan>;
export const plans = z.object({ items: z.array(plan) });

/** Data for PayPal's button in the browser. */
export const paymentClient = z.object({
  client_id: z.string(),
  sdk_base: z.url(),
  plan_id: z.string(),
  /** Our user id, by which PayPal reports whose subscription it is. */
  custom_id: z.string(),
  /** End of the period that is already paid, when a new subscription starts to charge; null to charge right away. */
  starts_at: z.iso.datetime().nullable(),
});
export type PaymentClient = z.infer<typeof paymentClient>;

export const subscriptionView = z.object({
  plan: plan.shape.id,
  /** `none` for a user without a subscription, including one whose plan the operator granted. */
  status: z.enum(['none', 'active', 'suspended', 'cancelled', 'expired']),
  /**
   * End of the paid period, even if it is past. While the first payment is pending, the end of the plan until then.
   * Null when nothing was paid and nothing is pending.
   */
  current_period_end: z.iso.datetime().nullable(),
  /** The agreed monthly price. */
  price_cents: z.number().int().nullable(),
  /** The operator granted the current plan: it stays, regardless of payments. */
  is_given: z.boolean(),
  auto_renew: z.boolean(),
  /** It was cancelled, and its benefits last until the period ends. */
  pending_downgrade: z.boolean(),
  /** A payment that was due failed. */
  is_failing: z.boolean(),
  /** The payment that is due is pending, and PayPal reports no problem. */
  is_awaited: z.boolean(),
  /** The last payment was refunded, or reversed by a bank. */
  is_refunded: z.boolean(),
  /** Time of the next charge. */
  next_payment_at: z.iso.datetime().nullable(),
  /** Start of a subscription that was agreed to and has not started. */
  begins_at: z.iso.datetime().nullable(),
  /** Null where memberships cannot be bought, and for guests. */
  client: paymentClient.nullable(),
});
export type SubscriptionView = z.infer<typeof subscriptionView>;

export const activateBody = z.strictObject({ subscription_id: z.string().min(1).max(60) });

export const webhookResponse = z.object({ received: z.literal(true) });

const amount = { amount_cents: z.number().int(), currency: z.string() };
export const payout = z.object({
  id: z.string(),
  user_id: z.string(),
  ...amount,
  note: z.string(),
  at: z.iso.datetime(),
});
/** Users to whom the operator owes commission, and past payouts, newest first. */
export const payoutOverview = z.object({
  items: z.array(
    z.object({ user_id: z.string(), username: z.string(), email: z.string().nullable(), ...amount }),
  ),
  paid: z.array(payout),
});

export const payoutBody = z.strictObject({
  user_id: z.string().min(1).max(60),
  /** The amount paid, which has to equal the amount due in the list. */
  amount_cents: z.number().int().positive(),
  /** For the operator's accounting, such as the number of a transfer. */
  note: z.string().trim().min(1).max(200),
});
