import { and, asc, desc, eq, gt, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import { COMPETITION } from './limits.ts';
import { competitionEntries, competitionWithdrawals, seasons } from '../../db/schema/competition.ts';
import type { Database } from '../../db/open.ts';
import { characters, users } from '../../db/schema/core.ts';
import { createId } from '../../lib/ids.ts';
import type { SeasonTimes } from './competition.ts';

/** A season as it is written down. */
export type Season = typeof seasons.$inferSelect;

/** One that is asked for, also where nobody has written it down yet: it has no id then. */
export type RequestedSeason = Omit<Season, 'id'> & { id: string | null };

/** Writes the season down that the constants name, or its new days; what is decided stays as it is. */
export async function saveSeason(
  db: Database,
  { number, beginsAt, endsAt, winnersAt }: SeasonTimes,
  now: number,
): Promise<void> {
  const times = { beginsAt, endsAt, winnersAt };
  await db
    .insert(seasons)
    .values({ id: createId(now), number, ...times })
    .onConflictDoUpdate({
      target: seasons.number,
      set: times,
      setWhere: and(
        eq(seasons.status, 'open'),
        or(ne(seasons.beginsAt, beginsAt), ne(seasons.endsAt, endsAt), ne(seasons.winnersAt, winnersAt)),
      ) as SQL,
    });
}

/** Seasons that have begun and are not decided, the oldest first, as many as one run looks after. */
export async function listOpenSeasons(db: Database, now: number): Promise<Season[]> {
  return db
    .select()
    .from(seasons)
    .where(and(eq(seasons.status, 'open'), lte(seasons.beginsAt, now)))
    .orderBy(asc(seasons.number))
    .limit(COMPETITION.maxSeasonsPerRun);
}

/**
 * The season that is asked for; without a number the one of the constants, by the days that they have now.
 * @returns null when there is none of that number
 */
export async function findSeason(
  db: Database,
  { number, named }: { number: number | undefined; named: SeasonTimes },
): Promise<RequestedSeason | null> {
  const row = await db
    .select()
    .from(seasons)
    .where(eq(seasons.number, number ?? named.number))
    .get();
  const isNamed = (number ?? named.number) === named.number;
  if (row !== undefined) return isNamed && row.status === 'open' ? { ...row, ...named } : row;
  return isNamed ? { id: null, ...named, status: 'open', standingsAt: null } : null;
}

/** The numbers of the seasons that can be asked for, the latest first. */
export async function listSeasonNumbers(db: Database, named: SeasonTimes): Promise<number[]> {
  const rows = await db
    .select({ number: seasons.number })
    .from(seasons)
    .orderBy(desc(seasons.number))
    .limit(COMPETITION.maxSeasonsShown);
  return [...new Set([named.number, ...rows.map(({ number }) => number)])].toSorted((a, b) => b - a);
}

/**
 * Whether a character takes part, asked of it and its maker in every statement that shows or counts it: what was changed
 * a moment ago holds.
 */
export function isParticipating({
  id,
  beginsAt,
  endsAt,
}: Pick<RequestedSeason, 'id' | 'beginsAt' | 'endsAt'>): SQL {
  return and(
    // Written out: the database does not find an index of what is listed by parameters.
    sql`${characters.visibility} = 'public' and ${characters.moderation} = 'shown' and ${characters.nsfwAllowed} = 0`,
    isNull(characters.deletedAt),
    sql`${characters.createdAt} >= ${beginsAt} and ${characters.createdAt} < ${endsAt}`,
    eq(users.isHouse, false),
    eq(users.isAnonymous, false),
    isNull(users.suspendedAt),
    sql`not exists (select 1 from ${competitionEntries}
      where ${competitionEntries.characterId} = ${characters.id} and ${competitionEntries.explicit} = 1)`,
    sql`not exists (select 1 from ${competitionWithdrawals}
      where ${competitionWithdrawals.seasonId} = ${id ?? ''} and ${competitionWithdrawals.characterId} = ${characters.id})`,
  ) as SQL;
}

/** The seasons that are not decided and in which a character was made. @param which what else is asked of it */
export async function listCharacterOpenSeasons(
  db: Database,
  characterId: string,
  which: SQL | undefined,
): Promise<Pick<Season, 'id' | 'beginsAt' | 'endsAt'>[]> {
  return db
    .select({ id: seasons.id, beginsAt: seasons.beginsAt, endsAt: seasons.endsAt })
    .from(characters)
    .crossJoin(seasons)
    .where(
      and(
        eq(characters.id, characterId),
        which,
        eq(seasons.status, 'open'),
        lte(seasons.beginsAt, characters.createdAt),
        gt(seasons.endsAt, characters.createdAt),
      ),
    )
    .limit(COMPETITION.maxSeasonsPerRun);
}

/** Only while the season is open, asked in the very write. */
export const isSeasonOpen = (seasonId: string): SQL =>
  sql`exists (select 1 from ${seasons} where ${seasons.id} = ${seasonId} and ${seasons.status} = 'open')`;

/** The season that is to be judged: the oldest that is over and not decided; undefined when there is none. */
export async function getSeasonToJudge(db: Database, now: number): Promise<number | undefined> {
  const row = await db
    .select({ number: seasons.number })
    .from(seasons)
    .where(and(eq(seasons.status, 'open'), lte(seasons.endsAt, now)))
    .orderBy(asc(seasons.number))
    .limit(1)
    .get();
  return row?.number;
}

/** Whether people are counted for good: as of a moment when nothing could be added any more. */
export const isFinalCount = ({ standingsAt, endsAt }: Pick<Season, 'standingsAt' | 'endsAt'>): boolean =>
  standingsAt !== null && standingsAt >= endsAt;
