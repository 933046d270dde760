/** Parameters of the competition page's address. */
export interface CompetitionQuery {
  /** Undefined for the current or last season. */
  season?: number | undefined;
  cursor?: string | undefined;
}

/** Parses the address; an invalid season becomes 0, which does not exist. */
export function parseCompetitionQuery(search: URLSearchParams): CompetitionQuery {
  const season = search.get('season');
  const cursor = search.get('cursor')?.slice(0, 200);
  return {
    season: season === null ? undefined : /^[1-9]\d{0,4}$/.test(season) ? Number(season) : 0,
    cursor: cursor ? cursor : undefined,
  };
}

/** The canonical address. */
export function buildCompetitionHref(path: string, { season, cursor }: CompetitionQuery): string {
  const search = new URLSearchParams();
  if (season !== undefined) search.set('season', String(season));
  if (cursor !== undefined) search.set('cursor', cursor);
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}
