import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ACTIONS_A_DAY } from '../../../../scripts/bench/capacity/assumptions.mjs';
import {
  countRuns,
  formatCeilings,
  formatFirstBroken,
  formatUnlimited,
  listCeilings,
  sumActions,
} from '../../../../scripts/bench/capacity/ceilings.mjs';
import { CRONS } from '../../../../src/jobs/schedule.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../../../docs/capacity.md'), 'utf8');

const createCounts = (more: object = {}) => ({
  ...{ d1_reads: 0, d1_writes: 0, d1_rows_written: 0, kv_reads: 0, kv_writes: 0, object_requests: {} },
  ...more,
});
const createAllCounts = (more: object = {}) =>
  Object.fromEntries(Object.keys(ACTIONS_A_DAY).map((name) => [name, createCounts(more)]));

describe('what the people of a day use', () => {
  it('a cron runs as often in a day as its schedule says', () => {
    expect(countRuns('* * * * *')).toBe(1440);
    expect(countRuns('*/15 * * * *')).toBe(96);
    expect(countRuns('4,19,34,49 * * * *')).toBe(96);
    expect(Object.values(CRONS).every((cron) => Number.isInteger(countRuns(cron)))).toBe(true);
  });

  it('a day is the sum of its actions, each as often as one person does it', () => {
    const counts = { ...createAllCounts(), 'send a message': createCounts({ d1_reads: 3 }) };
    expect(sumActions(counts, (count: { d1_reads: number }) => count.d1_reads)).toBe(
      3 * ACTIONS_A_DAY['send a message'],
    );
  });

  it('a database of 10 kB for each person is full at a million people', () => {
    const size = listCeilings(10_000, createAllCounts()).find(({ name }) => name.startsWith('D1: size'));
    expect(size?.reachedAt).toBeCloseTo(1_000_000);
  });

  it('one writing statement for each action fills the thread of D1 in the busiest minute', () => {
    const counts = createAllCounts({ d1_writes: 1 });
    const thread = listCeilings(1, counts).find(({ name }) => name.startsWith('D1: its one thread'));
    const writesADay = sumActions(counts, (count: { d1_writes: number }) => count.d1_writes);
    // 200 writes of 5 ms fill a second, and a second of the busiest minute has four times the mean.
    expect(thread?.reachedAt).toBeCloseTo((200 * 86_400) / (4 * writesADay));
  });
});

describe('the page of the capacity', () => {
  const ceilings = listCeilings(50_000, createAllCounts({ d1_reads: 1, d1_writes: 1 }));

  it('the limit that is reached first comes first', () => {
    const reached = ceilings.map(({ reachedAt }) => reachedAt);
    expect(reached).toEqual(reached.toSorted((a, b) => a - b));
    expect(reached.length).toBeGreaterThan(15);
  });

  it('use over its limit is bold, and listed at the smallest of the compared sizes that is over it', () => {
    const one = [{ name: 'shelves', unit: 'm', each: 1, limit: 50_000, reachedAt: 50_000 }];
    expect(formatCeilings(one)).toMatch(/\| 10,000 +\| \*\*100,000\*\* +\|/);
    const lines = formatFirstBroken(one).split('\n');
    expect(lines[0]).toBe('- **10,000 a day**: nothing more.');
    expect(lines[1]).toBe('- **100,000 a day**: shelves (50,000).');
    expect(lines[2]).toBe('- **1,000,000 a day**: nothing more.');
  });

  it('rates without a limit are those of the busiest minute', () => {
    const counts = createAllCounts();
    const requestsADay = sumActions(counts, () => 1);
    const [, value] = /busiest minute +\| ([\d.,]+)/.exec(formatUnlimited(counts)) ?? [];
    expect(Number(value)).toBeCloseTo((10_000 * requestsADay * 4) / 86_400, 0);
  });

  it('every limit has its next design', () => {
    const rows = PAGE.matchAll(/^\| ([^|]+?) +\| [^|]+ \|$/gm);
    const designed = new Set([...rows].map(([, name]) => name));
    const missing = ceilings.map(({ name }) => name).filter((name) => !designed.has(name));
    expect(missing).toEqual([]);
  });
});
