import { sql, type SQL } from 'drizzle-orm';
import type { Database } from '../../db/open.ts';

/** Queued background work of one kind. */
export interface Backlog {
  kind: keyof typeof BACKLOG_QUERIES;
  /** Rows that are due, counted up to {@link MAX_COUNTED_ROWS}. */
  pending: number;
  /** Age of the oldest due row in ms; 0 when none is due. */
  oldestMs: number;
}

/** Beyond this the exact number no longer matters. */
const MAX_COUNTED_ROWS = 1000;

/**
 * The due rows of each queue with the time they became due, oldest first. Newsletters are excluded: there are many, and
 * they are not urgent.
 */
const BACKLOG_QUERIES = {
  mails: (now: number): SQL =>
    sql`select retry_at as since from mails where retry_at <= ${now} and kind <> 'marketing' order by retry_at`,
  payment_events: (now: number): SQL =>
    sql`select retry_at as since from payment_events where handled_at is null and retry_at <= ${now} order by retry_at`,
  // Counted from the start of the erasure, because the user waits for the whole of it.
  erasures: (): SQL => sql`select started_at as since from erasures order by started_at`,
  creations: (now: number): SQL =>
    sql`select created_at as since from character_creations where done = 0 and created_at <= ${now} order by created_at`,
  page_purges: (now: number): SQL =>
    sql`select retry_at as since from cache_purge_queue where retry_at <= ${now} order by retry_at`,
} as const;
export const BACKLOG_KINDS = Object.keys(BACKLOG_QUERIES) as Backlog['kind'][];

export async function readBacklog(db: Database, kind: Backlog['kind'], now: number): Promise<Backlog> {
  const row = await db.get<{ pending: number; since: number | null }>(
    sql`select count(*) as pending, min(since) as since from (${BACKLOG_QUERIES[kind](now)} limit ${MAX_COUNTED_ROWS})`,
  );
  return { kind, pending: row.pending, oldestMs: row.since === null ? 0 : Math.max(0, now - row.since) };
}
