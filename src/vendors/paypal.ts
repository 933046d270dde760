import { z } from 'zod';
import { type Money, parseMoney } from './paypal-money.ts';
import {
  callPayPal,
  type PayPalCall,
  type PayPalRefusal,
  type PayPalSettings,
  buildJsonInit,
  createUnavailableRefusal,
} from './paypal-call.ts';

/** PayPal's subscription states. */
const STATUSES = ['APPROVAL_PENDING', 'APPROVED', 'ACTIVE', 'SUSPENDED', 'CANCELLED', 'EXPIRED'] as const;
export type PayPalStatus = (typeof STATUSES)[number];

/** A subscription as PayPal reports it. Times are in milliseconds, amounts in the smallest unit of the currency. */
export interface PayPalSubscription {
  id: string;
  status: PayPalStatus;
  planId: string | null;
  /** The user id that we sent to PayPal. */
  customId: string | null;
  /** PayPal's id of the payer. */
  payerId: string | null;
  /** Time of the next charge; null when none will follow. */
  nextBillingAt: number | null;
  /** Start of billing, which the subscriber may have set to a later date. */
  beganAt: number | null;
  lastPayment: { amountCents: number; currency: string; at: number } | null;
  /** Number of consecutive failed payments. */
  failedPayments: number;
  /**
   * The monthly price, if PayPal reports it. Differs from the plan's price if it was overridden for this subscription.
   */
  price: Money | null;
  /**
   * That price and the last payment, each if reported, regardless of its date; null for an amount that cannot be parsed.
   */
  amounts: (Money | null)[];
}

const TRANSACTION_STATUSES = ['COMPLETED', 'DECLINED', 'PARTIALLY_REFUNDED', 'PENDING', 'REFUNDED'] as const;

/** A payment or an attempted payment of a subscription; `REFUNDED` means the whole amount. */
export interface PayPalTransaction {
  id: string;
  status: (typeof TRANSACTION_STATUSES)[number];
  amountCents: number;
  currency: string;
  at: number;
}

export type SubscriptionAnswer = { ok: true; subscription: PayPalSubscription } | PayPalRefusal;
export type TransactionsAnswer = { ok: true; transactions: PayPalTransaction[] } | PayPalRefusal;
export type CancelAnswer = { ok: true } | PayPalRefusal;

/** PayPal's limit for a cancellation reason. */
const MAX_REASON_CHARS = 128;

/** A time in PayPal's form, in milliseconds; null when invalid. */
const moment = z
  .string()
  .transform((text) => Date.parse(text))
  .pipe(z.number())
  .nullable()
  .catch(null);
const money = z.unknown().transform(parseMoney);
/** A list with the amount, null if it cannot be parsed; empty when it is missing. */
const amounts = z
  .unknown()
  .transform((amount): (Money | null)[] =>
    amount === undefined || amount === null ? [] : [parseMoney(amount)],
  );
const text = z.string().min(1).nullable().catch(null);

const cycle = z.object({
  tenure_type: z.string().nullish(),
  pricing_scheme: z.object({ fixed_price: amounts }),
});
const subscriptionAnswer = z.object({
  id: z.string().nullish(),
  status: z.enum(STATUSES),
  plan_id: text,
  custom_id: text,
  start_time: moment,
  subscriber: z.object({ payer_id: text }).nullable().catch(null),
  quantity: z.coerce.number().int().positive().catch(1),
  billing_info: z
    .object({
      next_billing_time: moment,
      last_payment: z.object({ amount: amounts, time: moment }).nullable().catch(null),
      failed_payments_count: z.coerce.number().int().nonnegative().catch(0),
    })
    .nullable()
    .catch(null),
  plan: z
    .object({ billing_cycles: z.array(z.unknown()) })
    .nullable()
    .catch(null),
});

const transaction = z.object({
  id: z.string().min(1),
  status: z.enum([...TRANSACTION_STATUSES, 'FAILED']),
  amount_with_breakdown: z.object({ gross_amount: money }),
  time: moment,
});
/** PayPal omits an empty list, but then sends its total or links. */
const transactionsAnswer = z
  .object({
    transactions: z.array(z.unknown()).optional(),
    links: z.unknown().optional(),
    total_items: z.unknown().optional(),
    status: z.undefined().optional(),
    plan_id: z.undefined().optional(),
  })
  .refine(
    ({ transactions, links, total_items }) =>
      (transactions ?? links ?? total_items ?? undefined) !== undefined,
  );

const buildSubscriptionPath = (id: string): string => `/v1/billing/subscriptions/${encodeURIComponent(id)}`;

/** Reads a subscription from PayPal. */
export async function showSubscription(
  settings: PayPalSettings,
  id: string,
  call: PayPalCall,
): Promise<SubscriptionAnswer> {
  // Include the plan: the browser creates the subscription and could override the price.
  const answer = await callPayPal(
    settings,
    {
      what: 'show',
      path: `${buildSubscriptionPath(id)}?fields=plan`,
      plainPath: buildSubscriptionPath(id),
      init: {},
    },
    call,
  );
  if (!answer.ok) return answer;
  const read = subscriptionAnswer.safeParse(answer.body);
  if (!read.success) return createUnavailableRefusal('show answered what is no subscription');
  if ((read.data.id ?? id) !== id) return createUnavailableRefusal('show answered another subscription');
  return { ok: true, subscription: toSubscription(id, read.data) };
}

function toSubscription(id: string, read: z.infer<typeof subscriptionAnswer>): PayPalSubscription {
  const { status, plan_id: planId, custom_id: customId, start_time: beganAt, billing_info: info } = read;
  const { amount: paid = [], time: at = null } = info?.last_payment ?? {};
  const amount = paid[0] ?? null;
  const prices = toPrices(read);
  return {
    id,
    status,
    planId,
    customId,
    payerId: read.subscriber?.payer_id ?? null,
    nextBillingAt: info?.next_billing_time ?? null,
    beganAt,
    lastPayment:
      amount === null || at === null ? null : { amountCents: amount.cents, currency: amount.currency, at },
    failedPayments: info?.failed_payments_count ?? 0,
    price: prices[0] ?? null,
    amounts: [...paid, ...prices],
  };
}

/** Returns the regular price per cycle, after any trial prices. */
function toPrices({ plan, quantity }: z.infer<typeof subscriptionAnswer>): (Money | null)[] {
  const cycles = (plan?.billing_cycles ?? []).flatMap((one) => cycle.safeParse(one).data ?? []);
  const regular = cycles.findLast(({ tenure_type: kind }) => (kind ?? 'REGULAR') === 'REGULAR');
  return (regular?.pricing_scheme.fixed_price ?? []).map(
    (price) => price && { cents: price.cents * quantity, currency: price.currency },
  );
}

/**
 * Cancels a subscription permanently. One that has already ended is refused with `SUBSCRIPTION_STATUS_INVALID`. After a
 * lost response only `showSubscription` shows the outcome.
 * @param reason stored at PayPal, where the user can read it
 */
export async function cancelSubscription(
  settings: PayPalSettings,
  id: string,
  reason: string,
  call: PayPalCall,
): Promise<CancelAnswer> {
  const init = buildJsonInit(JSON.stringify({ reason: reason.slice(0, MAX_REASON_CHARS) }));
  const answer = await callPayPal(
    settings,
    { what: 'cancel', path: `${buildSubscriptionPath(id)}/cancel`, init },
    call,
  );
  return answer.ok ? { ok: true } : answer;
}

/**
 * Lists the payments of a subscription between two times in milliseconds, oldest first. Entries that are not payments or
 * cannot be parsed are left out.
 */
export async function listTransactions(
  settings: PayPalSettings,
  id: string,
  { from, to }: { from: number; to: number },
  call: PayPalCall,
): Promise<TransactionsAnswer> {
  const range = new URLSearchParams({
    start_time: new Date(from).toISOString(),
    end_time: new Date(to).toISOString(),
  });
  const answer = await callPayPal(
    settings,
    { what: 'transactions', path: `${buildSubscriptionPath(id)}/transactions?${range}`, init: {} },
    call,
  );
  if (!answer.ok) return answer;
  const read = transactionsAnswer.safeParse(answer.body);
  if (!read.success) return createUnavailableRefusal('transactions answered what is no list');
  return {
    ok: true,
    transactions: (read.data.transactions ?? []).flatMap(toTransactions).sort((a, b) => a.at - b.at),
  };
}

function toTransactions(one: unknown): PayPalTransaction[] {
  const read = transaction.safeParse(one).data;
  const amount = read?.amount_with_breakdown.gross_amount ?? null;
  if (read === undefined || amount === null || read.time === null) return [];
  const { id, status, time: at } = read;
  return [
    {
      id,
      // Declined by the payer or by the bank: no money was received either way.
      status: status === 'FAILED' ? 'DECLINED' : status,
      amountCents: amount.cents,
      currency: amount.currency,
      at,
    },
  ];
}
