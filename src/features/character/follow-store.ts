import { and, desc, eq, exists, isNull, type SQL, sql } from 'drizzle-orm';
import { MAX_SAVED_ITEMS } from './limits.ts';
import { follows } from '../../db/schema/character.ts';
import { buildCursorCondition, buildPage, decodeCursor } from '../../db/cursor.ts';
import { insertWithinLimit } from '../../db/insert-where.ts';
import type { Database } from '../../db/open.ts';
import { characters, users } from '../../db/schema/core.ts';
import { sanitizeText } from '../../lib/sanitize-text.ts';
import { toNewestCursor, cardColumns, isListedFor, toCard, type Viewer } from './character-store.ts';
import type { CharacterList, FollowedCreatorList } from './contract.ts';
import { getPortraitUrl } from './portrait.ts';
import { selectIsStaff, toStaffField } from './staff-statements.ts';

/** A user and the creator whom they follow. */
interface Follow {
  userId: string;
  creatorId: string;
}

const matchFollow = ({ userId, creatorId }: Follow) =>
  and(eq(follows.userId, userId), eq(follows.creatorId, creatorId));

/** Selects a creator with a public page: an account that is not suspended, and not a guest. */
export const selectCreator = (db: Database, id: string) =>
  db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, id), eq(users.isAnonymous, false), isNull(users.suspendedAt)));

/** Whether a user follows a creator. */
export async function isFollowing(db: Database, which: Follow): Promise<boolean> {
  const row = await db.select({ at: follows.createdAt }).from(follows).where(matchFollow(which)).get();
  return row !== undefined;
}

/**
 * Follows a creator; one who is followed already keeps the position in the list.
 * @returns `not_found` when there is no such creator, `cannot_target_self`, or `follow_limit` when the user follows too many
 */
export async function addFollow(
  db: Database,
  { now, ...which }: Follow & { now: number },
): Promise<'kept' | 'not_found' | 'cannot_target_self' | 'follow_limit'> {
  const { userId, creatorId } = which;
  if (userId === creatorId) return 'cannot_target_self';
  const needs = exists(selectCreator(db, creatorId));
  return insertWithinLimit(
    db,
    follows,
    { ...which, createdAt: now },
    { most: MAX_SAVED_ITEMS.follows, over: 'follow_limit', same: matchFollow(which), needs },
  );
}

/** Unfollows a creator; does nothing if they are not followed. */
export async function removeFollow(db: Database, which: Follow): Promise<void> {
  await db.delete(follows).where(matchFollow(which));
}

/** Parameters of a page of a user's own list. */
interface Page {
  userId: string;
  cursor?: string | undefined;
  limit: number;
}

/** Returns the creators whom a user follows, latest first. */
export async function listFollowedCreators(
  db: Database,
  { userId, cursor, limit, staffEmails = [] }: Page & { staffEmails?: readonly string[] },
): Promise<FollowedCreatorList> {
  const { createdAt, creatorId } = follows;
  const rows = await db
    .select({
      id: users.id,
      username: users.username,
      nickname: users.nickname,
      avatarKey: users.avatarKey,
      isStaff: selectIsStaff(staffEmails),
      at: createdAt,
    })
    .from(follows)
    .crossJoin(users)
    .where(
      and(
        eq(follows.userId, userId),
        buildCursorCondition(decodeCursor(cursor), createdAt, creatorId),
        eq(users.id, creatorId),
        isNull(users.suspendedAt),
      ),
    )
    .orderBy(desc(createdAt), desc(creatorId))
    .limit(limit + 1);
  return buildPage(rows, limit, {
    place: ({ at, id }) => ({ value: at, id }),
    item: ({ id, username, nickname, avatarKey, isStaff }) => ({
      id,
      name: sanitizeText(nickname ?? username),
      ...toStaffField(isStaff),
      avatar_url: avatarKey === null ? null : getPortraitUrl(avatarKey),
    }),
  });
}

/**
 * Returns the characters of followed creators, newest first, as lists show them. Only the newest character of each
 * creator is read first: a page can only contain characters of the creators with the newest ones, one more than it has
 * places, and no more than that of each. So the cost depends on the limit of follows, not on the number of characters.
 */
export async function listFollowedCharacters(
  db: Database,
  { userId, viewer, cursor, limit }: Page & { viewer: Viewer },
): Promise<CharacterList> {
  const after = decodeCursor(cursor);
  const older =
    after === null
      ? undefined
      : sql`(${characters.createdAt}, ${characters.id}) < (${after.value}, ${after.id})`;
  const selectNewest = (creatorId: SQL, count: number) =>
    db
      .select({ id: characters.id })
      .from(characters)
      .where(and(sql`${characters.creatorId} = ${creatorId}`, isListedFor(viewer), older))
      .orderBy(desc(characters.createdAt), desc(characters.id))
      .limit(count);
  const count = limit + 1;
  const heads = sql`select head.creator_id as creator from ${follows} cross join ${characters} as head
    where ${follows.userId} = ${userId} and head.id = (${selectNewest(sql`${follows.creatorId}`, 1)})
    order by head.created_at desc, head.id desc limit ${count}`;
  const rows = await db
    .select(cardColumns)
    .from(sql`(${heads}) as heads`)
    .crossJoin(characters)
    .crossJoin(users)
    .where(
      and(
        sql`${characters.id} in (${selectNewest(sql`heads.creator`, count)})`,
        eq(users.id, characters.creatorId),
      ),
    )
    .orderBy(desc(characters.createdAt), desc(characters.id))
    .limit(count);
  return buildPage(rows, limit, { place: toNewestCursor, item: toCard });
}
