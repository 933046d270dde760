import { type SQL, sql } from 'drizzle-orm';
import { stalePages } from '../../db/schema/character.ts';
import type { Database } from '../../db/open.ts';
import { characters, users } from '../../db/schema/core.ts';

/** What is in public pages now; `features/character/page-tags.ts` says the same of a row that was read. */
const isInPublicPages = sql`${characters.visibility} = 'public' and ${characters.moderation} = 'shown'
  and ${characters.nsfwAllowed} = 0 and ${characters.deletedAt} is null`;

function insertStaleTagsStatement(db: Database, rows: SQL, now: number) {
  return db
    .insert(stalePages)
    .select(rows)
    .onConflictDoUpdate({
      target: stalePages.tag,
      set: { changes: sql`${stalePages.changes} + 1`, tryAt: now, tries: 0 },
    });
}

/**
 * The write that notes pages as out of date. It belongs into the batch of the change, so that neither is there without
 * the other; a tag that caches are being told of at this moment is told once more.
 */
export function purgePagesStatement(db: Database, tags: readonly string[], now: number) {
  return insertStaleTagsStatement(
    db,
    sql`select value, 1, ${now}, 0 from json_each(${JSON.stringify([...new Set(tags)])}) where true`,
    now,
  );
}

/** The same for the pages that show some characters, as far as these are in public pages at that place of the batch. */
export function purgeCharacterPagesStatement(db: Database, which: SQL | undefined, now: number) {
  return insertStaleTagsStatement(
    db,
    sql`select shown.value, 1, ${now}, 0 from ${characters}, json_each(json_array('list', 'character:' || ${characters.id},
      'creator:' || ${characters.creatorId})) as shown
      where ${which ?? sql`true`} and ${isInPublicPages}`,
    now,
  );
}

/** The same where no list changes: for the pages that show these characters, and none else. */
export function purgeCharacterDetailPagesStatement(db: Database, which: SQL | undefined, now: number) {
  return insertStaleTagsStatement(
    db,
    sql`select 'character:' || ${characters.id}, 1, ${now}, 0 from ${characters} where ${which ?? sql`true`} and ${isInPublicPages}`,
    now,
  );
}

/** The same for the pages that name somebody, and for their face; guests are named nowhere. */
export function purgeUserPagesStatement(db: Database, userId: string, now: number) {
  return insertStaleTagsStatement(
    db,
    sql`select 'creator:' || ${users.id}, 1, ${now}, 0 from ${users}
      where ${users.id} = ${userId} and ${users.isAnonymous} = 0`,
    now,
  );
}
