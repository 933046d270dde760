import { and, desc, eq, gte, inArray, type SQL, sql } from 'drizzle-orm';
import { freeTagCounts } from '../../db/schema/character.ts';
import type { Database } from '../../db/open.ts';
import { characterFreeTags, characters, users } from '../../db/schema/core.ts';
import type { FreeTagRules } from './free-tag-rules.ts';
import { FREE_TAGS } from './limits.ts';

/** Inlined, so that the planner uses the partial index. */
const isListedTag = sql.raw(
  `characters >= ${FREE_TAGS.minListedCharacters} and creators >= ${FREE_TAGS.minListedCreators}`,
);

/** Returns the most used tags that may be listed, most used first. */
export async function listFreeTags(db: Database, rules: FreeTagRules): Promise<string[]> {
  const rows = await db
    .select({ tag: freeTagCounts.tag })
    .from(freeTagCounts)
    .where(isListedTag)
    .orderBy(desc(freeTagCounts.characters), desc(freeTagCounts.tag))
    .limit(FREE_TAGS.maxListed + rules.blocked.size);
  return rows
    .map(({ tag }) => tag)
    .filter((tag) => !rules.blocked.has(tag))
    .slice(0, FREE_TAGS.maxListed);
}

/** Returns listed tags that begin with a text, in alphabetical order. */
export async function listFreeTagsByPrefix(
  db: Database,
  prefix: string,
  { rules, limit }: { rules: FreeTagRules; limit: number },
): Promise<string[]> {
  if (prefix === '') return [];
  const rows = await db
    .select({ tag: freeTagCounts.tag })
    .from(freeTagCounts)
    .where(
      and(
        gte(freeTagCounts.tag, prefix),
        // The last code point: every tag that begins with the prefix sorts before it.
        sql`${freeTagCounts.tag} < ${`${prefix}\u{10ffff}`}`,
      ),
    )
    .orderBy(freeTagCounts.tag)
    .limit(FREE_TAGS.maxListed)
    .then((found) => found.map(({ tag }) => tag));
  const listed = await db
    .select({ tag: freeTagCounts.tag })
    .from(freeTagCounts)
    .where(and(inArray(freeTagCounts.tag, rows), isListedTag));
  return listed
    .map(({ tag }) => tag)
    .filter((tag) => !rules.blocked.has(tag))
    .slice(0, limit);
}

/** A batch cannot bind the parameters of a raw statement. */
const toSql = (value: number): SQL => sql.raw(String(value));

/**
 * Counts the tags again that characters got, lost, or that were listed or hidden with them; at most some per call. The
 * site's own account counts as two creators: the rule keeps one person from filling the list.
 */
export async function updateFreeTagCounts(db: Database): Promise<void> {
  const counted = sql`(select c.creator_id, u.is_system from ${characterFreeTags} t
    cross join character_listings l on l.character_id = t.character_id and l.tag = '' and l.nsfw = 0
    cross join ${characters} c on c.id = l.character_id
    cross join ${users} u on u.id = c.creator_id
    where t.tag = free_tag_counts.tag limit ${toSql(FREE_TAGS.maxCounted)})`;
  await db.batch([
    db.run(sql`update free_tag_counts set is_due = 0,
      (characters, creators) = (select count(*), count(distinct creator_id) + coalesce(max(is_system), 0) from ${counted})
      where tag in (select tag from free_tag_counts where is_due = 1 limit ${toSql(FREE_TAGS.maxCountsPerRun)})`),
    db.delete(freeTagCounts).where(and(eq(freeTagCounts.isDue, false), eq(freeTagCounts.characters, 0))),
  ]);
}

/** Renames stored tags as the operator's merges say; at most some characters per merge and call. */
export async function mergeFreeTags(db: Database, { merges }: FreeTagRules): Promise<void> {
  for (const [from, to] of merges) {
    const some = sql`select character_id from ${characterFreeTags} where tag = ${from} order by character_id limit ${FREE_TAGS.maxMergedPerRun}`;
    // One transaction: both statements select the same rows.
    await db.batch([
      db
        .insert(characterFreeTags)
        .select(sql`select ${to}, character_id from (${some}) where true`)
        .onConflictDoNothing(),
      db.delete(characterFreeTags).where(sql`tag = ${from} and character_id in (${some})`),
    ]);
  }
}
