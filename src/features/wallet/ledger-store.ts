import { createPositionedId, getIdPosition, MAX_POSITION } from '../../lib/ids.ts';
import type { LedgerEntry, LedgerKind, LedgerPage } from './contract.ts';
import { NO_SPEND, type Spend } from '../model/spend.ts';
import type { Balance, Hold, RunningUsage } from './ledger.ts';
import { MAX_HISTORY_ENTRIES } from './limits.ts';

type BalanceRow = {
  current: number;
  permanent: number;
  refilled_at: number;
  day: number;
  daily_used: number;
  unlimited: number;
  time_zone: string | null;
  spent_tokens: number;
  spent_micros: number;
  /** JSON. */
  held: string;
  /** JSON. */
  closed: string;
};

/** The balance's row with its lists. */
interface StoredBalance {
  balance: Balance;
  spent: Spend;
  held: readonly HeldReservation[];
  closed: readonly string[];
}

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

/** Charged and released turns that are remembered: more than can still be called about. */
const MAX_CLOSED = 200;

/** A turn's reservation, with the terms in force when it was made. */
export interface Reservation extends Hold {
  /** True when a membership covers the turn. */
  unlimited: boolean;
  /** Null outside a conversation. */
  conversationId: string | null;
  /** The maximum spend of the model call. */
  most: Spend;
}

/** A reservation as it is stored. */
interface HeldReservation extends Reservation {
  id: string;
  /** When it was made, in ms. */
  at: number;
}

/**
 * SQL of the wallet. All calls are synchronous, so no other call runs between a read and a write. The balance's row is read
 * once for each transaction and once after each write, because a reservation looks at it from many sides.
 */
export class LedgerStore {
  readonly #sql: SqlStorage;
  /** The balance's row; null until it is read. */
  #stored: StoredBalance | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Call it at the start of a transaction: the one before may have been rolled back. */
  forgetBalance(): void {
    this.#stored = null;
  }

  #read(): StoredBalance | null {
    if (this.#stored !== null) return this.#stored;
    const [row] = this.#sql.exec<BalanceRow>('select * from balance').toArray();
    if (row === undefined) return null;
    const balance = {
      current: row.current,
      permanent: row.permanent,
      refilledAt: row.refilled_at,
      day: row.day,
      dailyUsed: row.daily_used,
      unlimited: row.unlimited === 1,
      timeZone: row.time_zone,
    };
    this.#stored = {
      balance,
      spent: { tokens: row.spent_tokens, micros: row.spent_micros },
      held: JSON.parse(row.held) as HeldReservation[],
      closed: JSON.parse(row.closed) as string[],
    };
    return this.#stored;
  }

  /** Changes the balance's row. */
  #write(sql: string, ...values: SqlStorageValue[]): void {
    this.#stored = null;
    this.#sql.exec(sql, ...values);
  }

  readBalance(): Balance | null {
    return this.#read()?.balance ?? null;
  }

  /**
   * @param more.spent model spend to add to that of the balance's day
   * @param more.closed the reservation that ends with this change: it is held no longer
   */
  saveBalance(
    balance: Balance,
    { spent: { tokens, micros } = NO_SPEND, closed }: { spent?: Spend; closed?: string } = {},
  ): void {
    this.#write(
      `insert into balance (one, current, permanent, refilled_at, day, daily_used, unlimited, time_zone, spent_tokens, spent_micros, held, closed)
       values (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       on conflict (one) do update set
         current = excluded.current, permanent = excluded.permanent, refilled_at = excluded.refilled_at,
         daily_used = excluded.daily_used, unlimited = excluded.unlimited, time_zone = excluded.time_zone,
         spent_tokens = iif(day = excluded.day, spent_tokens, 0) + excluded.spent_tokens,
         spent_micros = iif(day = excluded.day, spent_micros, 0) + excluded.spent_micros,
         day = excluded.day, held = excluded.held, closed = excluded.closed`,
      balance.current,
      balance.permanent,
      balance.refilledAt,
      balance.day,
      balance.dailyUsed,
      Number(balance.unlimited),
      balance.timeZone,
      tokens,
      micros,
      JSON.stringify(this.#listHeld().filter(({ id }) => id !== closed)),
      this.#formatClosed(closed === undefined ? [] : [closed]),
    );
  }

  #listHeld(): readonly HeldReservation[] {
    return this.#read()?.held ?? [];
  }

  #listClosed(): readonly string[] {
    return this.#read()?.closed ?? [];
  }

  #formatClosed(more: readonly string[]): string {
    return JSON.stringify([...this.#listClosed(), ...more].slice(-MAX_CLOSED));
  }

  /** Whether a reservation was charged or released. */
  isClosed(reservationId: string): boolean {
    return this.#listClosed().includes(reservationId);
  }

  /** Points held by running turns; `turns` excludes those covered by a membership. */
  getHeld(): Hold & { turns: number } {
    const held = this.#listHeld();
    return {
      fromCurrent: held.reduce((sum, { fromCurrent }) => sum + fromCurrent, 0),
      fromPermanent: held.reduce((sum, { fromPermanent }) => sum + fromPermanent, 0),
      turns: held.filter(({ unlimited }) => !unlimited).length,
    };
  }

  findReservation(reservationId: string): Reservation | null {
    return this.#listHeld().find(({ id }) => id === reservationId) ?? null;
  }

  /** Stores a reservation in the balance's row, which has to exist. */
  insertReservation(id: string, reservation: Reservation, now: number): void {
    const held: HeldReservation[] = [...this.#listHeld(), { id, at: now, ...reservation }];
    this.#write('update balance set held = ?', JSON.stringify(held));
  }

  /** Number of running turns, including covered ones, and the maximum spend of their model calls. */
  getRunning(): RunningUsage {
    const held = this.#listHeld();
    return {
      replies: held.length,
      tokens: held.reduce((sum, { most }) => sum + most.tokens, 0),
      micros: held.reduce((sum, { most }) => sum + most.micros, 0),
    };
  }

  /** The model spend on one of the user's local days. */
  getModelSpend(day: number): Spend {
    const stored = this.#read();
    return stored?.balance.day === day ? stored.spent : NO_SPEND;
  }

  /** Removes reservations made before `before`, whose turns are lost. */
  releaseStale(before: number): void {
    const held = this.#listHeld();
    const stale = held.filter(({ at }) => at < before).map(({ id }) => id);
    if (stale.length === 0) return;
    const kept = held.filter(({ at }) => at >= before);
    this.#write('update balance set held = ?, closed = ?', JSON.stringify(kept), this.#formatClosed(stale));
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
    const { position } = this.#sql
      .exec<{ position: number }>('select coalesce(max(position), 0) + 1 as position from ledger')
      .one();
    this.#sql.exec(
      'insert into ledger (position, id, at, kind, reason, amount, balance_after, conversation_id, message_id, about) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      position,
      createPositionedId(entry.now, position),
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
           coalesce((select balance_after from ledger order by position desc limit 1), 0) as last
         from ledger`,
      )
      .one();
  }

  /** Lists entries, newest first; `cursor` is the last id of the previous page. */
  listEntries(cursor: string | undefined, limit: number): LedgerPage {
    const rows = this.#sql
      .exec<LedgerRow>(
        'select * from ledger where position < ? order by position desc limit ?',
        getCursorPosition(cursor),
        limit + 1,
      )
      .toArray();
    return toPage(rows, limit);
  }

  /**
   * Lists the entries of whole days, newest first, and of a part of the first day if it has too many.
   * @param cursor the last id of the previous page
   * @param limits.days maximum number of days
   * @param limits.entries maximum number of entries
   * @param getDay returns the day of a time in ms
   */
  listDays(
    cursor: string | undefined,
    limits: { days: number; entries: number },
    getDay: (at: number) => number,
  ): LedgerPage {
    const rows: LedgerRow[] = [];
    let day: number | null = null;
    let days = 0;
    let dayStart = 0;
    // The query is read row by row, so that no more rows are read than needed.
    const found = this.#sql.exec<LedgerRow>(
      'select * from ledger where position < ? order by position desc',
      getCursorPosition(cursor),
    );
    for (const row of found) {
      const rowDay = getDay(row.at);
      if (rowDay !== day) {
        dayStart = rows.length;
        if (days === limits.days) return toPage([...rows, row], rows.length);
        day = rowDay;
        days += 1;
      }
      rows.push(row);
      if (rows.length > limits.entries) return toPage(rows, dayStart === 0 ? limits.entries : dayStart);
    }
    return toPage(rows, rows.length);
  }

  /**
   * Lists the entries of a group of the points history, newest first.
   * @param group ids of its newest and oldest entry
   * @param cursor the last id of the previous page
   */
  listGroup(
    { newest, oldest }: { newest: string; oldest: string },
    cursor: string | undefined,
    limit: number,
  ): LedgerPage {
    const last = getIdPosition(newest);
    const rows = this.#sql
      .exec<LedgerRow>(
        `select entry.* from ledger as newest, ledger as entry
         where newest.position = ? and entry.position between ? and ?
           and entry.conversation_id is newest.conversation_id
           and (entry.conversation_id is not null or (entry.kind = newest.kind and entry.reason = newest.reason))
         order by entry.position desc limit ?`,
        last,
        Math.max(getIdPosition(oldest), last - MAX_HISTORY_ENTRIES),
        Math.min(last, getCursorPosition(cursor) - 1),
        limit + 1,
      )
      .toArray();
    return toPage(rows, limit);
  }
}

/** The position before which a page begins. */
const getCursorPosition = (cursor: string | undefined): number =>
  getIdPosition(cursor ?? '') || MAX_POSITION + 1;

/** @param rows those of the page, followed by another row if there is a next page */
function toPage(rows: readonly LedgerRow[], limit: number): LedgerPage {
  const page = rows.slice(0, limit);
  return {
    items: page.map(toEntry),
    next_cursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
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
