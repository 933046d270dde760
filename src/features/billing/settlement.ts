import { BILLING } from '../../config.ts';
import type { Business } from '../business/contract.ts';
import { booksOf, mergedPayments, type Payment, planOf, type WentBack } from './books.ts';
import { type CommissionChange, type Commission, commissionChange } from './commission.ts';
import type { CompanyPayment, CompanySubscription, PaymentTold } from './payment-company.ts';
import type { SubscriptionStatus } from './subscription-rules.ts';

interface Row {
  id: string;
  plan: 'storyteller' | 'adventurer' | 'legend';
  status: SubscriptionStatus;
  periodEnd: number;
  isFailing: boolean;
  createdAt: number;
  checkedAt: number;
}

/** What is told to whoever pays. */
export type Told =
  | { kind: 'membership_started'; about: string }
  | { kind: 'membership_renewed'; about: string; cents: number }
  | { kind: 'membership_failed'; about: string };

/** Those that the company told of by itself. */
export const paymentsIn = (told: readonly PaymentTold[]): CompanyPayment[] =>
  told.flatMap((one) => (one.what === 'completed' ? [{ ...one, isRefunded: false }] : []));

/**
 * Everything that a settling changes, from what the books had and what the company says.
 * @param own all subscriptions of the same person, this one among them
 * @param inviterSince when whoever pays took an invitation; null where nobody has a share in it
 */
export function settlementOf(
  {
    row,
    own,
    payments: known,
    commissions,
  }: {
    row: Row;
    own: readonly Row[];
    payments: readonly Payment[];
    commissions: readonly Commission[];
  },
  told: CompanySubscription & { status: SubscriptionStatus },
  {
    paid,
    back,
    business,
    inviterSince,
    now,
  }: {
    paid: readonly CompanyPayment[];
    back: readonly WentBack[];
    business: Pick<Business, 'commission_percent' | 'storyteller_price_cents'>;
    inviterSince: number | null;
    now: number;
  },
) {
  const payments = mergedPayments(known, paid, back);
  const before = new Map(known.map((payment) => [payment.id, payment]));
  const books = booksOf(row, told, { payments, priceCents: business.storyteller_price_cents, now });
  const changed = payments.filter((payment) => !isSame(payment, before.get(payment.id)));
  const shares = changed.flatMap((payment) => {
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
  return {
    books,
    payments: changed,
    plan: planOf(own.map((one) => (one.id === row.id ? { ...one, ...books } : one))),
    shares: shares satisfies { payment: Payment; change: CommissionChange }[],
    told: toldOf(row, { ...books, payments, before, failed: told.failedPayments > 0 }),
  };
}

function toldOf(
  row: Row,
  {
    status,
    isFailing,
    periodEnd,
    payments,
    before,
    failed,
  }: Pick<Row, 'status' | 'isFailing' | 'periodEnd'> & {
    payments: readonly Payment[];
    before: ReadonlyMap<string, Payment>;
    failed: boolean;
  },
): Told[] {
  if (row.checkedAt === 0)
    return status === 'active' && !isFailing ? [{ kind: 'membership_started', about: row.id }] : [];
  if (isFailing && failed && !row.isFailing)
    return [{ kind: 'membership_failed', about: `${row.id} ${row.periodEnd}` }];
  // The first payment is told of with the beginning.
  const latest = payments.at(-1);
  const isRenewal =
    payments.length > 1 &&
    latest?.status === 'completed' &&
    !before.has(latest.id) &&
    periodEnd > row.periodEnd;
  return latest !== undefined && isRenewal
    ? [{ kind: 'membership_renewed', about: latest.id, cents: latest.amountCents }]
    : [];
}

function isSame(payment: Payment, before: Payment | undefined): boolean {
  return (
    before !== undefined &&
    before.status === payment.status &&
    before.refundedCents === payment.refundedCents &&
    before.paidAt === payment.paidAt
  );
}
