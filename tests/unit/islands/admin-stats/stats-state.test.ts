import { describe, expect, test } from 'vitest';
import type { StatDay, Stats } from '../../../../src/features/stats/contract.ts';
import { createStatsStore, type StatsRange } from '../../../../src/islands/admin-stats/stats-state.ts';
import {
  findMaximum,
  formatBytes,
  formatMetric,
  formatDuration,
} from '../../../../src/islands/admin-stats/format.ts';
import { NETWORK_FAILURE, type Result } from '../../../../src/islands/shared/api.ts';

const LOGGED_OUT_ASKER = { getUserId: () => 'me', signIn: async () => null };
const createStats = (days: number) =>
  ({ generated_at: null, days: Array.from({ length: days }), models: [] }) as unknown as Stats;

/** A server whose answers the test gives. */
function slowServer() {
  const requests: { days: StatsRange; answer: (result: Result<Stats>) => void }[] = [];
  return {
    requests,
    ask: (days: StatsRange) => new Promise<Result<Stats>>((answer) => requests.push({ days, answer })),
  };
}

describe('Statistics page', () => {
  test('the statistics show the range chosen last, whichever answer comes first', async () => {
    const { requests, ask } = slowServer();
    const page = createStatsStore({ fetchStats: ask, asker: LOGGED_OUT_ASKER });
    const both = [page.show(7), page.show(90)];
    requests[1]?.answer({ ok: true, data: createStats(90) });
    requests[0]?.answer({ ok: true, data: createStats(7) });
    await Promise.all(both);
    expect(page.$stats.get()).toMatchObject({ status: 'ready', range: 90 });
    expect(page.$stats.get().stats?.days).toHaveLength(90);
  });

  test('the statistics keep their figures while loading and after a failure', async () => {
    const { requests, ask } = slowServer();
    const page = createStatsStore({ fetchStats: ask, asker: LOGGED_OUT_ASKER });
    const first = page.reload();
    requests[0]?.answer({ ok: true, data: createStats(30) });
    await first;
    const second = page.show(7);
    expect(page.$stats.get()).toMatchObject({ status: 'loading', range: 7 });
    expect(page.$stats.get().stats?.days).toHaveLength(30);
    requests[1]?.answer(NETWORK_FAILURE);
    await second;
    expect(page.$stats.get()).toMatchObject({ status: 'failed', range: 7 });
    expect(page.$stats.get().stats?.days).toHaveLength(30);
  });
});

describe('Formatted figures', () => {
  test.each([
    [0, '0 kB'],
    [1234, '1.2 kB'],
    [999, '1 kB'],
    [3_400_000, '3.4 MB'],
    [5_000_000_000_000_000, '5,000 TB'],
  ])('%d bytes are written as %s', (bytes, text) => {
    expect(formatBytes(bytes, 'en')).toBe(text);
  });

  test('money is written with cents, an unknown figure as a dash, and a duration with its unit', () => {
    expect(formatMetric('revenue_cents', 1299, 'en')).toBe('$12.99');
    expect(formatMetric('active', null, 'en')).toBe('–');
    expect(formatMetric('messages', 12_000, 'de')).toBe('12.000');
    expect([formatDuration(438, 'en'), formatDuration(5000, 'en')]).toEqual(['438 ms', '5 sec']);
  });

  test('the maximum of a figure names its first day, and is missing if there are no figures', () => {
    const days = [3, 7, 7, null].map((active, index) => ({
      day: `2026-01-0${index + 1}`,
      active,
    })) as StatDay[];
    expect(findMaximum(days, 'active')).toEqual({ value: 7, day: '2026-01-02' });
    expect(findMaximum(days.slice(3), 'active')).toBeNull();
  });
});
