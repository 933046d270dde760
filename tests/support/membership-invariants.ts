import { expect } from 'vitest';
import { BILLING } from '../../src/features/billing/limits.ts';
import { addMonth } from '../../src/features/billing/months.ts';
import { Agreement, type PayPalInMemory } from './paypal-in-memory.ts';

/** What must be true of a membership and of a commission, computed from PayPal's state only. */

export type SubscriptionRow = { id: string; status: string; period_end: number; created_at: number };
/** Our database's rows about the user. */
export interface MembershipRecords {
  rows: SubscriptionRow[];
  owedCents: number;
  /** Received events that are not handled yet. */
  unhandled: number;
}

/** A subscription that we know, with its possible states. */
interface KnownAgreement {
  row: SubscriptionRow;
  agreement: Agreement;
  /** A payment for it may still stand. */
  mayBePaid: boolean;
  mayRun: boolean;
  /** When the membership began, for one whose payment did not stay or never came. */
  momentAt: number;
  /** The paid period by PayPal's own statement, where it lists no payments. */
  byItsWord: { from: number; to: number }[];
}

function toKnownAgreement(row: SubscriptionRow, agreements: ReadonlyMap<string, Agreement>): KnownAgreement {
  const agreement = agreements.get(row.id);
  if (agreement?.kind !== 'ours') throw new Error('a membership that nobody here agreed to');
  const { possible, isPartlyReported: isHalfTold, startsAt } = agreement;
  const began = Math.max(row.created_at, startsAt);
  // Where PayPal lists no payments at all, its statement that none is due counts.
  const byItsWord = possible.filter(({ came, runs }) => came === null && isHalfTold && runs);
  return {
    row,
    agreement,
    mayBePaid: byItsWord.length > 0 || possible.some(({ most }) => Number.isFinite(most)),
    mayRun: possible.some(({ runs }) => runs),
    momentAt: Math.max(
      ...possible.map(({ came }) => came ?? began),
      ...byItsWord.map(({ nextAt }) => nextAt),
    ),
    byItsWord: byItsWord.map(({ nextAt }) => ({ from: began, to: nextAt })),
  };
}

/** Only the first subscription that was never paid gets the day of grace. */
function isAwaitingPayment(one: KnownAgreement, all: readonly KnownAgreement[]): boolean {
  const isEarlier = ({ row }: KnownAgreement) =>
    row.created_at < one.row.created_at || (row.created_at === one.row.created_at && row.id < one.row.id);
  const hasBegun = ({ row, agreement }: KnownAgreement) => agreement.startsAt <= row.created_at;
  const unpaid = all.some((other) => isEarlier(other) && hasBegun(other) && !other.mayBePaid);
  return one.mayRun && (one.mayBePaid || !unpaid);
}

/** Months paid for at the same time are granted one after the other: at most this long. */
function sumMaximum(all: readonly KnownAgreement[]): number {
  const paid = all.filter(({ mayBePaid }) => mayBePaid);
  const ends = paid.flatMap(({ agreement, momentAt }) => [
    momentAt,
    ...agreement.possible.map(({ most }) => most),
  ]);
  if (paid.length > 1) {
    const stood = new Map(
      paid
        .flatMap(({ agreement }) => agreement.possible.flatMap((one) => one.stood))
        .map((one) => [one.id, one]),
    );
    let end = -Infinity;
    for (const { at, lasts } of [...stood.values()].toSorted((a, b) => a.at - b.at))
      end = Math.max(addMonth(Math.max(end, at)), lasts);
    for (const { byItsWord } of paid) {
      const [furthest] = byItsWord.toSorted((a, b) => b.to - a.to);
      if (furthest !== undefined)
        end = Math.max(end, furthest.from) + furthest.to - furthest.from + BILLING.maxDriftMs;
    }
    ends.push(end);
  }
  return Math.max(-Infinity, ...ends);
}

/** At least this long, once we know every payment: no month is shorter. */
const MIN_MONTH_MS = 27 * 86_400_000;

function sumMinimum(all: readonly KnownAgreement[]): number {
  const told = all.filter(({ agreement }) => agreement.told >= 0);
  const each = told.flatMap(({ agreement }) => Math.min(...agreement.possible.map(({ least }) => least)));
  const isWhole = all.every(
    ({ agreement }) => agreement.told === agreement.was.length - 1 && !agreement.isPartlyReported,
  );
  if (isWhole && told.length > 1) {
    const stood = told.flatMap(({ agreement }) => agreement.was.at(-1)?.stood ?? []);
    let end = -Infinity;
    for (const { at, lasts } of stood.toSorted((a, b) => a.at - b.at))
      end = at >= end ? Math.min(lasts, addMonth(at)) : end + Math.min(MIN_MONTH_MS, lasts - at);
    each.push(end);
  }
  return Math.max(-Infinity, ...each);
}

/**
 * The earliest and the latest possible end of the benefits. For changes that were not reported to us, both states are possible.
 */
export function getMembershipBounds(
  { rows }: MembershipRecords,
  agreements: ReadonlyMap<string, Agreement>,
): { least: number; most: number } {
  const all = rows.map((row) => toKnownAgreement(row, agreements));
  const getGraceMs = (isThere: boolean) => (isThere ? BILLING.settlementGraceMs : 0);
  const awaited = all.filter((one) => isAwaitingPayment(one, all));
  const unpaid = all
    .filter(({ mayBePaid }) => !mayBePaid)
    .map((one) => one.momentAt + getGraceMs(awaited.includes(one)));
  return {
    least: sumMinimum(all),
    most: Math.max(-Infinity, sumMaximum(all) + getGraceMs(awaited.length > 0), ...unpaid),
  };
}

/** No gift and no paid time ends a subscription that the user pays for. */
export function expectEndedForCause({ cancelled, agreements }: PayPalInMemory): void {
  for (const { agreement, wasPaid } of cancelled) {
    if (agreement.kind !== 'ours' || !wasPaid) continue;
    const others = [...agreements.values()].filter(
      (one) => one !== agreement && one.kind === 'ours' && one.isStrangers === agreement.isStrangers,
    );
    expect(others.map(({ kept }) => kept.status)).toContain('ACTIVE');
  }
}

/** Of one payer's subscriptions that we know, at most one may be about to begin, because each would be billed. */
export function expectOneUpcoming(all: readonly Agreement[], now: number): void {
  for (const isStrangers of [true, false]) {
    const toCome = all.filter(
      (one) =>
        one.kind === 'ours' &&
        one.isStrangers === isStrangers &&
        one.kept.status === 'ACTIVE' &&
        one.kept.failed_payments_count === 0 &&
        one.startsAt > now + BILLING.clockToleranceMs,
    );
    expect(toCome.map(({ kept }) => kept.id).slice(1)).toEqual([]);
  }
}

/** The inviter's exact commission in cents; null while we cannot know every payment. */
export function getCommissionBounds(
  { rows, unhandled }: MembershipRecords,
  { agreements, waiting }: Pick<PayPalInMemory, 'agreements' | 'waiting'>,
  percent: number,
): number | null {
  if (unhandled > 0 || waiting.some(({ mustArrive }) => mustArrive)) return null;
  const known = rows.flatMap(({ id }) => agreements.get(id) ?? []);
  if (known.some(({ told, was }) => told < was.length - 1)) return null;
  return known
    .flatMap(({ kept }) => kept.payments)
    .filter(({ status }) => status !== 'REFUNDED')
    .map((payment) => Math.round(Number(payment.value) * 100) - Agreement.getRefundedCents(payment))
    .reduce((total, cents) => total + Math.round((cents * percent) / 100), 0);
}

/** Expects that our records of subscriptions that may still change have PayPal's last status. */
export function expectRecordsMatchAgreements(
  rows: readonly SubscriptionRow[],
  agreements: ReadonlyMap<string, Agreement>,
  now: number,
): void {
  for (const { id, status, period_end: end } of rows) {
    const agreement = agreements.get(id) as Agreement;
    const isAskedAfter = end > now || status === 'active' || status === 'suspended';
    if (isAskedAfter) expect(agreement.told).toBe(agreement.was.length - 1);
    if (isAskedAfter) expect(status.toUpperCase()).toBe(agreement.kept.status);
  }
}
