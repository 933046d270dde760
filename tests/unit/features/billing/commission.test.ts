import { describe, expect, test } from 'vitest';
import type { Payment } from '../../../../src/features/billing/subscription-state.ts';
import { computeCommissionChange, calculateShare } from '../../../../src/features/billing/commission.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2027, 2, 10, 12);
const payment = (change: Partial<Payment> = {}): Payment => ({
  id: 'p1',
  amountCents: 699,
  currency: 'USD',
  status: 'completed',
  refundedCents: 0,
  paidAt: NOW - 10 * DAY_MS,
  ...change,
});

describe('Commission', () => {
  test('a commission is rounded to the nearest cent', () => {
    expect([699, 1499, 2499, 1, 3, 4, 10, 0].map((cents) => calculateShare(cents, 15))).toEqual([
      105, 225, 375, 0, 0, 1, 2, 0,
    ]);
    for (let cents = 0; cents <= 3000; cents += 1) {
      // Computed in whole numbers; half a cent is rounded up.
      expect(calculateShare(cents, 15)).toBe(Math.floor((cents * 15 + 50) / 100));
    }
  });

  test('no commission begins for a payment that was known before without one', () => {
    const rules = { before: payment(), commission: null, percent: 15 };
    expect(computeCommissionChange(payment({ refundedCents: 100 }), rules)).toBeNull();
    expect(computeCommissionChange(payment(), { ...rules, before: null })).toEqual({
      do: 'begin',
      amountCents: 105,
      percent: 15,
    });
    expect(computeCommissionChange(payment({ status: 'refunded' }), { ...rules, before: null })).toBeNull();
  });
});

describe('Commission after refunds', () => {
  const commission = (status: 'due' | 'paid' | 'reversed') => ({
    id: 'c1',
    paymentId: 'p1',
    amountCents: 105,
    percent: 15,
    status,
    payoutId: status === 'due' ? null : 'o1',
    createdAt: NOW,
  });
  const change = (status: 'due' | 'paid' | 'reversed', now: Partial<Payment>) =>
    computeCommissionChange(payment(now), { before: payment(), commission: commission(status), percent: 50 });

  test('a full refund or reversal reverses the commission once, also after its payout', () => {
    for (const status of ['refunded', 'reversed'] as const) {
      const all = { status, refundedCents: 699 };
      expect(change('due', all)).toEqual({ do: 'reverse', id: 'c1' });
      expect(change('paid', all)).toEqual({ do: 'reverse', id: 'c1' });
      expect(change('reversed', all)).toBeNull();
    }
  });

  test('a partial refund shrinks an unpaid commission and splits a paid one, at its own rate', () => {
    expect(change('due', { refundedCents: 350 })).toEqual({ do: 'shrink', id: 'c1', amountCents: 52 });
    expect(change('paid', { refundedCents: 350 })).toEqual({
      do: 'split',
      id: 'c1',
      amountCents: 52,
      reversedCents: 53,
      paymentId: 'p1/350',
    });
    expect(change('due', {})).toBeNull();
  });

  test('many small refunds leave the commission of the remaining amount without rounding errors', () => {
    // A commission of one cent rounds to zero, so rounding each refund separately would add up to an error.
    let owed = 105;
    for (let refundedCents = 1; refundedCents < 699; refundedCents += 1) {
      const before = payment({ refundedCents: refundedCents - 1 });
      const result = computeCommissionChange(payment({ refundedCents }), {
        before,
        commission: { ...commission('due'), amountCents: owed },
        percent: 50,
      });
      if (result?.do === 'shrink') owed = result.amountCents;
      expect(owed).toBe(calculateShare(699 - refundedCents, 15));
    }
  });
});
