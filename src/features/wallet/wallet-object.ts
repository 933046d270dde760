import { DurableObject } from 'cloudflare:workers';
import { migrateObject } from '../../db/object-migrations.ts';
import type { LedgerPage, PointsStatus } from './contract.ts';
import {
  atTime,
  FREE_RULES,
  type Balance,
  hold,
  nextChanges,
  openBalance,
  type Refusal,
  spend,
} from './ledger.ts';
import { LedgerStore, WALLET_MIGRATIONS } from './ledger-store.ts';

/** Far above the longest reply, so that a hold this old has lost its turn. */
const STALE_HOLD_MS = 60 * 60_000;
/** A turn's id is not asked about again after this; its reservation may be forgotten. */
const FINISHED_KEPT_MS = 30 * 24 * 60 * 60_000;

/** `reservation_closed`: the reservation was given back before this call arrived. */
export type ReserveResult =
  | { ok: true }
  | { ok: false; code: Refusal | 'reservation_closed'; points: PointsStatus };

/**
 * One person's points and their ledger: the only place where either changes. No method awaits
 * between reading and writing, which is what makes fifty sends at once spend exactly what is there.
 */
export class WalletObject extends DurableObject<Env> {
  readonly #store: LedgerStore;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrateObject(ctx.storage, WALLET_MIGRATIONS);
    this.#store = new LedgerStore(ctx.storage.sql);
  }

  /** The balance now: opened on first use, refilled and on the right day. */
  #balanceNow(now: number): Balance {
    const known = this.#store.balance();
    if (known === null) {
      const opened = openBalance(FREE_RULES, now);
      this.#store.saveBalance(opened);
      this.#store.addEntry({
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
      this.#store.saveBalance(balance);
      this.#store.forgetFinished(now - FINISHED_KEPT_MS);
    }
    if (refilled > 0) {
      this.#store.addEntry({ now, kind: 'refill', reason: 'Points refilled', amount: refilled, balance });
    }
    return balance;
  }

  #status(balance: Balance): PointsStatus {
    const held = this.#store.held();
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

  /** Answers, and touches nothing. */
  ping(): true {
    return true;
  }

  /** What the person has and may do. */
  status(): PointsStatus {
    return this.#status(this.#balanceNow(Date.now()));
  }

  /** Holds one message's points for a turn; the id is new for every attempt. Repeating the call holds nothing twice. */
  reserve(reservationId: string, conversationId: string): ReserveResult {
    const now = Date.now();
    const known = this.#store.reservation(reservationId);
    if (known?.state === 'held') return { ok: true };
    this.#store.releaseStale(now - STALE_HOLD_MS);
    const balance = this.#balanceNow(now);
    if (known !== null) return { ok: false, code: 'reservation_closed', points: this.#status(balance) };
    const result = hold(balance, this.#store.held(), FREE_RULES);
    if (!result.ok) return { ok: false, code: result.code, points: this.#status(balance) };
    this.#store.addReservation(reservationId, conversationId, 'held', result.hold, now);
    return { ok: true };
  }

  /** Spends what the turn holds. Repeating it, or settling what was never held, changes nothing. */
  settle(reservationId: string, messageId: string): PointsStatus {
    const now = Date.now();
    const before = this.#balanceNow(now);
    const known = this.#store.reservation(reservationId);
    if (known?.state !== 'held') return this.#status(before);
    const balance = spend(before, known);
    this.#store.setReservation(reservationId, 'settled');
    this.#store.saveBalance(balance);
    this.#store.addEntry({
      now,
      kind: 'message',
      reason: 'A reply was written',
      amount: -(known.fromCurrent + known.fromPermanent),
      balance,
      conversationId: known.conversationId,
      messageId,
    });
    return this.#status(balance);
  }

  /**
   * Gives back what the turn holds and writes down that it cost nothing. A turn that never held
   * anything is marked, so that a reservation arriving late cannot hold points for a dead turn.
   */
  release(reservationId: string, conversationId: string, messageId: string | null): PointsStatus {
    const now = Date.now();
    const balance = this.#balanceNow(now);
    const known = this.#store.reservation(reservationId);
    if (known === null) {
      this.#store.addReservation(
        reservationId,
        conversationId,
        'released',
        { fromCurrent: 0, fromPermanent: 0 },
        now,
      );
    } else if (known.state === 'held') {
      this.#store.setReservation(reservationId, 'released');
      this.#store.addEntry({
        now,
        kind: 'message_free',
        reason: 'The reply did not arrive whole: nothing was charged',
        amount: 0,
        balance,
        conversationId: known.conversationId,
        ...(messageId === null ? {} : { messageId }),
      });
    }
    return this.#status(balance);
  }

  /** Every change of the points, newest first. */
  ledger(cursor: string | undefined, limit: number): LedgerPage {
    this.#balanceNow(Date.now());
    return this.#store.entries(cursor, limit);
  }
}
