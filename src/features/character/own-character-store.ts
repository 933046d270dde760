import { and, count, desc, eq, gt, isNotNull, isNull, or, sql } from 'drizzle-orm';
import type { SQLiteSelect } from 'drizzle-orm/sqlite-core';
import { TRASH } from './limits.ts';
import { characterExtras } from '../../db/schema/character.ts';
import { competitionEntries } from '../../db/schema/competition.ts';
import { buildCursorCondition, buildPage, decodeCursor } from '../../db/cursor.ts';
import type { Database } from '../../db/open.ts';
import { purgeCharacterPagesStatement } from '../page-cache/page-purge-statements.ts';
import { characters, characterTags, users } from '../../db/schema/core.ts';
import type { OwnCharacter, OwnCharacterList } from './contract.ts';
import { toExtrasView } from './definition.ts';
import { freeTagsColumn } from './free-tag-statements.ts';
import { parseDefinition, toDefinition } from './definition-parts.ts';
import { getPortraitUrl } from './portrait.ts';

/** Columns of the user's own characters, including what others cannot see. */

const ownColumns = {
  character: characters,
  creator: { username: users.username, nickname: users.nickname },
  alternateGreetings: characterExtras.alternateGreetings,
  tags: sql<string>`(select json_group_array(${characterTags.tag}) from ${characterTags} where ${characterTags.characterId} = ${characters.id})`,
  freeTags: freeTagsColumn,
};

/** Columns that lists leave out. */
const detailColumns = {
  ...ownColumns,
  nickname: characterExtras.nickname,
  definition: characterExtras.definition,
  lorebook: characterExtras.lorebook,
  recommendedStyle: characterExtras.recommendedStyle,
  /** As of the last change of its texts, when the competition checks them. */
  isExplicit: competitionEntries.isExplicit,
};

function joinTables<Query extends SQLiteSelect>(query: Query) {
  return query
    .innerJoin(users, eq(users.id, characters.creatorId))
    .leftJoin(characterExtras, eq(characterExtras.characterId, characters.id));
}

const selectOwn = (db: Database) => joinTables(db.select(ownColumns).from(characters).$dynamic());
const selectOwnDetails = (db: Database) =>
  joinTables(db.select(detailColumns).from(characters).$dynamic()).innerJoin(
    competitionEntries,
    eq(competitionEntries.characterId, characters.id),
  );
type OwnRow = Awaited<ReturnType<typeof selectOwn>>[number];

const toIso = (at: number): string => new Date(at).toISOString();

function toOwnCharacter({ character, creator, alternateGreetings, tags, freeTags }: OwnRow): OwnCharacter {
  return {
    id: character.id,
    name: character.name,
    oneliner: character.oneliner,
    avatar_id: character.avatarKey,
    avatar_url: getPortraitUrl(character.avatarKey),
    tags: JSON.parse(tags) as string[],
    chat_count: character.chatCount,
    likes: character.likeCount,
    liked_count: character.likedCount,
    disliked_count: character.dislikedCount,
    featured: character.featured,
    nsfw_allowed: character.nsfwAllowed,
    creator: { id: character.creatorId, name: creator.nickname ?? creator.username },
    summary: character.summary,
    summary_generated: character.summaryGenerated,
    about: character.about,
    character_traits: character.characterTraits,
    first_message: character.firstMessage,
    alternate_greetings: alternateGreetings ?? [],
    model_type: character.modelType,
    visibility: character.visibility,
    point_of_view: character.pointOfView,
    suggested_replies: character.suggestedReplies,
    free_tags: JSON.parse(freeTags) as string[],
    language: character.language,
    moderation: character.moderation,
    ...(character.feeAttempt === null ? {} : { fee_due: true as const }),
    version: character.version,
    created_at: toIso(character.createdAt),
    updated_at: toIso(character.updatedAt),
    ...(character.deletedAt === null ? {} : { deleted_at: toIso(character.deletedAt) }),
  };
}

/** Condition for characters in the trash that can be restored. */
const isInTrash = (now: number) =>
  and(isNotNull(characters.deletedAt), gt(characters.deletedAt, now - TRASH.retentionMs));

/** Returns one of the user's own characters, including from the trash; null when there is none with that id. */
export async function getOwnCharacter(
  db: Database,
  { id, ownerId, now }: { id: string; ownerId: string; now: number },
): Promise<OwnCharacter | null> {
  const row = await selectOwnDetails(db)
    .where(
      and(
        eq(characters.id, id),
        eq(characters.creatorId, ownerId),
        or(isNull(characters.deletedAt), isInTrash(now)),
      ),
    )
    .get();
  if (row === undefined) return null;
  const own = toOwnCharacter(row);
  return {
    ...own,
    extras: toExtrasView(row),
    definition: toDefinition(parseDefinition(row.definition)),
    looks_sexual: row.isExplicit && !own.nsfw_allowed,
  };
}

/** Returns the user's character that was created with this import key, also from the trash; null when there is none. */
export async function findImportedCharacter(
  db: Database,
  { ownerId, importKey, now }: { ownerId: string; importKey: string; now: number },
): Promise<OwnCharacter | null> {
  const row = await db
    .select({ id: characters.id })
    .from(characters)
    .where(and(eq(characters.creatorId, ownerId), eq(characters.importKey, importKey)))
    .get();
  if (row === undefined) return null;
  const found = await getOwnCharacter(db, { id: row.id, ownerId, now });
  // Its time in the trash is over, and it will be deleted soon: it must not keep the key until then.
  if (found === null) await db.update(characters).set({ importKey: null }).where(eq(characters.id, row.id));
  return found;
}

/** Returns the user's characters, newest first, or those in the trash, most recently deleted first. */
export async function listOwnCharacters(
  db: Database,
  input: { ownerId: string; deleted: boolean; cursor: string | undefined; limit: number; now: number },
): Promise<OwnCharacterList> {
  const { ownerId, deleted, limit, now } = input;
  const mine = eq(characters.creatorId, ownerId);
  const by = deleted ? characters.deletedAt : characters.createdAt;
  const [rows, counted] = await db.batch([
    selectOwn(db)
      .where(
        and(
          mine,
          deleted ? isInTrash(now) : isNull(characters.deletedAt),
          buildCursorCondition(decodeCursor(input.cursor), by, characters.id),
        ),
      )
      .orderBy(desc(by), desc(characters.id))
      .limit(limit + 1),
    db
      .select({ all: count() })
      .from(characters)
      .where(and(mine, isNull(characters.deletedAt))),
  ]);
  return {
    ...buildPage(rows, limit, {
      place: ({ character: { id, createdAt, deletedAt } }) => ({
        value: (deleted ? deletedAt : createdAt) ?? 0,
        id,
      }),
      item: toOwnCharacter,
    }),
    count: counted[0]?.all ?? 0,
  };
}

/**
 * Moves one of the user's characters to the trash; one that is there already keeps its deletion time.
 * @returns false when there is none
 */
export async function moveCharacterToTrash(
  db: Database,
  { id, ownerId, now }: { id: string; ownerId: string; now: number },
): Promise<boolean> {
  const which = and(eq(characters.id, id), eq(characters.creatorId, ownerId));
  const [, moved] = await db.batch([
    purgeCharacterPagesStatement(db, which, now),
    db
      .update(characters)
      .set({ deletedAt: sql`coalesce(${characters.deletedAt}, ${now})` })
      .where(which)
      .returning({ id: characters.id }),
  ]);
  return moved.length > 0;
}

/**
 * Restores one of the user's characters from the trash.
 * @returns false when there is none that can be restored
 */
export async function restoreCharacter(
  db: Database,
  { id, ownerId, now }: { id: string; ownerId: string; now: number },
): Promise<boolean> {
  const which = and(eq(characters.id, id), eq(characters.creatorId, ownerId));
  const [moved] = await db.batch([
    db
      .update(characters)
      .set({ deletedAt: null })
      .where(and(which, or(isNull(characters.deletedAt), isInTrash(now))))
      .returning({ id: characters.id }),
    purgeCharacterPagesStatement(db, which, now),
  ]);
  return moved.length > 0;
}
