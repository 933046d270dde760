import { sql } from 'drizzle-orm';
import { check, integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** What the operator's figures are made of: counts alone, of nobody and of no words. */

/** What models were asked in an hour (UTC, hours since the epoch), by our name for the model. */
export const turnHours = sqliteTable(
  'turn_hours',
  {
    hour: integer('hour').notNull(),
    model: text('model').notNull(),
    /** Replies that were begun. */
    turns: integer('turns').notNull(),
    /** Of them: that failed, and that their reader stopped. */
    failed: integer('failed').notNull(),
    stopped: integer('stopped').notNull(),
    /** Of them: that a rule of safety cut off. */
    refused: integer('refused').notNull(),
    /** As estimated when the prompt was made, and of what was written. */
    promptTokens: integer('prompt_tokens').notNull(),
    replyTokens: integer('reply_tokens').notNull(),
    points: integer('points').notNull(),
    /** How many began to answer within so many milliseconds, each beyond the one before. */
    first250: integer('first_250').notNull(),
    first500: integer('first_500').notNull(),
    first1000: integer('first_1000').notNull(),
    first2000: integer('first_2000').notNull(),
    first5000: integer('first_5000').notNull(),
    firstLater: integer('first_later').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.hour, table.model] }),
    check('turn_hours_turns', sql`${table.turns} >= 0`),
  ],
);

/** One figure of one day (UTC, days since the epoch). */
export const statDays = sqliteTable(
  'stat_days',
  {
    day: integer('day').notNull(),
    name: text('name').notNull(),
    value: real('value').notNull(),
  },
  (table) => [primaryKey({ columns: [table.name, table.day] })],
);
