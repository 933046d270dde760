import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { buildPage, decodeCursor } from '../../db/cursor.ts';
import { judgeScores, competitionPrizes } from '../../db/schema/competition.ts';
import type { Database } from '../../db/open.ts';
import { characters, users } from '../../db/schema/core.ts';
import { getPortraitUrl } from '../character/portrait.ts';
import { sanitizeText } from '../../lib/sanitize-text.ts';
import { computeCreativity } from './competition.ts';
import type { Judging } from './contract.ts';
import { buildPersonKey } from '../account/person-statements.ts';
import {
  type RequestedSeason,
  listCharacterOpenSeasons,
  isParticipating,
  isSeasonOpen,
} from './season-store.ts';

/** For judges and for the operator's record of the prizes. */

const toIsoOrNull = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** Returns the entries in order of creation, with the judge's own marks and without any numbers of people. */
export async function listEntriesToJudge(
  db: Database,
  input: { season: RequestedSeason; judgeId: string; cursor?: string | undefined; limit: number },
): Promise<Pick<Judging, 'items' | 'next_cursor'>> {
  const { season, judgeId, limit } = input;
  const after = decodeCursor(input.cursor) ?? { value: 0, id: '' };
  const ofThis = sql`m.season_id = ${season.id ?? ''} and m.character_id = l.character_id`;
  const rows = await db.all<{
    id: string;
    createdAt: number;
    name: string;
    oneliner: string;
    avatarKey: string;
    creatorId: string;
    username: string;
    nickname: string | null;
    isOwn: number;
    mark: number | null;
    marks: number;
  }>(
    sql`select l.character_id as id, l.created_at as createdAt, ${characters.name} as name,
          ${characters.oneliner} as oneliner, ${characters.avatarKey} as avatarKey,
          ${users.id} as creatorId, ${users.username} as username, ${users.nickname} as nickname,
          ${isCreatedByJudge(judgeId)} as isOwn,
          (select m.score from judge_scores m where ${ofThis} and m.judge_id = ${judgeId}) as mark,
          (select count(*) from judge_scores m where ${ofThis}) as marks
        from character_listings l cross join ${characters} cross join ${users}
        where l.tag = '' and l.nsfw = 0 and l.created_at >= ${season.beginsAt} and l.created_at < ${season.endsAt}
          and (l.created_at, l.character_id) > (${after.value}, ${after.id})
          and ${characters.id} = l.character_id and ${users.id} = ${characters.creatorId} and ${isParticipating(season)}
        order by l.created_at, l.character_id limit ${limit + 1}`,
  );
  return buildPage(rows, limit, {
    place: ({ createdAt, id }) => ({ value: createdAt, id }),
    item: (row) => ({
      character_id: row.id,
      name: sanitizeText(row.name),
      oneliner: row.oneliner,
      avatar_url: getPortraitUrl(row.avatarKey),
      creator_id: row.creatorId,
      creator_name: sanitizeText(row.nickname ?? row.username),
      is_own: row.isOwn === 1,
      mark: row.mark,
      marks: row.marks,
    }),
  });
}

/** Condition that a judge created a character, with any address of their mailbox; needs a row of `characters`. */
const isCreatedByJudge = (judgeId: string): SQL =>
  sql`exists (select 1 from ${users} as judge cross join ${users} as maker
    where judge.id = ${judgeId} and maker.id = ${characters.creatorId} and ${buildPersonKey('judge')} = ${buildPersonKey('maker')})`;

/**
 * Stores a judge's mark for a character, replacing their previous one.
 * @returns null when the character is in no undecided season, or the judge created it
 */
export async function recordJudgeScore(
  db: Database,
  { characterId, judgeId, mark, now }: { characterId: string; judgeId: string; mark: number; now: number },
): Promise<{ creativity: number; marks: number } | null> {
  const [season] = await listCharacterOpenSeasons(db, characterId, sql`not ${isCreatedByJudge(judgeId)}`);
  if (season === undefined) return null;
  // The write checks again, because the character may have left or the season may have been decided in between.
  await db.run(
    sql`insert into ${judgeScores} (season_id, character_id, judge_id, score, created_at)
        select ${season.id}, ${characters.id}, ${judgeId}, ${mark}, ${now}
        from ${characters} cross join ${users}
        where ${characters.id} = ${characterId} and ${users.id} = ${characters.creatorId} and ${isParticipating(season)}
          and ${isSeasonOpen(season.id)}
        on conflict (season_id, character_id, judge_id) do update set score = excluded.score, created_at = excluded.created_at`,
  );
  const marks = await db
    .select({
      judgeId: judgeScores.judgeId,
      score: judgeScores.score,
      at: judgeScores.createdAt,
    })
    .from(judgeScores)
    .where(and(eq(judgeScores.seasonId, season.id), eq(judgeScores.characterId, characterId)));
  const own = marks.find((one) => one.judgeId === judgeId);
  if (own === undefined || own.at !== now || own.score !== mark) return null;
  return { creativity: computeCreativity(marks.map(({ score }) => score)), marks: marks.length };
}

const prizeColumns = {
  prize: competitionPrizes.prize,
  place: competitionPrizes.place,
  userId: competitionPrizes.userId,
  characterName: competitionPrizes.characterName,
  givenAt: competitionPrizes.givenAt,
};

const toPrizeView = (row: {
  prize: string;
  place: number;
  userId: string | null;
  characterName: string;
  givenAt: number | null;
}) => ({
  prize: row.prize as Judging['prizes'][number]['prize'],
  place: row.place,
  user_id: row.userId,
  character_name: row.userId === null ? '' : sanitizeText(row.characterName),
  given_at: toIsoOrNull(row.givenAt),
});

/** Returns the winners, and which prizes were handed over. */
export async function listPrizes(db: Database, season: RequestedSeason): Promise<Judging['prizes']> {
  if (season.id === null) return [];
  const rows = await db
    .select(prizeColumns)
    .from(competitionPrizes)
    .where(eq(competitionPrizes.seasonId, season.id))
    .orderBy(competitionPrizes.prize, competitionPrizes.place);
  return rows.map(toPrizeView);
}

/**
 * Records that a prize was handed over; an earlier record stays.
 * @returns null when there is no such prize
 */
export async function recordPrizeAwarded(
  db: Database,
  { season, prize, place, now }: { season: RequestedSeason; prize: string; place: number; now: number },
): Promise<Judging['prizes'][number] | null> {
  const which = and(
    eq(competitionPrizes.seasonId, season.id ?? ''),
    eq(competitionPrizes.prize, prize),
    eq(competitionPrizes.place, place),
  );
  const [, rows] = await db.batch([
    db
      .update(competitionPrizes)
      .set({ givenAt: now })
      .where(and(which, isNull(competitionPrizes.givenAt))),
    db.select(prizeColumns).from(competitionPrizes).where(which),
  ]);
  const [row] = rows;
  return row === undefined ? null : toPrizeView(row);
}
