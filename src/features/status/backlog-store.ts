import { sql, type SQL } from 'drizzle-orm';
import type { Database } from '../../db/open.ts';

/** What is to be done by itself and stands in a row until then. */
export interface Backlog {
  kind: keyof typeof BACKLOG_QUERIES;
  /** Rows whose time has come; when there are more than are counted, as many as that. */
  waiting: number;
  /** How long the oldest has waited since, in ms; 0 where nothing waits. */
  oldestMs: number;
}

/** Rows that are looked at: with more of them waiting it is all the same how many. */
const MAX_COUNTED_ROWS = 1000;

/** Since when each row waits whose time has come, the oldest first. News are many, and nobody waits for them. */
const BACKLOG_QUERIES = {
  mails: (now: number): SQL =>
    sql`select try_at as since from mails where try_at <= ${now} and kind <> 'marketing' order by try_at`,
  payment_events: (now: number): SQL =>
    sql`select try_at as since from payment_events where handled_at is null and try_at <= ${now} order by try_at`,
  // From its beginning: whoever asked to be gone waits for all of it.
  erasures: (): SQL => sql`select begun_at as since from erasures order by begun_at`,
  creations: (now: number): SQL =>
    sql`select created_at as since from character_creations where done = 0 and created_at <= ${now} order by created_at`,
  page_purges: (now: number): SQL =>
    sql`select try_at as since from stale_pages where try_at <= ${now} order by try_at`,
} as const;
export const BACKLOG_KINDS = Object.keys(BACKLOG_QUERIES) as Backlog['kind'][];

export async function readBacklog(db: Database, kind: Backlog['kind'], now: number): Promise<Backlog> {
  const row = await db.get<{ waiting: number; since: number | null }>(
    sql`select count(*) as waiting, min(since) as since from (${BACKLOG_QUERIES[kind](now)} limit ${MAX_COUNTED_ROWS})`,
  );
  return { kind, waiting: row.waiting, oldestMs: row.since === null ? 0 : Math.max(0, now - row.since) };
}
