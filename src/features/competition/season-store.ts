import { and, asc, desc, eq, gt, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import { COMPETITION } from './limits.ts';
import { competitionEntries, competitionWithdrawals, seasons } from '../../db/schema/competition.ts';
import type { Database } from '../../db/open.ts';
import { characters, users } from '../../db/schema/core.ts';
import { createId } from '../../lib/ids.ts';
import type { SeasonTimes } from './competition.ts';

/** A stored season. */
export type Season = typeof seasons.$inferSelect;

/** A requested season; it has no id if it is not stored yet. */
export type RequestedSeason = Omit<Season, 'id'> & { id: string | null };

/** Stores the season of the runtime configuration, or its new days; a decided season stays unchanged. */
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

/** Returns seasons that have begun and are not decided, oldest first, as many as one run handles. */
export async function listOpenSeasons(db: Database, now: number): Promise<Season[]> {
  return db
    .select()
    .from(seasons)
    .where(and(eq(seasons.status, 'open'), lte(seasons.beginsAt, now)))
    .orderBy(asc(seasons.number))
    .limit(COMPETITION.maxSeasonsPerRun);
}

/**
 * Returns the requested season; without a number, the one of the runtime configuration, with its current days.
 * @returns null when there is no season with that number
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

/** Returns the numbers of the seasons that can be requested, latest first. */
export async function listSeasonNumbers(db: Database, named: SeasonTimes): Promise<number[]> {
  const rows = await db
    .select({ number: seasons.number })
    .from(seasons)
    .orderBy(desc(seasons.number))
    .limit(COMPETITION.maxSeasonsShown);
  return [...new Set([named.number, ...rows.map(({ number }) => number)])].toSorted((a, b) => b - a);
}

/**
 * Condition that a character takes part, for its row and its creator's. Every statement that shows or counts it checks
 * this, so changes apply immediately.
 */
export function isParticipating({
  id,
  beginsAt,
  endsAt,
}: Pick<RequestedSeason, 'id' | 'beginsAt' | 'endsAt'>): SQL {
  return and(
    // Inlined: with parameters the planner does not use the partial index of listed characters.
    sql`${characters.visibility} = 'public' and ${characters.moderation} = 'shown' and ${characters.nsfwAllowed} = 0`,
    isNull(characters.deletedAt),
    sql`${characters.createdAt} >= ${beginsAt} and ${characters.createdAt} < ${endsAt}`,
    eq(users.isSystem, false),
    eq(users.isAnonymous, false),
    isNull(users.suspendedAt),
    sql`not exists (select 1 from ${competitionEntries}
      where ${competitionEntries.characterId} = ${characters.id} and ${competitionEntries.isExplicit} = 1)`,
    sql`not exists (select 1 from ${competitionWithdrawals}
      where ${competitionWithdrawals.seasonId} = ${id ?? ''} and ${competitionWithdrawals.characterId} = ${characters.id})`,
  ) as SQL;
}

/**
 * Returns the undecided seasons in which a character was created.
 * @param which another condition on the character
 */
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

/** Condition that the season is open, for use in the write itself. */
export const isSeasonOpen = (seasonId: string): SQL =>
  sql`exists (select 1 from ${seasons} where ${seasons.id} = ${seasonId} and ${seasons.status} = 'open')`;

/** Returns the season to be judged: the oldest one that is over and not decided; undefined when there is none. */
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

/** Whether the count is final: as of a time when nothing could be added any more. */
export const isFinalCount = ({ standingsAt, endsAt }: Pick<Season, 'standingsAt' | 'endsAt'>): boolean =>
  standingsAt !== null && standingsAt >= endsAt;
