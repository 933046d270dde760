import { dequal } from 'dequal/lite';
import { isLimitReached, NO_SPEND, type Spend } from '../model/spend.ts';
import type { LedgerHistory, LedgerPage, PointsStatus } from './contract.ts';
import {
  applyElapsedTime,
  type Balance,
  CHARACTER_ENTRIES,
  type CharacterPurpose,
  type PointGrant,
  getGrantReason,
  grantPoints,
  type Hold,
  reserveMessage,
  LEDGER_REASONS,
  getNextChanges,
  createBalance,
  chargePoints,
  refundPoints,
  getGrantPoints,
  type ReserveRefusal,
  type Rules,
  type SpendPurpose,
  chargeMessage,
  type Entitlement,
  reservePoints,
  applyEntitlement,
  type QuotaExceeded,
  checkModelQuota,
} from './ledger.ts';
import { groupEntries } from './ledger-history.ts';
import type { LedgerStore } from './ledger-store.ts';
import { MAX_HISTORY_ENTRIES } from './limits.ts';
import { getLocalDay } from './user-day.ts';

/** Much longer than the longest reply: a reservation this old has lost its turn. */
const MAX_HOLD_MS = 60 * 60_000;

/** The current time and the rules in force. */
export interface WalletContext {
  now: number;
  rules: Rules;
}

/** `again`: the same reservation is already held. `reservation_closed`: it was charged or released before this call. */
export type ReserveResult =
  | { ok: true; again: boolean }
  | { ok: false; code: ReserveRefusal | QuotaExceeded | 'reservation_closed'; points: PointsStatus };

/** Whether this call granted points, and the resulting status. */
export interface GrantResult {
  given: boolean;
  points: PointsStatus;
}

/** `payment_closed`: it was refunded, or cancelled before payment, and cannot be paid again. */
export type PayResult =
  | { ok: true }
  | { ok: false; code: 'points_exhausted' | 'payment_closed'; points: PointsStatus };

/** The comparison of ledger and balance. */
export interface LedgerBalanceCheck {
  isBalanced: boolean;
  /** The sum of all entries, in points. */
  ledger: number;
  balance: number;
  held: number;
}

const HOUR_MS = 3_600_000;
const NO_POINTS: Hold = { fromCurrent: 0, fromPermanent: 0 };
const sumHold = ({ fromCurrent, fromPermanent }: Hold): number => fromCurrent + fromPermanent;

/** Builds the status shown to a user. @param held points held by running turns */
function toPointsStatus(balance: Balance, held: Hold & { turns: number }, rules: Rules): PointsStatus {
  const { refillsAt, dailyResetsAt } = getNextChanges(balance, rules);
  const { unlimited } = balance;
  return {
    current_points: balance.current - held.fromCurrent,
    permanent_points: balance.permanent - held.fromPermanent,
    daily_messages_used: balance.dailyUsed + held.turns,
    daily_message_limit: unlimited ? null : rules.dailyMessageLimit,
    refills_at: new Date(refillsAt).toISOString(),
    daily_resets_at: new Date(dailyResetsAt).toISOString(),
    message_cost: unlimited ? 0 : rules.messageCostPoints,
    character_cost: rules.characterCostPoints,
    refill_to: rules.refillToPoints,
    refill_hours: rules.refillEveryMs / HOUR_MS,
    unlimited,
    time_zone: balance.timeZone,
  };
}

/** The status of an erased wallet. */
export function getEmptyStatus({ rules, now }: WalletContext): PointsStatus {
  return toPointsStatus({ ...createBalance(rules, now), current: 0 }, { ...NO_POINTS, turns: 0 }, rules);
}

/** One user's points and ledger. Each call is synchronous, atomic and idempotent. */
export class Wallet {
  readonly #store: LedgerStore;
  readonly #atomically: <T>(write: () => T) => T;

  /** @param atomically runs the writes in a transaction and rolls back on an exception */
  constructor(store: LedgerStore, atomically: <T>(write: () => T) => T) {
    this.#store = store;
    this.#atomically = (write) =>
      atomically(() => {
        store.forgetBalance();
        return write();
      });
  }

  /** The current balance: created on first use, with the entitlement, refills and daily reset applied. */
  #refreshBalance({ now, rules }: WalletContext, entitlement: Entitlement | null = null): Balance {
    const store = this.#store;
    const found = store.readBalance();
    const known = found ?? createBalance(rules, now, entitlement?.timeZone ?? null);
    const entitled = entitlement === null ? known : applyEntitlement(known, entitlement);
    const { balance, refilled } = applyElapsedTime(entitled, rules, now);
    if (found === null || !dequal(balance, found)) {
      store.saveBalance(balance);
    }
    if (found === null) {
      const opened = { now, kind: 'opening', reason: 'Opening balance', about: 'opening' } as const;
      store.insertEntry({ ...opened, amount: known.current, balance: known });
    }
    if (refilled > 0) {
      // Refill times are unique, so each refill has its own id.
      const about = `refill:${new Date(balance.refilledAt).toISOString()}`;
      store.insertEntry({ now, kind: 'refill', reason: 'Points refilled', amount: refilled, balance, about });
    }
    return balance;
  }

  #toStatus(balance: Balance, { rules }: WalletContext): PointsStatus {
    return toPointsStatus(balance, this.#store.getHeld(), rules);
  }

  /** The user's points and limits. @param entitlement null keeps the last known entitlement */
  getStatus(at: WalletContext, entitlement: Entitlement | null): PointsStatus {
    return this.#atomically(() => {
      this.#store.releaseStale(at.now - MAX_HOLD_MS);
      return this.#toStatus(this.#refreshBalance(at, entitlement), at);
    });
  }

  /**
   * Holds one message's points for a turn; each attempt has its own id.
   * @param wish.most maximum spend of the model call
   */
  reserve(
    at: WalletContext,
    {
      id,
      conversationId,
      entitlement,
      most = NO_SPEND,
    }: { id: string; conversationId: string | null; entitlement: Entitlement | null; most?: Spend },
  ): ReserveResult {
    const store = this.#store;
    return this.#atomically(() => {
      if (store.findReservation(id) !== null) return { ok: true, again: true };
      store.releaseStale(at.now - MAX_HOLD_MS);
      const balance = this.#refreshBalance(at, entitlement);
      const refused = (code: ReserveRefusal | QuotaExceeded | 'reservation_closed'): ReserveResult => ({
        ok: false,
        code,
        points: this.#toStatus(balance, at),
      });
      if (store.isClosed(id)) return refused('reservation_closed');
      const result = reserveMessage(balance, store.getHeld(), at.rules);
      if (!result.ok) return refused(result.code);
      const bound = checkModelQuota(at.rules.models, store.getModelSpend(balance.day), store.getRunning());
      if (bound !== null) return refused(bound);
      const { unlimited } = balance;
      store.insertReservation(id, { ...result.hold, unlimited, conversationId, most }, at.now);
      return { ok: true, again: false };
    });
  }

  /**
   * Spends the points that the turn holds, even if the rules have changed since. An unknown turn spends nothing.
   * @param ended.spend actual model spend; null counts the reserved maximum
   */
  settle(
    at: WalletContext,
    {
      id,
      messageId,
      what,
      spend: actualSpend = null,
    }: { id: string; messageId: string | null; what: SpendPurpose; spend?: Spend | null },
  ): PointsStatus {
    const store = this.#store;
    return this.#atomically(() => {
      const before = this.#refreshBalance(at);
      const known = store.findReservation(id);
      if (known === null) return this.#toStatus(before, at);
      const balance = chargeMessage(before, known);
      store.saveBalance(balance, { spent: actualSpend ?? known.most, closed: id });
      store.insertEntry({
        now: at.now,
        kind: known.unlimited ? 'message_covered' : 'message',
        reason: known.unlimited ? LEDGER_REASONS[what].covered : LEDGER_REASONS[what].spent,
        amount: 0 - sumHold(known),
        balance,
        about: id,
        ...toEntrySource(known.conversationId, messageId),
      });
      return this.#toStatus(balance, at);
    });
  }

  /**
   * Releases the points that the turn holds and records that it cost nothing. An unknown turn is recorded as released, so
   * that a reservation arriving late cannot hold points for it.
   */
  release(
    at: WalletContext,
    request: {
      id: string;
      conversationId: string | null;
      messageId: string | null;
      what: SpendPurpose;
      /** Actual model spend; null when no model was called or the spend is unknown. */
      spend?: Spend | null;
    },
  ): PointsStatus {
    const store = this.#store;
    const { id, messageId, what, spend: came = null } = request;
    return this.#atomically(() => {
      const balance = this.#refreshBalance(at);
      const known = store.findReservation(id);
      // A reservation that arrives later must hold nothing.
      if (known === null) {
        if (!store.isClosed(id)) store.saveBalance(balance, { closed: id });
      } else {
        store.saveBalance(balance, { closed: id, ...(came === null ? {} : { spent: came }) });
        store.insertEntry({
          now: at.now,
          kind: 'message_free',
          reason: LEDGER_REASONS[what].free,
          amount: 0,
          balance,
          about: id,
          ...toEntrySource(known.conversationId, messageId),
        });
      }
      return this.#toStatus(balance, at);
    });
  }

  /** Whether the daily limit allows a model call outside paid turns. */
  canCallModel(at: WalletContext): boolean {
    return this.#atomically(() => {
      const { day } = this.#refreshBalance(at);
      return !isLimitReached(at.rules.models.perDay, this.#store.getModelSpend(day));
    });
  }

  /** Adds the tokens of a model call outside paid turns. */
  recordModelTokens(at: WalletContext, tokens: number): void {
    this.#atomically(() =>
      this.#store.saveBalance(this.#refreshBalance(at), { spent: { tokens, micros: 0 } }),
    );
  }

  /** Grants permanent points once per id. @returns `given` false for a repeated id */
  grant(at: WalletContext, giftId: string, gift: PointGrant): GrantResult {
    const store = this.#store;
    return this.#atomically(() => {
      const before = this.#refreshBalance(at);
      if (!store.recordGrant(giftId, at.now)) return { given: false, points: this.#toStatus(before, at) };
      const { kind } = gift;
      const amount = getGrantPoints(gift, at.rules);
      const balance = grantPoints(before, amount);
      store.saveBalance(balance);
      const reason = getGrantReason(gift);
      store.insertEntry({ now: at.now, kind, reason, amount, balance, about: giftId });
      return { given: true, points: this.#toStatus(balance, at) };
    });
  }

  /** Pays for a character that is being created or published, once per id. */
  payForCharacter(at: WalletContext, purchaseId: string, purpose: CharacterPurpose = 'creation'): PayResult {
    const store = this.#store;
    return this.#atomically(() => {
      store.releaseStale(at.now - MAX_HOLD_MS);
      const before = this.#refreshBalance(at);
      const known = store.findPurchase(purchaseId);
      if (known !== null && !known.returned) return { ok: true };
      const refused = (code: 'points_exhausted' | 'payment_closed'): PayResult => ({
        ok: false,
        code,
        points: this.#toStatus(before, at),
      });
      if (known !== null) return refused('payment_closed');
      const paid = reservePoints(before, store.getHeld(), at.rules.characterCostPoints);
      if (paid === null) return refused('points_exhausted');
      const balance = chargePoints(before, paid);
      store.savePurchase(purchaseId, { ...paid, returned: false }, at.now);
      store.saveBalance(balance);
      store.insertEntry({
        now: at.now,
        ...CHARACTER_ENTRIES[purpose].paid,
        amount: 0 - sumHold(paid),
        balance,
        about: purchaseId,
      });
      return { ok: true };
    });
  }

  /**
   * Refunds the amount paid for a character that was not created or published. An unpaid purchase is recorded as refunded, so that a
   * payment arriving late is rejected.
   */
  refundCharacter(at: WalletContext, purchaseId: string, purpose: CharacterPurpose = 'creation'): void {
    const store = this.#store;
    this.#atomically(() => {
      const before = this.#refreshBalance(at);
      const known = store.findPurchase(purchaseId);
      if (known?.returned === true) return;
      const paid = known ?? NO_POINTS;
      store.savePurchase(purchaseId, { ...paid, returned: true }, at.now);
      if (known === null) return;
      const balance = refundPoints(before, paid);
      store.saveBalance(balance);
      store.insertEntry({
        now: at.now,
        ...CHARACTER_ENTRIES[purpose].back,
        amount: sumHold(paid),
        balance,
        about: purchaseId,
      });
    });
  }

  /**
   * All changes of the points, newest first.
   * @param group id of a group of the history: only its entries
   */
  ledger(at: WalletContext, cursor: string | undefined, limit: number, group?: string): LedgerPage {
    return this.#atomically(() => {
      this.#refreshBalance(at);
      if (group === undefined) return this.#store.listEntries(cursor, limit);
      const [newest = '', oldest = ''] = group.split('.');
      return this.#store.listGroup({ newest, oldest }, cursor, limit);
    });
  }

  /** The changes of the points by day and conversation, newest first. @param days maximum number of days */
  history(at: WalletContext, cursor: string | undefined, days: number): LedgerHistory {
    return this.#atomically(() => {
      const { timeZone } = this.#refreshBalance(at);
      const limits = { days, entries: MAX_HISTORY_ENTRIES };
      const page = this.#store.listDays(cursor, limits, (time) => getLocalDay(timeZone, time));
      return { items: groupEntries(page.items, timeZone), next_cursor: page.next_cursor };
    });
  }

  /** Whether every point is explained and no more points are held than exist. Changes nothing. */
  check(): LedgerBalanceCheck | null {
    this.#store.forgetBalance();
    const found = this.#store.readBalance();
    if (found === null) return null;
    const held = this.#store.getHeld();
    const { sum, last } = this.#store.sumEntries();
    const balance = found.current + found.permanent;
    const whole =
      sum === balance &&
      last === balance &&
      held.fromCurrent <= found.current &&
      held.fromPermanent <= found.permanent;
    return { isBalanced: whole, ledger: sum, balance, held: sumHold(held) };
  }
}

/** The conversation and message fields of a ledger entry. */
function toEntrySource(conversationId: string | null, messageId: string | null) {
  return {
    ...(conversationId === null ? {} : { conversationId }),
    ...(messageId === null ? {} : { messageId }),
  };
}
