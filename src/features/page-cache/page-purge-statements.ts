import { type SQL, sql } from 'drizzle-orm';
import { cachePurgeQueue } from '../../db/schema/character.ts';
import type { Database } from '../../db/open.ts';
import { characters, users } from '../../db/schema/core.ts';

/** Whether a character appears in public pages. Must match `isPublicCharacter` in page-tags.ts. */
const isInPublicPages = sql`${characters.visibility} = 'public' and ${characters.moderation} = 'shown'
  and ${characters.nsfwAllowed} = 0 and ${characters.deletedAt} is null`;

function insertStaleTagsStatement(db: Database, rows: SQL, now: number) {
  return db
    .insert(cachePurgeQueue)
    .select(rows)
    .onConflictDoUpdate({
      target: cachePurgeQueue.tag,
      set: { changes: sql`${cachePurgeQueue.changes} + 1`, retryAt: now, tries: 0 },
    });
}

/**
 * The write that marks page tags for purging. Put it into the batch of the change, so that both commit together. A tag
 * whose purge is in flight is purged once more.
 */
export function purgePagesStatement(db: Database, tags: readonly string[], now: number) {
  return insertStaleTagsStatement(
    db,
    sql`select value, 1, ${now}, 0 from json_each(${JSON.stringify([...new Set(tags)])}) where true`,
    now,
  );
}

/** Marks all pages that show these characters, if the characters are public at this point of the batch. */
export function purgeCharacterPagesStatement(db: Database, which: SQL | undefined, now: number) {
  return insertStaleTagsStatement(
    db,
    sql`select shown.value, 1, ${now}, 0 from ${characters}, json_each(json_array('list', 'character:' || ${characters.id},
      'creator:' || ${characters.creatorId})) as shown
      where ${which ?? sql`true`} and ${isInPublicPages}`,
    now,
  );
}

/** Marks only the pages of these characters themselves, for changes that affect no list. */
export function purgeCharacterDetailPagesStatement(db: Database, which: SQL | undefined, now: number) {
  return insertStaleTagsStatement(
    db,
    sql`select 'character:' || ${characters.id}, 1, ${now}, 0 from ${characters} where ${which ?? sql`true`} and ${isInPublicPages}`,
    now,
  );
}

/** Marks the pages that show a user's name or avatar. Guests appear on no page. */
export function purgeUserPagesStatement(db: Database, userId: string, now: number) {
  return insertStaleTagsStatement(
    db,
    sql`select 'creator:' || ${users.id}, 1, ${now}, 0 from ${users}
      where ${users.id} = ${userId} and ${users.isAnonymous} = 0`,
    now,
  );
}
