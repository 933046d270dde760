// Tries the migrations on this machine: on an empty database, and on the rows of a backup.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ROOT } from '../lib/process.mjs';
import { openBackup, splitLargeRow, wrapRows } from './backup-file.mjs';

const FOLDER = join(ROOT, 'migrations');

/** Lists the migrations in their order, by the names that D1 stores. */
export const listMigrations = (folder = FOLDER) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();

/**
 * Applies migrations, each whole or not at all.
 * @param {DatabaseSync} db
 * @param {readonly string[]} names
 * @throws Error that names the migration
 */
function migrate(db, names, folder = FOLDER) {
  for (const name of names) {
    db.exec('begin; pragma defer_foreign_keys = on');
    try {
      db.exec(readFileSync(join(folder, name), 'utf8'));
      db.exec('commit');
    } catch (error) {
      if (db.isTransaction) db.exec('rollback');
      throw new Error(`${name}: ${error.message}`, { cause: error });
    }
  }
  const [broken] = db.prepare('pragma foreign_key_check').all();
  if (broken !== undefined) throw new Error(`a row of ${broken.table} refers to a row that does not exist`);
}

/** Opens a temporary database with migrations applied. @param {readonly string[]} [names] */
export function openMigrated(names = listMigrations(), folder = FOLDER) {
  // SQLite keeps a database without a name in a temporary file: a backup may be larger than the memory.
  const db = new DatabaseSync('');
  migrate(db, names, folder);
  return db;
}

/** @param {string} backup @param {string} folder @param {readonly string[]} names @returns {Promise<string>} what was applied */
async function tryOnBackup(backup, folder, names) {
  const { migrations, statements } = await openBackup(backup);
  const unknown = migrations.filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new Error(`its database has ${unknown.join(', ')}, which this checkout lacks`);
  using db = openMigrated(migrations, folder);
  const { before, after } = wrapRows(db);
  db.exec(`begin; ${before}`);
  for await (const statement of statements) for (const part of splitLargeRow(statement)) db.exec(part);
  db.exec(`${after} commit`);
  const started = Date.now();
  const pending = names.filter((name) => !migrations.includes(name));
  migrate(db, pending, folder);
  return pending.length === 0
    ? 'none is new to the backup'
    : `${pending.join(', ')} on the backup in ${((Date.now() - started) / 1000).toFixed(1)} s`;
}

/**
 * Tries the migrations.
 * @param {string} [backup] a file of backup.mjs
 * @param {string} [folder] of the migrations
 * @returns {Promise<{ ok: boolean, text: string }>} a line for the operator
 */
export async function tryMigrations(backup, folder = FOLDER) {
  const names = listMigrations(folder);
  let place = 'an empty database';
  try {
    openMigrated(names, folder).close();
    const all = `all ${names.length} on an empty database`;
    if (backup === undefined) return { ok: true, text: all };
    place = 'the backup';
    return { ok: true, text: `${all}; ${await tryOnBackup(backup, folder, names)}` };
  } catch (error) {
    return { ok: false, text: `on ${place}: ${error.message}` };
  }
}
