import { and, eq, sql, type SQL } from 'drizzle-orm';
import { CHARACTER_VERSIONS } from './limits.ts';
import { characterExtras, characterVersions } from '../../db/schema/character.ts';
import { insertWhere } from '../../db/insert-where.ts';
import type { Database } from '../../db/open.ts';
import { characters } from '../../db/schema/core.ts';
import { type CharacterDefinition, type CharacterExtras, buildDefinition, NO_EXTRAS } from './definition.ts';

/** A character's row beside what it has beyond the form's fields, which is null where there is none of it. */
export const extrasColumns = {
  // First, because it is never null: by its first column a join is told from one that found nothing.
  alternateGreetings: characterExtras.alternateGreetings,
  nickname: characterExtras.nickname,
  lorebook: characterExtras.lorebook,
};

type ExtrasRow = {
  nickname: string | null;
  alternateGreetings: string[] | null;
  lorebook: string | null;
} | null;

/** What a character has beyond the form's fields, as a join tells it. */
export function toCharacterExtras(row: ExtrasRow): CharacterExtras {
  return row === null
    ? NO_EXTRAS
    : {
        nickname: row.nickname,
        alternateGreetings: row.alternateGreetings ?? [],
        lorebook: row.lorebook,
      };
}

/**
 * What a conversation would go by now, and of which version that is. Who may see it is asked elsewhere, of the row that
 * was read with it: of one that is read later, its maker may have made something else. Null when there is no such character.
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

/** The write that keeps what a character is at a version. @param when asked in the write itself */
export function insertVersionStatement(
  db: Database,
  input: { characterId: string; version: number; definition: CharacterDefinition; when: SQL; now: number },
) {
  const { characterId, version, definition, when, now } = input;
  const row = { characterId, version, definition: JSON.stringify(definition), createdAt: now };
  return insertWhere(db, characterVersions, row, when).onConflictDoNothing();
}

/** The write that forgets what a character was long ago; the newest version always stays. */
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
