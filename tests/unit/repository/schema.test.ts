import { readdirSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { is } from 'drizzle-orm';
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { expect, test } from 'vitest';
import drizzle from '../../../drizzle.config.ts';

const MIGRATIONS = new URL('../../../migrations/', import.meta.url);

const database = new DatabaseSync(':memory:');
for (const file of readdirSync(MIGRATIONS).toSorted())
  if (file.endsWith('.sql')) database.exec(readFileSync(new URL(file, MIGRATIONS), 'utf8'));

const queryAll = (sql: string, ...values: string[]): Record<string, unknown>[] =>
  database.prepare(sql).all(...values);

async function loadTables(): Promise<SQLiteTable[]> {
  const modules = await Promise.all(
    [drizzle.schema ?? []]
      .flat()
      .map((file): Promise<object> => import(new URL(`../../../${file}`, import.meta.url).pathname)),
  );
  return modules
    .flatMap((module): unknown[] => Object.values(module))
    .filter((value): value is SQLiteTable => is(value, SQLiteTable));
}

test('the migrations create exactly the tables, columns and indexes that src/db defines', async () => {
  const tables = await loadTables();
  // The full-text index of characters uses virtual tables, which Drizzle does not define.
  const created = queryAll(
    "select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite_%'",
  );
  expect(tables.map((table) => getTableConfig(table).name).toSorted()).toEqual(
    created.map(({ name }) => name).toSorted(),
  );
  for (const table of tables) {
    const { name, columns, indexes } = getTableConfig(table);
    expect(
      columns.map((column) => [column.name, column.getSQLType(), column.notNull]).toSorted(),
      name,
    ).toEqual(
      queryAll('select name, type, "notnull" from pragma_table_info(?)', name)
        .map((column) => [column['name'], String(column['type']).toLowerCase(), column['notnull'] === 1])
        .toSorted(),
    );
    const created = queryAll('select name, "unique" from pragma_index_list(?) where origin = \'c\'', name);
    expect(indexes.map(({ config }) => [config.name, config.unique]).toSorted(), name).toEqual(
      created.map((index) => [index['name'], index['unique'] === 1]).toSorted(),
    );
  }
});
