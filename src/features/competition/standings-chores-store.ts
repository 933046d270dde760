import { and, eq, sql } from 'drizzle-orm';
import { COMPETITION } from './limits.ts';
import { competitionPrizes, competitionStandings, seasons } from '../../db/schema/competition.ts';
import { readCursor } from '../../db/cursor.ts';
import type { Database } from '../../db/open.ts';
import { characters, users } from '../../db/schema/core.ts';
import { type Entry, type Standing, standingsOf, type Winner, winnersOf } from './competition.ts';
import { lookAtSome } from './explicit-store.ts';
import { type Counted, countLate, countSome, liesIn } from './people-store.ts';
import { personOf } from './person-store.ts';
import { isCountedOut, type Season, takesPart, whileOpen } from './season-store.ts';

/* What keeps the standings up to date; the cron calls it, and each call is harmless to repeat. */

/** A standing as it is kept; one of nobody who was counted yet has no rank. */
interface Kept {
  id: string;
  creatorId: string;
  person: string;
  createdAt: number;
  /** About how many conversations it has. */
  chats: number;
  marks: string;
  people: number | null;
  rank: number | null;
  popularity: number | null;
  creativity: number | null;
  score: number | null;
}

/** All who take part now, with what is known of them. */
async function entriesOf(db: Database, season: Season): Promise<Kept[]> {
  const all: Kept[] = [];
  let after = { createdAt: 0, id: '' };
  for (;;) {
    const some = await db.all<Kept>(
      sql`select l.character_id as id, ${characters.creatorId} as creatorId, ${personOf('users')} as person,
            l.created_at as createdAt,
            ${characters.chatCount} as chats,
            (select json_group_array(m.mark) from competition_marks m
              where m.season_id = ${season.id} and m.character_id = l.character_id) as marks,
            s.people, s.rank, s.popularity, s.creativity, s.score
          from character_listings l cross join ${characters} cross join ${users}
            left join competition_standings s on s.season_id = ${season.id} and s.character_id = l.character_id
          where l.tag = '' and l.nsfw = 0 and l.created_at >= ${season.beginsAt} and l.created_at < ${season.endsAt}
            and (l.created_at, l.character_id) > (${after.createdAt}, ${after.id})
            and ${characters.id} = l.character_id and ${users.id} = ${characters.creatorId} and ${takesPart(season)}
          order by l.created_at, l.character_id limit ${COMPETITION.rowsAtOnce}`,
    );
    all.push(...some);
    const last = some.at(-1);
    if (last === undefined || some.length < COMPETITION.rowsAtOnce) return all;
    after = last;
  }
}

const isKept = (standing: Standing, kept: Kept | undefined): boolean =>
  kept !== undefined &&
  kept.rank === standing.rank &&
  kept.people === standing.people &&
  kept.popularity === standing.popularity &&
  kept.creativity === standing.creativity &&
  kept.score === standing.score;

/** The writes of standings; of a character that is gone by then nothing is written. */
function standingsToWrite(db: Database, seasonId: string, standings: readonly Standing[]) {
  const writes = [];
  for (let from = 0; from < standings.length; from += COMPETITION.rowsAtOnce) {
    const rows = standings
      .slice(from, from + COMPETITION.rowsAtOnce)
      .map((one) => [one.characterId, one.rank, one.people, one.popularity, one.creativity, one.score]);
    writes.push(
      db
        .insert(competitionStandings)
        .select(
          // Drizzle names all columns, in the order of the table.
          sql`select ${seasonId}, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, null
            from json_each(${JSON.stringify(rows)})
            where exists (select 1 from characters where id = value ->> 0) and ${whileOpen(seasonId)}`,
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
 * Forgets the numbers of those who took no part when everybody was counted for the last time: whoever comes back has
 * their people counted anew.
 */
function leaversToForget(db: Database, season: Season, counted: Counted, entries: readonly Entry[]) {
  const { after, to } = counted.stretch;
  const [from, until] = [readCursor(after ?? undefined), readCursor(to ?? undefined)];
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
        whileOpen(season.id),
        there,
        sql`${competitionStandings.characterId} not in (select value from json_each(${JSON.stringify(ids)}))`,
      ),
    );
}

/** Who may judge, or did in this season: the operator's own people, whichever account they make characters with. */
async function judgesOf(db: Database, season: Season, adminEmails: readonly string[]): Promise<Set<string>> {
  const rows = await db.all<{ id: string }>(
    sql`select ${personOf('users')} as id from json_each(${JSON.stringify(adminEmails)}) as admin
          cross join users where users.email = admin.value
        union select coalesce(${personOf('users')}, judge_id) from competition_marks
          left join users on users.id = judge_id where season_id = ${season.id}`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** The writes that fix who won: the prizes, what won them, and that it is decided. */
function winnersToWrite(db: Database, seasonId: string, winners: readonly Winner[]) {
  const prizes = new Map<string, string[]>();
  for (const { characterId, prize } of winners)
    prizes.set(characterId, [...(prizes.get(characterId) ?? []), prize]);
  return [
    ...winners.map(({ prize, place, characterId, creatorId }) =>
      db
        .insert(competitionPrizes)
        .select(
          sql`select ${seasonId}, ${prize}, ${place}, ${creatorId}, ${characters.name}, null from ${characters}
            where ${characters.id} = ${characterId} and ${characters.creatorId} = ${creatorId} and ${whileOpen(seasonId)}`,
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
            whileOpen(seasonId),
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
 * Looks at texts that nobody has looked at, counts some more people of a season, ranks all who take part, and fixes the winners when their day has come. People are
 * counted in rounds as of when a round began; after one that began when the season was over only those are counted who
 * took no part in it and do now, and otherwise marks alone move anything. Winners wait for them.
 * @returns whether it is decided now
 */
export async function keepStandings(
  db: Database,
  kv: KVNamespace,
  { season, now, adminEmails = [] }: { season: Season; now: number; adminEmails?: readonly string[] },
): Promise<boolean> {
  const allLookedAt = await lookAtSome(db, season, now);
  const counted = isCountedOut(season) ? null : await countSome(db, kv, { season, now });
  const last = counted !== null && counted.begunAt >= season.endsAt ? counted : null;
  const kept = (await entriesOf(db, season)).map((one) =>
    // What was counted before the last time is no answer to it.
    last !== null && liesIn(last.stretch, one) ? { ...one, people: null } : one,
  );
  const late = counted === null ? kept.filter(({ people }) => people === null) : [];
  const found = counted?.people ?? (await countLate(db, season, late));
  const entries = kept.flatMap(({ id, creatorId, person, createdAt, marks, people: before }): Entry[] => {
    const people = found.get(id) ?? before;
    // Who came a moment ago stands nowhere until somebody has counted.
    if (people === null) return [];
    return [{ characterId: id, creatorId, person, createdAt, people, marks: JSON.parse(marks) as number[] }];
  });
  const standings = standingsOf(entries);
  const known = new Map(kept.map((one) => [one.id, one]));
  const standingsAt = Math.max(season.standingsAt ?? 0, counted?.doneAt ?? 0);
  const isOver =
    isCountedOut({ endsAt: season.endsAt, standingsAt }) &&
    now >= season.winnersAt &&
    allLookedAt &&
    entries.length === kept.length;
  const judges = isOver ? await judgesOf(db, season, adminEmails) : new Set<string>();
  await db.batch([
    db
      .update(seasons)
      .set({ standingsAt: standingsAt === 0 ? null : standingsAt })
      .where(and(eq(seasons.id, season.id), eq(seasons.status, 'open'))),
    ...(last === null ? [] : [leaversToForget(db, season, last, entries)]),
    ...standingsToWrite(
      db,
      season.id,
      standings.filter((standing) => !isKept(standing, known.get(standing.characterId))),
    ),
    ...(isOver ? winnersToWrite(db, season.id, winnersOf(standings, judges)) : []),
  ]);
  await counted?.note();
  return isOver;
}
