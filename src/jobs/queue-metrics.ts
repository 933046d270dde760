import type { Database } from '../db/open.ts';
import { BACKLOG_KINDS, readBacklog } from '../features/status/backlog-store.ts';
import { log } from '../lib/log.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** What is told aloud to whoever watches the site (docs/runbook.md). */
const ALERT_THRESHOLDS = {
  /** What has waited longer than that since its time came is stuck; an erasure since it was begun. */
  maxWaitMs: {
    mails: HOUR_MS,
    payment_events: HOUR_MS,
    erasures: DAY_MS,
    creations: HOUR_MS,
    page_purges: HOUR_MS,
  },
  databaseSlowMs: 500,
  /** Of the 10 GB that one may have. */
  databaseLargeBytes: 8_000_000_000,
} as const;

/** Tells the log how much waits to be done, and aloud what has waited for too long. */
async function logQueueDepths(db: Database, now: number): Promise<void> {
  const backlogs = await Promise.all(BACKLOG_KINDS.map((kind) => readBacklog(db, kind, now)));
  for (const { kind, waiting, oldestMs } of backlogs) {
    const isOld = oldestMs > ALERT_THRESHOLDS.maxWaitMs[kind];
    if (waiting > 0) log(isOld ? 'backlog_old' : 'backlog', { kind, waiting, oldest_ms: oldestMs });
  }
}

/** Tells the log how large the database is and how long it takes over nothing. */
async function logDatabaseStats(DB: D1Database): Promise<void> {
  const startedAt = Date.now();
  const { meta } = await DB.prepare('select 1').all();
  const [ms, bytes] = [Date.now() - startedAt, meta.size_after];
  log('database_seen', { ms, bytes });
  if (ms > ALERT_THRESHOLDS.databaseSlowMs) log('database_slow', { ms });
  if (bytes > ALERT_THRESHOLDS.databaseLargeBytes) log('database_large', { bytes });
}

/** For whoever watches: what stands in rows until it is done, and the database itself. Changes nothing. */
export async function logQueueMetrics({ DB }: Pick<Env, 'DB'>, db: Database, now: number): Promise<void> {
  await Promise.all([logQueueDepths(db, now), logDatabaseStats(DB)]);
}
