import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RunningSpend } from '../../../../src/features/model/daily-spend-gateway.ts';
import {
  toCents,
  isLimitReached,
  calculateMaxSpend,
  toPrices,
  calculateSpend,
} from '../../../../src/features/model/spend.ts';
import { checkModelQuota, type ModelQuota } from '../../../../src/features/wallet/ledger.ts';

describe('Model spend', () => {
  test("the spend is the tokens read and written at the operator's price per million", () => {
    const prices = toPrices({ inputPrice: 0.27, outputPrice: 1.1 });
    const spend = calculateSpend(prices, 1_000_000, 1_000_000);
    expect(spend).toEqual({ tokens: 2_000_000, micros: 1_370_000 });
    expect(toCents(spend)).toBe(137);
    expect(calculateSpend(prices, 10, 1)).toEqual({ tokens: 11, micros: 4 });
  });

  test('the spend has only tokens when a price is missing', () => {
    expect(toPrices({ inputPrice: 1 })).toBeUndefined();
    expect(calculateSpend(undefined, 70, 30)).toEqual({ tokens: 100, micros: 0 });
  });

  test('the maximum spend covers the whole context and reply', () => {
    expect(calculateMaxSpend({ contextTokens: 16_000 }, 1000)).toEqual({ tokens: 16_000, micros: 0 });
    expect(calculateMaxSpend({ contextTokens: 16_000, prices: { input: 1, output: 10 } }, 1000)).toEqual({
      tokens: 16_000,
      micros: 25_000,
    });
  });

  test('a limit is reached by either measure, and no limit is never reached', () => {
    expect(isLimitReached({ tokens: 100, cents: null }, { tokens: 99, micros: 1e12 })).toBe(false);
    expect(isLimitReached({ tokens: 100, cents: null }, { tokens: 100, micros: 0 })).toBe(true);
    expect(isLimitReached({ tokens: null, cents: 5 }, { tokens: 1e12, micros: 49_999 })).toBe(false);
    expect(isLimitReached({ tokens: null, cents: 5 }, { tokens: 0, micros: 50_000 })).toBe(true);
    expect(isLimitReached({ tokens: null, cents: null }, { tokens: 1e15, micros: 1e15 })).toBe(false);
  });
});

describe('Running model calls', () => {
  test('a running call counts with its maximum, and for ten seconds after its end with its actual spend', () => {
    const running = new RunningSpend(60_000);
    const ends = [1, 2].map(() => running.start({ tokens: 100, micros: 10 }, 0));
    expect(running.sum(0)).toEqual({ tokens: 200, micros: 20 });
    ends[0]?.({ tokens: 30, micros: 3 }, 1000);
    // Ending a call twice counts once.
    ends[0]?.({ tokens: 30, micros: 3 }, 1000);
    expect(running.sum(1000)).toEqual({ tokens: 130, micros: 13 });
    expect(running.sum(11_000)).toEqual({ tokens: 100, micros: 10 });
  });

  test('a call whose end is never reported stops counting after its maximum duration', () => {
    const running = new RunningSpend(60_000);
    const end = running.start({ tokens: 100, micros: 10 }, 1000);
    expect(running.sum(60_999)).toEqual({ tokens: 100, micros: 10 });
    expect(running.sum(61_000)).toEqual({ tokens: 0, micros: 0 });
    end({ tokens: 100, micros: 10 }, 62_000);
    expect(running.sum(62_000)).toEqual({ tokens: 0, micros: 0 });
  });
});

describe('Daily model quota', () => {
  const bounds = (tokens: number): ModelQuota => ({ repliesAtOnce: 1000, perDay: { tokens, cents: null } });

  test("a user's daily spend never exceeds the quota by a whole reply, however many start at once", () => {
    const call = fc.record({
      begins: fc.boolean(),
      which: fc.nat(50),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50_000 }),
        fc.integer({ min: 1, max: 16_000 }),
        fc.array(call, { maxLength: 200, size: 'max' }),
        (bound, most, calls) => {
          let spent = 0;
          let replies = 0;
          for (const { begins, share } of calls) {
            const running = { replies, tokens: replies * most, micros: 0 };
            if (begins && checkModelQuota(bounds(bound), { tokens: spent, micros: 0 }, running) === null)
              replies += 1;
            else if (!begins && replies > 0) {
              replies -= 1;
              spent += Math.floor(share * most);
            }
            expect(spent + replies * most).toBeLessThan(bound + most);
          }
        },
      ),
    );
  });

  test('a user can have only a limited number of replies written at once', () => {
    const threeAtOnce: ModelQuota = { repliesAtOnce: 3, perDay: { tokens: null, cents: null } };
    const nothing = { tokens: 0, micros: 0 };
    expect(checkModelQuota(threeAtOnce, nothing, { replies: 2, ...nothing })).toBeNull();
    expect(checkModelQuota(threeAtOnce, nothing, { replies: 3, ...nothing })).toBe('too_many_replies');
  });
});
