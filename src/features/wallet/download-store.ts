import { DOWNLOADS } from './limits.ts';

/** Whether a download may start now, or when to retry (ms since 1970). */
export type DownloadStart = { ok: true } | { ok: false; retryAt: number };

/** SQL of one user's data downloads. Their number is limited because each is expensive. */
export class DownloadStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /**
   * Starts a download, unless one is running or the hourly limit is reached. A download without a recent heartbeat counts
   * as broken off.
   */
  start(id: string, now: number): DownloadStart {
    this.#sql.exec(
      'delete from downloads where started_at <= ? and alive_at <= ?',
      now - HOUR_MS,
      now - HOUR_MS,
    );
    const running = this.#sql
      .exec<{ at: number | null }>('select max(alive_at) as at from downloads where ended = 0')
      .one().at;
    if (running !== null && running > now - DOWNLOADS.staleAfterMs)
      return { ok: false, retryAt: running + DOWNLOADS.staleAfterMs };
    const begun = this.#sql
      .exec<{ at: number }>(
        'select started_at as at from downloads where started_at > ? order by started_at desc limit 1 offset ?',
        now - HOUR_MS,
        DOWNLOADS.maxPerHour - 1,
      )
      .toArray()[0];
    if (begun !== undefined) return { ok: false, retryAt: begun.at + HOUR_MS };
    this.#sql.exec(
      'insert or replace into downloads (id, started_at, alive_at, ended) values (?, ?, ?, 0)',
      id,
      now,
      now,
    );
    return { ok: true };
  }

  /** Records a heartbeat or the end of a download. */
  update(id: string, now: number, ended: boolean): void {
    this.#sql.exec('update downloads set alive_at = ?, ended = ? where id = ?', now, Number(ended), id);
  }
}

const HOUR_MS = 3_600_000;
