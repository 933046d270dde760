import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { RATES_BY_COST, RATES, WIDER_RATES } from '../../../../src/api/middleware/rate-limits.ts';

const read = (path: string): string => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');

/** The rate limiters of a configuration with their environments. */
const listLimiters = (config: string) =>
  [
    ...config.matchAll(
      /\[\[(?:env\.(\w+)\.)?ratelimits\]\]\nname = "(\w+)"\nnamespace_id = "(\d+)"\nsimple = \{ limit = (\d+), period = (\d+) \}/g,
    ),
  ].map(([, environment = '', name = '', id = '', limit, period]) => ({
    environment,
    name,
    id,
    rate: { limit: Number(limit), period: Number(period) },
  }));

describe('Rate limits', () => {
  test.each([
    ['wrangler.toml', ['', 'staging', 'production']],
    ['tests/workers/wrangler.toml', ['']],
  ] as const)(
    'the rate limiters in %s match the code in each environment and share no id',
    (path, environments) => {
      const found = listLimiters(read(path));
      for (const environment of environments) {
        const here = found.filter((one) => one.environment === environment);
        expect(Object.fromEntries(here.map(({ name, rate }) => [name, rate]))).toEqual(RATES);
      }
      expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
    },
  );

  test('every rate limit has a period that the platform supports', () => {
    for (const { period } of Object.values(RATES)) expect([10, 60]).toContain(period);
  });

  test('the rate limits allow a message every three seconds and many users behind one address', () => {
    const { person, network } = RATES_BY_COST.model;
    expect(RATES[person].limit / RATES[person].period).toBeGreaterThan(1 / 3);
    expect(RATES[network].limit / RATES[network].period).toBeGreaterThanOrEqual(10);
  });

  test('a /48 may call five or six times as often as one of its /64s', () => {
    for (const { network } of Object.values(RATES_BY_COST)) {
      if (network === null) continue;
      const multiple = RATES[WIDER_RATES[network]].limit / RATES[network].limit;
      expect([5, 6]).toContain(multiple);
    }
  });

  test('every rate limit of a network is higher than that of one user', () => {
    for (const { person, network } of Object.values(RATES_BY_COST)) {
      if (person !== null && network !== null)
        expect(RATES[network].limit).toBeGreaterThan(RATES[person].limit);
    }
  });
});
