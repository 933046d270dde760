import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** What the site found of itself, check by check: of nobody, and of no words. */

/** One check of everything; days keep what they came to. */
export const checks = sqliteTable('checks', {
  /** When it began, in ms. */
  at: integer('at').primaryKey(),
  /** As `checkedPart` of features/status/contract.ts has it. */
  parts: text('parts', { mode: 'json' })
    .$type<{ part: string; is: 'up' | 'slow' | 'down'; ms: number | null; code?: string | undefined }[]>()
    .notNull(),
});

/** What the checks of a day (UTC, days since the epoch) found of a part. */
export const checkDays = sqliteTable(
  'check_days',
  {
    day: integer('day').notNull(),
    /** `site`, `sign_in`, `chats`, or `replies:` with our name for the model. */
    part: text('part').notNull(),
    checks: integer('checks').notNull(),
    /** Of them: that found it slow, and down. */
    slow: integer('slow').notNull(),
    down: integer('down').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.part, table.day] }),
    index('check_days_day').on(table.day),
    check(
      'check_days_counts',
      sql`${table.slow} >= 0 and ${table.down} >= 0 and ${table.slow} + ${table.down} <= ${table.checks}`,
    ),
  ],
);
