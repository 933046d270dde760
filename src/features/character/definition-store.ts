import { and, eq, sql, type SQL } from 'drizzle-orm';
import { CHARACTER_VERSIONS } from './limits.ts';
import { characterExtras, characterVersions } from '../../db/schema/character.ts';
import { insertWhere } from '../../db/insert-where.ts';
import type { Database } from '../../db/open.ts';
import { characters } from '../../db/schema/core.ts';
import { parseDefinition, selectSharedParts, type StoredDefinition } from './definition-parts.ts';
import { type CharacterDefinition, type CharacterExtras, buildDefinition, NO_EXTRAS } from './definition.ts';

/** Columns of a character's extras, to be joined to its row; null where it has none. */
export const extrasColumns = {
  // Must come first, because it is never null: Drizzle detects an empty join by the first column.
  alternateGreetings: characterExtras.alternateGreetings,
  nickname: characterExtras.nickname,
  lorebook: characterExtras.lorebook,
  definition: characterExtras.definition,
  recommendedStyle: characterExtras.recommendedStyle,
};

type ExtrasRow = {
  nickname: string | null;
  alternateGreetings: string[] | null;
  lorebook: string | null;
  definition: string | null;
  recommendedStyle: string | null;
} | null;

/** Converts the joined extras, which are null for a character without any. */
export function toCharacterExtras(row: ExtrasRow): CharacterExtras {
  return row === null
    ? NO_EXTRAS
    : {
        nickname: row.nickname,
        alternateGreetings: row.alternateGreetings ?? [],
        lorebook: row.lorebook,
        definition: row.definition,
        recommendedStyle: row.recommendedStyle,
      };
}

/**
 * Returns the definition that a new conversation would use, and its version; null when there is no such character.
 * Callers check access on the returned row: in a row read later, the creator may have changed it.
 */
export async function readDefinition(
  db: Database,
  characterId: string,
): Promise<{
  version: number;
  definition: CharacterDefinition;
  row: typeof characters.$inferSelect;
} | null> {
  const row = await db
    .select({ character: characters, extras: extrasColumns })
    .from(characters)
    .leftJoin(characterExtras, eq(characterExtras.characterId, characters.id))
    .where(eq(characters.id, characterId))
    .get();
  if (row === undefined) return null;
  const { character, extras } = row;
  return {
    version: character.version,
    definition: buildDefinition(character, toCharacterExtras(extras)),
    row: character,
  };
}

/**
 * Returns the parts of a character that a user may read: all for its creator, the open ones for others. Null when there is
 * no such character.
 * @param opens condition for the characters that the user may see (`isVisibleTo` of character-store.ts)
 */
export async function readVisibleParts(
  db: Database,
  { id, userId, opens }: { id: string; userId: string; opens: SQL },
): Promise<StoredDefinition | null> {
  const row = await db
    .select({ creatorId: characters.creatorId, definition: characterExtras.definition })
    .from(characters)
    .leftJoin(characterExtras, eq(characterExtras.characterId, characters.id))
    .where(and(eq(characters.id, id), opens))
    .get();
  if (row === undefined) return null;
  const stored = parseDefinition(row.definition);
  return (row.creatorId === userId ? stored : selectSharedParts(stored)) ?? {};
}

/**
 * Statement that stores the definition of a version.
 * @param input.when condition that the statement itself checks
 */
export function insertVersionStatement(
  db: Database,
  input: { characterId: string; version: number; definition: CharacterDefinition; when: SQL; now: number },
) {
  const { characterId, version, definition, when, now } = input;
  const row = { characterId, version, definition: JSON.stringify(definition), createdAt: now };
  return insertWhere(db, characterVersions, row, when).onConflictDoNothing();
}

/** Statement that deletes old versions; the newest one always stays. */
export function deleteOldVersionsStatement(db: Database, characterId: string) {
  return db.delete(characterVersions).where(
    and(
      eq(characterVersions.characterId, characterId),
      sql`${characterVersions.version} in (
        select version from (
          select version, row_number() over newest as place, sum(length(definition)) over newest as chars
          from ${characterVersions} where character_id = ${characterId} window newest as (order by version desc)
        ) where place > ${CHARACTER_VERSIONS.maxVersions} or (place > 1 and chars > ${CHARACTER_VERSIONS.maxChars})
      )`,
    ),
  );
}
