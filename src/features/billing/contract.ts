import { z } from 'zod';

/** A subscription of which PayPal says that it is over. */
export const endedSubscription = z.object({
  id: z.string().describe('PayPal’s own'),
  status: z.enum(['cancelled', 'expired']),
  paid_until: z.iso.datetime(),
});
export type EndedSubscription = z.infer<typeof endedSubscription>;

/** What a plan brings, in the order of the page; the sentences are the dictionaries'. */
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
    .describe('null of a plan that is to come: what it holds is not announced'),
  /** Whether it can be had now; the others are to come. */
  available: z.boolean(),
  paypal_plan_id: z.string().optional(),
});
export type Plan = z.infer<typeof plan>;
export const plans = z.object({ items: z.array(plan) });

/** What the browser needs to offer PayPal's button. */
export const paymentClient = z.object({
  client_id: z.string(),
  sdk_base: z.url(),
  plan_id: z.string(),
  /** By which PayPal tells us whose subscription it is. */
  custom_id: z.string(),
  /** The end of what is paid for already, from when on a new one is paid; null for at once. */
  starts_at: z.iso.datetime().nullable(),
});
export type PaymentClient = z.infer<typeof paymentClient>;

export const subscriptionView = z.object({
  plan: plan.shape.id,
  /** `none` of somebody who has none, also where the operator gave them their plan. */
  status: z.enum(['none', 'active', 'suspended', 'cancelled', 'expired']),
  /**
   * The end of what is paid for, also when that is over; while the first payment is on its way, of what it brings until then.
   * Null where nothing was paid, and nothing is on its way.
   */
  current_period_end: z.iso.datetime().nullable(),
  /** What was agreed to be paid each month. */
  price_cents: z.number().int().nullable(),
  /** The plan in force was given by the operator: it lasts, whatever is paid. */
  is_given: z.boolean(),
  auto_renew: z.boolean(),
  /** It was cancelled, and what it brings lasts until the period's end. */
  pending_downgrade: z.boolean(),
  /** A payment that was due did not come. */
  is_failing: z.boolean(),
  /** The payment that is due is on its way: PayPal says of nothing that is amiss. */
  is_awaited: z.boolean(),
  /** What was paid last was given back, or taken back by a bank. */
  is_refunded: z.boolean(),
  /** When money is to be taken next. */
  next_payment_at: z.iso.datetime().nullable(),
  /** Of one that is agreed to and has not begun: when it does. */
  begins_at: z.iso.datetime().nullable(),
  /** Null where memberships cannot be paid for, and for guests. */
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
/** Whom the operator owes commission, and whom they paid some, the newest first. */
export const payoutOverview = z.object({
  items: z.array(
    z.object({ user_id: z.string(), username: z.string(), email: z.string().nullable(), ...amount }),
  ),
  paid: z.array(payout),
});

export const payoutBody = z.strictObject({
  user_id: z.string().min(1).max(60),
  /** What was paid, as the list said that it is due. */
  amount_cents: z.number().int().positive(),
  /** For the operator's own books, such as the number of a transfer. */
  note: z.string().trim().min(1).max(200),
});
