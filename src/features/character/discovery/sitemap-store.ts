import { sql, type SQL } from 'drizzle-orm';
import { SITEMAP } from '../limits.ts';
import type { Database } from '../../../db/open.ts';

/** Where the parts of the catalogue are kept, by key in KV. */
const SITEMAP_KV_KEY = 'sitemap:times';

interface StoredParts {
  /** When they were counted, in ms. */
  at: number;
  parts: SitemapPart[];
}

/**
 * A stretch of time, in ms since 1970: who was made after the one moment, and not after the other; null is where the
 * catalogue begins, or ends. It names a time and nobody: who was made then may be private tomorrow.
 */
export interface SitemapPart {
  after: number | null;
  until: number | null;
}

/** The whole catalogue. */
const WHOLE_CATALOGUE: SitemapPart = { after: null, until: null };

/** Everybody's list of the catalogue, which one index has in the order of time. */
const IS_PUBLIC_ROW = sql`l.tag = '' and l.nsfw = 0`;

/** The characters of a part, oldest first. What came since the last count has room beside it, and so have those of one moment. */
const selectPartIds = ({ after, until }: SitemapPart, size: number): SQL =>
  sql`(select l.character_id as id from character_listings l where ${IS_PUBLIC_ROW}
        ${after === null ? sql`` : sql`and l.created_at > ${after}`} ${until === null ? sql`` : sql`and l.created_at <= ${until}`}
       order by l.created_at, l.character_id limit ${2 * size}) as part join characters c on c.id = part.id`;

/**
 * The parts of the catalogue; none when it is empty. Oldest first, so that a part once full stays as it is, and those who
 * were made in one moment stay together. Reads the whole catalogue: nothing for a request.
 * @param size how many characters a part has, about
 */
export async function computeSitemapParts(
  db: Database,
  size: number = SITEMAP.maxCharactersPerPart,
): Promise<SitemapPart[]> {
  const ends = await db.all<{ at: number }>(
    sql`select distinct at from (
          select l.created_at as at, count(*) over () as count,
            row_number() over (order by l.created_at, l.character_id) as place
          from character_listings l where ${IS_PUBLIC_ROW}
        ) where place % ${size} = 0 or place = count order by at`,
  );
  return ends.map(({ at }, index) => ({
    after: ends[index - 1]?.at ?? null,
    until: index === ends.length - 1 ? null : at,
  }));
}

/** Counts the parts of the catalogue when those that are kept are a day old. @returns whether it did */
export async function updateSitemapParts(db: Database, kv: KVNamespace, now: number): Promise<boolean> {
  const kept = await kv.get<StoredParts>(SITEMAP_KV_KEY, 'json');
  if (kept !== null && now - kept.at < SITEMAP.everyMs) return false;
  await kv.put(
    SITEMAP_KV_KEY,
    JSON.stringify({ at: now, parts: await computeSitemapParts(db) } satisfies StoredParts),
  );
  return true;
}

/**
 * The parts of the catalogue, as they were last counted. While nobody has counted them, and where nobody had made a
 * character then, they are one, or none when the catalogue is empty.
 */
export async function getSitemapParts(db: Database, kv: KVNamespace): Promise<SitemapPart[]> {
  const kept = await kv.get<StoredParts>(SITEMAP_KV_KEY, { type: 'json', cacheTtl: SITEMAP.kvCacheSeconds });
  if (kept !== null && kept.parts.length > 0) return kept.parts;
  const first = await listSitemapCharacters(db, WHOLE_CATALOGUE, 1);
  return first.length > 0 ? [WHOLE_CATALOGUE] : [];
}

/** The characters of a part, with when they last changed. @param size as of {@link computeSitemapParts} */
export function listSitemapCharacters(
  db: Database,
  part: SitemapPart,
  size: number = SITEMAP.maxCharactersPerPart,
): Promise<{ id: string; updatedAt: number }[]> {
  return db.all(sql`select c.id, c.updated_at as updatedAt from ${selectPartIds(part, size)}`);
}

/** Who made the characters of a part, each once. @param size as of {@link computeSitemapParts} */
export async function listSitemapCreators(
  db: Database,
  part: SitemapPart,
  size: number = SITEMAP.maxCharactersPerPart,
): Promise<string[]> {
  const rows = await db.all<{ id: string }>(
    sql`select distinct c.creator_id as id from ${selectPartIds(part, size)} order by c.creator_id`,
  );
  return rows.map(({ id }) => id);
}
