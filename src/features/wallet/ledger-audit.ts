import { z } from 'zod';
import { LEDGER_AUDIT } from './limits.ts';
import { getLocalDay } from './user-day.ts';

const HOUR_MS = 3_600_000;

/** Progress of a nightly audit of all wallets. */
export const auditCursor = z.object({
  /** The UTC day of its start hour, as days since 1970. */
  night: z.number().int(),
  /** Id of the last user audited; empty at the start. */
  after: z.string(),
  done: z.boolean(),
  wallets: z.number().int(),
  /** Points in all wallets audited so far. */
  points: z.number().default(0),
  /** Number of wallets whose ledger does not match the balance. */
  different: z.number().int(),
  /** Number of wallets that failed to answer twice. */
  silent: z.number().int(),
  /** Users whose wallet failed to answer once; they are retried after all others. */
  again: z.array(z.string()).default([]),
  /** Whether the first pass is complete. */
  through: z.boolean().default(false),
});
export type AuditCursor = z.infer<typeof auditCursor>;

/**
 * Returns the audit to continue or start. An unfinished audit is completed first.
 * @param stored the stored cursor; an invalid one is ignored
 * @returns null when tonight's audit is done
 */
export function getAuditCursor(stored: unknown, now: number): AuditCursor | null {
  const known = auditCursor.safeParse(stored);
  if (known.success && !known.data.done) return known.data;
  const night = getLocalDay(null, now - LEDGER_AUDIT.startHour * HOUR_MS);
  if (known.success && known.data.night >= night) return null;
  const emptyCounts = { wallets: 0, points: 0, different: 0, silent: 0, again: [] };
  return { night, after: '', done: false, ...emptyCounts, through: false };
}
