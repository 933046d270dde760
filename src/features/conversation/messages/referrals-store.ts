import type { CrisisKind } from '../../safety/decisions.ts';
import { getUtcDay } from '../moderation/crisis-help.ts';

/** Crisis help was shown to the user once. */
export interface Referral {
  /**
   * The client's id of the turn that showed it (the message may not have been stored), otherwise the id of the message.
   */
  shownBy: string;
  /** UTC, days since the epoch. */
  day: number;
  kind: CrisisKind;
}

const MAX_BATCH = 20;
/** In days. Counted turns are remembered this long, because the client may send a turn again. */
const RETENTION_DAYS = 3;

/**
 * SQL of the referrals that are still to be counted, one per turn. Counted ones have their day stored as a negative
 * number.
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

  /** Marks a referral as counted, so that it is not counted again. */
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
