import { BILLING } from './limits.ts';
import type { Business } from '../runtime-config/contract.ts';
import { hasBegun } from './activation.ts';
import {
  type Books,
  booksOf,
  isEnough,
  mergedPayments,
  type Payment,
  type WentBack,
} from './subscription-state.ts';
import { type CommissionChange, type Commission, commissionChange } from './commission.ts';
import type { CompanyPayment, CompanySubscription, PaymentTold } from './payment-provider.ts';
import { monthAfter } from './months.ts';
import { type Owned, planOf } from './paid-period.ts';
import { isStrangers, type SubscriptionStatus } from './subscription-rules.ts';

interface Row extends Omit<Owned, 'payments'> {
  plan: 'storyteller' | 'adventurer' | 'legend';
  payerHash: string | null;
  checkedAt: number;
}

/** What is told to whoever pays: of how much it is, and until or from when. */
export type Told = {
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
export const paymentsIn = (told: readonly PaymentTold[]): CompanyPayment[] =>
  told.flatMap((one) => (one.what === 'completed' ? [{ ...one, isRefunded: false }] : []));

/**
 * Everything that a settling changes, from what the books had and what the company says.
 * @param own all subscriptions of the same person with what was paid for them, this one among them
 * @param hasUnpaid of which of them whoever pays has an earlier one elsewhere that was never paid for
 * @param inviterSince when whoever pays took an invitation; null where nobody has a share in it
 */
export function settlementOf(
  {
    row,
    own,
    hasUnpaid,
    payments: known,
    commissions,
  }: {
    row: Row;
    own: readonly (Row & Pick<Owned, 'payments'> & { isClaimed: boolean })[];
    hasUnpaid: ReadonlySet<string>;
    payments: readonly Payment[];
    commissions: readonly Commission[];
  },
  told: CompanySubscription & { status: SubscriptionStatus },
  {
    paid,
    isListed,
    back,
    business,
    inviterSince,
    now,
  }: {
    paid: readonly CompanyPayment[];
    /** The company has listed what was paid, and all of it is in `paid`. */
    isListed: boolean;
    back: readonly WentBack[];
    business: Pick<Business, 'commission_percent' | 'storyteller_price_cents'>;
    inviterSince: number | null;
    now: number;
  },
) {
  const payments = mergedPayments(known, paid, back);
  const before = new Map(known.map((payment) => [payment.id, payment]));
  const agreedCents = agreedOf(row, told, business.storyteller_price_cents);
  const books = booksOf(row, told, { payments, agreedCents, isListed, now });
  const shares = payments.flatMap((payment) => {
    // What was paid before the invitation is nobody's to share, and so is what was agreed to and seen here before it.
    const agreedAt = Math.max(payment.paidAt, row.createdAt) + BILLING.clockMs;
    const isInvited = inviterSince !== null && inviterSince <= agreedAt;
    const change = commissionChange(payment, {
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
  const plan = planOf(mine, { hasUnpaid, now });
  const fresh = payments.filter(({ id }) => !before.has(id));
  return {
    books,
    terms: { agreedCents, payerHash, beginsAt, nextBillingAt },
    payments: payments.filter((payment) => !isSame(payment, before.get(payment.id))),
    plan,
    shares: shares satisfies { payment: Payment; change: CommissionChange }[],
    /** Payments that bring nothing: something was changed at the company since it was agreed to. */
    tooSmall: fresh.filter((payment) => !isEnough(payment, agreedCents)),
    told: toldOf(row, told, {
      books,
      payments,
      fresh,
      agreedCents,
      planUntil: plan?.until ?? books.periodEnd,
      hadPlan: (planOf(own, { hasUnpaid, now })?.until ?? now) > now,
      isHidden: mine.some((one) => one.id === row.id && isStrangers(one, mine, now)),
      now,
    }),
  };
}

/** What each month costs. It is kept when somebody begins; of one from before that, the company says it. */
const agreedOf = ({ agreedCents }: Row, { price }: CompanySubscription, cents: number): number =>
  agreedCents ?? (price?.currency === BILLING.currency ? price.cents : cents);

function toldOf(
  row: Row,
  { failedPayments, nextBillingAt, beganAt }: CompanySubscription,
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
    books: Books;
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
): Told[] {
  const isNew = row.checkedAt === 0;
  if (isFailing && failedPayments > 0 && (isNew || !row.isFailing)) {
    const kind = planUntil > now ? 'membership_failed' : 'membership_unpaid';
    return [{ kind, about: `${row.id} ${row.periodEnd}`, cents, at: planUntil }];
  }
  if (isNew) {
    if (status !== 'active' || isFailing || wentBack) return [];
    const isPaid = periodEnd > now;
    if (!isPaid && beganAt !== null && !hasBegun({ beganAt }, now))
      return isHidden ? [] : [{ kind: 'membership_agreed', about: row.id, cents, at: beganAt }];
    // What brings nothing before it is paid for begins with that.
    if (planUntil <= now) return [];
    // The payment that is on its way is of the month that begins now.
    const next = nextBillingAt !== null && nextBillingAt > now ? nextBillingAt : monthAfter(now);
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

function isSame(payment: Payment, before: Payment | undefined): boolean {
  return (
    before !== undefined &&
    before.status === payment.status &&
    before.refundedCents === payment.refundedCents &&
    before.paidAt === payment.paidAt
  );
}
