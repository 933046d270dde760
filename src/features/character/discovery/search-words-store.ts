import { and, eq, exists, inArray, lt, sql } from 'drizzle-orm';
import { characterWords } from '../../../db/schema/character.ts';
import type { Database } from '../../../db/open.ts';
import { characters } from '../../../db/schema/core.ts';
import { buildIndexedWords, WORDS_VERSION } from './search.ts';

/** Characters whose words are made at once: with the longest texts, far below what one call may take. */
const BATCH_SIZE = 50;

/**
 * Makes the words that characters are found by. Whoever has written a name, a tagline or a summary calls this afterwards;
 * until then the character is found by no word. What is up to date is left alone.
 * @param ids at most 50
 */
export async function buildSearchWords(db: Database, ids: readonly string[]): Promise<void> {
  await updateSearchWords(db, await listPending(db, ids));
}

/**
 * Makes the words of characters that nobody has made them for: those of before the index, of older rules, and of writes
 * that ended half-way.
 * @param limit at most so many characters
 * @returns how many there were
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

interface SearchTexts {
  id: string;
  name: string;
  oneliner: string;
  summary: string | null;
}

function listPending(
  db: Database,
  ids: readonly string[] | null,
  limit = BATCH_SIZE,
): Promise<SearchTexts[]> {
  return db
    .select({
      id: characters.id,
      name: characters.name,
      oneliner: characters.oneliner,
      summary: characters.summary,
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
}

/** Sets the words of texts that are still what they were when they were read. */
async function updateSearchWords(db: Database, rows: readonly SearchTexts[]): Promise<void> {
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
                ),
              ),
          ),
        ),
      ),
  );
  if (first !== undefined) await db.batch([first, ...others]);
}
