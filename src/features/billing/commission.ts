import type { Payment } from './subscription-state.ts';

/** The commission that an inviter is owed for one payment. */
export interface Commission {
  id: string;
  paymentId: string;
  amountCents: number;
  /** Share of the part of the payment that was not refunded; null for a commission from before shares were stored. */
  percent: number | null;
  status: 'due' | 'paid' | 'reversed';
  payoutId: string | null;
  createdAt: number;
}

export type CommissionChange =
  | { do: 'begin'; amountCents: number; percent: number }
  | { do: 'shrink'; id: string; amountCents: number }
  /**
   * The part of a paid-out commission that was refunded: it becomes a reversed commission of its own, which the next
   * payout deducts.
   */
  | { do: 'split'; id: string; amountCents: number; reversedCents: number; paymentId: string }
  | { do: 'reverse'; id: string };

/** Returns a share, rounded to the nearest cent. */
export const calculateShare = (cents: number, percent: number): number => Math.round((cents * percent) / 100);

/**
 * Derives the share of a commission that does not store it; the current setting may differ from the one of that time.
 */
function getCommissionPercent({ amountCents }: Commission, before: Payment | null): number | null {
  const rest = before === null ? 0 : before.amountCents - before.refundedCents;
  return rest > 0 ? Math.round((100 * amountCents) / rest) : null;
}

/**
 * Computes how the commission on a payment changes.
 * @param before the payment when its commission was last computed; null for a new payment
 * @param commission null when there is none
 * @param percent the inviter's share; null if there is no inviter with a share
 */
export function computeCommissionChange(
  payment: Payment,
  {
    before,
    commission,
    percent,
  }: { before: Payment | null; commission: Commission | null; percent: number | null },
): CommissionChange | null {
  const isPaid = payment.status === 'completed';
  const rest = payment.amountCents - payment.refundedCents;
  if (commission === null) {
    // A known payment without a commission never gets one.
    const amountCents = percent === null || before !== null || !isPaid ? 0 : calculateShare(rest, percent);
    return amountCents > 0 && percent !== null ? { do: 'begin', amountCents, percent } : null;
  }
  const { id, status } = commission;
  if (status === 'reversed') return null;
  if (!isPaid) return { do: 'reverse', id };
  // Always computed from the whole remainder: rounded shares of parts would add up to a different sum.
  const agreed = commission.percent ?? getCommissionPercent(commission, before);
  if (agreed === null) return null;
  const amountCents = calculateShare(rest, agreed);
  const reversedCents = commission.amountCents - amountCents;
  if (reversedCents <= 0) return null;
  return status === 'due'
    ? { do: 'shrink', id, amountCents }
    : { do: 'split', id, amountCents, reversedCents, paymentId: `${payment.id}/${payment.refundedCents}` };
}
