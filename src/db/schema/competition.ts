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
    /** Exclusive. */
    endsAt: integer('ends_at').notNull(),
    winnersAt: integer('winners_at').notNull(),
    /** `decided`: the standings and the winners are final. */
    status: text('status', { enum: ['open', 'decided'] })
      .notNull()
      .default('open'),
    /** Time of the last update of the standings; null before the first. */
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
 * State of a character that is independent of the season; every character has a row. When a character changes, triggers
 * write `eligible_from` and `scanned_version`; the check for explicit words writes the other columns.
 */
export const competitionEntries = sqliteTable(
  'competition_entries',
  {
    characterId: text('character_id')
      .primaryKey()
      .references(() => characters.id, { onDelete: 'cascade' }),
    /**
     * Conversations begun before this time do not count; 0 means no limit. Set when the character becomes public or
     * suitable for all ages again.
     */
    eligibleFrom: integer('eligible_from').notNull().default(0),
    /** Whether its texts contain explicit words. */
    isExplicit: integer('is_explicit', { mode: 'boolean' }).notNull().default(false),
    /** Version of the rules that checked its texts; 0 or less when a check is due. Every change decrements it. */
    scannedVersion: integer('scanned_version').notNull().default(0),
  },
  (table) => [check('competition_entries_explicit', sql`${table.isExplicit} in (0, 1)`)],
);

/** Characters that their creators withdrew from a season. */
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

/** A judge's score for creativity, 0 to 100. */
export const judgeScores = sqliteTable(
  'judge_scores',
  {
    seasonId: text('season_id')
      .notNull()
      .references(() => seasons.id, { onDelete: 'cascade' }),
    characterId: text('character_id')
      .notNull()
      .references(() => characters.id, { onDelete: 'cascade' }),
    /** No foreign key: a score stays when the judge's account is deleted. */
    judgeId: text('judge_id').notNull(),
    score: integer('score').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.seasonId, table.characterId, table.judgeId] }),
    index('judge_scores_character').on(table.characterId),
    check('judge_scores_score', sql`${table.score} between 0 and 100`),
  ],
);

/** Rank of each character in a season. Recomputed while the season is open, final after its end. */
export const competitionStandings = sqliteTable(
  'competition_standings',
  {
    seasonId: text('season_id')
      .notNull()
      .references(() => seasons.id, { onDelete: 'cascade' }),
    characterId: text('character_id')
      .notNull()
      .references(() => characters.id, { onDelete: 'cascade' }),
    /** Equal scores share a rank; the ranks after them are skipped. */
    rank: integer('rank').notNull(),
    /** Number of users counted. */
    people: integer('people').notNull(),
    /** 0 to 100 each. */
    popularity: real('popularity').notNull(),
    creativity: real('creativity').notNull(),
    score: real('score').notNull(),
    /** Key of the prize; null without one or before the end. */
    prize: text('prize'),
  },
  (table) => [
    primaryKey({ columns: [table.seasonId, table.characterId] }),
    index('competition_standings_rank').on(table.seasonId, table.rank, table.characterId),
    index('competition_standings_character').on(table.characterId),
    check('competition_standings_rank', sql`${table.rank} >= 1 and ${table.people} >= 0`),
  ],
);

/** Prizes awarded, for the operator's bookkeeping. */
export const competitionPrizes = sqliteTable(
  'competition_prizes',
  {
    seasonId: text('season_id')
      .notNull()
      .references(() => seasons.id, { onDelete: 'cascade' }),
    prize: text('prize').notNull(),
    place: integer('place').notNull(),
    userId: text('user_id').references(() => users.id, { onDelete: 'set null' }),
    /** The name at that time, kept if the character is renamed or deleted. */
    characterName: text('character_name').notNull(),
    givenAt: integer('given_at'),
  },
  (table) => [
    primaryKey({ columns: [table.seasonId, table.prize, table.place] }),
    index('competition_prizes_user').on(table.userId),
  ],
);
