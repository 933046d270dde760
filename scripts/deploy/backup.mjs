// The rows of a deployment's database, elsewhere and back. docs/operate.md, «Backups»
//   node scripts/deploy/backup.mjs --env production --to FILE
//   node scripts/deploy/backup.mjs --env production --restore FILE
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Trouble } from '../lib/prepare.mjs';
import { ROOT } from '../lib/process.mjs';
import { command, readArguments } from './arguments.mjs';
import { BACKUP_HEAD, freshDatabase, migrationNames } from './migrations.mjs';
import { complaintOf, jsonIn, runWrangler } from './wrangler.mjs';

const USAGE = `usage: node scripts/deploy/backup.mjs --env staging|production --to FILE
       node scripts/deploy/backup.mjs --env staging|production --restore FILE   (into a database with nobody in it)`;

/** @param {import('node:sqlite').DatabaseSync} db @param {string} type */
const made = (db, type) =>
  db
    .prepare("select name, sql from sqlite_schema where type = ? and name not like 'sqlite_%' order by name")
    .all(type);

/**
 * The tables that hold rows of their own: those for searching are made from the others, and D1 exports none of them.
 * @returns {string[]}
 */
export function tablesWithRows() {
  const db = freshDatabase();
  try {
    const tables = made(db, 'table');
    const searched = tables.filter(({ sql }) => /^create virtual table/i.test(sql)).map(({ name }) => name);
    return tables
      .map(({ name }) => name)
      .filter((name) => !searched.some((one) => name === one || name.startsWith(`${one}_`)))
      .filter((name) => name !== 'd1_migrations' && !name.startsWith('_cf'));
  } finally {
    db.close();
  }
}

/**
 * What brings rows back into a database that has had all migrations. Triggers keep derived rows in step, and the backup has
 * those already: they rest meanwhile. Words are then made anew by the site itself, which fills the tables for searching.
 * @param {string} rows as `wrangler d1 export --no-schema` wrote them
 */
export function restoringSql(rows) {
  const db = freshDatabase();
  try {
    const triggers = made(db, 'trigger');
    return [
      'PRAGMA defer_foreign_keys = on;',
      ...triggers.map(({ name }) => `DROP TRIGGER \`${name}\`;`),
      // What migrations write into a new database stands in the backup as it is by now.
      ...tablesWithRows().map((name) => `DELETE FROM \`${name}\`;`),
      rows,
      "UPDATE `character_words` SET `words` = '', `version` = 0;",
      ...triggers.map(({ sql }) => `${sql};`),
      '',
    ].join('\n');
  } finally {
    db.close();
  }
}

async function must(what, args) {
  const said = await runWrangler(args);
  if (said.code !== 0) throw new Trouble(`${what} did not work: ${complaintOf(said)}`);
  return said;
}

async function write(file, place) {
  if (existsSync(file)) throw new Trouble(`${file} is there already: name another.`);
  const applied = await must('Asking for the migrations', [
    ...['d1', 'execute', 'DB', '--json', '--command', 'select name from d1_migrations order by id', ...place],
  ]);
  const names = jsonIn(applied.out)[0].results.map(({ name }) => name);
  const missing = migrationNames().filter((name) => !names.includes(name));
  if (missing.length > 0)
    throw new Trouble(
      `The database has not had ${missing.join(', ')}: take the backup from the checkout that was brought out last.`,
    );
  const tables = tablesWithRows().flatMap((name) => ['--table', name]);
  await must('Exporting', [
    ...['d1', 'export', 'DB', '--no-schema', '--output', file, '--skip-confirmation', ...tables],
    ...place,
  ]);
  writeFileSync(file, `${BACKUP_HEAD}${names.join(' ')}\n${readFileSync(file, 'utf8')}`, { mode: 0o600 });
  console.log(
    `${file}: ${(statSync(file).size / 1024 / 1024).toFixed(1)} MiB. It holds people's data: keep it as such.`,
  );
}

async function restore(file, place) {
  const rows = readFileSync(file, 'utf8');
  const said = await must('Looking into the database', [
    ...['d1', 'execute', 'DB', '--json', '--command', 'select count(*) as n from users', ...place],
  ]);
  const people = jsonIn(said.out)[0]?.results?.[0]?.n;
  if (people !== 0)
    throw new Trouble(
      `There are ${people ?? 'perhaps'} people in this database. It is restored into a new one alone: docs/operate.md, «Backups».`,
    );
  const folder = mkdtempSync(join(tmpdir(), 'loreloom-restore-'));
  try {
    const sql = join(folder, 'restore.sql');
    writeFileSync(sql, restoringSql(rows), { mode: 0o600 });
    await must('Restoring', ['d1', 'execute', 'DB', '--yes', '--file', sql, ...place]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log('Restored. What words find is made anew by the site itself within the hour.');
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  await command(async () => {
    const {
      env,
      to,
      restore: from,
      local,
    } = readArguments(process.argv.slice(2), {
      usage: USAGE,
      options: { to: { type: 'string' }, restore: { type: 'string' }, local: { type: 'string' } },
    });
    if ((to === undefined) === (from === undefined)) throw new Trouble(USAGE);
    const config = process.env.LORELOOM_WRANGLER_TOML ?? join(ROOT, 'wrangler.toml');
    // With a folder of this machine's own state it is tried out here.
    const where =
      local === undefined ? ['--remote'] : ['--local', ...(to === undefined ? ['--persist-to', local] : [])];
    const place = [...where, '--env', env, '--config', config];
    if (to !== undefined) await write(to, place);
    else await restore(from, place);
    return 0;
  });
