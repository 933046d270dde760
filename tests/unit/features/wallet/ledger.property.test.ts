import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PointsStatus } from '../../../../src/features/wallet/contract.ts';
import type { Rules, Entitlement } from '../../../../src/features/wallet/ledger.ts';
import { LedgerStore } from '../../../../src/features/wallet/ledger-store.ts';
import { WALLET_MIGRATIONS } from '../../../../src/features/wallet/wallet-migrations.ts';
import { Wallet } from '../../../../src/features/wallet/wallet.ts';
import { createSqlStorage } from '../../../support/sql-storage.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Turns older than this are not repeated. */
const LIFE_MS = 29 * DAY_MS;

/**
 * Time zones that change their clocks at different times, by different steps or at midnight, and both ends
 * of the world.
 */
const ZONES = [
  null,
  'Europe/Berlin',
  'America/New_York',
  'America/Havana',
  'Africa/Cairo',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'Pacific/Kiritimati',
  'Etc/GMT+12',
];
/** Times some hours before a change of clocks. */
const BEGINNINGS = [
  Date.UTC(2026, 2, 28, 12),
  Date.UTC(2026, 9, 24, 20),
  Date.UTC(2026, 2, 8, 1),
  Date.UTC(2026, 10, 1, 1),
  Date.UTC(2026, 3, 4, 10),
  Date.UTC(2026, 3, 23, 18),
];

type Action =
  | { do: 'reserve' | 'settle' | 'release'; turn: number }
  | { do: 'give'; gift: number }
  | { do: 'buy' | 'refund'; character: number }
  | { do: 'look' };
type Step =
  | { kind: 'deed'; action: Action; crashesAt: number | null; repeats: boolean }
  | { kind: 'wait'; ms: number }
  | { kind: 'stand'; entitlement: Entitlement }
  | { kind: 'rules'; rules: Rules };

const rules: fc.Arbitrary<Rules> = fc.record({
  startPoints: fc.nat(12),
  refillToPoints: fc.nat(12),
  refillEveryMs: fc.constantFrom(HOUR_MS, 8 * HOUR_MS),
  messageCostPoints: fc.nat(4),
  dailyMessageLimit: fc.option(fc.integer({ min: 1, max: 8 })),
  characterCostPoints: fc.nat(6),
  invitePoints: fc.nat(6),
  models: fc.constant({ repliesAtOnce: 1000, perDay: { tokens: null, cents: null } }),
});
const turn = fc.nat(15);
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('reserve' as const), turn }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('settle' as const), turn }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('release' as const), turn }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('give' as const), gift: fc.nat(4) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('buy' as const, 'refund' as const), character: fc.nat(6) }),
  },
  { weight: 1, arbitrary: fc.constant<Action>({ do: 'look' }) },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant('deed' as const),
      action,
      crashesAt: fc.option(fc.nat(12), { freq: 4 }),
      repeats: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.oneof(
        { weight: 4, arbitrary: fc.integer({ min: -5000, max: 60_000 }) },
        { weight: 1, arbitrary: fc.integer({ min: 0, max: 5 * HOUR_MS }) },
        { weight: 1, arbitrary: fc.integer({ min: 0, max: 3 * DAY_MS }) },
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('stand' as const),
      entitlement: fc.record({ unlimited: fc.boolean(), timeZone: fc.constantFrom(...ZONES) }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rules' as const), rules }) },
);

/** A wallet's database in Node that can fail before any statement. */
function createDatabase() {
  const database = new DatabaseSync(':memory:');
  for (const migration of WALLET_MIGRATIONS) database.exec(migration);
  const { exec } = createSqlStorage(database);
  const failure = { leftFor: Infinity };
  const sql = {
    exec: (...args: Parameters<typeof exec>) => {
      failure.leftFor -= 1;
      if (failure.leftFor < 0) throw new Error('the power failed');
      return exec(...args);
    },
  } as SqlStorage;
  const atomically = <T>(write: () => T): T => {
    database.exec('begin');
    try {
      const result = write();
      database.exec('commit');
      return result;
    } catch (error) {
      database.exec('rollback');
      throw error;
    }
  };
  const all = () =>
    ['balance', 'ledger', 'gifts', 'purchases'].map((table) =>
      database.prepare(`select * from ${table} order by 1`).all(),
    );
  return { store: new LedgerStore(sql), atomically, failure, all };
}

/** The local date, computed with the calendar and not with the code under test. */
const getLocalDate = (zone: string | null, now: number): number =>
  Date.parse(CALENDARS.get(zone)?.format(now) ?? '') / DAY_MS;
// The Swedish locale writes ISO dates.
const CALENDARS = new Map(
  ZONES.map((zone) => [zone, new Intl.DateTimeFormat('sv-SE', { timeZone: zone ?? 'UTC' })]),
);

/** The state of a turn as the test expects it; `cost` is the price reserved at its start. */
interface KnownTurn {
  state: 'held' | 'settled' | 'released';
  cost: number;
  covered: boolean;
  at: number;
}

/** A user's wallet with the state that it must have. */
class ModelledWallet {
  readonly #database = createDatabase();
  readonly wallet = new Wallet(this.#database.store, this.#database.atomically);
  readonly turns = new Map<number, KnownTurn>();
  readonly gifts = new Map<number, number>();
  readonly bought = new Map<number, { cost: number; back: boolean }>();
  now: number;
  rules: Rules;
  entitlement: Entitlement;
  /** The time zone of the last request, and the latest of its dates. */
  #zone: string | null = null;
  #day: number;
  /** The number of charged messages per day. */
  readonly #spentOn = new Map<number, number>();
  readonly #opening: number;
  #refilled = 0;

  constructor(now: number, rules: Rules, entitlement: Entitlement) {
    this.now = now;
    this.rules = rules;
    this.entitlement = entitlement;
    this.#opening = rules.startPoints;
    this.#day = getLocalDate(null, now);
    this.wallet.getStatus(this.#at, null);
  }

  get #at() {
    return { now: this.now, rules: this.rules };
  }

  /** Aims most actions: a new turn begins, and a turn in progress ends. */
  aim(action: Action): Action {
    if (!('turn' in action) || action.turn % 3 === 0) return action;
    const writing = [...this.turns].flatMap(([id, { state }]) => (state === 'held' ? [id] : []));
    const turn = action.do === 'reserve' ? 100 + this.turns.size : writing[action.turn % writing.length];
    return turn === undefined ? action : { ...action, turn };
  }

  /** Runs an action; if it crashes first, nothing of it may be stored. */
  act(action: Action, crashesAt: number | null): void {
    if (crashesAt !== null) {
      const before = this.#database.all();
      this.#database.failure.leftFor = crashesAt;
      let failed = false;
      try {
        this.#do(action);
      } catch {
        failed = true;
      }
      this.#database.failure.leftFor = Infinity;
      if (!failed) return this.#updateExpected(action, this.#last);
      expect(this.#database.all()).toEqual(before);
    }
    this.#updateExpected(action, this.#do(action));
  }

  #last: unknown;

  #do(action: Action): unknown {
    const at = this.#at;
    const { wallet, entitlement } = this;
    switch (action.do) {
      case 'reserve':
        return (this.#last = wallet.reserve(at, { id: `t${action.turn}`, conversationId: 'c', entitlement }));
      case 'settle':
        return (this.#last = wallet.settle(at, { id: `t${action.turn}`, messageId: 'm', what: 'reply' }));
      case 'release':
        return (this.#last = wallet.release(at, {
          id: `t${action.turn}`,
          conversationId: 'c',
          messageId: null,
          what: 'reply',
        }));
      case 'give':
        return (this.#last = wallet.grant(at, `g${action.gift}`, { kind: 'invite' }).points);
      case 'buy':
        return (this.#last = wallet.payForCharacter(at, `x${action.character}`));
      case 'refund':
        return (this.#last = wallet.refundCharacter(at, `x${action.character}`));
      case 'look':
        return (this.#last = wallet.getStatus(at, entitlement));
    }
  }

  /** Updates the expected state and checks the answer. */
  #updateExpected(action: Action, answer: unknown): void {
    const { rules, now, turns } = this;
    const setsZone = action.do === 'reserve' || action.do === 'look';
    // A repeated turn is answered without a look at the time zone or the day.
    const isRepeated = action.do === 'reserve' && (answer as { again?: boolean }).again === true;
    if (setsZone && !isRepeated) this.#zone = this.entitlement.timeZone ?? this.#zone;
    if (!isRepeated) this.#day = Math.max(this.#day, getLocalDate(this.#zone, now));
    if ((setsZone && !isRepeated) || action.do === 'buy') {
      for (const [id, known] of turns)
        if (known.state === 'held' && known.at < now - HOUR_MS)
          turns.set(id, { ...known, state: 'released' });
    }
    if (action.do === 'reserve') {
      const known = turns.get(action.turn);
      const { ok } = answer as { ok: boolean };
      if (isRepeated) expect(known?.state).toBe('held');
      else if (known !== undefined) expect(ok).toBe(false);
      else if (ok) {
        const covered = this.entitlement.unlimited;
        const writing = [...turns.values()].filter((one) => one.state === 'held' && !one.covered).length;
        if (!covered)
          expect((this.#spentOn.get(this.#day) ?? 0) + writing).toBeLessThan(
            rules.dailyMessageLimit ?? Infinity,
          );
        turns.set(action.turn, {
          state: 'held',
          cost: covered ? 0 : rules.messageCostPoints,
          covered,
          at: now,
        });
      } else {
        expect(this.entitlement.unlimited).toBe(false);
        const { code, points } = answer as { code: string; points: PointsStatus };
        if (code === 'points_exhausted')
          expect(points.current_points + points.permanent_points).toBeLessThan(rules.messageCostPoints);
        else expect(points.daily_messages_used).toBeGreaterThanOrEqual(rules.dailyMessageLimit ?? Infinity);
      }
    } else if (action.do === 'settle' || action.do === 'release') {
      const known = turns.get(action.turn);
      if (known?.state === 'held') {
        turns.set(action.turn, { ...known, state: action.do === 'settle' ? 'settled' : 'released' });
        if (action.do === 'settle' && !known.covered)
          this.#spentOn.set(this.#day, (this.#spentOn.get(this.#day) ?? 0) + 1);
      } else if (known === undefined && action.do === 'release')
        turns.set(action.turn, { state: 'released', cost: 0, covered: false, at: now });
    } else if (action.do === 'give') {
      if (!this.gifts.has(action.gift)) this.gifts.set(action.gift, rules.invitePoints);
    } else if (action.do === 'buy') {
      const known = this.bought.get(action.character);
      const { ok } = answer as { ok: boolean };
      if (known !== undefined) expect(ok).toBe(!known.back);
      else if (ok) this.bought.set(action.character, { cost: rules.characterCostPoints, back: false });
    } else if (action.do === 'refund') {
      const cost = this.bought.get(action.character)?.cost ?? 0;
      this.bought.set(action.character, { cost, back: true });
    }
  }

  /** Checks that the ledger and the balance match the expected state. */
  expectConsistent(): void {
    const { wallet, turns } = this;
    expect(wallet.check()).toMatchObject({ isBalanced: true });
    const before = this.#database.store.readBalance();
    const { items } = wallet.ledger(this.#at, undefined, 100_000);
    this.#day = Math.max(this.#day, getLocalDate(this.#zone, this.now));
    const sum = (kinds: string[]): number =>
      items.filter(({ kind }) => kinds.includes(kind)).reduce((total, { amount }) => total + amount, 0);
    const settled = [...turns.values()].filter(({ state }) => state === 'settled');
    const paid = (all: { cost: number }[]): number => all.reduce((total, { cost }) => total + cost, 0);
    // Each message is charged once, only if it succeeded, and at the reserved price.
    expect(0 - sum(['message'])).toBe(paid(settled));
    expect(items.filter(({ kind }) => kind === 'message')).toHaveLength(
      settled.filter(({ covered }) => !covered).length,
    );
    expect(items.filter(({ kind }) => kind === 'message_covered').map(({ amount }) => amount)).toEqual(
      settled.filter(({ covered }) => covered).map(() => 0),
    );
    expect(sum(['message_free', 'message_covered'])).toBe(0);
    expect(sum(['opening'])).toBe(this.#opening);
    expect(sum(['invite'])).toBe([...this.gifts.values()].reduce((total, points) => total + points, 0));
    expect(0 - sum(['character', 'character_refund'])).toBe(
      paid([...this.bought.values()].filter(({ back }) => !back)),
    );
    // Points are refilled only after the interval, and only up to the limit.
    const { refillEveryMs, refillToPoints } = this.rules;
    const balance = this.#database.store.readBalance();
    const refilled = sum(['refill']);
    const wasFilledAt = before?.refilledAt ?? NaN;
    const due = this.now >= wasFilledAt + refillEveryMs;
    expect(refilled - this.#refilled).toBe(due ? Math.max(0, refillToPoints - (before?.current ?? NaN)) : 0);
    expect(((balance?.refilledAt ?? NaN) - wasFilledAt) % refillEveryMs).toBe(0);
    expect(this.now - (balance?.refilledAt ?? NaN)).toBeLessThan(refillEveryMs);
    this.#refilled = refilled;
    // Reservations cover the turns in progress.
    const held = this.#database.store.getHeld();
    const writing = [...turns.values()].filter(({ state }) => state === 'held');
    expect(held.fromCurrent + held.fromPermanent).toBe(paid(writing));
    expect(held.turns).toBe(writing.filter(({ covered }) => !covered).length);
    // Each change has an id, and so do changes caused by time.
    const byTime = items.filter(({ kind }) => kind === 'opening' || kind === 'refill');
    expect(new Set(byTime.map((entry) => entry.event_id)).size).toBe(byTime.length);
    expect(items.every((entry) => typeof entry.event_id === 'string')).toBe(true);
    // Every day is counted once.
    expect(balance?.day).toBe(this.#day);
    expect(balance?.dailyUsed).toBe(this.#spentOn.get(this.#day) ?? 0);
    expect((balance?.current ?? -1) + (balance?.permanent ?? -1)).toBe(items[0]?.balance_after);
  }

  /** The announced times lie in the future, and the day ends with its local date. */
  expectTimes(): void {
    const status = this.wallet.getStatus(this.#at, null);
    const resets = Date.parse(status.daily_resets_at);
    expect(resets).toBeGreaterThan(this.now);
    expect(getLocalDate(this.#zone, resets)).toBeGreaterThan(this.#day);
    expect(getLocalDate(this.#zone, resets - 60_000)).toBeLessThanOrEqual(this.#day);
    expect(Date.parse(status.refills_at)).toBeGreaterThan(this.now);
  }
}

describe('Wallet under failures', () => {
  test('every point is explained, nothing is charged twice or for nothing, and no day is counted again', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...BEGINNINGS),
        rules,
        fc.constantFrom(...ZONES),
        fc.array(step, { maxLength: 80, size: 'max' }),
        (beginning, byRules, timeZone, steps) => {
          const modelled = new ModelledWallet(beginning, byRules, { unlimited: false, timeZone });
          for (const one of steps) {
            if (one.kind === 'wait') modelled.now = Math.min(modelled.now + one.ms, beginning + LIFE_MS);
            else if (one.kind === 'stand') modelled.entitlement = one.entitlement;
            else if (one.kind === 'rules') modelled.rules = one.rules;
            else {
              const action = modelled.aim(one.action);
              modelled.act(action, one.crashesAt);
              if (one.repeats) modelled.act(action, null);
            }
            modelled.expectConsistent();
          }
          modelled.expectTimes();
        },
      ),
      { numRuns: 80 },
    );
  }, 60_000);
});
