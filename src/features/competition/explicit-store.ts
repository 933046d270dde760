import { eq, inArray, sql } from 'drizzle-orm';
import { COMPETITION } from './limits.ts';
import { characterExtras } from '../../db/schema/character.ts';
import { competitionEntries } from '../../db/schema/competition.ts';
import type { Database } from '../../db/open.ts';
import { purgePagesStatement } from '../page-cache/page-purge-statements.ts';
import { characters } from '../../db/schema/core.ts';
import { getCharacterTag } from '../page-cache/page-tags.ts';
import { parseDefinition } from '../character/definition-parts.ts';
import { parseReplyStyle } from '../reply-style/reply-style.ts';
import { findSexualSentences } from '../safety/decisions.ts';
import { findStrongestWords } from '../safety/explain.ts';
import type { Season } from './season-store.ts';

/**
 * Characters with explicit texts do not take part, even if they are not marked for adults. This file checks the texts
 * and stores the results.
 */

const texts = {
  id: characters.id,
  name: characters.name,
  oneliner: characters.oneliner,
  traits: characters.characterTraits,
  firstMessage: characters.firstMessage,
  suggestedReplies: characters.suggestedReplies,
  summary: characters.summary,
  about: characters.about,
  scannedVersion: competitionEntries.scannedVersion,
  isExplicit: competitionEntries.isExplicit,
  nickname: characterExtras.nickname,
  greetings: characterExtras.alternateGreetings,
  definition: characterExtras.definition,
  recommendedStyle: characterExtras.recommendedStyle,
};

const selectTexts = (db: Database) =>
  db
    .select(texts)
    .from(characters)
    .innerJoin(competitionEntries, eq(competitionEntries.characterId, characters.id))
    .leftJoin(characterExtras, eq(characterExtras.characterId, characters.id));
type Texts = Awaited<ReturnType<typeof selectTexts>>[number];

/** Increase it with new weights or another threshold: everything is then checked again. */
const EXPLICIT_VERSION = 3;

/**
 * Returns the sexual sentences in a character's texts. The lorebook is excluded, because it may contain other authors'
 * worlds.
 */
const findSexualTexts = (one: Texts): string[] =>
  findSexualSentences(
    [
      ...[one.name, one.nickname, one.oneliner, one.traits, one.firstMessage, one.summary, one.about],
      parseReplyStyle(one.recommendedStyle)?.author_note ?? null,
      ...one.suggestedReplies,
      ...(one.greetings ?? []),
      ...Object.values(parseDefinition(one.definition) ?? {}).map(({ text }) => text),
    ]
      .filter((text) => text !== null)
      .join('\n'),
  );

/**
 * Checks the texts of characters whose current texts are not checked yet. A character with explicit texts does not take
 * part; one that becomes acceptable again starts from zero.
 * @param ids at most `COMPETITION.checksBatchSize`
 */
export async function checkExplicitTexts(db: Database, ids: readonly string[], now: number): Promise<void> {
  if (ids.length === 0) return;
  const rows = await selectTexts(db).where(inArray(characters.id, [...ids]));
  const writes = rows
    .filter(({ scannedVersion }) => scannedVersion < EXPLICIT_VERSION)
    .flatMap((one) => {
      const isExplicit = findSexualTexts(one).length > 0;
      const { eligibleFrom } = competitionEntries;
      return [
        db
          .update(competitionEntries)
          .set({
            ...{ isExplicit, scannedVersion: EXPLICIT_VERSION },
            eligibleFrom: isExplicit
              ? eligibleFrom
              : sql`case when ${competitionEntries.isExplicit} = 1 then ${now} else ${eligibleFrom} end`,
          })
          // A character that was changed during the check is checked again.
          .where(
            sql`${competitionEntries.characterId} = ${one.id} and ${competitionEntries.scannedVersion} = ${one.scannedVersion}`,
          ),
        ...(isExplicit === one.isExplicit
          ? []
          : [purgePagesStatement(db, ['competition', getCharacterTag(one.id)], now)]),
      ];
    });
  const [first, ...others] = writes;
  if (first !== undefined) await db.batch([first, ...others]);
}

/**
 * Checks more of a season's unchecked texts: those from before the check existed or with an older version, and changes
 * that were not checked.
 * @returns whether all are checked now
 */
export async function checkExplicitBatch(db: Database, season: Season, now: number): Promise<boolean> {
  for (let count = 0; count < COMPETITION.maxChecksPerRun; count += 1) {
    const rows = await db.all<{ id: string }>(
      sql`select l.character_id as id from character_listings l cross join competition_entries e
          where l.tag = '' and l.nsfw = 0 and l.created_at >= ${season.beginsAt} and l.created_at < ${season.endsAt}
            and e.character_id = l.character_id and e.scanned_version < ${EXPLICIT_VERSION}
          order by l.created_at, l.character_id limit ${COMPETITION.checksBatchSize}`,
    );
    await checkExplicitTexts(
      db,
      rows.map(({ id }) => id),
      now,
    );
    if (rows.length < COMPETITION.checksBatchSize) return true;
  }
  return false;
}

/** Words of a sexual sentence that its creator is shown. */
const WORDS_PER_SENTENCE = 2;

/** Returns the words with the highest weight in the texts that keep characters out, for their creators. */
export async function listExplicitWords(
  db: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  if (ids.length === 0) return new Map();
  const rows = await selectTexts(db).where(inArray(characters.id, [...ids]));
  return new Map(
    rows.map((one) => {
      const words = findSexualTexts(one).flatMap((sentence) =>
        findStrongestWords(sentence, 'sexual', WORDS_PER_SENTENCE),
      );
      return [one.id, [...new Set(words)].slice(0, COMPETITION.maxExplicitWordsShown)];
    }),
  );
}
