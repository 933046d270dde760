import { z } from 'zod';
import { LEDGER_AUDIT } from './limits.ts';
import { getLocalDay } from './user-day.ts';

const HOUR_MS = 3_600_000;

/** A night's round through all wallets, as far as it has come. */
export const auditCursor = z.object({
  /** The day in UTC at whose hour it began, as days since 1970. */
  night: z.number().int(),
  /** Whose wallet was looked at last; empty before the first. */
  after: z.string(),
  done: z.boolean(),
  wallets: z.number().int(),
  /** In all of them, as far as they were looked at. */
  points: z.number().default(0),
  /** Whose ledger does not explain their balance. */
  different: z.number().int(),
  /** Who gave no answer, twice. */
  silent: z.number().int(),
  /** Who gave no answer the first time: they are asked once more when everybody else has been. */
  again: z.array(z.string()).default([]),
  /** Whether everybody has been asked once. */
  through: z.boolean().default(false),
});
export type AuditCursor = z.infer<typeof auditCursor>;

/**
 * The round that goes on now, or begins: one that was not finished is finished first.
 * @param stored as it was read; what is not understood counts as nothing
 * @returns null when the night's round is done
 */
export function getAuditCursor(stored: unknown, now: number): AuditCursor | null {
  const known = auditCursor.safeParse(stored);
  if (known.success && !known.data.done) return known.data;
  const night = getLocalDay(null, now - LEDGER_AUDIT.startHour * HOUR_MS);
  if (known.success && known.data.night >= night) return null;
  const emptyCounts = { wallets: 0, points: 0, different: 0, silent: 0, again: [] };
  return { night, after: '', done: false, ...emptyCounts, through: false };
}
