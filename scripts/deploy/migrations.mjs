// Whether the migrations go through: on an empty database, and on a copy of one that is in use.
import { readdirSync, readFileSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Trouble } from '../lib/prepare.mjs';
import { ROOT } from '../lib/process.mjs';
import { AFTER_ROWS, BEFORE_ROWS, inPieces } from './long-rows.mjs';
import { beginningOf, endOf, piecesOf, statementsOf } from './pieces.mjs';

const FOLDER = join(ROOT, 'migrations');

/** The migrations in their order, by the names that D1 keeps of them. */
export const migrationNames = (folder = FOLDER) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();

/** What D1 keeps of the migrations that were applied; empty in a database that had none. @param {DatabaseSync} db */
function appliedTo(db) {
  const has = db
    .prepare("select 1 as there from sqlite_schema where type = 'table' and name = 'd1_migrations'")
    .get();
  return has === undefined
    ? []
    : db
        .prepare('select name from d1_migrations order by id')
        .all()
        .map(({ name }) => name);
}

/** Every table and index as it stands, whoever made it; the database's own are left out. @param {DatabaseSync} db */
function shapeOf(db) {
  return db
    .prepare(
      "select type, name, sql from sqlite_schema where name not like 'sqlite_%' and name not like '\\_cf%' escape '\\' and name <> 'd1_migrations' order by type, name",
    )
    .all()
    .map(({ type, name, sql }) => `${type} ${name} ${String(sql ?? '').replaceAll(/[\s"`]+/g, '')}`);
}

/**
 * Applies what a database has not had yet, each migration whole or not at all.
 * @param {DatabaseSync} db
 * @param {string} [folder] of migrations
 * @returns {{ applied: string[], trouble: string | null }}
 */
function migrate(db, folder = FOLDER) {
  const had = new Set(appliedTo(db));
  const applied = [];
  for (const name of migrationNames(folder).filter((one) => !had.has(one))) {
    db.exec('begin; pragma defer_foreign_keys = on');
    try {
      db.exec(readFileSync(join(folder, name), 'utf8'));
      db.exec('commit');
      applied.push(name);
    } catch (error) {
      if (db.isTransaction) db.exec('rollback');
      return { applied, trouble: `${name}: ${error.message}` };
    }
  }
  const broken = db.prepare('pragma foreign_key_check').all();
  if (broken.length > 0)
    return {
      applied,
      trouble: `${broken.length} rows name others that are not there, the first in ${broken[0].table}`,
    };
  const sound = db.prepare('pragma integrity_check(1)').get();
  return {
    applied,
    trouble: sound.integrity_check === 'ok' ? null : `the file is damaged: ${sound.integrity_check}`,
  };
}

/** A database in memory that has had all migrations. @returns {DatabaseSync} */
export function freshDatabase() {
  const db = new DatabaseSync(':memory:');
  const { trouble } = migrate(db);
  if (trouble !== null) throw new Error(trouble);
  return db;
}

/** How a backup begins: with the migrations that its database had had. */
export const BACKUP_HEAD = '-- backup after ';
/** And with what it ends: one without was cut. */
export const BACKUP_END = '\n-- end of backup\n';
/** Its first line has the names of all migrations, and room for as many as there will ever be. */
const HEAD_BYTES = 64 * 1024;
const DATABASE_HEAD = 'SQLite format 3';

/** The names of migrations with which a backup begins; null where it is none. @param {string} file */
function namesIn(file) {
  const [first = ''] = beginningOf(file, HEAD_BYTES).toString('utf8').split('\n', 1);
  return first.startsWith(BACKUP_HEAD) ? first.slice(BACKUP_HEAD.length).split(' ') : null;
}

/**
 * @param {string} file
 * @returns {string[]} the migrations that its database had had
 * @throws Trouble where it is no backup, or not all of one
 */
export function mustBeWhole(file) {
  const names = namesIn(file);
  if (names === null)
    throw new Trouble(`${file} is no backup of scripts/deploy/backup.mjs: it does not begin as one.`);
  if (!endOf(file, BACKUP_END.length).equals(Buffer.from(BACKUP_END)))
    throw new Trouble(`${file} is not whole: it was cut, and the end of it is missing.`);
  return names;
}

/**
 * Rows without their tables, as `scripts/deploy/backup.mjs` writes them, into tables as they were then.
 * @param {DatabaseSync} db
 * @param {readonly string[]} had the migrations of that time
 * @param {Iterable<string>} rows a statement each, made as short as for the platform: what cannot be restored is no backup
 */
function fill(db, had, rows) {
  for (const name of had) db.exec(readFileSync(join(FOLDER, name), 'utf8'));
  const triggers = db.prepare("select name, sql from sqlite_schema where type = 'trigger'").all();
  for (const { name } of triggers) db.exec(`drop trigger \`${name}\``);
  const tables = db
    .prepare(
      "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' and name not like 'character_search%'",
    )
    .all();
  for (const { name } of tables) db.exec(`delete from \`${name}\``);
  db.exec(
    'create table d1_migrations(id integer primary key autoincrement, name text unique, applied_at timestamp default current_timestamp not null)',
  );
  for (const name of had) db.prepare('insert into d1_migrations (name) values (?)').run(name);
  db.exec(BEFORE_ROWS);
  for (const row of rows) for (const statement of inPieces(row)) db.exec(statement);
  db.exec(AFTER_ROWS);
  for (const { sql } of triggers) db.exec(sql);
}

/** A copy to try on: of a database's file, or made from an export. @param {string} path @param {string} folder */
function openCopy(path, folder) {
  const file = join(folder, 'copy.sqlite');
  if (beginningOf(path, DATABASE_HEAD.length).equals(Buffer.from(DATABASE_HEAD))) {
    copyFileSync(path, file);
    // What was written last may stand beside it.
    for (const beside of ['-wal', '-shm']) {
      try {
        copyFileSync(path + beside, file + beside);
      } catch {
        // It stands in the file itself.
      }
    }
    return new DatabaseSync(file);
  }
  const db = new DatabaseSync(file);
  // Nobody else waits for this file, and it is thrown away: while it is filled it may be lost with the power.
  db.exec('pragma foreign_keys = off; pragma synchronous = off');
  if (namesIn(path) !== null) fill(db, mustBeWhole(path), statementsOf(path));
  else for (const piece of piecesOf(path)) db.exec(piece);
  db.exec('pragma foreign_keys = on; pragma synchronous = full');
  return db;
}

/**
 * Tries the migrations.
 * @param {string} [copy] a database's file or its export; left out, an empty database alone is tried
 * @param {string} [migrations] their folder
 * @returns {{ ok: boolean, text: string }} a line for the operator
 */
export function tryMigrations(copy, migrations = FOLDER) {
  const folder = mkdtempSync(join(tmpdir(), 'loreloom-migrations-'));
  /** @type {DatabaseSync[]} */
  const open = [];
  try {
    const empty = new DatabaseSync(':memory:');
    open.push(empty);
    const onEmpty = migrate(empty, migrations);
    if (onEmpty.trouble !== null) return { ok: false, text: `on an empty database: ${onEmpty.trouble}` };
    const all = `all ${onEmpty.applied.length} on an empty database`;
    if (copy === undefined) return { ok: true, text: all };
    const db = openCopy(copy, folder);
    open.push(db);
    const had = appliedTo(db);
    if (had.length === 0)
      return { ok: false, text: 'the copy has had no migration: it is empty, cut, or of something else' };
    const unknown = had.filter((name) => !migrationNames(migrations).includes(name));
    if (unknown.length > 0)
      return {
        ok: false,
        text: `the copy had ${unknown.join(', ')}, which this checkout does not know: it is older than what runs`,
      };
    const started = Date.now();
    const onCopy = migrate(db, migrations);
    if (onCopy.trouble !== null) return { ok: false, text: `on the copy: ${onCopy.trouble}` };
    const [wanted, is] = [shapeOf(empty), shapeOf(db)];
    const differs = wanted.find((one) => !is.includes(one)) ?? is.find((one) => !wanted.includes(one));
    if (differs !== undefined)
      return {
        ok: false,
        text: `afterwards the copy is another than an empty database: ${differs.slice(0, 120)}`,
      };
    const which =
      onCopy.applied.length === 0
        ? 'the copy has had all'
        : `${onCopy.applied.join(', ')} on the copy in ${((Date.now() - started) / 1000).toFixed(1)} s`;
    return { ok: true, text: `${all}; ${which}` };
  } catch (error) {
    return { ok: false, text: `the copy cannot be read: ${error.message}` };
  } finally {
    for (const db of open) db.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
