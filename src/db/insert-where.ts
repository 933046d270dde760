import { getTableColumns, type InferInsertModel, Param, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Database } from './open.ts';

/**
 * The write of one row that asks something in the write itself: what is not so then is not written. Columns that are left
 * out have their defaults.
 */
export function insertWhere<Table extends SQLiteTable>(
  db: Database,
  table: Table,
  row: InferInsertModel<Table>,
  when: SQL,
) {
  const rowValues = row as Record<string, unknown>;
  // Drizzle names all columns, in the order of the table.
  const values = Object.entries(getTableColumns(table)).map(([name, column]) => {
    const value = rowValues[name] ?? column.default ?? null;
    return sql`${value === null ? null : new Param(value, column)}`;
  });
  return db.insert(table).select(sql`select ${sql.join(values, sql`, `)} where ${when}`);
}

/**
 * Adds one thing to what an account has of a kind, up to a limit that is asked in the write itself. What it has already
 * stays where it is.
 * @param ask.most how many there may be @param ask.over what it is called when there are as many
 * @param ask.same the row, where it is there already
 * @param ask.needs what has to be there for it
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
