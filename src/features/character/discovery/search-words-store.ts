import { and, eq, exists, inArray, lt, sql } from 'drizzle-orm';
import { characterWords } from '../../../db/schema/character.ts';
import type { Database } from '../../../db/open.ts';
import { characters } from '../../../db/schema/core.ts';
import { freeTagsColumn } from '../free-tag-statements.ts';
import { buildIndexedWords, type SearchTexts, WORDS_VERSION } from './search.ts';

/** Characters per batch of statements: even with the longest texts, far below the limit of one call. */
const BATCH_SIZE = 50;

/**
 * Builds the words by which characters are found. Call it after writing a name, tagline or summary; until then, search
 * does not find the character. Up-to-date words are left alone.
 * @param ids at most 50
 */
export async function buildSearchWords(db: Database, ids: readonly string[]): Promise<void> {
  await updateSearchWords(db, await listPending(db, ids));
}

/**
 * Builds missing words: of characters older than the index, of older rules, and of writes that were interrupted.
 * @param limit at most this many characters
 * @returns how many were built
 */
export async function buildPendingSearchWords(db: Database, limit: number): Promise<number> {
  let made = 0;
  while (made < limit) {
    const rows = await listPending(db, null, Math.min(BATCH_SIZE, limit - made));
    await updateSearchWords(db, rows);
    made += rows.length;
    if (rows.length < BATCH_SIZE) break;
  }
  return made;
}

type CharacterTexts = SearchTexts & { id: string };

async function listPending(
  db: Database,
  ids: readonly string[] | null,
  limit = BATCH_SIZE,
): Promise<CharacterTexts[]> {
  const rows = await db
    .select({
      id: characters.id,
      name: characters.name,
      oneliner: characters.oneliner,
      summary: characters.summary,
      freeTags: freeTagsColumn,
    })
    .from(characterWords)
    .innerJoin(characters, eq(characters.id, characterWords.characterId))
    .where(
      and(
        lt(characterWords.version, WORDS_VERSION),
        ids === null ? undefined : inArray(characterWords.characterId, [...ids]),
      ),
    )
    .limit(limit);
  return rows.map((row) => ({ ...row, freeTags: JSON.parse(row.freeTags) as string[] }));
}

/** Stores words if the texts are still as they were read. */
async function updateSearchWords(db: Database, rows: readonly CharacterTexts[]): Promise<void> {
  const [first, ...others] = rows.map((row) =>
    db
      .update(characterWords)
      .set({ words: buildIndexedWords(row), version: WORDS_VERSION })
      .where(
        and(
          eq(characterWords.characterId, row.id),
          exists(
            db
              .select({ one: sql`1` })
              .from(characters)
              .where(
                and(
                  eq(characters.id, row.id),
                  eq(characters.name, row.name),
                  eq(characters.oneliner, row.oneliner),
                  sql`${characters.summary} is ${row.summary}`,
                  sql`${freeTagsColumn} = ${JSON.stringify(row.freeTags)}`,
                ),
              ),
          ),
        ),
      ),
  );
  if (first !== undefined) await db.batch([first, ...others]);
}
