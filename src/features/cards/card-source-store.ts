import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { characterExtras } from '../../db/schema/character.ts';
import type { Database } from '../../db/open.ts';
import { characters, characterTags, users } from '../../db/schema/core.ts';
import type { CardSource } from '../character/card.ts';
import { parseDefinition } from '../character/definition-parts.ts';
import { freeTagsColumn } from '../character/free-tag-statements.ts';
import { parseReplyStyle } from '../reply-style/reply-style.ts';
import { sanitizeText } from '../../lib/sanitize-text.ts';

/** A character with the data for exporting it as a card. */
export interface StoredCardSource extends CardSource {
  creatorId: string;
  avatarKey: string;
}

/**
 * Returns everything that a card contains about a character; null when there is none. The same query checks access, so
 * a character that becomes private a moment later was still public when it was read.
 * @param opens condition for the characters that the caller may see (`isVisibleTo` of character-store.ts)
 */
export async function getCardSource(db: Database, id: string, opens: SQL): Promise<StoredCardSource | null> {
  const row = await db
    .select({
      character: characters,
      creator: { username: users.username, nickname: users.nickname },
      extras: {
        // Must come first, because it is never null: Drizzle detects an empty join by the first column.
        alternateGreetings: characterExtras.alternateGreetings,
        nickname: characterExtras.nickname,
        lorebook: characterExtras.lorebook,
        definition: characterExtras.definition,
        recommendedStyle: characterExtras.recommendedStyle,
      },
      tags: sql<string>`(select json_group_array(${characterTags.tag}) from ${characterTags} where ${characterTags.characterId} = ${characters.id})`,
      freeTags: freeTagsColumn,
    })
    .from(characters)
    .innerJoin(users, eq(users.id, characters.creatorId))
    .leftJoin(characterExtras, eq(characterExtras.characterId, characters.id))
    .where(and(eq(characters.id, id), opens))
    .get();
  if (row === undefined) return null;
  const { character, creator, extras } = row;
  return {
    id: character.id,
    creatorId: character.creatorId,
    name: character.name,
    oneliner: character.oneliner,
    characterTraits: character.characterTraits,
    firstMessage: character.firstMessage,
    modelType: character.modelType,
    visibility: character.visibility,
    pointOfView: character.pointOfView,
    nsfwAllowed: character.nsfwAllowed,
    suggestedReplies: character.suggestedReplies,
    tags: JSON.parse(row.tags) as string[],
    freeTags: JSON.parse(row.freeTags) as string[],
    creator: sanitizeText(creator.nickname ?? creator.username),
    createdAt: character.createdAt,
    updatedAt: character.updatedAt,
    avatarKey: character.avatarKey,
    nickname: extras?.nickname ?? null,
    alternateGreetings: extras?.alternateGreetings ?? [],
    definition: parseDefinition(extras?.definition),
    lorebook: extras?.lorebook ?? null,
    recommendedStyle: parseReplyStyle(extras?.recommendedStyle),
  };
}

/** Returns the lorebook of the user's own character as JSON; undefined when there is no such character. */
export async function getOwnLorebook(
  db: Database,
  { id, ownerId }: { id: string; ownerId: string },
): Promise<string | null | undefined> {
  const row = await db
    .select({ lorebook: characterExtras.lorebook })
    .from(characters)
    .leftJoin(characterExtras, eq(characterExtras.characterId, characters.id))
    .where(and(eq(characters.id, id), eq(characters.creatorId, ownerId), isNull(characters.deletedAt)))
    .get();
  return row?.lorebook ?? (row === undefined ? undefined : null);
}
