import type { Database } from '../db/open.ts';
import { BACKLOG_KINDS, readBacklog } from '../features/status/backlog-store.ts';
import { log } from '../lib/log.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Beyond these, the log line has the level of an alert (docs/runbook.md). */
const ALERT_THRESHOLDS = {
  /** Maximum delay of a queue entry after its due time; for an erasure, after it was begun. */
  maxWaitMs: {
    mails: HOUR_MS,
    payment_events: HOUR_MS,
    erasures: DAY_MS,
    creations: HOUR_MS,
    page_purges: HOUR_MS,
  },
  databaseSlowMs: 500,
  /** D1 allows 10 GB per database. */
  databaseLargeBytes: 8_000_000_000,
} as const;

/** Logs the depth of each queue, as an alert when its oldest entry is overdue for too long. */
async function logQueueDepths(db: Database, now: number): Promise<void> {
  const backlogs = await Promise.all(BACKLOG_KINDS.map((kind) => readBacklog(db, kind, now)));
  for (const { kind, pending, oldestMs } of backlogs) {
    const isOld = oldestMs > ALERT_THRESHOLDS.maxWaitMs[kind];
    if (pending > 0) log(isOld ? 'queue_stalled' : 'backlog', { kind, pending, oldest_ms: oldestMs });
  }
}

/** Logs the size of the database and the latency of a trivial query. */
async function logDatabaseStats(DB: D1Database): Promise<void> {
  const startedAt = Date.now();
  const { meta } = await DB.prepare('select 1').all();
  const [ms, bytes] = [Date.now() - startedAt, meta.size_after];
  log('database_stats', { ms, bytes });
  if (ms > ALERT_THRESHOLDS.databaseSlowMs) log('database_slow', { ms });
  if (bytes > ALERT_THRESHOLDS.databaseLargeBytes) log('database_large', { bytes });
}

/** Logs metrics of the queues in D1 and of the database itself. Read-only. */
export async function logQueueMetrics({ DB }: Pick<Env, 'DB'>, db: Database, now: number): Promise<void> {
  await Promise.all([logQueueDepths(db, now), logDatabaseStats(DB)]);
}
