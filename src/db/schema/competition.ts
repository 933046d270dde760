import { sql } from 'drizzle-orm';
import {
  check,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { characters, users } from './core.ts';

/** The creators' competition. Times are milliseconds since the epoch. */

export const seasons = sqliteTable(
  'seasons',
  {
    id: text('id').primaryKey(),
    number: integer('number').notNull(),
    beginsAt: integer('begins_at').notNull(),
    /** The first moment that is not in it any more. */
    endsAt: integer('ends_at').notNull(),
    winnersAt: integer('winners_at').notNull(),
    /** `decided`: the standings are fixed, and the winners with them. */
    status: text('status', { enum: ['open', 'decided'] })
      .notNull()
      .default('open'),
    /** When the standings were made last; null while nobody made them. */
    standingsAt: integer('standings_at'),
  },
  (table) => [
    uniqueIndex('seasons_number').on(table.number),
    check('seasons_status', sql`${table.status} in ('open', 'decided')`),
    check(
      'seasons_times',
      sql`${table.beginsAt} < ${table.endsAt} and ${table.endsAt} <= ${table.winnersAt}`,
    ),
  ],
);

/**
 * What a character is to the competition, whatever the season; there is a row for each. Triggers write `since` and
 * `looked` when a character changes; who looks at texts writes the rest.
 */
export const competitionEntries = sqliteTable(
  'competition_entries',
  {
    characterId: text('character_id')
      .primaryKey()
      .references(() => characters.id, { onDelete: 'cascade' }),
    /** What was begun with it before counts for nobody; 0 for one that was never away, or never anything else. */
    since: integer('since').notNull().default(0),
    /** Whether explicit words were found in its texts. */
    explicit: integer('explicit', { mode: 'boolean' }).notNull().default(false),
    /** Of the rules that looked at its texts; 0 or less while somebody is to look, less with every change. */
    looked: integer('looked').notNull().default(0),
  },
  (table) => [check('competition_entries_explicit', sql`${table.explicit} in (0, 1)`)],
);

/** Characters that their makers took out of a season. */
export const competitionWithdrawals = sqliteTable(
  'competition_withdrawals',
  {
    seasonId: text('season_id')
      .notNull()
      .references(() => seasons.id, { onDelete: 'cascade' }),
    characterId: text('character_id')
      .notNull()
      .references(() => characters.id, { onDelete: 'cascade' }),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.seasonId, table.characterId] }),
    index('competition_withdrawals_character').on(table.characterId),
  ],
);

/** What a judge gives a character for creativity: 0 to 100. */
export const competitionMarks = sqliteTable(
  'competition_marks',
  {
    seasonId: text('season_id')
      .notNull()
      .references(() => seasons.id, { onDelete: 'cascade' }),
    characterId: text('character_id')
      .notNull()
      .references(() => characters.id, { onDelete: 'cascade' }),
    /** No reference: a mark stays when the judge goes. */
    judgeId: text('judge_id').notNull(),
    mark: integer('mark').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.seasonId, table.characterId, table.judgeId] }),
    index('competition_marks_character').on(table.characterId),
    check('competition_marks_mark', sql`${table.mark} between 0 and 100`),
  ],
);

/** Where each character stands in a season; made anew as long as it is open, and fixed with its end. */
export const competitionStandings = sqliteTable(
  'competition_standings',
  {
    seasonId: text('season_id')
      .notNull()
      .references(() => seasons.id, { onDelete: 'cascade' }),
    characterId: text('character_id')
      .notNull()
      .references(() => characters.id, { onDelete: 'cascade' }),
    /** Equal ones share a rank, and the next is as many further on. */
    rank: integer('rank').notNull(),
    /** How many people are counted. */
    people: integer('people').notNull(),
    /** 0 to 100 each. */
    popularity: real('popularity').notNull(),
    creativity: real('creativity').notNull(),
    score: real('score').notNull(),
    /** The machine's name of what it won; null before the end, and for whoever won nothing. */
    prize: text('prize'),
  },
  (table) => [
    primaryKey({ columns: [table.seasonId, table.characterId] }),
    index('competition_standings_rank').on(table.seasonId, table.rank, table.characterId),
    index('competition_standings_character').on(table.characterId),
    check('competition_standings_rank', sql`${table.rank} >= 1 and ${table.people} >= 0`),
  ],
);

/** Who was given a prize, for the operator's own books. */
export const competitionPrizes = sqliteTable(
  'competition_prizes',
  {
    seasonId: text('season_id')
      .notNull()
      .references(() => seasons.id, { onDelete: 'cascade' }),
    prize: text('prize').notNull(),
    place: integer('place').notNull(),
    userId: text('user_id').references(() => users.id, { onDelete: 'set null' }),
    /** What it was called then, whatever becomes of it. */
    characterName: text('character_name').notNull(),
    givenAt: integer('given_at'),
  },
  (table) => [
    primaryKey({ columns: [table.seasonId, table.prize, table.place] }),
    index('competition_prizes_user').on(table.userId),
  ],
);
