/** What the address of the competition's page asks for. */
export interface CompetitionQuery {
  /** Undefined: the one that runs, or ran last. */
  season?: number | undefined;
  cursor?: string | undefined;
}

/** Reads the address; what is no number of a season is one that never was. */
export function parseCompetitionQuery(search: URLSearchParams): CompetitionQuery {
  const season = search.get('season');
  const cursor = search.get('cursor')?.slice(0, 200);
  return {
    season: season === null ? undefined : /^[1-9]\d{0,4}$/.test(season) ? Number(season) : 0,
    cursor: cursor ? cursor : undefined,
  };
}

/** The one right form of the address. */
export function buildCompetitionHref(path: string, { season, cursor }: CompetitionQuery): string {
  const search = new URLSearchParams();
  if (season !== undefined) search.set('season', String(season));
  if (cursor !== undefined) search.set('cursor', cursor);
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}
