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

/** The states that PayPal's own subscriptions have. */
const STATUSES = ['APPROVAL_PENDING', 'APPROVED', 'ACTIVE', 'SUSPENDED', 'CANCELLED', 'EXPIRED'] as const;
export type PayPalStatus = (typeof STATUSES)[number];

/** What PayPal says of a subscription. Moments are in ms, amounts in the smallest part of their currency. */
export interface PayPalSubscription {
  id: string;
  status: PayPalStatus;
  planId: string | null;
  /** What we told PayPal of whose it is. */
  customId: string | null;
  /** Who pays, by the name that PayPal has for them. */
  payerId: string | null;
  /** When money is taken next; null once none is to be. */
  nextBillingAt: number | null;
  /** From when on it is paid for, which whoever began it may have put off. */
  beganAt: number | null;
  lastPayment: { amountCents: number; currency: string; at: number } | null;
  /** So many times in a row what was due did not come. */
  failedPayments: number;
  /** What is taken each month, where PayPal says so. It differs from the plan's when it was changed for this one. */
  price: Money | null;
  /** That price and what was paid last, each where it is told, whenever that was; null for what cannot be read. */
  amounts: (Money | null)[];
}

const TRANSACTION_STATUSES = ['COMPLETED', 'DECLINED', 'PARTIALLY_REFUNDED', 'PENDING', 'REFUNDED'] as const;

/** What was paid, or was to be, for a subscription; `REFUNDED` when all of it went back. */
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

/** What PayPal takes as the reason of a cancellation. */
const MAX_REASON_CHARS = 128;

/** A moment as PayPal writes it, in ms; null for what is none. */
const moment = z
  .string()
  .transform((text) => Date.parse(text))
  .pipe(z.number())
  .nullable()
  .catch(null);
const money = z.unknown().transform(parseMoney);
/** An amount that is told, if only as what cannot be read. */
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
/** PayPal leaves the list out where nothing is in it, and says how much that is or where else to go. */
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

/** What PayPal says about a subscription at this moment. */
export async function showSubscription(
  settings: PayPalSettings,
  id: string,
  call: PayPalCall,
): Promise<SubscriptionAnswer> {
  // With its plan: whoever begins a subscription does so in their browser, and could change its price there.
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

/** What is taken each time, after whatever was cheaper in the beginning. */
function toPrices({ plan, quantity }: z.infer<typeof subscriptionAnswer>): (Money | null)[] {
  const cycles = (plan?.billing_cycles ?? []).flatMap((one) => cycle.safeParse(one).data ?? []);
  const regular = cycles.findLast(({ tenure_type: kind }) => (kind ?? 'REGULAR') === 'REGULAR');
  return (regular?.pricing_scheme.fixed_price ?? []).map(
    (price) => price && { cents: price.cents * quantity, currency: price.currency },
  );
}

/**
 * Asks PayPal to cancel a subscription for good. One that is over already is refused with `SUBSCRIPTION_STATUS_INVALID`;
 * what became of it, also after an answer that was lost, only `showSubscription` can tell.
 * @param reason for PayPal's own records, where the person can read it
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
 * What was paid for a subscription between two moments, in ms, the oldest first. What PayPal lists beside payments, and
 * what is not understood of its list, is left out of it.
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
      // Whether the one who pays or their bank said no, nothing came.
      status: status === 'FAILED' ? 'DECLINED' : status,
      amountCents: amount.cents,
      currency: amount.currency,
      at,
    },
  ];
}
