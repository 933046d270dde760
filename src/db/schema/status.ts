import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Results of the synthetic checks, without users or texts. */

/** One run of all checks; `checkDays` keeps the daily totals. */
export const checks = sqliteTable('checks', {
  /** Start time in milliseconds. */
  at: integer('at').primaryKey(),
  /** The shape of `checkedPart` in features/status/contract.ts. */
  parts: text('parts', { mode: 'json' })
    .$type<{ part: string; is: 'up' | 'slow' | 'down'; ms: number | null; code?: string | undefined }[]>()
    .notNull(),
});

/** Daily totals (UTC, days since the epoch) of the checks of a part. */
export const checkDays = sqliteTable(
  'check_days',
  {
    day: integer('day').notNull(),
    /** `site`, `sign_in`, `chats`, or `replies:` with our name of the model. */
    part: text('part').notNull(),
    checks: integer('checks').notNull(),
    /** Of these: slow and down. */
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
