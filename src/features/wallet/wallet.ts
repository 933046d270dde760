import { isSpent, NOTHING_SPENT, type Spend } from '../model/spend.ts';
import type { LedgerPage, PointsStatus } from './contract.ts';
import {
  atTime,
  type Balance,
  CHARACTER_REASONS,
  type Gift,
  GIFT_REASONS,
  give,
  type Hold,
  hold,
  LEDGER_REASONS,
  nextChanges,
  openBalance,
  pay,
  payBack,
  pointsOf,
  type Refusal,
  type Rules,
  type SpentOn,
  spend,
  type Standing,
  take,
  withStanding,
} from './ledger.ts';
import type { LedgerStore } from './ledger-store.ts';
import { type BoundReached, boundReached } from './model-quota.ts';

/** Far above the longest reply, so that a hold this old has lost its turn. */
const STALE_HOLD_MS = 60 * 60_000;
/** A turn's id is not asked about again after this; its reservation may be forgotten. */
const FINISHED_KEPT_MS = 30 * 24 * 60 * 60_000;

/** When something happens, and by which rules. */
export interface Moment {
  now: number;
  rules: Rules;
}

/**
 * `again`: the same reservation is held already. `reservation_closed`: it was settled or given back before this call
 * arrived.
 */
export type ReserveResult =
  | { ok: true; again: boolean }
  | { ok: false; code: Refusal | BoundReached | 'reservation_closed'; points: PointsStatus };

/** Whether points were given by this call, and what there is by now. */
export interface Given {
  given: boolean;
  points: PointsStatus;
}

/** `payment_closed`: it was paid back, or given up before it was paid, and is never paid again. */
export type PayResult =
  | { ok: true }
  | { ok: false; code: 'points_exhausted' | 'payment_closed'; points: PointsStatus };

/** Whether the ledger explains the balance. */
export interface LedgerCheck {
  whole: boolean;
  /** What its entries come to, in points. */
  ledger: number;
  balance: number;
  held: number;
}

const HOUR_MS = 3_600_000;
const NOTHING: Hold = { fromCurrent: 0, fromPermanent: 0 };
const sumOf = ({ fromCurrent, fromPermanent }: Hold): number => fromCurrent + fromPermanent;

/** What somebody is told of their points. @param held what turns hold, whose replies are being written */
function told(balance: Balance, held: Hold & { turns: number }, rules: Rules): PointsStatus {
  const { refillsAt, dailyResetsAt } = nextChanges(balance, rules);
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

/** What is told of a wallet that is no more. */
export function nothingLeft({ rules, now }: Moment): PointsStatus {
  return told({ ...openBalance(rules, now), current: 0 }, { ...NOTHING, turns: 0 }, rules);
}

/**
 * One person's points and their ledger. Each call reads and writes without a pause, and writes all or nothing; repeating
 * one changes nothing.
 */
export class Wallet {
  readonly #store: LedgerStore;
  readonly #atomically: <T>(write: () => T) => T;

  /** @param atomically writes all or, when something throws, nothing */
  constructor(store: LedgerStore, atomically: <T>(write: () => T) => T) {
    this.#store = store;
    this.#atomically = atomically;
  }

  /** The balance now: opened on first use, refilled, and on the right day of somebody of whom this was told. */
  #balanceNow({ now, rules }: Moment, standing: Standing | null = null): Balance {
    const store = this.#store;
    const found = store.balance();
    const known = found ?? openBalance(rules, now, standing?.timeZone ?? null);
    const stood = standing === null ? known : withStanding(known, standing);
    const { balance, refilled } = atTime(stood, rules, now);
    if (found === null || !isSame(balance, found)) {
      store.saveBalance(balance);
      if (balance.day !== known.day) store.forgetFinished(now - FINISHED_KEPT_MS);
    }
    if (found === null) {
      const opened = { now, kind: 'opening', reason: 'Opening balance', about: 'opening' } as const;
      store.addEntry({ ...opened, amount: known.current, balance: known });
    }
    if (refilled > 0) {
      // Named by the beat that it came with, of which there is but one.
      const about = `refill:${new Date(balance.refilledAt).toISOString()}`;
      store.addEntry({ now, kind: 'refill', reason: 'Points refilled', amount: refilled, balance, about });
    }
    return balance;
  }

  #told(balance: Balance, { rules }: Moment): PointsStatus {
    return told(balance, this.#store.held(), rules);
  }

  /** What the person has and may do. @param standing null where nobody knows it: what was told last holds */
  status(at: Moment, standing: Standing | null): PointsStatus {
    return this.#atomically(() => {
      this.#store.releaseStale(at.now - STALE_HOLD_MS);
      return this.#told(this.#balanceNow(at, standing), at);
    });
  }

  /** Holds one message's points for a turn; the id is new for every attempt. @param wish.most what its model may come to */
  reserve(
    at: Moment,
    {
      id,
      conversationId,
      standing,
      most = NOTHING_SPENT,
    }: { id: string; conversationId: string | null; standing: Standing | null; most?: Spend },
  ): ReserveResult {
    const store = this.#store;
    return this.#atomically(() => {
      const known = store.reservation(id);
      if (known?.state === 'held') return { ok: true, again: true };
      store.releaseStale(at.now - STALE_HOLD_MS);
      const balance = this.#balanceNow(at, standing);
      const refused = (code: Refusal | BoundReached | 'reservation_closed'): ReserveResult => ({
        ok: false,
        code,
        points: this.#told(balance, at),
      });
      if (known !== null) return refused('reservation_closed');
      const result = hold(balance, store.held(), at.rules);
      if (!result.ok) return refused(result.code);
      const bound = boundReached(at.rules.models, store.modelSpend(balance.day), store.running());
      if (bound !== null) return refused(bound);
      const { unlimited } = balance;
      store.addReservation(id, { ...result.hold, unlimited, conversationId, most, state: 'held' }, at.now);
      return { ok: true, again: false };
    });
  }

  /**
   * Spends what the turn holds, whatever the rules are by now. Of what was never held, nothing is spent.
   * @param ended.spend what its model came to; where nobody knows it any more, the most that it may have
   */
  settle(
    at: Moment,
    {
      id,
      messageId,
      what,
      spend: came = null,
    }: { id: string; messageId: string | null; what: SpentOn; spend?: Spend | null },
  ): PointsStatus {
    const store = this.#store;
    return this.#atomically(() => {
      const before = this.#balanceNow(at);
      const known = store.reservation(id);
      if (known?.state !== 'held') return this.#told(before, at);
      const balance = spend(before, known);
      store.setReservation(id, 'settled');
      store.addModelSpend(balance.day, came ?? known.most);
      store.saveBalance(balance);
      store.addEntry({
        now: at.now,
        kind: known.unlimited ? 'message_covered' : 'message',
        reason: known.unlimited ? LEDGER_REASONS[what].covered : LEDGER_REASONS[what].spent,
        amount: 0 - sumOf(known),
        balance,
        about: id,
        ...saidIn(known.conversationId, messageId),
      });
      return this.#told(balance, at);
    });
  }

  /**
   * Gives back what the turn holds and writes down that it cost nothing. A turn that never held
   * anything is marked, so that a reservation arriving late cannot hold points for a dead turn.
   */
  release(
    at: Moment,
    gone: {
      id: string;
      conversationId: string | null;
      messageId: string | null;
      what: SpentOn;
      /** What its model came to all the same; nothing where it was never asked, or nobody knows. */
      spend?: Spend | null;
    },
  ): PointsStatus {
    const store = this.#store;
    const { id, conversationId, messageId, what, spend: came = null } = gone;
    return this.#atomically(() => {
      const balance = this.#balanceNow(at);
      const known = store.reservation(id);
      if (known === null) {
        const marked = {
          ...NOTHING,
          unlimited: false,
          conversationId,
          most: NOTHING_SPENT,
          state: 'released',
        } as const;
        store.addReservation(id, marked, at.now);
      } else if (known.state === 'held') {
        store.setReservation(id, 'released');
        if (came !== null) store.addModelSpend(balance.day, came);
        store.addEntry({
          now: at.now,
          kind: 'message_free',
          reason: LEDGER_REASONS[what].free,
          amount: 0,
          balance,
          about: id,
          ...saidIn(known.conversationId, messageId),
        });
      }
      return this.#told(balance, at);
    });
  }

  /** Whether the person's day leaves room for asking a model beside what they pay for. */
  mayAsk(at: Moment): boolean {
    return this.#atomically(() => {
      const { day } = this.#balanceNow(at);
      return !isSpent(at.rules.models.perDay, this.#store.modelSpend(day));
    });
  }

  /** Counts tokens that a model was asked for this person beside what they pay for. */
  countAsked(at: Moment, tokens: number): void {
    this.#atomically(() => this.#store.addModelSpend(this.#balanceNow(at).day, { tokens, micros: 0 }));
  }

  /** Gives points for good, once: the id says what they are given for. @returns false in `given` for one of before */
  give(at: Moment, giftId: string, gift: Gift): Given {
    const store = this.#store;
    return this.#atomically(() => {
      const before = this.#balanceNow(at);
      if (!store.markGiven(giftId, at.now)) return { given: false, points: this.#told(before, at) };
      const { kind } = gift;
      const amount = pointsOf(gift, at.rules);
      const balance = give(before, amount);
      store.saveBalance(balance);
      store.addEntry({ now: at.now, kind, reason: GIFT_REASONS[kind], amount, balance, about: giftId });
      return { given: true, points: this.#told(balance, at) };
    });
  }

  /** Pays for a character that is being made, once: the id is the character's. */
  payForCharacter(at: Moment, characterId: string): PayResult {
    const store = this.#store;
    return this.#atomically(() => {
      store.releaseStale(at.now - STALE_HOLD_MS);
      const before = this.#balanceNow(at);
      const known = store.purchase(characterId);
      if (known !== null && !known.returned) return { ok: true };
      const refused = (code: 'points_exhausted' | 'payment_closed'): PayResult => ({
        ok: false,
        code,
        points: this.#told(before, at),
      });
      if (known !== null) return refused('payment_closed');
      const paid = take(before, store.held(), at.rules.characterCostPoints);
      if (paid === null) return refused('points_exhausted');
      const balance = pay(before, paid);
      store.savePurchase(characterId, { ...paid, returned: false }, at.now);
      store.saveBalance(balance);
      store.addEntry({
        now: at.now,
        kind: 'character',
        reason: CHARACTER_REASONS.paid,
        amount: 0 - sumOf(paid),
        balance,
        about: characterId,
      });
      return { ok: true };
    });
  }

  /**
   * Gives back what was paid for a character that was not made, whatever one costs by now. What was never paid is marked,
   * so that a payment arriving late takes nothing.
   */
  refundCharacter(at: Moment, characterId: string): void {
    const store = this.#store;
    this.#atomically(() => {
      const before = this.#balanceNow(at);
      const known = store.purchase(characterId);
      if (known?.returned === true) return;
      const paid = known ?? NOTHING;
      store.savePurchase(characterId, { ...paid, returned: true }, at.now);
      if (known === null) return;
      const balance = payBack(before, paid);
      store.saveBalance(balance);
      store.addEntry({
        now: at.now,
        kind: 'character_refund',
        reason: CHARACTER_REASONS.back,
        amount: sumOf(paid),
        balance,
        about: characterId,
      });
    });
  }

  /** Every change of the points, newest first. */
  ledger(at: Moment, cursor: string | undefined, limit: number): LedgerPage {
    return this.#atomically(() => {
      this.#balanceNow(at);
      return this.#store.entries(cursor, limit);
    });
  }

  /** Whether every point is explained, and none is held that is not there. Changes nothing. */
  check(): LedgerCheck | null {
    const found = this.#store.balance();
    if (found === null) return null;
    const held = this.#store.held();
    const { sum, last } = this.#store.explained();
    const balance = found.current + found.permanent;
    const whole =
      sum === balance &&
      last === balance &&
      held.fromCurrent <= found.current &&
      held.fromPermanent <= found.permanent;
    return { whole, ledger: sum, balance, held: sumOf(held) };
  }
}

/** Where what an entry tells of was said. */
function saidIn(conversationId: string | null, messageId: string | null) {
  return {
    ...(conversationId === null ? {} : { conversationId }),
    ...(messageId === null ? {} : { messageId }),
  };
}

function isSame(a: Balance, b: Balance): boolean {
  const names = Object.keys(a) as (keyof Balance)[];
  return names.every((name) => a[name] === b[name]);
}
