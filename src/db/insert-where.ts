import { getTableColumns, type InferInsertModel, Param, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Database } from './open.ts';

/** Inserts one row only when a condition holds, checked in the same statement. Omitted columns get their defaults. */
export function insertWhere<Table extends SQLiteTable>(
  db: Database,
  table: Table,
  row: InferInsertModel<Table>,
  when: SQL,
) {
  const rowValues = row as Record<string, unknown>;
  // Drizzle's insert-select names all columns, in the order of the table.
  const values = Object.entries(getTableColumns(table)).map(([name, column]) => {
    const value = rowValues[name] ?? column.default ?? null;
    return sql`${value === null ? null : new Param(value, column)}`;
  });
  return db.insert(table).select(sql`select ${sql.join(values, sql`, `)} where ${when}`);
}

/**
 * Adds a row for a user up to a limit that the same statement checks. A row that already exists stays unchanged.
 * @param ask.most maximum number of rows per user
 * @param ask.over result when the limit is reached
 * @param ask.same selects the row if it already exists
 * @param ask.needs must hold for the insert, such as that the target exists
 * @returns `not_found` when `ask.needs` does not hold
 */
export async function insertWithinLimit<
  Table extends SQLiteTable & { userId: SQLiteColumn },
  Over extends string,
>(
  db: Database,
  table: Table,
  row: InferInsertModel<Table> & { userId: string },
  ask: { most: number; over: Over; same: SQL | undefined; needs?: SQL | undefined },
): Promise<'kept' | 'not_found' | Over> {
  const { most, over, same, needs = sql`true` } = ask;
  const isBelowLimit = sql`(select count(*) from ${table} where ${table.userId} = ${row.userId}) < ${most}`;
  const added = await insertWhere(db, table, row, sql`${needs} and ${isBelowLimit}`)
    .onConflictDoNothing()
    .returning({ userId: table.userId });
  if (added.length > 0) return 'kept';
  const found = await db.get<{ needed: number; known: number }>(
    sql`select ${needs} as needed, exists (select 1 from ${table} where ${same}) as known`,
  );
  if (found.needed === 0) return 'not_found';
  return found.known === 1 ? 'kept' : over;
}
