import { BILLING } from './limits.ts';
import type { RuntimeConfig } from '../runtime-config/contract.ts';
import { hasStarted } from './activation.ts';
import {
  type SubscriptionState,
  computeSubscriptionState,
  isSufficient,
  mergePayments,
  type Payment,
  type Refund,
} from './subscription-state.ts';
import { type CommissionChange, type Commission, computeCommissionChange } from './commission.ts';
import type { ProviderPayment, ProviderSubscription, PaymentNotice } from './payment-provider.ts';
import { addMonth } from './months.ts';
import { type SubscriptionWithPayments, resolvePaidPlan } from './paid-period.ts';
import { isFromOtherPayer, type SubscriptionStatus } from './subscription-rules.ts';

interface SubscriptionRow extends Omit<SubscriptionWithPayments, 'payments'> {
  plan: 'storyteller' | 'adventurer' | 'legend';
  payerHash: string | null;
  reconciledAt: number;
}

/** A mail to the payer: the amount, and until or from when it applies. */
export type MembershipMail = {
  kind:
    | 'membership_started'
    | 'membership_agreed'
    | 'membership_renewed'
    | 'membership_failed'
    | 'membership_unpaid';
  dedupeKey: string;
  cents: number;
  at: number;
};

/** Returns the payments that the provider's events report. */
export const toProviderPayments = (notices: readonly PaymentNotice[]): ProviderPayment[] =>
  notices.flatMap((one) => (one.what === 'completed' ? [{ ...one, isRefunded: false }] : []));

/**
 * Computes all changes of a settlement, from the stored state and the provider's answer.
 * @param own all subscriptions of the same user with their payments, including this one
 * @param hasUnpaid ids of those whose payer has an earlier one with another account that was never paid for
 * @param inviterSince when the payer accepted an invitation; null if there is no inviter with a share
 */
export function computeSettlement(
  {
    row,
    own,
    hasUnpaid,
    payments: known,
    commissions,
  }: {
    row: SubscriptionRow;
    own: readonly (SubscriptionRow & Pick<SubscriptionWithPayments, 'payments'> & { isClaimed: boolean })[];
    hasUnpaid: ReadonlySet<string>;
    payments: readonly Payment[];
    commissions: readonly Commission[];
  },
  remote: ProviderSubscription & { status: SubscriptionStatus },
  {
    paid,
    isListed,
    back,
    business,
    inviterSince,
    now,
  }: {
    paid: readonly ProviderPayment[];
    /** The provider has listed the payments, and `paid` contains all of them. */
    isListed: boolean;
    back: readonly Refund[];
    business: Pick<RuntimeConfig, 'commission_percent' | 'storyteller_price_cents'>;
    inviterSince: number | null;
    now: number;
  },
) {
  const payments = mergePayments(known, paid, back);
  const before = new Map(known.map((payment) => [payment.id, payment]));
  const priceCents = getPriceCents(row, remote, business.storyteller_price_cents);
  const state = computeSubscriptionState(row, remote, { payments, priceCents, isListed, now });
  const shares = payments.flatMap((payment) => {
    // Commission is only due if the invitation was accepted before the payment, or before the subscription was first
    // seen here.
    const agreedAt = Math.max(payment.paidAt, row.createdAt) + BILLING.clockToleranceMs;
    const isInvited = inviterSince !== null && inviterSince <= agreedAt;
    const change = computeCommissionChange(payment, {
      before: before.get(payment.id) ?? null,
      commission: commissions.find(({ paymentId }) => paymentId === payment.id) ?? null,
      percent: isInvited ? business.commission_percent : null,
    });
    return change === null ? [] : [{ payment, change }];
  });
  const { beganAt: startsAt, nextBillingAt } = remote;
  const payerHash = remote.payerHash ?? row.payerHash;
  const mine = own.map((one) =>
    one.id === row.id ? { ...one, ...state, priceCents, payerHash, startsAt, payments } : one,
  );
  const plan = resolvePaidPlan(mine, { hasUnpaid, now });
  const fresh = payments.filter(({ id }) => !before.has(id));
  return {
    books: state,
    terms: { priceCents, payerHash, startsAt, nextBillingAt },
    payments: payments.filter((payment) => !isSamePayment(payment, before.get(payment.id))),
    plan,
    shares: shares satisfies { payment: Payment; change: CommissionChange }[],
    /** Payments too low to count: the subscription was changed at the provider after it was agreed to. */
    tooSmall: fresh.filter((payment) => !isSufficient(payment, priceCents)),
    mails: buildMembershipMails(row, remote, {
      books: state,
      payments,
      fresh,
      priceCents,
      planUntil: plan?.until ?? state.periodEnd,
      hadPlan: (resolvePaidPlan(own, { hasUnpaid, now })?.until ?? now) > now,
      isHidden: mine.some((one) => one.id === row.id && isFromOtherPayer(one, mine, now)),
      now,
    }),
  };
}

/**
 * The agreed monthly price. It is stored when a subscription starts; for one from before that, the provider's price is
 * used.
 */
const getPriceCents = (
  { priceCents }: SubscriptionRow,
  { price }: ProviderSubscription,
  cents: number,
): number => priceCents ?? (price?.currency === BILLING.currency ? price.cents : cents);

function buildMembershipMails(
  row: SubscriptionRow,
  { failedPayments, nextBillingAt, beganAt }: ProviderSubscription,
  {
    books: { status, paymentFailed, isRefunded, periodEnd },
    payments,
    fresh,
    priceCents: cents,
    planUntil,
    hadPlan,
    isHidden,
    now,
  }: {
    books: SubscriptionState;
    payments: readonly Payment[];
    fresh: readonly Payment[];
    priceCents: number;
    planUntil: number;
    /** The state stored before already granted the plan. */
    hadPlan: boolean;
    /** A stranger agreed to it, and the user's page does not show it. */
    isHidden: boolean;
    now: number;
  },
): MembershipMail[] {
  const isNew = row.reconciledAt === 0;
  if (paymentFailed && failedPayments > 0 && (isNew || !row.paymentFailed)) {
    const kind = planUntil > now ? 'membership_failed' : 'membership_unpaid';
    return [{ kind, dedupeKey: `${row.id} ${row.periodEnd}`, cents, at: planUntil }];
  }
  if (isNew) {
    if (status !== 'active' || paymentFailed || isRefunded) return [];
    const isPaid = periodEnd > now;
    if (!isPaid && beganAt !== null && !hasStarted({ beganAt }, now))
      return isHidden ? [] : [{ kind: 'membership_agreed', dedupeKey: row.id, cents, at: beganAt }];
    // A subscription that grants nothing before its first payment starts with that payment.
    if (planUntil <= now) return [];
    // The pending payment is for the month that starts now.
    const next = nextBillingAt !== null && nextBillingAt > now ? nextBillingAt : addMonth(now);
    return [{ kind: 'membership_started', dedupeKey: row.id, cents, at: isPaid ? periodEnd : next }];
  }
  const latest = payments.at(-1);
  const isPaidOn =
    status === 'active' &&
    latest?.status === 'completed' &&
    fresh.includes(latest) &&
    periodEnd > Math.max(row.periodEnd, now);
  if (latest === undefined || !isPaidOn) return [];
  if (payments.length > 1)
    return [{ kind: 'membership_renewed', dedupeKey: latest.id, cents: latest.amountCents, at: periodEnd }];
  // The mail about the start covers the first payment, unless it has not been sent yet.
  return hadPlan ? [] : [{ kind: 'membership_started', dedupeKey: row.id, cents, at: periodEnd }];
}

function isSamePayment(payment: Payment, before: Payment | undefined): boolean {
  return (
    before !== undefined &&
    before.status === payment.status &&
    before.refundedCents === payment.refundedCents &&
    before.paidAt === payment.paidAt
  );
}
