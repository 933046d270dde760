import { DurableObject } from 'cloudflare:workers';
import { BUSINESS } from '../../config.ts';
import { isSetUp, migrateObject } from '../../db/object-migrations.ts';
import type { LedgerPage, PointsStatus } from './contract.ts';
import {
  atTime,
  FREE_RULES,
  type Balance,
  CHARACTER_REASONS,
  GIFTS,
  type GiftKind,
  give,
  type Hold,
  hold,
  LEDGER_REASONS,
  nextChanges,
  openBalance,
  pay,
  payBack,
  type Refusal,
  type SpentOn,
  spend,
  take,
} from './ledger.ts';
import { type DownloadBegun, DownloadStore } from './download-store.ts';
import { LedgerStore, WALLET_MIGRATIONS } from './ledger-store.ts';

/** Far above the longest reply, so that a hold this old has lost its turn. */
const STALE_HOLD_MS = 60 * 60_000;
/** A turn's id is not asked about again after this; its reservation may be forgotten. */
const FINISHED_KEPT_MS = 30 * 24 * 60 * 60_000;

/**
 * `again`: the same reservation is held already. `reservation_closed`: it was settled or given back before this call
 * arrived.
 */
export type ReserveResult =
  | { ok: true; again: boolean }
  | { ok: false; code: Refusal | 'reservation_closed'; points: PointsStatus };

/** `payment_closed`: it was paid back, or given up before it was paid, and is never paid again. */
export type PayResult =
  | { ok: true }
  | { ok: false; code: 'points_exhausted' | 'payment_closed'; points: PointsStatus };

/**
 * One person's points and their ledger: the only place where either changes. No method awaits
 * between reading and writing, which is what makes fifty sends at once spend exactly what is there.
 */
export class WalletObject extends DurableObject<Env> {
  /** Null until somebody has points here: looking for nobody's writes nothing. */
  #store: LedgerStore | null = null;
  /** Calls that were on their way when the wallet was erased find nothing, and open nothing anew. */
  #erased = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    if (isSetUp(ctx.storage)) this.#open();
  }

  /** @throws Error when the wallet was erased a moment ago: its owner is gone */
  #open(): LedgerStore {
    if (this.#erased) throw new Error('this wallet is erased');
    if (this.#store !== null) return this.#store;
    migrateObject(this.ctx.storage, WALLET_MIGRATIONS);
    this.#store = new LedgerStore(this.ctx.storage.sql);
    return this.#store;
  }

  /** The balance now: opened on first use, refilled and on the right day. */
  #balanceNow(store: LedgerStore, now: number): Balance {
    const known = store.balance();
    if (known === null) {
      const opened = openBalance(FREE_RULES, now);
      store.saveBalance(opened);
      store.addEntry({
        now,
        kind: 'opening',
        reason: 'Opening balance',
        amount: opened.current,
        balance: opened,
      });
      return opened;
    }
    const { balance, refilled } = atTime(known, FREE_RULES, now);
    if (balance.refilledAt !== known.refilledAt || balance.day !== known.day) {
      store.saveBalance(balance);
      store.forgetFinished(now - FINISHED_KEPT_MS);
    }
    if (refilled > 0) {
      store.addEntry({ now, kind: 'refill', reason: 'Points refilled', amount: refilled, balance });
    }
    return balance;
  }

  #status(store: LedgerStore, balance: Balance): PointsStatus {
    return this.#told(balance, store.held());
  }

  #told(balance: Balance, held: Hold & { turns: number }): PointsStatus {
    const { refillsAt, dailyResetsAt } = nextChanges(balance, FREE_RULES);
    return {
      current_points: balance.current - held.fromCurrent,
      permanent_points: balance.permanent - held.fromPermanent,
      daily_messages_used: balance.dailyUsed + held.turns,
      daily_message_limit: FREE_RULES.dailyMessageLimit,
      refills_at: new Date(refillsAt).toISOString(),
      daily_resets_at: new Date(dailyResetsAt).toISOString(),
      message_cost: FREE_RULES.messageCostPoints,
    };
  }

  /** What is told of a wallet that is no more. */
  #nothing(now: number): PointsStatus {
    return this.#told(
      { ...openBalance(FREE_RULES, now), current: 0 },
      { fromCurrent: 0, fromPermanent: 0, turns: 0 },
    );
  }

  /** Answers, and touches nothing. */
  ping(): true {
    return true;
  }

  /** What the person has and may do. */
  status(): PointsStatus {
    const store = this.#open();
    return this.#status(store, this.#balanceNow(store, Date.now()));
  }

  /**
   * Holds one message's points for a turn; the id is new for every attempt. Repeating the call holds nothing twice.
   * @param conversationId null for what is said in none
   */
  reserve(reservationId: string, conversationId: string | null): ReserveResult {
    const now = Date.now();
    const store = this.#open();
    const known = store.reservation(reservationId);
    if (known?.state === 'held') return { ok: true, again: true };
    store.releaseStale(now - STALE_HOLD_MS);
    const balance = this.#balanceNow(store, now);
    if (known !== null)
      return { ok: false, code: 'reservation_closed', points: this.#status(store, balance) };
    const result = hold(balance, store.held(), FREE_RULES);
    if (!result.ok) return { ok: false, code: result.code, points: this.#status(store, balance) };
    store.addReservation(reservationId, conversationId, 'held', result.hold, now);
    return { ok: true, again: false };
  }

  /** Spends what the turn holds. Repeating it, or settling what was never held, changes nothing. */
  settle(reservationId: string, messageId: string | null, what: SpentOn): PointsStatus {
    const now = Date.now();
    if (this.#erased) return this.#nothing(now);
    const store = this.#open();
    const before = this.#balanceNow(store, now);
    const known = store.reservation(reservationId);
    if (known?.state !== 'held') return this.#status(store, before);
    const balance = spend(before, known);
    store.setReservation(reservationId, 'settled');
    store.saveBalance(balance);
    store.addEntry({
      now,
      kind: 'message',
      reason: LEDGER_REASONS[what].spent,
      amount: -(known.fromCurrent + known.fromPermanent),
      balance,
      ...(known.conversationId === null ? {} : { conversationId: known.conversationId }),
      ...(messageId === null ? {} : { messageId }),
    });
    return this.#status(store, balance);
  }

  /**
   * Gives back what the turn holds and writes down that it cost nothing. A turn that never held
   * anything is marked, so that a reservation arriving late cannot hold points for a dead turn.
   */
  release(
    reservationId: string,
    conversationId: string | null,
    messageId: string | null,
    what: SpentOn,
  ): PointsStatus {
    const now = Date.now();
    if (this.#erased) return this.#nothing(now);
    const store = this.#open();
    const balance = this.#balanceNow(store, now);
    const known = store.reservation(reservationId);
    if (known === null) {
      store.addReservation(
        reservationId,
        conversationId,
        'released',
        { fromCurrent: 0, fromPermanent: 0 },
        now,
      );
    } else if (known.state === 'held') {
      store.setReservation(reservationId, 'released');
      store.addEntry({
        now,
        kind: 'message_free',
        reason: LEDGER_REASONS[what].free,
        amount: 0,
        balance,
        ...(known.conversationId === null ? {} : { conversationId: known.conversationId }),
        ...(messageId === null ? {} : { messageId }),
      });
    }
    return this.#status(store, balance);
  }

  /** Gives points for good. Repeating it gives nothing twice: the id says what they are given for. */
  give(giftId: string, kind: GiftKind): PointsStatus {
    const now = Date.now();
    const store = this.#open();
    const before = this.#balanceNow(store, now);
    if (!store.markGiven(giftId, now)) return this.#status(store, before);
    const { points, reason } = GIFTS[kind];
    const balance = give(before, points);
    store.saveBalance(balance);
    store.addEntry({ now, kind, reason, amount: points, balance });
    return this.#status(store, balance);
  }

  /** Pays for a character that is being made. Repeating it pays nothing twice: the id is the character's. */
  payForCharacter(characterId: string): PayResult {
    const now = Date.now();
    const store = this.#open();
    const before = this.#balanceNow(store, now);
    const known = store.purchase(characterId);
    if (known !== null && !known.returned) return { ok: true };
    const refused = (code: 'points_exhausted' | 'payment_closed'): PayResult => ({
      ok: false,
      code,
      points: this.#status(store, before),
    });
    if (known !== null) return refused('payment_closed');
    const paid = take(before, store.held(), BUSINESS.characterCostPoints);
    if (paid === null) return refused('points_exhausted');
    const balance = pay(before, paid);
    store.savePurchase(characterId, { ...paid, returned: false }, now);
    store.saveBalance(balance);
    store.addEntry({
      now,
      kind: 'character',
      reason: CHARACTER_REASONS.paid,
      amount: -BUSINESS.characterCostPoints,
      balance,
    });
    return { ok: true };
  }

  /**
   * Gives back what was paid for a character that was not made. Harmless to repeat. What was never paid is marked, so
   * that a payment arriving late takes nothing.
   */
  refundCharacter(characterId: string): void {
    if (this.#erased) return;
    const now = Date.now();
    const store = this.#open();
    const before = this.#balanceNow(store, now);
    const known = store.purchase(characterId);
    if (known?.returned === true) return;
    const paid = { fromCurrent: known?.fromCurrent ?? 0, fromPermanent: known?.fromPermanent ?? 0 };
    store.savePurchase(characterId, { ...paid, returned: true }, now);
    if (known === null) return;
    const balance = payBack(before, paid);
    store.saveBalance(balance);
    store.addEntry({
      now,
      kind: 'character_refund',
      reason: CHARACTER_REASONS.back,
      amount: paid.fromCurrent + paid.fromPermanent,
      balance,
    });
  }

  /** Every change of the points, newest first. */
  ledger(cursor: string | undefined, limit: number): LedgerPage {
    const store = this.#open();
    this.#balanceNow(store, Date.now());
    return store.entries(cursor, limit);
  }

  /** Begins a download of everything that its person has, unless one runs or there were too many. */
  beginDownload(id: string): DownloadBegun {
    this.#open();
    return new DownloadStore(this.ctx.storage.sql).begin(id, Date.now());
  }

  /** A download goes on, or has ended. Of one that nobody knows nothing is noted. */
  noteDownload(id: string, ended: boolean): void {
    if (!this.#erased && this.#store !== null)
      new DownloadStore(this.ctx.storage.sql).note(id, Date.now(), ended);
  }

  /**
   * Erases everything here, of somebody who is gone. Harmless to repeat. Who still owes or is owed something of a turn
   * that ends now is told that it is settled.
   */
  async erase(): Promise<void> {
    this.#store = null;
    this.#erased = true;
    await Promise.all([this.ctx.storage.deleteAlarm(), this.ctx.storage.deleteAll()]);
  }
}
