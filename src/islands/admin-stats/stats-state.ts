import { atom, type ReadableAtom } from 'nanostores';
import type { Stats } from '../../features/stats/contract.ts';
import { recentLoginClient } from '../sign-in/recent-login.ts';
import { readJson, type Result } from '../shared/api.ts';
import { retryAfterSignIn, type SessionAccess, pageSession } from '../sign-in/reauthenticate.ts';

/** Selectable ranges, in days. */
export const STATS_RANGES = [7, 30, 90] as const;
export type StatsRange = (typeof STATS_RANGES)[number];

export interface StatsState {
  /** `loading` also while known figures are fetched again. */
  status: 'loading' | 'ready' | 'failed';
  range: StatsRange;
  /** Figures of the selected range, or of the previous one while the new one loads. */
  stats: Stats | null;
}

export interface StatsStore {
  $stats: ReadableAtom<StatsState>;
  /** Fetches the figures of a range; of overlapping calls the latest one counts. */
  show(range: StatsRange): Promise<void>;
  reload(): Promise<void>;
}

export interface StatsDeps {
  fetchStats(days: StatsRange): Promise<Result<Stats>>;
  asker: SessionAccess;
}

export function createStatsStore({ fetchStats, asker }: StatsDeps): StatsStore {
  const $stats = atom<StatsState>({ status: 'loading', range: 30, stats: null });
  let latest = 0;
  async function show(range: StatsRange): Promise<void> {
    const call = ++latest;
    $stats.set({ ...$stats.get(), status: 'loading', range });
    const answer = await retryAfterSignIn(() => fetchStats(range), asker);
    if (call !== latest) return;
    const { stats } = $stats.get();
    $stats.set(
      answer.ok ? { status: 'ready', range, stats: answer.data } : { status: 'failed', range, stats },
    );
  }
  return { $stats, show, reload: () => show($stats.get().range) };
}

export const statsStore: StatsStore = createStatsStore({
  fetchStats: (days) => readJson(recentLoginClient.admin.stats.$get({ query: { days: String(days) } })),
  asker: pageSession,
});
