import { BILLING } from '../../src/features/billing/limits.ts';
import type { Payment, Refund } from '../../src/features/billing/subscription-state.ts';
import { type Commission, type CommissionChange } from '../../src/features/billing/commission.ts';
import { addMonth } from '../../src/features/billing/months.ts';
import type {
  ProviderPayment,
  ProviderSubscription,
  PaymentNotice,
} from '../../src/features/billing/payment-provider.ts';
import { computeSettlement } from '../../src/features/billing/settlement.ts';
import type { SubscriptionStatus } from '../../src/features/billing/subscription-rules.ts';

/** A pure model of a payment provider and our database, with a clock that the test moves. */

export const PRICE_CENTS = 699;
const RUNTIME_CONFIG = { commission_percent: 15, storyteller_price_cents: PRICE_CENTS };

interface Sale {
  id: string;
  at: number;
  back: { id: string; amountCents: number }[];
  isReversed: boolean;
}

/** The provider's real state, which our database learns from requests and events only. */
export interface ModelledSubscription {
  id: string;
  status: 'active' | 'suspended' | 'cancelled' | 'expired';
  beganAt: number;
  nextBillingAt: number;
  failedPayments: number;
  sales: Sale[];
}

export const createModelledSubscription = (id: string, at: number): ModelledSubscription => ({
  id,
  status: 'active',
  beganAt: at,
  nextBillingAt: at,
  failedPayments: 0,
  sales: [],
});

export const getRefundedCents = (sale: Sale): number =>
  sale.isReversed
    ? PRICE_CENTS
    : Math.min(
        PRICE_CENTS,
        sale.back.reduce((sum, { amountCents }) => sum + amountCents, 0),
      );
export const isPaid = (sale: Sale): boolean => getRefundedCents(sale) < PRICE_CENTS;

/** The provider's answer about a subscription. */
export function toProviderView(company: ModelledSubscription): ProviderSubscription {
  const last = company.sales.at(-1);
  const isOn = company.status === 'active' || company.status === 'suspended';
  return {
    id: company.id,
    status: company.status,
    planId: 'P-1',
    customId: 'u1',
    payerHash: null,
    nextBillingAt: isOn ? company.nextBillingAt : null,
    beganAt: company.beganAt,
    lastPayment:
      last === undefined ? null : { amountCents: PRICE_CENTS, currency: BILLING.currency, at: last.at },
    failedPayments: company.failedPayments,
    price: null,
    amounts: [],
  };
}

export const listProviderPayments = ({ sales }: ModelledSubscription): ProviderPayment[] =>
  sales.map((sale) => ({
    id: sale.id,
    amountCents: PRICE_CENTS,
    currency: BILLING.currency,
    at: sale.at,
    isRefunded: !isPaid(sale),
  }));

/** Bills a due payment, which may fail. */
export function billPayment(
  company: ModelledSubscription,
  { now, pays }: { now: number; pays: boolean },
): PaymentNotice | null {
  if (company.status !== 'active' || company.nextBillingAt > now) return null;
  if (!pays) {
    company.failedPayments += 1;
    // A failed payment is tried again some days later.
    company.nextBillingAt = now + 5 * 86_400_000;
    return null;
  }
  const sale: Sale = { id: `${company.id}-${company.sales.length}`, at: now, back: [], isReversed: false };
  company.sales.push(sale);
  company.failedPayments = 0;
  company.nextBillingAt = addMonth(now);
  return {
    what: 'completed',
    id: sale.id,
    amountCents: PRICE_CENTS,
    currency: BILLING.currency,
    at: sale.at,
  };
}

/** Our rows of one subscription. */
export interface LocalSubscription {
  id: string;
  plan: 'storyteller';
  status: SubscriptionStatus;
  periodEnd: number;
  paymentFailed: boolean;
  isRefunded: boolean;
  priceCents: number;
  payerHash: null;
  startsAt: null;
  isClaimed: boolean;
  createdAt: number;
  updatedAt: number;
  reconciledAt: number;
  payments: Payment[];
  commissions: Commission[];
  back: Map<string, Refund>;
}

export const createLocalSubscription = (id: string, now: number): LocalSubscription => ({
  id,
  plan: 'storyteller',
  status: 'active',
  periodEnd: now,
  paymentFailed: false,
  isRefunded: false,
  priceCents: PRICE_CENTS,
  payerHash: null,
  startsAt: null,
  isClaimed: true,
  createdAt: now,
  updatedAt: now,
  reconciledAt: 0,
  payments: [],
  commissions: [],
  back: new Map(),
});

/** Stores an event as `payment-event-store.ts` does. */
export function storeEvent(books: LocalSubscription, told: PaymentNotice): void {
  if (told.what === 'refund')
    books.back.set(told.id, { paymentId: told.paymentId, amountCents: told.amountCents, isReversal: false });
  if (told.what === 'reversed')
    books.back.set(`reversal:${told.paymentId}`, {
      paymentId: told.paymentId,
      amountCents: 0,
      isReversal: true,
    });
}

/** Reconciles as `settling.ts` does, without a database. @returns the resulting plan */
export function runReconciliation(
  books: LocalSubscription,
  own: readonly LocalSubscription[],
  company: ModelledSubscription,
  { events, list, now }: { events: readonly PaymentNotice[]; list: boolean; now: number },
) {
  const told = events.flatMap((one) => (one.what === 'completed' ? [{ ...one, isRefunded: false }] : []));
  const shown = toProviderView(company);
  const settlement = computeSettlement(
    { row: books, own, hasUnpaid: new Set(), payments: books.payments, commissions: books.commissions },
    { ...shown, status: company.status },
    {
      paid: [...told, ...(list ? listProviderPayments(company) : [])],
      isListed: list,
      back: [...books.back.values()],
      business: RUNTIME_CONFIG,
      inviterSince: 0,
      now,
    },
  );
  for (const payment of settlement.payments) {
    const place = books.payments.findIndex(({ id }) => id === payment.id);
    books.payments.splice(place === -1 ? books.payments.length : place, place === -1 ? 0 : 1, payment);
  }
  books.payments.sort((a, b) => a.paidAt - b.paidAt);
  for (const { payment, change } of settlement.shares) applyCommissionChange(books, payment.id, change);
  Object.assign(books, settlement.books, { reconciledAt: Math.max(now, books.reconciledAt + 1) });
  return settlement;
}

function applyCommissionChange(books: LocalSubscription, paymentId: string, change: CommissionChange): void {
  if (change.do === 'begin') {
    books.commissions.push({
      id: `of ${paymentId}`,
      paymentId,
      amountCents: change.amountCents,
      percent: change.percent,
      status: 'due',
      payoutId: null,
      createdAt: 0,
    });
    return;
  }
  const commission = books.commissions.find(({ id }) => id === change.id);
  if (commission === undefined) throw new Error('there is no such commission');
  if (change.do === 'reverse') commission.status = 'reversed';
  else commission.amountCents = change.amountCents;
  if (change.do === 'split')
    books.commissions.push({
      ...commission,
      id: `of ${change.paymentId}`,
      paymentId: change.paymentId,
      amountCents: change.reversedCents,
      status: 'reversed',
    });
}
