import type { CrisisKind } from '../safety/crisis.ts';
import { dayOf } from './crisis-help.ts';

/** Somebody was shown where help is. */
export interface Referral {
  messageId: string;
  /** UTC, days since the epoch. */
  day: number;
  kind: CrisisKind;
}

/** Referrals counted by one call. */
const AT_ONCE = 20;

/** SQL of what is still to be counted: that somebody was shown where help is, once for each message. */
export class ReferralStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  add(messageId: string, kind: CrisisKind, now: number): void {
    this.#sql.exec(
      'insert or ignore into referrals (message_id, day, kind) values (?, ?, ?)',
      messageId,
      dayOf(now),
      kind,
    );
  }

  remove(messageId: string): void {
    this.#sql.exec('delete from referrals where message_id = ?', messageId);
  }

  waiting(): Referral[] {
    return this.#sql
      .exec<{ message_id: string; day: number; kind: CrisisKind }>(
        `select message_id, day, kind from referrals limit ${AT_ONCE}`,
      )
      .toArray()
      .map(({ message_id: messageId, day, kind }) => ({ messageId, day, kind }));
  }
}
