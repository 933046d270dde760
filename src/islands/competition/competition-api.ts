import type { Judging, OwnEntries } from '../../features/competition/contract.ts';
import { recentLoginClient } from '../sign-in/recent-login.ts';
import { readJson, checkOk, encodePathPart, type Client, type Result } from '../shared/api.ts';

/** API calls for the user's entries and for judging; tests pass their own. */
export interface CompetitionApi {
  entries(cursor?: string): Promise<Result<OwnEntries>>;
  /** Withdraws a character from the competition, or re-enters it. */
  setWithdrawn(id: string, isWithdrawn: boolean): Promise<Result<null>>;
  /** @param season omitted: the season to be judged, or else the current one */
  judging(cursor?: string, season?: number): Promise<Result<Judging>>;
  scoreEntry(id: string, mark: number): Promise<Result<{ mark: number; marks: number }>>;
  /** Records that a prize was awarded. */
  awardPrize(which: {
    season: number;
    prize: string;
    place: number;
  }): Promise<Result<Judging['prizes'][number]>>;
}

/** Entries per request. */
const PAGE_SIZE = 24;

export function createCompetitionApi({ competition, admin }: Client): CompetitionApi {
  const page = (cursor?: string) => ({
    query: { limit: String(PAGE_SIZE), ...(cursor === undefined ? {} : { cursor }) },
  });
  const judged = admin.competition;
  return {
    entries: (cursor) => readJson(competition.entries.$get(page(cursor))),
    setWithdrawn: (id, isWithdrawn) => {
      const one = competition.entries[':character_id'];
      const which = { param: { character_id: encodePathPart(id) } };
      return checkOk(isWithdrawn ? one.$delete(which) : one.$post(which));
    },
    judging: (cursor, season) => {
      const { query } = page(cursor);
      return readJson(
        judged.$get({ query: season === undefined ? query : { ...query, season: String(season) } }),
      );
    },
    scoreEntry: (id, mark) =>
      readJson(
        judged[':character_id'].creativity.$put({
          param: { character_id: encodePathPart(id) },
          json: { mark },
        }),
      ),
    awardPrize: ({ season, prize, place }) =>
      readJson(
        judged.prizes[':season'][':prize'][':place'].$post({
          param: { season: String(season), prize: encodePathPart(prize), place: String(place) },
        }),
      ),
  };
}

export const competitionApi: CompetitionApi = createCompetitionApi(recentLoginClient);
