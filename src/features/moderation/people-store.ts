import { and, asc, desc, eq, isNull, or, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../../db/open.ts';
import { characters, users } from '../../db/schema/core.ts';
import { isId } from '../../lib/ids.ts';
import { sanitizeText } from '../../lib/sanitize-text.ts';
import { purgeCharacterPagesStatement } from '../page-cache/page-purge-statements.ts';
import { STAFF_LIMITS } from './limits.ts';
import type { FeaturedCharacters, FoundPeople } from './people-contract.ts';

/** A character after every name with the searched beginning. */
const AFTER_PREFIX = '\uffff';

/**
 * The condition for the users that a query means, each part of which uses an index: a whole email address, or the beginning
 * of an account's username or a whole id.
 */
function buildPeopleCondition(text: string): SQL {
  if (text.includes('@')) return eq(users.email, text.toLowerCase());
  const name = sql`${users.username} collate nocase`;
  const hasName = and(
    eq(users.isAnonymous, false),
    sql`${name} >= ${text}`,
    sql`${name} < ${text + AFTER_PREFIX}`,
  );
  return (isId(text) ? or(eq(users.id, text), hasName) : hasName) as SQL;
}

/** Finds users by email address, by the beginning of an account's username, or by id, in the order of their names. */
export async function findPeople(db: Database, query: string): Promise<FoundPeople> {
  const limit = STAFF_LIMITS.maxPeopleFound;
  const rows = await db
    .select({
      id: users.id,
      username: users.username,
      isAnonymous: users.isAnonymous,
      suspendedAt: users.suspendedAt,
      createdAt: users.createdAt,
    })
    .from(users)
    .where(and(buildPeopleCondition(query.trim()), eq(users.isSystem, false)))
    .orderBy(asc(sql`${users.username} collate nocase`), asc(users.id))
    .limit(limit + 1);
  return {
    items: rows.slice(0, limit).map((row) => ({
      id: row.id,
      name: sanitizeText(row.username),
      is_anonymous: row.isAnonymous,
      suspended_at: row.suspendedAt === null ? null : new Date(row.suspendedAt).toISOString(),
      created_at: new Date(row.createdAt).toISOString(),
    })),
    more: rows.length > limit,
  };
}

/** Whether everyone may see a character. */
const isPublic = and(
  eq(characters.visibility, 'public'),
  eq(characters.moderation, 'shown'),
  isNull(characters.deletedAt),
) as SQL;

/** Lists the featured characters that are public, the most popular first. */
export async function listFeatured(db: Database): Promise<FeaturedCharacters> {
  const rows = await db
    .select({ id: characters.id, name: characters.name, creatorName: users.username })
    .from(characters)
    .innerJoin(users, eq(users.id, characters.creatorId))
    .where(and(eq(characters.featured, true), isPublic))
    .orderBy(desc(characters.chatCount), desc(characters.id))
    .limit(STAFF_LIMITS.maxFeaturedShown);
  return {
    items: rows.map(({ id, name, creatorName }) => ({
      id,
      name: sanitizeText(name),
      creator_name: sanitizeText(creatorName),
    })),
  };
}

/**
 * Features a public character, or ends that for any character. The pages that show it are rendered again.
 * @returns false if there is no such character, or if it is not public and should be featured
 */
export async function setFeatured(
  db: Database,
  { id, featured, now }: { id: string; featured: boolean; now: number },
): Promise<boolean> {
  const [changed] = await db.batch([
    db
      .update(characters)
      .set({ featured })
      .where(and(eq(characters.id, id), featured ? isPublic : undefined))
      .returning({ id: characters.id }),
    purgeCharacterPagesStatement(db, eq(characters.id, id), now),
  ]);
  return changed.length > 0;
}
