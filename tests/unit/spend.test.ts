import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RunningSpend } from '../../src/features/model/running-spend.ts';
import {
  toCents,
  isLimitReached,
  calculateMaxSpend,
  toPrices,
  calculateSpend,
} from '../../src/features/model/spend.ts';
import { checkModelQuota, type ModelQuota } from '../../src/features/wallet/model-quota.ts';

describe('What a model comes to', () => {
  test('is what it read and wrote, at the operator’s prices for a million tokens', () => {
    const prices = toPrices({ inputPrice: 0.27, outputPrice: 1.1 });
    const spend = calculateSpend(prices, 1_000_000, 1_000_000);
    expect(spend).toEqual({ tokens: 2_000_000, micros: 1_370_000 });
    expect(toCents(spend)).toBe(137);
    expect(calculateSpend(prices, 10, 1)).toEqual({ tokens: 11, micros: 4 });
  });

  test('is counted in tokens alone where a price is missing', () => {
    expect(toPrices({ inputPrice: 1 })).toBeUndefined();
    expect(calculateSpend(undefined, 70, 30)).toEqual({ tokens: 100, micros: 0 });
  });

  test('is at most what it may read and write together', () => {
    expect(calculateMaxSpend({ contextTokens: 16_000 }, 1000)).toEqual({ tokens: 16_000, micros: 0 });
    expect(calculateMaxSpend({ contextTokens: 16_000, prices: { input: 1, output: 10 } }, 1000)).toEqual({
      tokens: 16_000,
      micros: 25_000,
    });
  });

  test('reaches a bound by either measure, and no bound by none', () => {
    expect(isLimitReached({ tokens: 100, cents: null }, { tokens: 99, micros: 1e12 })).toBe(false);
    expect(isLimitReached({ tokens: 100, cents: null }, { tokens: 100, micros: 0 })).toBe(true);
    expect(isLimitReached({ tokens: null, cents: 5 }, { tokens: 1e12, micros: 49_999 })).toBe(false);
    expect(isLimitReached({ tokens: null, cents: 5 }, { tokens: 0, micros: 50_000 })).toBe(true);
    expect(isLimitReached({ tokens: null, cents: null }, { tokens: 1e15, micros: 1e15 })).toBe(false);
  });
});

describe('Calls that run', () => {
  test('count as the most that they may come to, and for some seconds as what they came to', () => {
    const running = new RunningSpend(60_000);
    const ends = [1, 2].map(() => running.start({ tokens: 100, micros: 10 }, 0));
    expect(running.sum(0)).toEqual({ tokens: 200, micros: 20 });
    ends[0]?.({ tokens: 30, micros: 3 }, 1000);
    // Told twice, it ended once.
    ends[0]?.({ tokens: 30, micros: 3 }, 1000);
    expect(running.sum(1000)).toEqual({ tokens: 130, micros: 13 });
    expect(running.sum(11_000)).toEqual({ tokens: 100, micros: 10 });
  });

  test('count no longer than one can take, should nobody hear of their end', () => {
    const running = new RunningSpend(60_000);
    const end = running.start({ tokens: 100, micros: 10 }, 1000);
    expect(running.sum(60_999)).toEqual({ tokens: 100, micros: 10 });
    expect(running.sum(61_000)).toEqual({ tokens: 0, micros: 0 });
    end({ tokens: 100, micros: 10 }, 62_000);
    expect(running.sum(62_000)).toEqual({ tokens: 0, micros: 0 });
  });
});

describe('A person’s day', () => {
  const bounds = (tokens: number): ModelQuota => ({ repliesAtOnce: 1000, perDay: { tokens, cents: null } });

  test('never comes to more than its bound and one reply, however many are begun at once', () => {
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

  test('has so many replies written at once', () => {
    const few: ModelQuota = { repliesAtOnce: 3, perDay: { tokens: null, cents: null } };
    const nothing = { tokens: 0, micros: 0 };
    expect(checkModelQuota(few, nothing, { replies: 2, ...nothing })).toBeNull();
    expect(checkModelQuota(few, nothing, { replies: 3, ...nothing })).toBe('too_many_replies');
  });
});
