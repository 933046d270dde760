import type { Judging, OwnEntries } from '../../features/competition/contract.ts';
import { client, dataOf, doneOf, inPath, type Client, type Result } from '../shared/api.ts';

/** The calls about one's own entries, and those of judges. Tests put their own in its place. */
export interface CompetitionApi {
  entries(cursor?: string): Promise<Result<OwnEntries>>;
  /** Takes a character out of the competition, or has it back. */
  setOut(id: string, isOut: boolean): Promise<Result<null>>;
  /** @param season left out: the one that is to be judged, or that runs */
  judging(cursor?: string, season?: number): Promise<Result<Judging>>;
  mark(id: string, mark: number): Promise<Result<{ mark: number; marks: number }>>;
  /** Notes that a prize was given. */
  give(which: { season: number; prize: string; place: number }): Promise<Result<Judging['prizes'][number]>>;
}

/** Fetched at once. */
const PAGE_SIZE = 24;

export function createCompetitionApi({ competition, admin }: Client): CompetitionApi {
  const page = (cursor?: string) => ({
    query: { limit: String(PAGE_SIZE), ...(cursor === undefined ? {} : { cursor }) },
  });
  const judged = admin.competition;
  return {
    entries: (cursor) => dataOf(competition.entries.$get(page(cursor))),
    setOut: (id, isOut) => {
      const one = competition.entries[':character_id'];
      const which = { param: { character_id: inPath(id) } };
      return doneOf(isOut ? one.$delete(which) : one.$post(which));
    },
    judging: (cursor, season) => {
      const { query } = page(cursor);
      return dataOf(
        judged.$get({ query: season === undefined ? query : { ...query, season: String(season) } }),
      );
    },
    mark: (id, mark) =>
      dataOf(
        judged[':character_id'].creativity.$put({ param: { character_id: inPath(id) }, json: { mark } }),
      ),
    give: ({ season, prize, place }) =>
      dataOf(
        judged.prizes[':season'][':prize'][':place'].$post({
          param: { season: String(season), prize: inPath(prize), place: String(place) },
        }),
      ),
  };
}

/** The calls of a page. */
export const competitionApi: CompetitionApi = createCompetitionApi(client);
