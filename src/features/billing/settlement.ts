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
  checkedAt: number;
}

/** What is told to whoever pays: of how much it is, and until or from when. */
export type MembershipMail = {
  kind:
    | 'membership_started'
    | 'membership_agreed'
    | 'membership_renewed'
    | 'membership_failed'
    | 'membership_unpaid';
  about: string;
  cents: number;
  at: number;
};

/** Those that the company told of by itself. */
export const toProviderPayments = (notices: readonly PaymentNotice[]): ProviderPayment[] =>
  notices.flatMap((one) => (one.what === 'completed' ? [{ ...one, isRefunded: false }] : []));

/**
 * Everything that a settling changes, from what the books had and what the company says.
 * @param own all subscriptions of the same person with what was paid for them, this one among them
 * @param hasUnpaid of which of them whoever pays has an earlier one elsewhere that was never paid for
 * @param inviterSince when whoever pays took an invitation; null where nobody has a share in it
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
  told: ProviderSubscription & { status: SubscriptionStatus },
  {
    paid,
    isListed,
    back,
    business,
    inviterSince,
    now,
  }: {
    paid: readonly ProviderPayment[];
    /** The company has listed what was paid, and all of it is in `paid`. */
    isListed: boolean;
    back: readonly Refund[];
    business: Pick<RuntimeConfig, 'commission_percent' | 'storyteller_price_cents'>;
    inviterSince: number | null;
    now: number;
  },
) {
  const payments = mergePayments(known, paid, back);
  const before = new Map(known.map((payment) => [payment.id, payment]));
  const agreedCents = getAgreedCents(row, told, business.storyteller_price_cents);
  const books = computeSubscriptionState(row, told, { payments, agreedCents, isListed, now });
  const shares = payments.flatMap((payment) => {
    // What was paid before the invitation is nobody's to share, and so is what was agreed to and seen here before it.
    const agreedAt = Math.max(payment.paidAt, row.createdAt) + BILLING.clockToleranceMs;
    const isInvited = inviterSince !== null && inviterSince <= agreedAt;
    const change = computeCommissionChange(payment, {
      before: before.get(payment.id) ?? null,
      commission: commissions.find(({ paymentId }) => paymentId === payment.id) ?? null,
      percent: isInvited ? business.commission_percent : null,
    });
    return change === null ? [] : [{ payment, change }];
  });
  const { beganAt: beginsAt, nextBillingAt } = told;
  const payerHash = told.payerHash ?? row.payerHash;
  const mine = own.map((one) =>
    one.id === row.id ? { ...one, ...books, agreedCents, payerHash, beginsAt, payments } : one,
  );
  const plan = resolvePaidPlan(mine, { hasUnpaid, now });
  const fresh = payments.filter(({ id }) => !before.has(id));
  return {
    books,
    terms: { agreedCents, payerHash, beginsAt, nextBillingAt },
    payments: payments.filter((payment) => !isSamePayment(payment, before.get(payment.id))),
    plan,
    shares: shares satisfies { payment: Payment; change: CommissionChange }[],
    /** Payments that bring nothing: something was changed at the company since it was agreed to. */
    tooSmall: fresh.filter((payment) => !isSufficient(payment, agreedCents)),
    told: buildMembershipMails(row, told, {
      books,
      payments,
      fresh,
      agreedCents,
      planUntil: plan?.until ?? books.periodEnd,
      hadPlan: (resolvePaidPlan(own, { hasUnpaid, now })?.until ?? now) > now,
      isHidden: mine.some((one) => one.id === row.id && isFromOtherPayer(one, mine, now)),
      now,
    }),
  };
}

/** What each month costs. It is kept when somebody begins; of one from before that, the company says it. */
const getAgreedCents = (
  { agreedCents }: SubscriptionRow,
  { price }: ProviderSubscription,
  cents: number,
): number => agreedCents ?? (price?.currency === BILLING.currency ? price.cents : cents);

function buildMembershipMails(
  row: SubscriptionRow,
  { failedPayments, nextBillingAt, beganAt }: ProviderSubscription,
  {
    books: { status, isFailing, wentBack, periodEnd },
    payments,
    fresh,
    agreedCents: cents,
    planUntil,
    hadPlan,
    isHidden,
    now,
  }: {
    books: SubscriptionState;
    payments: readonly Payment[];
    fresh: readonly Payment[];
    agreedCents: number;
    planUntil: number;
    /** They had it by what the books said before. */
    hadPlan: boolean;
    /** A stranger agreed to it, and whoever it is for sees nothing of it. */
    isHidden: boolean;
    now: number;
  },
): MembershipMail[] {
  const isNew = row.checkedAt === 0;
  if (isFailing && failedPayments > 0 && (isNew || !row.isFailing)) {
    const kind = planUntil > now ? 'membership_failed' : 'membership_unpaid';
    return [{ kind, about: `${row.id} ${row.periodEnd}`, cents, at: planUntil }];
  }
  if (isNew) {
    if (status !== 'active' || isFailing || wentBack) return [];
    const isPaid = periodEnd > now;
    if (!isPaid && beganAt !== null && !hasStarted({ beganAt }, now))
      return isHidden ? [] : [{ kind: 'membership_agreed', about: row.id, cents, at: beganAt }];
    // What brings nothing before it is paid for begins with that.
    if (planUntil <= now) return [];
    // The payment that is on its way is of the month that begins now.
    const next = nextBillingAt !== null && nextBillingAt > now ? nextBillingAt : addMonth(now);
    return [{ kind: 'membership_started', about: row.id, cents, at: isPaid ? periodEnd : next }];
  }
  const latest = payments.at(-1);
  const isPaidOn =
    status === 'active' &&
    latest?.status === 'completed' &&
    fresh.includes(latest) &&
    periodEnd > Math.max(row.periodEnd, now);
  if (latest === undefined || !isPaidOn) return [];
  if (payments.length > 1)
    return [{ kind: 'membership_renewed', about: latest.id, cents: latest.amountCents, at: periodEnd }];
  // The first payment is told of with the beginning, unless there was none until now.
  return hadPlan ? [] : [{ kind: 'membership_started', about: row.id, cents, at: periodEnd }];
}

function isSamePayment(payment: Payment, before: Payment | undefined): boolean {
  return (
    before !== undefined &&
    before.status === payment.status &&
    before.refundedCents === payment.refundedCents &&
    before.paidAt === payment.paidAt
  );
}
