import { and, eq, exists, inArray, lt, sql } from 'drizzle-orm';
import { characterWords, searchSpellings, spelledWords } from '../../../db/schema/character.ts';
import type { Database } from '../../../db/open.ts';
import { characters } from '../../../db/schema/core.ts';
import { freeTagsColumn } from '../free-tag-statements.ts';
import { SPELLING } from '../limits.ts';
import { findNearestWords, listSpellingKeys } from './spelling.ts';
import { buildIndexedWords, listSpelledWords, type SearchTexts, WORDS_VERSION } from './search.ts';

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

type CharacterTexts = SearchTexts & { id: string; isListed: boolean };

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
      popularRowId: characterWords.popularRowId,
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
  return rows.map(({ popularRowId, ...row }) => ({
    ...row,
    freeTags: JSON.parse(row.freeTags) as string[],
    isListed: popularRowId !== null,
  }));
}

/** Stores words if the texts are still as they were read. */
async function updateSearchWords(db: Database, rows: readonly CharacterTexts[]): Promise<void> {
  const spelled = rows.flatMap((row) =>
    row.isListed ? listSpelledWords(row).map((word): [string, string] => [word, row.id]) : [],
  );
  const statements = [
    ...(spelled.length === 0 ? [] : insertSpellings(db, spelled)),
    ...rows.map((row) =>
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
    ),
  ];
  const [first, ...others] = statements;
  if (first !== undefined) await db.batch([first, ...others]);
}

/** @param spelled words, each with a character that has it and still exists */
function insertSpellings(db: Database, spelled: readonly [string, string][]) {
  const spellings = spelled.flatMap(([word]) => listSpellingKeys(word).map((key) => [key, word]));
  return [
    db
      .insert(spelledWords)
      .select(
        sql`select value ->> 0, value ->> 1 from json_each(${JSON.stringify(spelled)})
          where value ->> 1 in (select ${characters.id} from ${characters})`,
      )
      .onConflictDoNothing(),
    db
      .insert(searchSpellings)
      .select(
        sql`select value ->> 0, value ->> 1 from json_each(${JSON.stringify(spellings)})
          where value ->> 1 in (select ${spelledWords.word} from ${spelledWords})`,
      )
      .onConflictDoNothing(),
  ];
}

/** Returns the words that typed ones may mean, nearest first; nothing for a word that nothing is near to. */
export async function findMeantWords(
  db: Database,
  typed: readonly string[],
): Promise<Map<string, readonly string[]>> {
  const keys = new Set(typed.flatMap(listSpellingKeys));
  if (keys.size === 0) return new Map();
  const rows = await db
    .selectDistinct({ word: searchSpellings.word })
    .from(searchSpellings)
    .where(sql`${searchSpellings.key} in (select value from json_each(${JSON.stringify([...keys])}))`)
    .limit(SPELLING.maxCompared);
  const words = rows.map(({ word }) => word);
  return new Map(
    typed.map((word) => [
      word,
      findNearestWords(word, words, SPELLING.maxCandidates).filter((other) => other !== word),
    ]),
  );
}
