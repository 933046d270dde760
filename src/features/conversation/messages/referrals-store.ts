import type { CrisisKind } from '../../safety/decisions.ts';
import { getUtcDay } from '../moderation/crisis-help.ts';

/** Somebody was shown where help is. */
export interface Referral {
  /** The turn that showed it, by the client's id: it may have kept no message. Or the message, where no turn did. */
  shownBy: string;
  /** UTC, days since the epoch. */
  day: number;
  kind: CrisisKind;
}

/** Referrals counted by one call. */
const MAX_BATCH = 20;
/** In days: a turn that was counted is remembered so long, since its client may send it again. */
const RETENTION_DAYS = 3;

/**
 * SQL of what is still to be counted: that somebody was shown where help is, once for each turn. The day of what was
 * counted stands below zero.
 */
export class ReferralStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  add(shownBy: string, kind: CrisisKind, now: number): void {
    this.#sql.exec(
      'insert or ignore into referrals (message_id, day, kind) values (?, ?, ?)',
      shownBy,
      getUtcDay(now),
      kind,
    );
  }

  /** It was counted, and never is again. */
  markCounted(shownBy: string, now: number): void {
    this.#sql.exec('update referrals set day = -day where message_id = ? and day > 0', shownBy);
    this.#sql.exec('delete from referrals where day < 0 and -day < ?', getUtcDay(now) - RETENTION_DAYS);
  }

  listPending(): Referral[] {
    return this.#sql
      .exec<{ message_id: string; day: number; kind: CrisisKind }>(
        `select message_id, day, kind from referrals where day > 0 limit ${MAX_BATCH}`,
      )
      .toArray()
      .map(({ message_id: shownBy, day, kind }) => ({ shownBy, day, kind }));
  }
}
