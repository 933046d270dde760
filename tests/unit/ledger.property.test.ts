import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PointsStatus } from '../../src/features/wallet/contract.ts';
import type { Rules, Entitlement } from '../../src/features/wallet/ledger.ts';
import { LedgerStore } from '../../src/features/wallet/ledger-store.ts';
import { WALLET_MIGRATIONS } from '../../src/features/wallet/wallet-migrations.ts';
import { Wallet } from '../../src/features/wallet/wallet.ts';
import { createSqlStorage } from '../support/sql-storage.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Turns are not asked about again when they are older. */
const LIFE_MS = 29 * DAY_MS;

/** Places whose clocks change at other moments, by other steps, or at midnight itself; and the ends of the world. */
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
/** Some hours before clocks change somewhere. */
const BEGINNINGS = [
  Date.UTC(2026, 2, 28, 12),
  Date.UTC(2026, 9, 24, 20),
  Date.UTC(2026, 2, 8, 1),
  Date.UTC(2026, 10, 1, 1),
  Date.UTC(2026, 3, 4, 10),
  Date.UTC(2026, 3, 23, 18),
];

type Deed =
  | { do: 'reserve' | 'settle' | 'release'; turn: number }
  | { do: 'give'; gift: number }
  | { do: 'buy' | 'refund'; character: number }
  | { do: 'look' };
type Step =
  | { kind: 'deed'; deed: Deed; crashesAt: number | null; repeats: boolean }
  | { kind: 'wait'; ms: number }
  | { kind: 'stand'; standing: Entitlement }
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
const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('reserve' as const), turn }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('settle' as const), turn }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('release' as const), turn }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('give' as const), gift: fc.nat(4) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('buy' as const, 'refund' as const), character: fc.nat(6) }),
  },
  { weight: 1, arbitrary: fc.constant<Deed>({ do: 'look' }) },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant('deed' as const),
      deed,
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
      standing: fc.record({ unlimited: fc.boolean(), timeZone: fc.constantFrom(...ZONES) }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rules' as const), rules }) },
);

/** A wallet's tables in Node; the power fails before any statement, when a test says so. */
function walletWorld() {
  const database = new DatabaseSync(':memory:');
  for (const migration of WALLET_MIGRATIONS) database.exec(migration);
  const { exec } = createSqlStorage(database);
  const power = { leftFor: Infinity };
  const sql = {
    exec: (...asked: Parameters<typeof exec>) => {
      power.leftFor -= 1;
      if (power.leftFor < 0) throw new Error('the power failed');
      return exec(...asked);
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
    ['balance', 'reservations', 'ledger', 'gifts', 'purchases', 'model_spend'].map((table) =>
      database.prepare(`select * from ${table} order by rowid`).all(),
    );
  return { store: new LedgerStore(sql), atomically, power, all };
}

/** The date somewhere, told by the calendar and not by the code under test. */
const dateIn = (zone: string | null, now: number): number =>
  Date.parse(CALENDARS.get(zone)?.format(now) ?? '') / DAY_MS;
// Swedes write their dates as the standard does.
const CALENDARS = new Map(
  ZONES.map((zone) => [zone, new Intl.DateTimeFormat('sv-SE', { timeZone: zone ?? 'UTC' })]),
);

/** What a test knows of a turn. `cost` is what was held when it began. */
interface KnownTurn {
  state: 'held' | 'settled' | 'released';
  cost: number;
  covered: boolean;
  at: number;
}

/** One person's wallet, and beside it what must be true of it whatever happens. */
class Life {
  readonly #world = walletWorld();
  readonly wallet = new Wallet(this.#world.store, this.#world.atomically);
  readonly turns = new Map<number, KnownTurn>();
  readonly gifts = new Map<number, number>();
  readonly bought = new Map<number, { cost: number; back: boolean }>();
  now: number;
  rules: Rules;
  standing: Entitlement;
  /** The zone that the wallet was told last, and the furthest of its dates. */
  #zone: string | null = null;
  #day: number;
  /** Messages that were paid for on each day that was counted. */
  readonly #spentOn = new Map<number, number>();
  readonly #opening: number;
  #refilled = 0;

  constructor(now: number, rules: Rules, standing: Entitlement) {
    this.now = now;
    this.rules = rules;
    this.standing = standing;
    this.#opening = rules.startPoints;
    this.#day = dateIn(null, now);
    this.wallet.getStatus(this.#at, null);
  }

  get #at() {
    return { now: this.now, rules: this.rules };
  }

  /** Mostly what happens: a turn that begins is a new one, and one that ends is being written. */
  aimed(deed: Deed): Deed {
    if (!('turn' in deed) || deed.turn % 3 === 0) return deed;
    const writing = [...this.turns].flatMap(([id, { state }]) => (state === 'held' ? [id] : []));
    const turn = deed.do === 'reserve' ? 100 + this.turns.size : writing[deed.turn % writing.length];
    return turn === undefined ? deed : { ...deed, turn };
  }

  /** Does something, crashing on the way first when it should: then nothing of it may be left. */
  act(deed: Deed, crashesAt: number | null): void {
    if (crashesAt !== null) {
      const before = this.#world.all();
      this.#world.power.leftFor = crashesAt;
      let failed = false;
      try {
        this.#do(deed);
      } catch {
        failed = true;
      }
      this.#world.power.leftFor = Infinity;
      if (!failed) return this.#note(deed, this.#last);
      expect(this.#world.all()).toEqual(before);
    }
    this.#note(deed, this.#do(deed));
  }

  #last: unknown;

  #do(deed: Deed): unknown {
    const at = this.#at;
    const { wallet, standing } = this;
    switch (deed.do) {
      case 'reserve':
        return (this.#last = wallet.reserve(at, { id: `t${deed.turn}`, conversationId: 'c', standing }));
      case 'settle':
        return (this.#last = wallet.settle(at, { id: `t${deed.turn}`, messageId: 'm', what: 'reply' }));
      case 'release':
        return (this.#last = wallet.release(at, {
          id: `t${deed.turn}`,
          conversationId: 'c',
          messageId: null,
          what: 'reply',
        }));
      case 'give':
        return (this.#last = wallet.grant(at, `g${deed.gift}`, { kind: 'invite' }).points);
      case 'buy':
        return (this.#last = wallet.payForCharacter(at, `x${deed.character}`));
      case 'refund':
        return (this.#last = wallet.refundCharacter(at, `x${deed.character}`));
      case 'look':
        return (this.#last = wallet.getStatus(at, standing));
    }
  }

  /** What it must have come to. */
  #note(deed: Deed, answer: unknown): void {
    const { rules, now, turns } = this;
    const tells = deed.do === 'reserve' || deed.do === 'look';
    // A turn that is asked for again is answered without looking at anything else.
    const again = deed.do === 'reserve' && (answer as { again?: boolean }).again === true;
    if (tells && !again) this.#zone = this.standing.timeZone ?? this.#zone;
    if (!again) this.#day = Math.max(this.#day, dateIn(this.#zone, now));
    if ((tells && !again) || deed.do === 'buy') {
      for (const [id, known] of turns)
        if (known.state === 'held' && known.at < now - HOUR_MS)
          turns.set(id, { ...known, state: 'released' });
    }
    if (deed.do === 'reserve') {
      const known = turns.get(deed.turn);
      const { ok } = answer as { ok: boolean };
      if (again) expect(known?.state).toBe('held');
      else if (known !== undefined) expect(ok).toBe(false);
      else if (ok) {
        const covered = this.standing.unlimited;
        const writing = [...turns.values()].filter((one) => one.state === 'held' && !one.covered).length;
        if (!covered)
          expect((this.#spentOn.get(this.#day) ?? 0) + writing).toBeLessThan(
            rules.dailyMessageLimit ?? Infinity,
          );
        turns.set(deed.turn, {
          state: 'held',
          cost: covered ? 0 : rules.messageCostPoints,
          covered,
          at: now,
        });
      } else {
        expect(this.standing.unlimited).toBe(false);
        const { code, points } = answer as { code: string; points: PointsStatus };
        if (code === 'points_exhausted')
          expect(points.current_points + points.permanent_points).toBeLessThan(rules.messageCostPoints);
        else expect(points.daily_messages_used).toBeGreaterThanOrEqual(rules.dailyMessageLimit ?? Infinity);
      }
    } else if (deed.do === 'settle' || deed.do === 'release') {
      const known = turns.get(deed.turn);
      if (known?.state === 'held') {
        turns.set(deed.turn, { ...known, state: deed.do === 'settle' ? 'settled' : 'released' });
        if (deed.do === 'settle' && !known.covered)
          this.#spentOn.set(this.#day, (this.#spentOn.get(this.#day) ?? 0) + 1);
      } else if (known === undefined && deed.do === 'release')
        turns.set(deed.turn, { state: 'released', cost: 0, covered: false, at: now });
    } else if (deed.do === 'give') {
      if (!this.gifts.has(deed.gift)) this.gifts.set(deed.gift, rules.invitePoints);
    } else if (deed.do === 'buy') {
      const known = this.bought.get(deed.character);
      const { ok } = answer as { ok: boolean };
      if (known !== undefined) expect(ok).toBe(!known.back);
      else if (ok) this.bought.set(deed.character, { cost: rules.characterCostPoints, back: false });
    } else if (deed.do === 'refund') {
      const cost = this.bought.get(deed.character)?.cost ?? 0;
      this.bought.set(deed.character, { cost, back: true });
    }
  }

  /** What holds at every moment. */
  expectWhole(): void {
    const { wallet, turns } = this;
    expect(wallet.check()).toMatchObject({ isBalanced: true });
    const before = this.#world.store.readBalance();
    const { items } = wallet.ledger(this.#at, undefined, 100_000);
    this.#day = Math.max(this.#day, dateIn(this.#zone, this.now));
    const sum = (kinds: string[]): number =>
      items.filter(({ kind }) => kinds.includes(kind)).reduce((total, { amount }) => total + amount, 0);
    const settled = [...turns.values()].filter(({ state }) => state === 'settled');
    const paid = (all: { cost: number }[]): number => all.reduce((total, { cost }) => total + cost, 0);
    // Nobody pays twice, nor for what failed, nor another price than the one that was held.
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
    // Points come by themselves when the hours have passed, and only then, and only up to what is full.
    const { refillEveryMs, refillToPoints } = this.rules;
    const balance = this.#world.store.readBalance();
    const refilled = sum(['refill']);
    const wasFilledAt = before?.refilledAt ?? NaN;
    const due = this.now >= wasFilledAt + refillEveryMs;
    expect(refilled - this.#refilled).toBe(due ? Math.max(0, refillToPoints - (before?.current ?? NaN)) : 0);
    expect(((balance?.refilledAt ?? NaN) - wasFilledAt) % refillEveryMs).toBe(0);
    expect(this.now - (balance?.refilledAt ?? NaN)).toBeLessThan(refillEveryMs);
    this.#refilled = refilled;
    // What is being written holds its price, and the rest is there to spend.
    const held = this.#world.store.getHeld();
    const writing = [...turns.values()].filter(({ state }) => state === 'held');
    expect(held.fromCurrent + held.fromPermanent).toBe(paid(writing));
    expect(held.turns).toBe(writing.filter(({ covered }) => !covered).length);
    // Each change has a name, and what time brings has one of its own.
    const byTime = items.filter(({ kind }) => kind === 'opening' || kind === 'refill');
    expect(new Set(byTime.map((entry) => entry.event_id)).size).toBe(byTime.length);
    expect(items.every((entry) => typeof entry.event_id === 'string')).toBe(true);
    // Every day is counted once, and none of them again.
    expect(balance?.day).toBe(this.#day);
    expect(balance?.dailyUsed).toBe(this.#spentOn.get(this.#day) ?? 0);
    expect((balance?.current ?? -1) + (balance?.permanent ?? -1)).toBe(items[0]?.balance_after);
  }

  /** The times that are told are still to come, and the day ends where its date does. */
  expectTimes(): void {
    const status = this.wallet.getStatus(this.#at, null);
    const resets = Date.parse(status.daily_resets_at);
    expect(resets).toBeGreaterThan(this.now);
    expect(dateIn(this.#zone, resets)).toBeGreaterThan(this.#day);
    expect(dateIn(this.#zone, resets - 60_000)).toBeLessThanOrEqual(this.#day);
    expect(Date.parse(status.refills_at)).toBeGreaterThan(this.now);
  }
}

describe('Whatever I do, wherever I travel and whenever the power fails', () => {
  test('every point is explained, nothing is paid twice or for nothing, and no day comes again', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...BEGINNINGS),
        rules,
        fc.constantFrom(...ZONES),
        fc.array(step, { maxLength: 80, size: 'max' }),
        (beginning, byRules, timeZone, steps) => {
          const life = new Life(beginning, byRules, { unlimited: false, timeZone });
          for (const one of steps) {
            if (one.kind === 'wait') life.now = Math.min(life.now + one.ms, beginning + LIFE_MS);
            else if (one.kind === 'stand') life.standing = one.standing;
            else if (one.kind === 'rules') life.rules = one.rules;
            else {
              const deed = life.aimed(one.deed);
              life.act(deed, one.crashesAt);
              if (one.repeats) life.act(deed, null);
            }
            life.expectWhole();
          }
          life.expectTimes();
        },
      ),
      { numRuns: 80 },
    );
  }, 60_000);
});
