import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RUNTIME_CONFIG_DEFAULTS } from '../../../../src/features/runtime-config/defaults.ts';
import {
  applyElapsedTime,
  type Balance,
  grantPoints,
  reserveMessage,
  type Hold,
  getNextChanges,
  createBalance,
  chargePoints,
  refundPoints,
  type Rules,
  toRules,
  chargeMessage,
  reservePoints,
} from '../../../../src/features/wallet/ledger.ts';

const FREE_RULES = toRules(RUNTIME_CONFIG_DEFAULTS);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** In the morning, so that some hours later it is still the same day. */
const MORNING = Date.UTC(2026, 4, 4, 6);
const NOTHING_HELD = { fromCurrent: 0, fromPermanent: 0, turns: 0 };

describe('Points', () => {
  test('a new balance has fifty points, none of them permanent', () => {
    expect(createBalance(FREE_RULES, MORNING)).toMatchObject({
      current: 50,
      permanent: 0,
      dailyUsed: 0,
      refilledAt: MORNING,
    });
    expect(FREE_RULES).toMatchObject({
      refillToPoints: 50,
      refillEveryMs: 8 * HOUR_MS,
      messageCostPoints: 1,
      dailyMessageLimit: 100,
    });
  });

  test('a new balance counts the day of the user’s time zone', () => {
    const evening = Date.UTC(2026, 0, 16, 2);
    const created = createBalance(FREE_RULES, evening, 'America/New_York');
    const used = { ...created, dailyUsed: 100 };
    const midnight = Date.UTC(2026, 0, 16, 5);
    expect(getNextChanges(used, FREE_RULES).dailyResetsAt).toBe(midnight);
    expect(applyElapsedTime(used, FREE_RULES, midnight - 1).balance.dailyUsed).toBe(100);
    expect(applyElapsedTime(used, FREE_RULES, midnight).balance.dailyUsed).toBe(0);
  });

  test('points are refilled after exactly eight hours', () => {
    const spent = { ...createBalance(FREE_RULES, MORNING), current: 12 };
    expect(applyElapsedTime(spent, FREE_RULES, MORNING + 8 * HOUR_MS - 1)).toEqual({
      balance: spent,
      refilled: 0,
    });
    expect(applyElapsedTime(spent, FREE_RULES, MORNING + 8 * HOUR_MS)).toEqual({
      balance: { ...spent, current: 50, refilledAt: MORNING + 8 * HOUR_MS },
      refilled: 38,
    });
  });

  test('refills keep their rhythm, however late the balance is read', () => {
    const created = createBalance(FREE_RULES, MORNING);
    const { balance } = applyElapsedTime({ ...created, current: 0 }, FREE_RULES, MORNING + 3.9 * 8 * HOUR_MS);
    expect(balance.refilledAt).toBe(MORNING + 3 * 8 * HOUR_MS);
    expect(getNextChanges(balance, FREE_RULES).refillsAt).toBe(MORNING + 4 * 8 * HOUR_MS);
  });

  test('a refill never removes points', () => {
    const rich = { ...createBalance(FREE_RULES, MORNING), current: 80 };
    const { balance, refilled } = applyElapsedTime(rich, FREE_RULES, MORNING + 9 * HOUR_MS);
    expect([balance.current, refilled]).toEqual([80, 0]);
  });

  test('granted points are permanent and not counted by refills', () => {
    const spent = { ...createBalance(FREE_RULES, MORNING), current: 7 };
    const granted = grantPoints(spent, 10);
    expect(granted).toEqual({ ...spent, permanent: 10 });
    const { balance, refilled } = applyElapsedTime(granted, FREE_RULES, MORNING + 8 * HOUR_MS);
    expect(balance).toMatchObject({ current: 50, permanent: 10 });
    expect(refilled).toBe(43);
  });

  test('the daily messages start again at midnight UTC', () => {
    const used = { ...createBalance(FREE_RULES, MORNING), dailyUsed: 100 };
    expect(applyElapsedTime(used, FREE_RULES, MORNING + 17.99 * HOUR_MS).balance.dailyUsed).toBe(100);
    expect(applyElapsedTime(used, FREE_RULES, MORNING + 18 * HOUR_MS).balance.dailyUsed).toBe(0);
    expect(getNextChanges(used, FREE_RULES).dailyResetsAt).toBe(Date.UTC(2026, 4, 5));
  });

  test('a clock that runs backwards changes nothing', () => {
    const balance = { ...createBalance(FREE_RULES, MORNING), current: 3, dailyUsed: 9 };
    expect(applyElapsedTime(balance, FREE_RULES, MORNING - 2 * DAY_MS)).toEqual({ balance, refilled: 0 });
  });

  test('points that are not permanent are spent first, also within one message', () => {
    const rules: Rules = { ...FREE_RULES, messageCostPoints: 3 };
    const balance = { ...createBalance(rules, MORNING), current: 2, permanent: 5 };
    expect(reserveMessage(balance, NOTHING_HELD, rules)).toEqual({
      ok: true,
      hold: { fromCurrent: 2, fromPermanent: 1 },
    });
  });

  test('points paid for a character are refunded by kind, also after a refill', () => {
    const balance = { ...createBalance(FREE_RULES, MORNING), current: 3, permanent: 4 };
    expect(reservePoints(balance, NOTHING_HELD, 8)).toBeNull();
    expect(reservePoints(balance, { fromCurrent: 1, fromPermanent: 2 }, 5)).toBeNull();
    const paid = reservePoints(balance, NOTHING_HELD, 5) as Hold;
    expect(paid).toEqual({ fromCurrent: 3, fromPermanent: 2 });
    const after = chargePoints(balance, paid);
    expect(after).toEqual({ ...balance, current: 0, permanent: 2 });
    expect(refundPoints(after, paid)).toEqual(balance);
    const full = applyElapsedTime(after, FREE_RULES, MORNING + 8 * HOUR_MS).balance;
    expect(refundPoints(full, paid)).toMatchObject({ current: 53, permanent: 4 });
  });

  test('points reserved by other replies cannot be reserved again', () => {
    const balance = { ...createBalance(FREE_RULES, MORNING), current: 1, permanent: 1 };
    expect(reserveMessage(balance, { fromCurrent: 1, fromPermanent: 0, turns: 1 }, FREE_RULES)).toEqual({
      ok: true,
      hold: { fromCurrent: 0, fromPermanent: 1 },
    });
    expect(reserveMessage(balance, { fromCurrent: 1, fromPermanent: 1, turns: 2 }, FREE_RULES)).toEqual({
      ok: false,
      code: 'points_exhausted',
    });
  });

  test('a message covered by a membership costs no points and no daily message', () => {
    const balance = { ...createBalance(FREE_RULES, MORNING), dailyUsed: 7 };
    const nothing = { fromCurrent: 0, fromPermanent: 0 };
    expect(chargeMessage(balance, { ...nothing, unlimited: true })).toEqual(balance);
    expect(chargeMessage(balance, { fromCurrent: 1, fromPermanent: 0, unlimited: false })).toMatchObject({
      current: 49,
      dailyUsed: 8,
    });
  });

  test('the daily limit counts replies in progress and applies whatever points are left', () => {
    const balance = { ...createBalance(FREE_RULES, MORNING), dailyUsed: 98 };
    expect(reserveMessage(balance, { fromCurrent: 1, fromPermanent: 0, turns: 1 }, FREE_RULES).ok).toBe(true);
    expect(reserveMessage(balance, { fromCurrent: 2, fromPermanent: 0, turns: 2 }, FREE_RULES)).toEqual({
      ok: false,
      code: 'daily_limit_reached',
    });
    expect(
      reserveMessage(
        balance,
        { fromCurrent: 2, fromPermanent: 0, turns: 2 },
        { ...FREE_RULES, dailyMessageLimit: null },
      ).ok,
    ).toBe(true);
  });
});

type Step =
  | { do: 'reserve' }
  | { do: 'settle' | 'release' | 'back'; which: number }
  | { do: 'buy'; points: number }
  | { do: 'wait'; ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Step>({ do: 'reserve' }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('settle' as const, 'release' as const), which: fc.nat(9) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('buy' as const), points: fc.integer({ min: 1, max: 6 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('back' as const), which: fc.nat(9) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.oneof(fc.integer({ min: -5000, max: 60_000 }), fc.integer({ min: 0, max: 3 * DAY_MS })),
    }),
  },
);

const rules: fc.Arbitrary<Rules> = fc.record({
  startPoints: fc.nat(12),
  refillToPoints: fc.nat(12),
  refillEveryMs: fc.constantFrom(HOUR_MS, 8 * HOUR_MS),
  messageCostPoints: fc.integer({ min: 1, max: 4 }),
  dailyMessageLimit: fc.option(fc.integer({ min: 1, max: 8 })),
  characterCostPoints: fc.nat(6),
  invitePoints: fc.nat(6),
  models: fc.constant({ repliesAtOnce: 1000, perDay: { tokens: null, cents: null } }),
});

describe('Any order of changes', () => {
  test('points are never lost, created or negative', () => {
    fc.assert(
      fc.property(
        rules,
        fc.nat(5),
        fc.array(step, { maxLength: 60, size: 'max' }),
        (byRules, permanent, steps) => {
          let now = MORNING;
          let balance: Balance = { ...createBalance(byRules, now), permanent };
          let holds: Hold[] = [];
          let bought: Hold[] = [];
          // The balance according to the ledger: the opening and all changes after it.
          let explained = byRules.startPoints + permanent;
          const getReserved = () => ({
            fromCurrent: holds.reduce((sum, one) => sum + one.fromCurrent, 0),
            fromPermanent: holds.reduce((sum, one) => sum + one.fromPermanent, 0),
            turns: holds.length,
          });
          for (const one of steps) {
            if (one.do === 'wait') now += one.ms;
            const timely = applyElapsedTime(balance, byRules, now);
            expect(timely.refilled).toBeGreaterThanOrEqual(0);
            expect(timely.balance.current).toBeLessThanOrEqual(
              Math.max(balance.current, byRules.refillToPoints),
            );
            balance = timely.balance;
            explained += timely.refilled;
            if (one.do === 'reserve') {
              const free =
                balance.current + balance.permanent - getReserved().fromCurrent - getReserved().fromPermanent;
              const result = reserveMessage(balance, getReserved(), byRules);
              if (result.ok) {
                expect(result.hold.fromCurrent + result.hold.fromPermanent).toBe(byRules.messageCostPoints);
                holds.push(result.hold);
              } else if (result.code === 'points_exhausted') {
                expect(free).toBeLessThan(byRules.messageCostPoints);
              } else {
                expect(balance.dailyUsed + holds.length).toBeGreaterThanOrEqual(
                  byRules.dailyMessageLimit ?? Infinity,
                );
              }
            } else if (one.do === 'buy') {
              const free =
                balance.current + balance.permanent - getReserved().fromCurrent - getReserved().fromPermanent;
              const paid = reservePoints(balance, getReserved(), one.points);
              expect(paid === null).toBe(free < one.points);
              if (paid !== null) {
                expect(paid.fromCurrent + paid.fromPermanent).toBe(one.points);
                balance = chargePoints(balance, paid);
                bought.push(paid);
                explained -= one.points;
              }
            } else if (one.do === 'back') {
              const paid = bought[one.which % Math.max(1, bought.length)];
              if (paid !== undefined) {
                balance = refundPoints(balance, paid);
                bought = bought.filter((other) => other !== paid);
                explained += paid.fromCurrent + paid.fromPermanent;
              }
            } else if (one.do !== 'wait' && holds.length > 0) {
              const index = one.which % holds.length;
              if (one.do === 'settle') {
                balance = chargeMessage(balance, { ...(holds[index] as Hold), unlimited: false });
                explained -= byRules.messageCostPoints;
              }
              holds = holds.toSpliced(index, 1);
            }
            expect(balance.current + balance.permanent).toBe(explained);
            expect(balance.current - getReserved().fromCurrent).toBeGreaterThanOrEqual(0);
            expect(balance.permanent - getReserved().fromPermanent).toBeGreaterThanOrEqual(0);
            if (byRules.dailyMessageLimit !== null) {
              expect(balance.dailyUsed + holds.length).toBeLessThanOrEqual(byRules.dailyMessageLimit);
            }
            expect(getNextChanges(balance, byRules).refillsAt).toBeGreaterThan(now);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  test('applying elapsed time twice is the same as once', () => {
    fc.assert(
      fc.property(rules, fc.nat(12), fc.nat(10 * DAY_MS), (byRules, current, ms) => {
        const first = applyElapsedTime(
          { ...createBalance(byRules, MORNING), current, dailyUsed: 3 },
          byRules,
          MORNING + ms,
        ).balance;
        expect(applyElapsedTime(first, byRules, MORNING + ms)).toEqual({ balance: first, refilled: 0 });
      }),
    );
  });
});
