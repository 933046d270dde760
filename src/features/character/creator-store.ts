import { and, count, desc, eq, isNull, sql, sum } from 'drizzle-orm';
import { MAX_CREATOR_CHARACTERS_COUNTED } from './limits.ts';
import { buildCursorCondition, buildPage, decodeCursor } from '../../db/cursor.ts';
import type { Database } from '../../db/open.ts';
import { characters, users } from '../../db/schema/core.ts';
import { sanitizeText } from '../../lib/sanitize-text.ts';
import { toNewestCursor, cardColumns, isListedFor, toCard, type Viewer } from './character-store.ts';
import type { CreatorProfile } from './contract.ts';
import { getPortraitUrl } from './portrait.ts';
import { selectIsStaff, toStaffField } from './staff-statements.ts';

const DAY_MS = 86_400_000;

/** Condition that a user has a character that others can open, even if staff is reviewing it. */
const hasPublished = sql`exists (select 1 from ${characters} as published where published.creator_id = ${users.id}
  and published.visibility <> 'private' and published.deleted_at is null)`;

/**
 * Condition that a user has a public page: accounts that have published a character, unless they are suspended, and the
 * owner of the seeded catalogue.
 */
const hasPage = (id: string) =>
  and(
    eq(users.id, id),
    eq(users.isAnonymous, false),
    isNull(users.suspendedAt),
    sql`(${users.isSystem} = 1 or ${hasPublished})`,
  );

/** Returns a creator's name and picture; null when there is no creator with that id. */
export async function findCreator(
  db: Database,
  id: string,
): Promise<{ id: string; name: string; avatar_url: string | null } | null> {
  const row = await db
    .select({ username: users.username, nickname: users.nickname, avatarKey: users.avatarKey })
    .from(users)
    .where(hasPage(id))
    .get();
  if (row === undefined) return null;
  const { username, nickname, avatarKey } = row;
  return {
    id,
    name: sanitizeText(nickname ?? username),
    avatar_url: avatarKey === null ? null : getPortraitUrl(avatarKey),
  };
}

/**
 * Returns a creator's profile as the viewer may see it, or null when there is none. Characters are newest first; only
 * those that the viewer sees in lists are returned and counted. Beyond the limit of counted characters, only the newest
 * count.
 */
export async function getCreatorProfile(
  db: Database,
  id: string,
  viewer: Viewer,
  page: { cursor?: string | undefined; limit: number; staffEmails?: readonly string[] },
): Promise<CreatorProfile | null> {
  const shown = and(eq(characters.creatorId, id), isListedFor(viewer));
  // In the order of their index. One character above the limit shows that there are more.
  const newest = db
    .select({ chats: characters.chatCount })
    .from(characters)
    .where(shown)
    .orderBy(desc(characters.createdAt), desc(characters.id))
    .limit(MAX_CREATOR_CHARACTERS_COUNTED + 1)
    .as('newest');
  const [people, totals, rows] = await db.batch([
    db
      .select({
        username: users.username,
        nickname: users.nickname,
        avatarKey: users.avatarKey,
        createdAt: users.createdAt,
        isStaff: selectIsStaff(page.staffEmails ?? []),
      })
      .from(users)
      .where(hasPage(id)),
    db
      .select({ characters: count().as('characters'), chats: sum(newest.chats).mapWith(Number).as('chats') })
      .from(newest),
    db
      .select(cardColumns)
      .from(characters)
      .innerJoin(users, eq(users.id, characters.creatorId))
      .where(and(shown, buildCursorCondition(decodeCursor(page.cursor), characters.createdAt, characters.id)))
      .orderBy(desc(characters.createdAt), desc(characters.id))
      .limit(page.limit + 1),
  ]);
  const creator = people[0];
  if (creator === undefined) return null;
  const found = totals[0]?.characters ?? 0;
  return {
    id,
    name: sanitizeText(creator.nickname ?? creator.username),
    ...toStaffField(creator.isStaff),
    avatar_url: creator.avatarKey === null ? null : getPortraitUrl(creator.avatarKey),
    character_count: Math.min(found, MAX_CREATOR_CHARACTERS_COUNTED),
    chat_count: totals[0]?.chats ?? 0,
    more_than_counted: found > MAX_CREATOR_CHARACTERS_COUNTED,
    // To the day: the exact time of signing up is private.
    joined_at: new Date(Math.floor(creator.createdAt / DAY_MS) * DAY_MS).toISOString(),
    characters: buildPage(rows, page.limit, { place: toNewestCursor, item: toCard }),
  };
}
