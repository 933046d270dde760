import { DatabaseSync } from 'node:sqlite';
import { columnsOf, fillings, sizeOf } from '../../scripts/rehearse/made-rows.mjs';
import { migrations } from '../../scripts/rehearse/migrations.mjs';

export const MIGRATIONS = migrations();

/** The rows of one table, each a value by its column. */
export type Rows = Record<string, unknown>[];

const plain = (rows: readonly object[]): Rows => rows.map((row) => ({ ...row }));

export const all = (db: DatabaseSync, sql: string, ...values: string[]): Rows =>
  plain(db.prepare(sql).all(...values));

/** The tables that are there, with their columns. */
export const tablesOf = (db: DatabaseSync): Map<string, string[]> =>
  columnsOf((sql, ...values) => all(db, sql, ...values));

/** Applies migrations as D1 does: each in one piece, and with foreign keys kept. */
export function apply(db: DatabaseSync, files: readonly { statements: readonly string[] }[]): void {
  for (const { statements } of files) {
    db.exec('begin');
    for (const statement of statements) db.exec(statement);
    db.exec('commit');
  }
}

/** A database as it was after so many migrations. */
export function databaseAt(count: number): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  db.exec('pragma foreign_keys = on');
  apply(db, MIGRATIONS.slice(0, count));
  return db;
}

/** Writes rows into every table, as code of the time of these columns does. */
export function fill(db: DatabaseSync, columns: Map<string, string[]>, conversations = 40): void {
  for (const { sql, values } of fillings(columns, sizeOf(conversations))) db.prepare(sql).run(...values);
}

interface Column {
  name: string;
  type: string;
  notnull: number;
  dflt_value: string | null;
  pk: number;
}

interface TableShape {
  columns: Map<string, Column>;
  /** What no two rows may share: the columns, and the condition of a partial index. */
  unique: string[];
  /** Other indexes, by which queries find their rows quickly. */
  indexes: string[];
  /** What rows have to fulfil, without the table's name and quotes. */
  checks: string[];
  foreignKeys: string[];
}

/** What code can rely on: tables, columns, and what may stand in them. */
export function shapeOf(db: DatabaseSync): Map<string, TableShape> {
  const searched = all(db, "select name from pragma_table_list where schema = 'main' and type = 'virtual'");
  const tables = [...tablesOf(db).keys(), ...searched.map(({ name }) => String(name))];
  return new Map(tables.map((table) => [table, tableShape(db, table)]));
}

function tableShape(db: DatabaseSync, table: string): TableShape {
  const columns = db
    .prepare('select name, type, "notnull", dflt_value, pk from pragma_table_info(?)')
    .all(table) as unknown as Column[];
  const primary = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
  const indexes = all(db, 'select name, partial from pragma_index_list(?) where "unique" = 1', table);
  const unique = indexes.map(({ name, partial }) => {
    const names = all(db, 'select name from pragma_index_info(?) order by seqno', String(name)).map(
      (column) => column['name'],
    );
    const where = partial === 1 ? ` ${/\bwhere\b.*$/is.exec(createdBy(db, String(name)))?.[0]}` : '';
    return `${names.join(', ')}${bare(where, table)}`;
  });
  return {
    columns: new Map(columns.map((column) => [column.name, { ...column }])),
    unique: [...new Set([...unique, primary.map(({ name }) => name).join(', ')])].toSorted(),
    indexes: all(db, 'select name from pragma_index_list(?) where "unique" = 0 order by name', table).map(
      ({ name }) => String(name),
    ),
    checks: checksOf(createdBy(db, table))
      .map((check) => bare(check, table))
      .toSorted(),
    foreignKeys: all(db, 'select "from", "table", "to", on_delete from pragma_foreign_key_list(?)', table)
      .map((key) => `${key['from']} → ${key['table']}.${key['to']} ${key['on_delete']}`)
      .toSorted(),
  };
}

const createdBy = (db: DatabaseSync, name: string): string =>
  String(all(db, 'select sql from sqlite_master where name = ?', name)[0]?.['sql']);

const bare = (sql: string, table: string): string =>
  sql
    .replaceAll(new RegExp(`["\`]?(?:__new_)?${table}["\`]?\\.`, 'g'), '')
    .replaceAll(/["`\s]+/g, ' ')
    .trim();

/** What stands in the brackets of each `check` of a table. */
function checksOf(sql: string): string[] {
  return [...sql.matchAll(/\bcheck\s*\(/gi)].map(({ index, 0: head }) => {
    const from = index + head.length;
    let depth = 1;
    let end = from;
    for (; depth > 0; end += 1) depth += Number(sql[end] === '(') - Number(sql[end] === ')');
    return sql.slice(from, end - 1);
  });
}

/**
 * What code that knows only the older shape could not do any more, or would do wrongly: read and write every column,
 * leave out those that it does not know, and name a unique key in `on conflict`. Empty where it can go on beside it.
 */
export function breaksFor(older: Map<string, TableShape>, newer: Map<string, TableShape>): string[] {
  return [...older].flatMap(([table, before]) => {
    const after = newer.get(table);
    if (after === undefined) return [`${table} is gone`];
    return breaksOfTable(before, after).map((what) => `${table}: ${what}`);
  });
}

function breaksOfTable(before: TableShape, after: TableShape): string[] {
  const names = [...before.columns.keys()];
  const changed = names.flatMap((name) => {
    const old = before.columns.get(name);
    const now = after.columns.get(name);
    if (old === undefined || now === undefined) return [`${name} is gone`];
    if (old.type !== now.type) return [`${name} is ${now.type} and was ${old.type}`];
    if (now.notnull > old.notnull) return [`${name} may not be null any more`];
    return old.dflt_value !== null && now.dflt_value === null ? [`${name} has no default any more`] : [];
  });
  const wanted = [...after.columns.values()]
    .filter(
      ({ name, notnull, dflt_value: value }) => !names.includes(name) && notnull === 1 && value === null,
    )
    .map(({ name }) => `${name} is new, and has to be given`);
  const lost = before.unique
    .filter((key) => !after.unique.includes(key))
    .map((key) => `not unique any more: ${key}`);
  const slower = before.indexes
    .filter((name) => !after.indexes.includes(name))
    .map((name) => `not found by any more: ${name}`);
  const onOld = (rule: string) => names.some((name) => new RegExp(`\\b${name}\\b`).test(rule));
  const stricter = [
    ...after.unique
      .filter((key) => !before.unique.includes(key) && onOld(key))
      .map((key) => `has to be unique: ${key}`),
    ...after.checks
      .filter((check) => !before.checks.includes(check) && onOld(check))
      .map((check) => `has to fulfil: ${check}`),
    ...after.foreignKeys
      .filter((key) => !before.foreignKeys.includes(key) && onOld(key.split(' ')[0] ?? ''))
      .map((key) => `has to point somewhere: ${key}`),
  ];
  return [...changed, ...wanted, ...lost, ...slower, ...stricter];
}
