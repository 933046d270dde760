import { describe, expect, test } from 'vitest';
import type { StatDay, Stats } from '../../src/features/stats/contract.ts';
import { createStatsStore, type StatsRange } from '../../src/islands/admin-stats/stats-state.ts';
import {
  findMaximum,
  formatBytes,
  formatMetric,
  formatDuration,
} from '../../src/islands/admin-stats/format.ts';
import { NETWORK_FAILURE, type Result } from '../../src/islands/shared/api.ts';

const NOBODY = { getUserId: () => 'me', signIn: async () => null };
const of = (days: number) =>
  ({ generated_at: null, days: Array.from({ length: days }), models: [] }) as unknown as Stats;

/** A server that answers when it is told to. */
function slowServer() {
  const asked: { days: StatsRange; answer: (result: Result<Stats>) => void }[] = [];
  return {
    asked,
    ask: (days: StatsRange) => new Promise<Result<Stats>>((answer) => asked.push({ days, answer })),
  };
}

describe('The page of the figures', () => {
  test('shows the range that was chosen last, whichever answer comes first', async () => {
    const { asked, ask } = slowServer();
    const page = createStatsStore({ fetchStats: ask, asker: NOBODY });
    const both = [page.show(7), page.show(90)];
    asked[1]?.answer({ ok: true, data: of(90) });
    asked[0]?.answer({ ok: true, data: of(7) });
    await Promise.all(both);
    expect(page.$stats.get()).toMatchObject({ status: 'ready', range: 90 });
    expect(page.$stats.get().stats?.days).toHaveLength(90);
  });

  test('keeps what it knows while it fetches, and when that fails', async () => {
    const { asked, ask } = slowServer();
    const page = createStatsStore({ fetchStats: ask, asker: NOBODY });
    const first = page.reload();
    asked[0]?.answer({ ok: true, data: of(30) });
    await first;
    const second = page.show(7);
    expect(page.$stats.get()).toMatchObject({ status: 'loading', range: 7 });
    expect(page.$stats.get().stats?.days).toHaveLength(30);
    asked[1]?.answer(NETWORK_FAILURE);
    await second;
    expect(page.$stats.get()).toMatchObject({ status: 'failed', range: 7 });
    expect(page.$stats.get().stats?.days).toHaveLength(30);
  });
});

describe('A figure', () => {
  test.each([
    [0, '0 kB'],
    [1234, '1.2 kB'],
    [999, '1 kB'],
    [3_400_000, '3.4 MB'],
    [5_000_000_000_000_000, '5,000 TB'],
  ])('of %d bytes is written as %s', (bytes, text) => {
    expect(formatBytes(bytes, 'en')).toBe(text);
  });

  test('of money has its cents, one that nobody counted a dash, a wait its unit', () => {
    expect(formatMetric('revenue_cents', 1299, 'en')).toBe('$12.99');
    expect(formatMetric('active', null, 'en')).toBe('–');
    expect(formatMetric('messages', 12_000, 'de')).toBe('12.000');
    expect([formatDuration(438, 'en'), formatDuration(5000, 'en')]).toEqual(['438 ms', '5 sec']);
  });

  test('is the most on the first day that had it, and on none where nothing was', () => {
    const days = [3, 7, 7, null].map((active, index) => ({
      day: `2026-01-0${index + 1}`,
      active,
    })) as StatDay[];
    expect(findMaximum(days, 'active')).toEqual({ value: 7, day: '2026-01-02' });
    expect(findMaximum(days.slice(3), 'active')).toBeNull();
  });
});
