import { atom, type ReadableAtom } from 'nanostores';
import type { Judging, OwnEntries, OwnEntry } from '../../features/competition/contract.ts';
import type { Failure } from '../shared/api.ts';
import { createPaged, type PagedList } from '../shared/paged.ts';
import { askAgain, type Asker, pageAsker } from '../sign-in/reauthenticate.ts';
import { competitionApi, type CompetitionApi } from './competition-api.ts';

export type JudgedEntry = Judging['items'][number];

/** What one can do about one's own entries, and as a judge; a failure is answered, null when it went well. */
export interface CompetitionState {
  entries: PagedList<OwnEntry, OwnEntries>;
  judging: PagedList<JudgedEntry, Judging>;
  /** Fetches the entries of a season; without a number those of the one that is to be judged, or that runs. */
  judge(season: number | undefined): Promise<void>;
  /** Those that something is being done with. */
  $busy: ReadableAtom<ReadonlySet<string>>;
  setOut(id: string, isOut: boolean): Promise<Failure | null>;
  mark(id: string, mark: number): Promise<Failure | null>;
  give(which: { season: number; prize: string; place: number }): Promise<Failure | null>;
}

const idOf = ({ character_id: id }: { character_id: string }): string => id;

/** One's entries as a state machine. It knows no React; the API comes in. */
export function createCompetition({ api, asker }: { api: CompetitionApi; asker: Asker }): CompetitionState {
  const entries = createPaged<OwnEntries>({
    fetchPage: (cursor) => askAgain(() => api.entries(cursor), asker),
    idOf,
  });
  let judged: number | undefined;
  const judging = createPaged<Judging>({
    fetchPage: (cursor) => askAgain(() => api.judging(cursor, judged), asker),
    idOf,
  });
  const $busy = atom<ReadonlySet<string>>(new Set());

  async function busyWith<T>(id: string, call: () => Promise<T>): Promise<T> {
    $busy.set(new Set([...$busy.get(), id]));
    const answer = await call();
    $busy.set(new Set([...$busy.get()].filter((other) => other !== id)));
    return answer;
  }

  return {
    entries,
    judging,
    async judge(season) {
      judged = season;
      await judging.load();
    },
    $busy,
    async setOut(id, isOut) {
      const answer = await busyWith(id, () => askAgain(() => api.setOut(id, isOut), asker));
      if (!answer.ok) return answer;
      entries.put(
        id,
        isOut ? { state: 'withdrawn', rank: null, people: null, score: null } : { state: 'entered' },
      );
      return null;
    },
    async mark(id, mark) {
      const answer = await busyWith(id, () => askAgain(() => api.mark(id, mark), asker));
      if (!answer.ok) return answer;
      judging.put(id, { mark: answer.data.mark, marks: answer.data.marks });
      return null;
    },
    async give(which) {
      const answer = await busyWith(`${which.prize} ${which.place}`, () =>
        askAgain(() => api.give(which), asker),
      );
      if (!answer.ok) return answer;
      const prizes = judging.$list.get().page?.prizes ?? [];
      judging.putPage({
        prizes: prizes.map((one) =>
          one.prize === which.prize && one.place === which.place ? answer.data : one,
        ),
      });
      return null;
    },
  };
}

/** The competition of a page. */
export const competition: CompetitionState = createCompetition({ api: competitionApi, asker: pageAsker });
