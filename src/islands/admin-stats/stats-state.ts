import { atom, type ReadableAtom } from 'nanostores';
import type { Stats } from '../../features/stats/contract.ts';
import { client, dataOf, type Result } from '../shared/api.ts';
import { askAgain, type Asker, pageAsker } from '../sign-in/reauthenticate.ts';

/** How many days one may look back on. */
export const RANGES = [7, 30, 90] as const;
export type Range = (typeof RANGES)[number];

export interface StatsState {
  /** `loading` also while what is known already is fetched anew. */
  status: 'loading' | 'ready' | 'failed';
  range: Range;
  /** Of the range, or, while that is fetched, of the one before. */
  stats: Stats | null;
}

/** The page as a state machine. */
export interface StatsPage {
  $stats: ReadableAtom<StatsState>;
  /** Fetches the figures of a range; of several calls the last one counts. */
  show(range: Range): Promise<void>;
  again(): Promise<void>;
}

export interface StatsDeps {
  ask(days: Range): Promise<Result<Stats>>;
  asker: Asker;
}

export function createStatsPage({ ask, asker }: StatsDeps): StatsPage {
  const $stats = atom<StatsState>({ status: 'loading', range: 30, stats: null });
  let latest = 0;
  async function show(range: Range): Promise<void> {
    const call = ++latest;
    $stats.set({ ...$stats.get(), status: 'loading', range });
    const answer = await askAgain(() => ask(range), asker);
    if (call !== latest) return;
    const { stats } = $stats.get();
    $stats.set(
      answer.ok ? { status: 'ready', range, stats: answer.data } : { status: 'failed', range, stats },
    );
  }
  return { $stats, show, again: () => show($stats.get().range) };
}

/** The page of this page. */
export const statsPage: StatsPage = createStatsPage({
  ask: (days) => dataOf(client.admin.stats.$get({ query: { days: String(days) } })),
  asker: pageAsker,
});
