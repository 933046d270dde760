import { createId } from '../../lib/ids.ts';
import type { LedgerEntry, LedgerKind, LedgerPage } from './contract.ts';
import { NO_SPEND, type Spend } from '../model/spend.ts';
import type { Balance, Hold } from './ledger.ts';
import type { RunningUsage } from './model-quota.ts';

type BalanceRow = {
  current: number;
  permanent: number;
  refilled_at: number;
  day: number;
  daily_used: number;
  unlimited: number;
  time_zone: string | null;
};

type LedgerRow = {
  id: string;
  at: number;
  kind: string;
  reason: string;
  amount: number;
  balance_after: number;
  conversation_id: string | null;
  message_id: string | null;
  about: string | null;
};

/** `conversation_id` of a reservation outside any conversation. */
const NO_CONVERSATION = '';

export type ReservationState = 'held' | 'settled' | 'released';

/** A turn's reservation, with the terms in force when it was made. */
export interface Reservation extends Hold {
  /** True when a membership covers the turn. */
  unlimited: boolean;
  /** Null outside a conversation. */
  conversationId: string | null;
  /** The maximum spend of the model call. */
  most: Spend;
}

/** SQL of the wallet. All calls are synchronous, so no other call runs between a read and a write. */
export class LedgerStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  readBalance(): Balance | null {
    const row = this.#sql.exec<BalanceRow>('select * from balance').toArray()[0];
    if (row === undefined) return null;
    return {
      current: row.current,
      permanent: row.permanent,
      refilledAt: row.refilled_at,
      day: row.day,
      dailyUsed: row.daily_used,
      unlimited: row.unlimited === 1,
      timeZone: row.time_zone,
    };
  }

  saveBalance(balance: Balance): void {
    this.#sql.exec(
      `insert or replace into balance (one, current, permanent, refilled_at, day, daily_used, unlimited, time_zone)
       values (1, ?, ?, ?, ?, ?, ?, ?)`,
      balance.current,
      balance.permanent,
      balance.refilledAt,
      balance.day,
      balance.dailyUsed,
      Number(balance.unlimited),
      balance.timeZone,
    );
  }

  /** Points held by running turns; `turns` excludes those covered by a membership. */
  getHeld(): Hold & { turns: number } {
    const row = this.#sql
      .exec<{ current: number | null; permanent: number | null; turns: number }>(
        "select sum(from_current) as current, sum(from_permanent) as permanent, count(*) filter (where unlimited = 0) as turns from reservations where state = 'held'",
      )
      .one();
    return { fromCurrent: row.current ?? 0, fromPermanent: row.permanent ?? 0, turns: row.turns };
  }

  findReservation(reservationId: string): (Reservation & { state: ReservationState }) | null {
    const row = this.#sql
      .exec<{
        from_current: number;
        from_permanent: number;
        unlimited: number;
        state: ReservationState;
        conversation_id: string;
        tokens: number;
        micros: number;
      }>(
        'select from_current, from_permanent, unlimited, state, conversation_id, tokens, micros from reservations where id = ?',
        reservationId,
      )
      .toArray()[0];
    if (row === undefined) return null;
    return {
      fromCurrent: row.from_current,
      fromPermanent: row.from_permanent,
      unlimited: row.unlimited === 1,
      state: row.state,
      conversationId: row.conversation_id === NO_CONVERSATION ? null : row.conversation_id,
      most: { tokens: row.tokens, micros: row.micros },
    };
  }

  insertReservation(id: string, reservation: Reservation & { state: ReservationState }, now: number): void {
    this.#sql.exec(
      'insert into reservations (id, conversation_id, from_current, from_permanent, unlimited, state, at, tokens, micros) values (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      id,
      reservation.conversationId ?? NO_CONVERSATION,
      reservation.fromCurrent,
      reservation.fromPermanent,
      Number(reservation.unlimited),
      reservation.state,
      now,
      reservation.most.tokens,
      reservation.most.micros,
    );
  }

  /** Number of running turns, including covered ones, and the maximum spend of their model calls. */
  getRunning(): RunningUsage {
    return this.#sql
      .exec<{ replies: number; tokens: number; micros: number }>(
        "select count(*) as replies, coalesce(sum(tokens), 0) as tokens, coalesce(sum(micros), 0) as micros from reservations where state = 'held'",
      )
      .one();
  }

  /** The model spend on one of the user's local days. */
  getModelSpend(day: number): Spend {
    const found = this.#sql.exec<{ tokens: number; micros: number }>(
      'select tokens, micros from model_spend where day = ?',
      day,
    );
    return found.toArray()[0] ?? NO_SPEND;
  }

  /** Adds model spend to a day and deletes earlier days. */
  addModelSpend(day: number, { tokens, micros }: Spend): void {
    this.#sql.exec('delete from model_spend where day < ?', day);
    this.#sql.exec(
      `insert into model_spend (day, tokens, micros) values (?, ?, ?)
       on conflict (day) do update set tokens = tokens + excluded.tokens, micros = micros + excluded.micros`,
      day,
      tokens,
      micros,
    );
  }

  updateReservation(reservationId: string, state: ReservationState): void {
    this.#sql.exec('update reservations set state = ? where id = ?', state, reservationId);
  }

  /** Releases reservations made before `before`, whose turns are lost. */
  releaseStale(before: number): void {
    this.#sql.exec("update reservations set state = 'released' where state = 'held' and at < ?", before);
  }

  /** Deletes finished reservations that no retry can refer to any more. */
  deleteFinished(before: number): void {
    this.#sql.exec("delete from reservations where state in ('settled', 'released') and at < ?", before);
  }

  /** Records a grant; false when it was recorded before. Never deleted, because a retry can come at any time. */
  recordGrant(giftId: string, now: number): boolean {
    const marked = this.#sql.exec(
      'insert or ignore into gifts (id, at) values (?, ?) returning id',
      giftId,
      now,
    );
    return marked.toArray().length > 0;
  }

  /** The points paid for a purchase and whether they were refunded; null if it was never paid. */
  findPurchase(id: string): (Hold & { returned: boolean }) | null {
    const row = this.#sql
      .exec<{ from_current: number; from_permanent: number; returned: number }>(
        'select from_current, from_permanent, returned from purchases where id = ?',
        id,
      )
      .toArray()[0];
    if (row === undefined) return null;
    return {
      fromCurrent: row.from_current,
      fromPermanent: row.from_permanent,
      returned: row.returned === 1,
    };
  }

  /** Records a payment or its refund. Never deleted, because a retry can come at any time. */
  savePurchase(id: string, paid: Hold & { returned: boolean }, now: number): void {
    this.#sql.exec(
      'insert or replace into purchases (id, at, from_current, from_permanent, returned) values (?, ?, ?, ?, ?)',
      id,
      now,
      paid.fromCurrent,
      paid.fromPermanent,
      Number(paid.returned),
    );
  }

  insertEntry(entry: {
    now: number;
    kind: LedgerKind;
    reason: string;
    amount: number;
    balance: Balance;
    /** Id of the event behind the entry. */
    about: string;
    conversationId?: string;
    messageId?: string;
  }): void {
    this.#sql.exec(
      'insert into ledger (id, at, kind, reason, amount, balance_after, conversation_id, message_id, about) values (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      createId(entry.now),
      entry.now,
      entry.kind,
      entry.reason,
      entry.amount,
      entry.balance.current + entry.balance.permanent,
      entry.conversationId ?? null,
      entry.messageId ?? null,
      entry.about,
    );
  }

  /** The sum of all entries, and the balance recorded by the last one. */
  sumEntries(): { sum: number; last: number } {
    return this.#sql
      .exec<{ sum: number; last: number }>(
        `select coalesce(sum(amount), 0) as sum,
           coalesce((select balance_after from ledger order by rowid desc limit 1), 0) as last
         from ledger`,
      )
      .one();
  }

  /** Lists entries, newest first; `cursor` is the last id of the previous page. */
  listEntries(cursor: string | undefined, limit: number): LedgerPage {
    const rows = this.#sql
      .exec<LedgerRow>(
        'select rowid, * from ledger where rowid < coalesce((select rowid from ledger where id = ?), 9223372036854775807) order by rowid desc limit ?',
        cursor ?? '',
        limit + 1,
      )
      .toArray();
    const page = rows.slice(0, limit);
    return {
      items: page.map(toEntry),
      next_cursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
    };
  }
}

function toEntry(row: LedgerRow): LedgerEntry {
  return {
    id: row.id,
    at: new Date(row.at).toISOString(),
    kind: row.kind as LedgerKind,
    reason: row.reason,
    amount: row.amount,
    balance_after: row.balance_after,
    ...(row.conversation_id === null ? {} : { conversation_id: row.conversation_id }),
    ...(row.message_id === null ? {} : { message_id: row.message_id }),
    ...(row.about === null ? {} : { event_id: row.about }),
  };
}
