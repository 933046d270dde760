import type { Judging, OwnEntries } from '../../features/competition/contract.ts';
import { client, readJson, checkOk, encodePathPart, type Client, type Result } from '../shared/api.ts';

/** The calls about one's own entries, and those of judges. Tests put their own in its place. */
export interface CompetitionApi {
  entries(cursor?: string): Promise<Result<OwnEntries>>;
  /** Takes a character out of the competition, or has it back. */
  setWithdrawn(id: string, isWithdrawn: boolean): Promise<Result<null>>;
  /** @param season left out: the one that is to be judged, or that runs */
  judging(cursor?: string, season?: number): Promise<Result<Judging>>;
  scoreEntry(id: string, mark: number): Promise<Result<{ mark: number; marks: number }>>;
  /** Notes that a prize was given. */
  awardPrize(which: {
    season: number;
    prize: string;
    place: number;
  }): Promise<Result<Judging['prizes'][number]>>;
}

/** Fetched at once. */
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

/** The calls of a page. */
export const competitionApi: CompetitionApi = createCompetitionApi(client);
