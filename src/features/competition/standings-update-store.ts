import { and, eq, sql } from 'drizzle-orm';
import { COMPETITION } from './limits.ts';
import { competitionPrizes, competitionStandings, seasons } from '../../db/schema/competition.ts';
import { decodeCursor } from '../../db/cursor.ts';
import type { Database } from '../../db/open.ts';
import { characters, users } from '../../db/schema/core.ts';
import {
  type CompetitionEntry,
  type Standing,
  rankEntries,
  type Winner,
  computeWinners,
} from './competition.ts';
import { checkExplicitBatch } from './explicit-store.ts';
import { type CountResult, countLatePeople, countNextPeople, isInRange } from './people-count-store.ts';
import { buildPersonKey } from '../account/person-statements.ts';
import { isFinalCount, type Season, isParticipating, isSeasonOpen } from './season-store.ts';

/* Keeps the standings up to date; run by cron, and each call is safe to repeat. */

/** A stored standing; one whose people were not counted yet has no rank. */
interface StoredStanding {
  id: string;
  creatorId: string;
  person: string;
  createdAt: number;
  /** Approximate number of conversations. */
  chats: number;
  marks: string;
  people: number | null;
  rank: number | null;
  popularity: number | null;
  creativity: number | null;
  score: number | null;
}

/** Returns all entries that take part now, with their stored standings. */
async function listEntries(db: Database, season: Season): Promise<StoredStanding[]> {
  const all: StoredStanding[] = [];
  let after = { createdAt: 0, id: '' };
  for (;;) {
    const some = await db.all<StoredStanding>(
      sql`select l.character_id as id, ${characters.creatorId} as creatorId, ${buildPersonKey('users')} as person,
            l.created_at as createdAt,
            ${characters.chatCount} as chats,
            (select json_group_array(m.score) from judge_scores m
              where m.season_id = ${season.id} and m.character_id = l.character_id) as marks,
            s.people, s.rank, s.popularity, s.creativity, s.score
          from character_listings l cross join ${characters} cross join ${users}
            left join competition_standings s on s.season_id = ${season.id} and s.character_id = l.character_id
          where l.tag = '' and l.nsfw = 0 and l.created_at >= ${season.beginsAt} and l.created_at < ${season.endsAt}
            and (l.created_at, l.character_id) > (${after.createdAt}, ${after.id})
            and ${characters.id} = l.character_id and ${users.id} = ${characters.creatorId} and ${isParticipating(season)}
          order by l.created_at, l.character_id limit ${COMPETITION.rowsBatchSize}`,
    );
    all.push(...some);
    const last = some.at(-1);
    if (last === undefined || some.length < COMPETITION.rowsBatchSize) return all;
    after = last;
  }
}

const isUnchanged = (standing: Standing, kept: StoredStanding | undefined): boolean =>
  kept !== undefined &&
  kept.rank === standing.rank &&
  kept.people === standing.people &&
  kept.popularity === standing.popularity &&
  kept.creativity === standing.creativity &&
  kept.score === standing.score;

/** Statements that store standings; nothing is stored for a character that was deleted in between. */
function updateStandingsStatements(db: Database, seasonId: string, standings: readonly Standing[]) {
  const writes = [];
  for (let from = 0; from < standings.length; from += COMPETITION.rowsBatchSize) {
    const rows = standings
      .slice(from, from + COMPETITION.rowsBatchSize)
      .map((one) => [one.characterId, one.rank, one.people, one.popularity, one.creativity, one.score]);
    writes.push(
      db
        .insert(competitionStandings)
        .select(
          // Drizzle inserts into all columns, in the order of the table.
          sql`select ${seasonId}, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, null
            from json_each(${JSON.stringify(rows)})
            where exists (select 1 from characters where id = value ->> 0) and ${isSeasonOpen(seasonId)}`,
        )
        .onConflictDoUpdate({
          target: [competitionStandings.seasonId, competitionStandings.characterId],
          set: {
            rank: sql`excluded.rank`,
            people: sql`excluded.people`,
            popularity: sql`excluded.popularity`,
            creativity: sql`excluded.creativity`,
            score: sql`excluded.score`,
          },
        }),
    );
  }
  return writes;
}

/**
 * Deletes the standings of characters that did not take part in the final count: if they return, their people are
 * counted again.
 */
function clearLeaversStatement(
  db: Database,
  season: Season,
  counted: CountResult,
  entries: readonly CompetitionEntry[],
) {
  const { after, to } = counted.range;
  const [from, until] = [decodeCursor(after ?? undefined), decodeCursor(to ?? undefined)];
  const place = sql`(${characters.createdAt}, ${characters.id})`;
  const there = sql`exists (select 1 from ${characters} where ${characters.id} = ${competitionStandings.characterId}
    and ${from === null ? sql`true` : sql`${place} > (${from.value}, ${from.id})`}
    and ${until === null ? sql`true` : sql`${place} <= (${until.value}, ${until.id})`})`;
  const ids = entries.flatMap(({ characterId }) => (counted.people.has(characterId) ? [characterId] : []));
  return db
    .delete(competitionStandings)
    .where(
      and(
        eq(competitionStandings.seasonId, season.id),
        isSeasonOpen(season.id),
        there,
        sql`${competitionStandings.characterId} not in (select value from json_each(${JSON.stringify(ids)}))`,
      ),
    );
}

/**
 * Returns everyone who may judge or has judged in this season, as persons, so that all accounts of their mailbox are
 * included.
 */
async function listJudges(
  db: Database,
  season: Season,
  adminEmails: readonly string[],
): Promise<Set<string>> {
  const rows = await db.all<{ id: string }>(
    sql`select ${buildPersonKey('users')} as id from json_each(${JSON.stringify(adminEmails)}) as admin
          cross join users where users.email = admin.value
        union select coalesce(${buildPersonKey('users')}, judge_id) from judge_scores
          left join users on users.id = judge_id where season_id = ${season.id}`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Statements that store the winners: their prizes, the winning characters, and that the season is decided. */
function insertWinnersStatements(db: Database, seasonId: string, winners: readonly Winner[]) {
  const prizes = new Map<string, string[]>();
  for (const { characterId, prize } of winners)
    prizes.set(characterId, [...(prizes.get(characterId) ?? []), prize]);
  return [
    ...winners.map(({ prize, place, characterId, creatorId }) =>
      db
        .insert(competitionPrizes)
        .select(
          sql`select ${seasonId}, ${prize}, ${place}, ${creatorId}, ${characters.name}, null from ${characters}
            where ${characters.id} = ${characterId} and ${characters.creatorId} = ${creatorId} and ${isSeasonOpen(seasonId)}`,
        )
        .onConflictDoNothing(),
    ),
    ...[...prizes].map(([characterId, won]) =>
      db
        .update(competitionStandings)
        .set({ prize: won.join(' ') })
        .where(
          and(
            eq(competitionStandings.seasonId, seasonId),
            eq(competitionStandings.characterId, characterId),
            isSeasonOpen(seasonId),
          ),
        ),
    ),
    db
      .update(seasons)
      .set({ status: 'decided' })
      .where(and(eq(seasons.id, seasonId), eq(seasons.status, 'open'))),
  ] as const;
}

/**
 * Checks unchecked texts, counts more people of a season, ranks all entries, and decides the winners when their day has
 * come. People are counted in rounds, as of the start of the round. The round that starts after the season's end is
 * final: after it, only entries that missed it and take part now are counted, and otherwise only marks change the
 * ranking. The winners are decided once all of them are counted.
 * @returns whether the season is decided now
 */
export async function updateStandings(
  db: Database,
  kv: KVNamespace,
  { season, now, adminEmails = [] }: { season: Season; now: number; adminEmails?: readonly string[] },
): Promise<boolean> {
  const areAllChecked = await checkExplicitBatch(db, season, now);
  const counted = isFinalCount(season) ? null : await countNextPeople(db, kv, { season, now });
  const last = counted !== null && counted.startedAt >= season.endsAt ? counted : null;
  const kept = (await listEntries(db, season)).map((one) =>
    // An earlier count is not valid in the final round.
    last !== null && isInRange(last.range, one) ? { ...one, people: null } : one,
  );
  const late = counted === null ? kept.filter(({ people }) => people === null) : [];
  const found = counted?.people ?? (await countLatePeople(db, season, late));
  const entries = kept.flatMap(
    ({ id, creatorId, person, createdAt, marks, people: before }): CompetitionEntry[] => {
      const people = found.get(id) ?? before;
      // A new entry has no rank until its people are counted.
      if (people === null) return [];
      return [
        { characterId: id, creatorId, person, createdAt, people, marks: JSON.parse(marks) as number[] },
      ];
    },
  );
  const standings = rankEntries(entries);
  const known = new Map(kept.map((one) => [one.id, one]));
  const standingsAt = Math.max(season.standingsAt ?? 0, counted?.doneAt ?? 0);
  const isOver =
    isFinalCount({ endsAt: season.endsAt, standingsAt }) &&
    now >= season.winnersAt &&
    areAllChecked &&
    entries.length === kept.length;
  const judges = isOver ? await listJudges(db, season, adminEmails) : new Set<string>();
  await db.batch([
    db
      .update(seasons)
      .set({ standingsAt: standingsAt === 0 ? null : standingsAt })
      .where(and(eq(seasons.id, season.id), eq(seasons.status, 'open'))),
    ...(last === null ? [] : [clearLeaversStatement(db, season, last, entries)]),
    ...updateStandingsStatements(
      db,
      season.id,
      standings.filter((standing) => !isUnchanged(standing, known.get(standing.characterId))),
    ),
    ...(isOver ? insertWinnersStatements(db, season.id, computeWinners(standings, judges)) : []),
  ]);
  await counted?.save();
  return isOver;
}
