import { atom, type ReadableAtom } from 'nanostores';
import type { Judging, OwnEntries, OwnEntry } from '../../features/competition/contract.ts';
import type { Failure } from '../shared/api.ts';
import { createPagedList, type PagedList } from '../shared/paged-list.ts';
import { retryAfterSignIn, type SessionAccess, pageSession } from '../sign-in/reauthenticate.ts';
import { competitionApi, type CompetitionApi } from './competition-api.ts';

export type JudgedEntry = Judging['items'][number];

/** State of the user's entries and of judging. Actions resolve to the failure, or to null on success. */
export interface CompetitionStore {
  entries: PagedList<OwnEntry, OwnEntries>;
  judging: PagedList<JudgedEntry, Judging>;
  /** Fetches a season's entries; without a number, those of the season to be judged or the current one. */
  loadJudging(season: number | undefined): Promise<void>;
  /** Ids of entries with an action in progress. */
  $busy: ReadableAtom<ReadonlySet<string>>;
  setWithdrawn(id: string, isWithdrawn: boolean): Promise<Failure | null>;
  scoreEntry(id: string, mark: number): Promise<Failure | null>;
  awardPrize(which: { season: number; prize: string; place: number }): Promise<Failure | null>;
}

const getCharacterId = ({ character_id: id }: { character_id: string }): string => id;

export function createCompetitionStore({
  api,
  asker,
}: {
  api: CompetitionApi;
  asker: SessionAccess;
}): CompetitionStore {
  const entries = createPagedList<OwnEntries>({
    fetchPage: (cursor) => retryAfterSignIn(() => api.entries(cursor), asker),
    getId: getCharacterId,
  });
  let judged: number | undefined;
  const judging = createPagedList<Judging>({
    fetchPage: (cursor) => retryAfterSignIn(() => api.judging(cursor, judged), asker),
    getId: getCharacterId,
  });
  const $busy = atom<ReadonlySet<string>>(new Set());

  async function runBusy<T>(id: string, call: () => Promise<T>): Promise<T> {
    $busy.set(new Set([...$busy.get(), id]));
    const answer = await call();
    $busy.set(new Set([...$busy.get()].filter((other) => other !== id)));
    return answer;
  }

  return {
    entries,
    judging,
    async loadJudging(season) {
      judged = season;
      await judging.load();
    },
    $busy,
    async setWithdrawn(id, isWithdrawn) {
      const answer = await runBusy(id, () =>
        retryAfterSignIn(() => api.setWithdrawn(id, isWithdrawn), asker),
      );
      if (!answer.ok) return answer;
      entries.updateItem(
        id,
        isWithdrawn ? { state: 'withdrawn', rank: null, people: null, score: null } : { state: 'entered' },
      );
      return null;
    },
    async scoreEntry(id, mark) {
      const answer = await runBusy(id, () => retryAfterSignIn(() => api.scoreEntry(id, mark), asker));
      if (!answer.ok) return answer;
      judging.updateItem(id, { mark: answer.data.mark, marks: answer.data.marks });
      return null;
    },
    async awardPrize(which) {
      const answer = await runBusy(`${which.prize} ${which.place}`, () =>
        retryAfterSignIn(() => api.awardPrize(which), asker),
      );
      if (!answer.ok) return answer;
      const prizes = judging.$list.get().page?.prizes ?? [];
      judging.updatePage({
        prizes: prizes.map((one) =>
          one.prize === which.prize && one.place === which.place ? answer.data : one,
        ),
      });
      return null;
    },
  };
}

export const competitionStore: CompetitionStore = createCompetitionStore({
  api: competitionApi,
  asker: pageSession,
});
