import { BILLING } from '../../src/config.ts';
import { Agreement, type Paid, type PayPalInMemory } from './paypal-in-memory.ts';

/** What must be true of a membership and of an inviter's share, by what PayPal has and by nothing of ours. */

export type Row = { id: string; status: string; period_end: number; created_at: number };
/** What our database has of the person. */
export interface Books {
  rows: Row[];
  owedCents: number;
  /** Events that were taken and wait to be handled. */
  unhandled: number;
}

/**
 * Until when what stands is paid at the least, and benefits may last at the most. Of what changed since our books were
 * told, either may be.
 */
export function boundsOf(
  { rows }: Books,
  agreements: ReadonlyMap<string, Agreement>,
): { least: number; most: number } {
  let least = -Infinity;
  let most = -Infinity;
  let isAwaited = false;
  for (const { id, created_at: seenAt } of rows) {
    const agreement = agreements.get(id);
    if (agreement?.kind !== 'ours') throw new Error('a membership that nobody here agreed to');
    const possible = agreement.was.slice(Math.max(0, agreement.told));
    // What did not stay, or never came, is a membership of the moment in which it began.
    const began = Math.max(seenAt, agreement.beginsAt);
    const mostOf = ({ most: paid, came, runs, nextAt }: Paid): number => {
      if (Number.isFinite(paid)) return paid;
      // Where PayPal tells of no payments at all, its word that none is due counts.
      return came ?? (agreement.isHalfTold && runs ? Math.max(began, nextAt) : began);
    };
    if (agreement.told >= 0) least = Math.max(least, Math.min(...possible.map((paid) => paid.least)));
    most = Math.max(most, ...possible.map(mostOf));
    isAwaited ||= possible.some(({ runs }) => runs);
  }
  return { least, most: most + (isAwaited ? BILLING.settlesMs : 0) };
}

/** What the inviter has of what stands, to the cent; null where our books cannot know everything yet. */
export function sharesOf(
  { rows, unhandled }: Books,
  { agreements, waiting }: Pick<PayPalInMemory, 'agreements' | 'waiting'>,
  percent: number,
): number | null {
  if (unhandled > 0 || waiting.some(({ mustArrive }) => mustArrive)) return null;
  const known = rows.flatMap(({ id }) => agreements.get(id) ?? []);
  if (known.some(({ told, was }) => told < was.length - 1)) return null;
  return known
    .flatMap(({ kept }) => kept.payments)
    .filter(({ status }) => status !== 'REFUNDED')
    .map((payment) => Math.round(Number(payment.value) * 100) - Agreement.backOf(payment))
    .reduce((total, cents) => total + Math.round((cents * percent) / 100), 0);
}
