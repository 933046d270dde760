import { sql } from 'drizzle-orm';
import { check, integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Metrics for the operator. Counts only, without users or texts. */

/** Turns per hour (UTC, hours since the epoch) and model, by our name of the model. */
export const hourlyModelUsage = sqliteTable(
  'hourly_model_usage',
  {
    hour: integer('hour').notNull(),
    model: text('model').notNull(),
    /** Replies begun. */
    turns: integer('turns').notNull(),
    /** Of these: failed, and stopped by the user. */
    failed: integer('failed').notNull(),
    stopped: integer('stopped').notNull(),
    /** Of these: cut off by a safety rule. */
    refused: integer('refused').notNull(),
    /** Tokens as estimated, of the prompt and of the reply. */
    promptTokens: integer('prompt_tokens').notNull(),
    replyTokens: integer('reply_tokens').notNull(),
    /** Of the prompt's tokens: those that the provider reports as kept from an earlier prompt. */
    cachedTokens: integer('cached_tokens').notNull().default(0),
    points: integer('points').notNull(),
    /** Histogram of the time to the first text: upper bounds in milliseconds, each turn in one bucket. */
    first250: integer('first_250').notNull(),
    first500: integer('first_500').notNull(),
    first1000: integer('first_1000').notNull(),
    first2000: integer('first_2000').notNull(),
    first5000: integer('first_5000').notNull(),
    firstLater: integer('first_later').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.hour, table.model] }),
    check('hourly_model_usage_turns', sql`${table.turns} >= 0`),
  ],
);

/** One metric of one day (UTC, days since the epoch). */
export const statDays = sqliteTable(
  'stat_days',
  {
    day: integer('day').notNull(),
    name: text('name').notNull(),
    value: real('value').notNull(),
  },
  (table) => [primaryKey({ columns: [table.name, table.day] })],
);
