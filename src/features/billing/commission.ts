import type { Payment } from './subscription-state.ts';

/** What an inviter is owed of one payment. */
export interface Commission {
  id: string;
  paymentId: string;
  amountCents: number;
  /** Of what stands of the payment; null of one from before this was kept. */
  percent: number | null;
  status: 'due' | 'paid' | 'reversed';
  payoutId: string | null;
  createdAt: number;
}

export type CommissionChange =
  | { do: 'begin'; amountCents: number; percent: number }
  | { do: 'shrink'; id: string; amountCents: number }
  /** A part of what was paid out already: it is a commission of its own from then on, to be taken off the next payout. */
  | { do: 'split'; id: string; amountCents: number; reversedCents: number; paymentId: string }
  | { do: 'reverse'; id: string };

/** A share to the nearest cent. */
export const calculateShare = (cents: number, percent: number): number => Math.round((cents * percent) / 100);

/** At how many per cent one was made that does not say so; the business may have another share by now. */
function getCommissionPercent({ amountCents }: Commission, before: Payment | null): number | null {
  const rest = before === null ? 0 : before.amountCents - before.refundedCents;
  return rest > 0 ? Math.round((100 * amountCents) / rest) : null;
}

/**
 * What is to change of the commission on a payment.
 * @param before the payment as it was when the commission was last looked at; null for a new one
 * @param commission null when there is none
 * @param percent the inviter's share; null where nobody has one
 */
export function computeCommissionChange(
  payment: Payment,
  {
    before,
    commission,
    percent,
  }: { before: Payment | null; commission: Commission | null; percent: number | null },
): CommissionChange | null {
  const stands = payment.status === 'completed';
  const rest = payment.amountCents - payment.refundedCents;
  if (commission === null) {
    // One that was here before and has none is nobody's, for good.
    const amountCents = percent === null || before !== null || !stands ? 0 : calculateShare(rest, percent);
    return amountCents > 0 && percent !== null ? { do: 'begin', amountCents, percent } : null;
  }
  const { id, status } = commission;
  if (status === 'reversed') return null;
  if (!stands) return { do: 'reverse', id };
  // Always anew, from all that is left: shares of parts would add up to something else.
  const agreed = commission.percent ?? getCommissionPercent(commission, before);
  if (agreed === null) return null;
  const amountCents = calculateShare(rest, agreed);
  const reversedCents = commission.amountCents - amountCents;
  if (reversedCents <= 0) return null;
  return status === 'due'
    ? { do: 'shrink', id, amountCents }
    : { do: 'split', id, amountCents, reversedCents, paymentId: `${payment.id}/${payment.refundedCents}` };
}
