import { sql, type SQL } from 'drizzle-orm';
import { SITEMAP } from '../limits.ts';
import type { Database } from '../../../db/open.ts';

/** KV key of the parts of the catalogue. */
const SITEMAP_KV_KEY = 'sitemap:times';

interface StoredParts {
  /** When the parts were computed, in ms. */
  at: number;
  parts: SitemapPart[];
}

/**
 * A range of creation times, in ms since 1970: after `after`, and not after `until`; null is the start or end of the
 * catalogue. It contains a time and no character, because a listed character may be private tomorrow.
 */
export interface SitemapPart {
  after: number | null;
  until: number | null;
}

/** The whole catalogue. */
const WHOLE_CATALOGUE: SitemapPart = { after: null, until: null };

/** Condition for the public list of the catalogue, which has an index by time. */
const IS_PUBLIC_ROW = sql`l.tag = '' and l.nsfw = 0`;

/**
 * Selects the characters of a part, oldest first. The limit leaves room for characters created since the parts were
 * computed, and for those with equal times.
 */
const selectPartIds = ({ after, until }: SitemapPart, size: number): SQL =>
  sql`(select l.character_id as id from character_listings l where ${IS_PUBLIC_ROW}
        ${after === null ? sql`` : sql`and l.created_at > ${after}`} ${until === null ? sql`` : sql`and l.created_at <= ${until}`}
       order by l.created_at, l.character_id limit ${2 * size}) as part join characters c on c.id = part.id`;

/**
 * Computes the parts of the catalogue; none when it is empty. Oldest first, so that a full part never changes;
 * characters with equal times stay together. Reads the whole catalogue, so never call it in a request.
 * @param size approximate number of characters per part
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

/**
 * Computes the parts of the catalogue when the stored ones are a day old.
 * @returns whether it did
 */
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
 * Returns the stored parts of the catalogue. Before they were first computed, or if the catalogue was empty then: one
 * part, or none when the catalogue is empty.
 */
export async function getSitemapParts(db: Database, kv: KVNamespace): Promise<SitemapPart[]> {
  const kept = await kv.get<StoredParts>(SITEMAP_KV_KEY, { type: 'json', cacheTtl: SITEMAP.kvCacheSeconds });
  if (kept !== null && kept.parts.length > 0) return kept.parts;
  const first = await listSitemapCharacters(db, WHOLE_CATALOGUE, 1);
  return first.length > 0 ? [WHOLE_CATALOGUE] : [];
}

/**
 * Returns the characters of a part, with the time of their last change.
 * @param size as in {@link computeSitemapParts}
 */
export function listSitemapCharacters(
  db: Database,
  part: SitemapPart,
  size: number = SITEMAP.maxCharactersPerPart,
): Promise<{ id: string; updatedAt: number }[]> {
  return db.all(sql`select c.id, c.updated_at as updatedAt from ${selectPartIds(part, size)}`);
}

/**
 * Returns the creators of a part's characters, each once.
 * @param size as in {@link computeSitemapParts}
 */
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
