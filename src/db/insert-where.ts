import { getTableColumns, type InferInsertModel, Param, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
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
  const given = row as Record<string, unknown>;
  // Drizzle names all columns, in the order of the table.
  const values = Object.entries(getTableColumns(table)).map(([name, column]) => {
    const value = given[name] ?? column.default ?? null;
    return sql`${value === null ? null : new Param(value, column)}`;
  });
  return db.insert(table).select(sql`select ${sql.join(values, sql`, `)} where ${when}`);
}
