import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { RATES_BY_COST, RATES } from '../../src/api/middleware/rate-limits.ts';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** The limiters that a configuration binds, each in its environment. */
const limitersOf = (config: string) =>
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

describe('The rates', () => {
  test.each([
    ['wrangler.toml', ['', 'staging', 'production']],
    ['tests/workers/wrangler.toml', ['']],
  ] as const)(
    'are those of %s, in each of its environments, and no two count together',
    (path, environments) => {
      const found = limitersOf(read(path));
      for (const environment of environments) {
        const here = found.filter((one) => one.environment === environment);
        expect(Object.fromEntries(here.map(({ name, rate }) => [name, rate]))).toEqual(RATES);
      }
      expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
    },
  );

  test('are of periods that the platform knows', () => {
    for (const { period } of Object.values(RATES)) expect([10, 60]).toContain(period);
  });

  test('let a chat through with a message every three seconds, and many people behind one address', () => {
    const { person, network } = RATES_BY_COST.model;
    expect(RATES[person].limit / RATES[person].period).toBeGreaterThan(1 / 3);
    expect(RATES[network].limit / RATES[network].period).toBeGreaterThanOrEqual(10);
  });

  test('let a network ask for more than any one person in it', () => {
    for (const { person, network } of Object.values(RATES_BY_COST)) {
      if (person !== null && network !== null)
        expect(RATES[network].limit).toBeGreaterThan(RATES[person].limit);
    }
  });
});
