import { WATCHED } from '../config.ts';
import type { Database } from '../db/open.ts';
import { BACKLOG_KINDS, readBacklog } from '../features/status/backlog-store.ts';
import { log } from '../lib/log.ts';

/** Tells the log how much waits to be done, and aloud what has waited for too long. */
async function tellWaiting(db: Database, now: number): Promise<void> {
  const backlogs = await Promise.all(BACKLOG_KINDS.map((kind) => readBacklog(db, kind, now)));
  for (const { kind, waiting, oldestMs } of backlogs) {
    const isOld = oldestMs > WATCHED.waitsMs[kind];
    if (waiting > 0) log(isOld ? 'backlog_old' : 'backlog', { kind, waiting, oldest_ms: oldestMs });
  }
}

/** Tells the log how large the database is and how long it takes over nothing. */
async function tellDatabase(DB: D1Database): Promise<void> {
  const began = Date.now();
  const { meta } = await DB.prepare('select 1').all();
  const [ms, bytes] = [Date.now() - began, meta.size_after];
  log('database_seen', { ms, bytes });
  if (ms > WATCHED.databaseSlowMs) log('database_slow', { ms });
  if (bytes > WATCHED.databaseLargeBytes) log('database_large', { bytes });
}

/** For whoever watches: what stands in rows until it is done, and the database itself. Changes nothing. */
export async function tellBacklogs({ DB }: Pick<Env, 'DB'>, db: Database, now: number): Promise<void> {
  await Promise.all([tellWaiting(db, now), tellDatabase(DB)]);
}
