// The rehearsal of migrations on D1: a database with many rows, or a copy of a real one, in the runtime that the platform
// runs; each pending migration in one piece, as it will be applied, with the time of each of its statements.
import {
  closeSync,
  createReadStream,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { columnsOf, fillings, sizeOf, TABLES_SQL } from './made-rows.mjs';
import { migrations } from './migrations.mjs';
import { asked, databaseFile, openDatabase, processorSeconds, runtimePid } from './runtime.mjs';

/** Nobody else waits for such a file, and it is thrown away: it may be lost with the power. */
const QUICKLY = 'pragma journal_mode = memory; pragma synchronous = off; begin';

/** A failure that a person can act on: one sentence. */
export class Trouble extends Error {}

/**
 * A made-up database as the migrations before `from` leave it.
 * @param {string} folder
 * @param {{ rows: number, from: string | undefined, say: (text: string) => void }} wanted
 */
export async function makeDatabase(folder, { rows, from, say }) {
  const files = migrations();
  const first = from === undefined ? files.length - 1 : files.findIndex(({ name }) => name.startsWith(from));
  if (first < 1) throw new Trouble(`no migration after the first begins with ${from}`);
  const size = sizeOf(rows);
  say(
    `Filling ${rows.toLocaleString('en')} conversations, ${size.characters.toLocaleString('en')} characters, ${size.people.toLocaleString('en')} people, and what belongs to them …`,
  );
  const file = join(folder, 'made.sqlite');
  const made = new DatabaseSync(file);
  made.exec(QUICKLY);
  for (const { statements } of files.slice(0, first))
    for (const statement of statements) made.exec(statement);
  const columns = columnsOf((sql, ...values) => made.prepare(sql).all(...values));
  for (const { sql, values } of fillings(columns, size)) made.prepare(sql).run(...values);
  made.exec('commit');
  made.close();
  return { ...(await placed(folder, file)), pending: files.slice(first) };
}

/** The file in the place where D1 looks for its database, and D1 over it. */
async function placed(folder, file) {
  const place = join(folder, 'place');
  mkdirSync(place);
  const empty = await openDatabase(place);
  await empty.db.prepare('create table place (here integer)').run();
  await empty.end();
  const target = databaseFile(place);
  for (const log of ['-wal', '-shm']) rmSync(target + log, { force: true });
  renameSync(file, target);
  return openDatabase(place);
}

/**
 * A copy of a real database: a file of SQLite, or the statements of an export.
 * @param {string} folder
 * @param {string} copy
 * @param {(text: string) => void} say
 */
export async function copyDatabase(folder, copy, say) {
  if (!existsSync(copy)) throw new Trouble(`there is no file ${copy}`);
  const file = join(folder, 'copy.sqlite');
  if (isDatabase(copy)) {
    // What stands in its log still comes along.
    const source = new DatabaseSync(copy, { readOnly: true });
    source.prepare('vacuum into ?').run(file);
    source.close();
  } else {
    await loadStatements(copy, file);
  }
  const { pending, made } = completeCopy(file);
  if (made.length > 0)
    say(
      `The copy lacks ${made.length} indexes, triggers and indexes of words; they are made, and the latter are empty.`,
    );
  return { ...(await placed(folder, file)), pending };
}

/** So much of an export is run at once, in characters: all of it may be more than a text can be. */
const LOAD_CHARS = 100_000;
/** How a statement begins in an export; within one, lines are indented or belong to a table's columns. */
const STATEMENT = /^(?:insert|create|pragma|delete|analyze|drop) /i;

const linesOf = (source) => createInterface({ input: createReadStream(source, 'utf8'), crlfDelay: Infinity });

/** An export, into a file: with its own tables, or into those of the migrations whose names stand in it. */
async function loadStatements(source, file) {
  const applied = [];
  let hasTables = false;
  for await (const line of linesOf(source)) {
    hasTables ||= /^create table /i.test(line);
    const [, name] = /^insert into ["`]?d1_migrations["`]? .*'(\d{4}_\w+\.sql)'/i.exec(line) ?? [];
    if (name !== undefined) applied.push(name);
  }
  const made = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  made.exec(QUICKLY);
  if (!hasTables) makeTables(made, applied);
  let text = '';
  for await (const line of linesOf(source)) {
    if (text.length > LOAD_CHARS && text.endsWith(';\n') && STATEMENT.test(line)) {
      made.exec(text);
      text = '';
    }
    text += `${line}\n`;
  }
  made.exec(text);
  made.exec('commit');
  made.close();
}

/** Tables alone: with triggers, rows that came from them would come twice. */
function makeTables(db, applied) {
  if (applied.length === 0)
    throw new Trouble(
      'the copy has rows without tables, and does not say which migrations they had (d1_migrations)',
    );
  db.exec(
    'create table d1_migrations (id integer primary key autoincrement, name text unique, applied_at timestamp)',
  );
  for (const { sql, type } of schemaWith(applied))
    if (type === 'table' && !/virtual/i.test(sql)) db.exec(sql);
}

/** What these migrations make, tables first; what an index of words keeps for itself comes with it. */
function schemaWith(applied) {
  const whole = new DatabaseSync(':memory:');
  for (const { name, statements } of migrations())
    if (applied.includes(name)) for (const statement of statements) whole.exec(statement);
  return whole
    .prepare(
      `select type, name, sql from sqlite_master where sql is not null and name not like 'sqlite_%'
         and name not in (select name from pragma_table_list where type = 'shadow')
       order by type = 'trigger', type = 'index', rowid`,
    )
    .all()
    .map(({ type, name, sql }) => ({ type: String(type), name: String(name), sql: String(sql) }));
}

/** Whether a file is one of SQLite; it may be larger than what can be read at once. */
function isDatabase(file) {
  const start = Buffer.alloc(15);
  const opened = openSync(file, 'r');
  readSync(opened, start);
  closeSync(opened);
  return start.toString('latin1') === 'SQLite format 3';
}

/**
 * Finds out which migrations a copy has, and makes what an export cannot hold: the indexes of words, and triggers.
 * @param {string} file
 */
function completeCopy(file) {
  const files = migrations();
  const db = new DatabaseSync(file);
  const has = columnsOf((sql, ...values) => db.prepare(sql).all(...values));
  if (!has.has('users'))
    throw new Trouble('the copy has no table of people: it is no database of this product');
  const applied = db.prepare("select name from sqlite_master where name = 'd1_migrations'").get()
    ? db
        .prepare('select name from d1_migrations')
        .all()
        .map(({ name }) => String(name))
    : files.slice(0, stateOf(has, files)).map(({ name }) => name);
  const unknown = applied.filter((name) => !files.some((known) => known.name === name));
  if (unknown.length > 0)
    throw new Trouble(`the copy has a migration that is not here: ${unknown.join(', ')}`);
  const there = new Set(
    db
      .prepare('select name from sqlite_master')
      .all()
      .map(({ name }) => name),
  );
  const missing = schemaWith(applied).filter(({ name }) => !there.has(name));
  for (const { sql } of missing) db.exec(sql);
  db.close();
  return {
    pending: files.filter(({ name }) => !applied.includes(name)),
    made: missing.map(({ name }) => name),
  };
}

/** How many migrations make just these columns. */
function stateOf(has, files) {
  const shape = (columns) =>
    JSON.stringify([...columns].map(([table, names]) => [table, names.toSorted()]).toSorted());
  const db = new DatabaseSync(':memory:');
  for (const [index, { statements }] of files.entries()) {
    for (const statement of statements) db.exec(statement);
    if (shape(columnsOf((sql, ...values) => db.prepare(sql).all(...values))) === shape(has)) return index + 1;
  }
  throw new Trouble(
    'the copy does not say which migrations it has (d1_migrations), and its tables are those of none of them',
  );
}

async function columnsIn(db) {
  const columns = new Map();
  const { results: tables } = await asked(() => db.prepare(TABLES_SQL).all());
  for (const { name } of tables) {
    const { results } = await asked(() =>
      db.prepare('select name from pragma_table_info(?)').bind(name).all(),
    );
    columns.set(
      name,
      results.map((column) => column.name),
    );
  }
  return columns;
}

async function countsIn(db) {
  const counts = new Map();
  for (const table of (await columnsIn(db)).keys())
    counts.set(table, await asked(() => db.prepare(`select count(*) as n from ${table}`).first('n')));
  return counts;
}

/**
 * Applies migrations, each in one piece.
 * @returns for each of them its time, its statements with theirs, the rows that it wrote and what the database weighs then
 */
export async function applyMigrations({ db, apply, pending, say }) {
  const before = await countsIn(db);
  const applied = [];
  for (const { name, statements } of pending) {
    say(`Applying ${name} …`);
    const pid = runtimePid();
    const used = processorSeconds(pid);
    const { seconds, metas } = await apply(statements);
    applied.push({
      name,
      seconds,
      // What it would take on a machine with nothing else to do, but for its disk.
      processorSeconds: used === null ? null : (processorSeconds(pid) ?? 0) - used,
      rowsWritten: metas.reduce((sum, meta) => sum + meta.rows_written, 0),
      rowsRead: metas.reduce((sum, meta) => sum + meta.rows_read, 0),
      sizeBytes: metas.at(-1).size_after,
      statements: statements.map((text, index) => ({
        text,
        seconds: metas[index].duration / 1000,
        rowsWritten: metas[index].rows_written,
      })),
    });
  }
  const { results: loose } = await asked(() => db.prepare('pragma foreign_key_check').all());
  const after = await countsIn(db);
  const lost = [...before].filter(([table, count]) => (after.get(table) ?? 0) < count);
  return { applied, before, loose: loose.length, lost };
}

/** What names each table to `wrangler d1 export`: all at once it refuses, because of the indexes of words. */
export function exportedTables() {
  const db = new DatabaseSync(':memory:');
  for (const { statements } of migrations()) for (const statement of statements) db.exec(statement);
  const tables = [...columnsOf((sql, ...values) => db.prepare(sql).all(...values)).keys(), 'd1_migrations'];
  return tables.map((table) => `--table ${table}`).join(' ');
}
