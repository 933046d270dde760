// The rows of a deployment's database, elsewhere and back. docs/operate.md, «Backups»
//   npx node scripts/deploy/backup.mjs --env production --to FILE
//   npx node scripts/deploy/backup.mjs --env production --restore FILE
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { Trouble } from '../lib/prepare.mjs';
import { ROOT } from '../lib/process.mjs';
import { command, readArguments } from './arguments.mjs';
import { AFTER_ROWS, BEFORE_ROWS, inPieces } from './long-rows.mjs';
import { BACKUP_END, BACKUP_HEAD, freshDatabase, mustBeWhole, migrationNames } from './migrations.mjs';
import { statementsOf } from './pieces.mjs';
import { complaintOf, jsonIn, runWrangler } from './wrangler.mjs';

const USAGE = `usage: npx node scripts/deploy/backup.mjs --env staging|production --to FILE
       npx node scripts/deploy/backup.mjs --env staging|production --restore FILE   (into a database with nobody in it)`;

const NAMES = 'select name from d1_migrations order by id';

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
 * What brings rows back into a database that has had all migrations stands before them and behind them. Triggers keep
 * derived rows in step, and the backup has those already: they rest meanwhile. Words are then made anew by the site itself,
 * which fills the tables for searching.
 * @returns {{ before: string, after: string }}
 */
export function aroundRows() {
  const db = freshDatabase();
  try {
    const triggers = made(db, 'trigger');
    const before = [
      'PRAGMA defer_foreign_keys = on;',
      ...triggers.map(({ name }) => `DROP TRIGGER \`${name}\`;`),
      // What migrations write into a new database stands in the backup as it is by now.
      ...tablesWithRows().map((name) => `DELETE FROM \`${name}\`;`),
      BEFORE_ROWS.trim(),
    ];
    const after = [
      AFTER_ROWS.trim(),
      "UPDATE `character_words` SET `words` = '', `version` = 0;",
      ...triggers.map(({ sql }) => `${sql};`),
    ];
    return { before: `${before.join('\n')}\n`, after: `\n${after.join('\n')}\n` };
  } finally {
    db.close();
  }
}

/** A text as SQL writes it. @param {string} text */
const literal = (text) => `'${text.replaceAll("'", "''")}'`;

/**
 * A text as SQL writes it, without breaks of lines in it: each goes by a mark that stands nowhere else in the text.
 * @param {string} text
 */
function unbroken(text) {
  let sql = literal(text);
  for (const [sign, code] of [
    ['\r', 13],
    ['\n', 10],
  ]) {
    if (!text.includes(sign)) continue;
    let mark = `\\${code}`;
    while (sql.includes(mark)) mark = `\\${mark}`;
    sql = `replace(${sql.replaceAll(sign, mark)},${literal(mark)},char(${code}))`;
  }
  return sql;
}

/**
 * Asks for the texts that an export does not tell rightly: D1 writes a break of lines as the two signs `\n`, and leaves those
 * that stood in the text as they are (cloudflare/workers-sdk#9042).
 * @returns {{ table: string, keys: string[], columns: string[], query: string }[]} of each table with texts
 */
function brokenTexts() {
  const db = freshDatabase();
  const name = (one) => `"${one.replaceAll('"', '""')}"`;
  try {
    return tablesWithRows().flatMap((table) => {
      const all = db.prepare(`pragma table_info(${name(table)})`).all();
      const keys = all
        .filter(({ pk }) => pk > 0)
        .toSorted((a, b) => a.pk - b.pk)
        .map((column) => column.name);
      const columns = all
        .filter(({ pk, type }) => pk === 0 && /text/i.test(type))
        .map((column) => column.name);
      if (columns.length === 0) return [];
      const isBroken = (column) =>
        `instr(${name(column)},char(10)) and instr(${name(column)},'\\n') or instr(${name(column)},char(13)) and instr(${name(column)},'\\r')`;
      const told = columns.map(
        (column) => `case when ${isBroken(column)} then ${name(column)} end ${name(column)}`,
      );
      const query = `select ${[...keys.map(name), ...told].join(',')} from ${name(table)} where ${columns.map(isBroken).join(' or ')}`;
      return [{ table, keys, columns, query }];
    });
  } finally {
    db.close();
  }
}

/**
 * What puts those texts right once their rows are back.
 * @param {ReturnType<typeof brokenTexts>} asked
 * @param {{ results: Record<string, string | number | null>[] }[]} answers of each query
 * @returns {string[]} a statement each
 */
function mendsOf(asked, answers) {
  const value = (one) => (typeof one === 'string' ? unbroken(one) : String(one));
  return asked.flatMap(({ table, keys, columns }, index) =>
    answers[index].results.flatMap((row) => {
      const where = keys.map((key) => `"${key}"=${value(row[key])}`).join(' AND ');
      return columns
        .filter((column) => row[column] !== null)
        .map((column) => `UPDATE "${table}" SET "${column}"=${value(row[column])} WHERE ${where};\n`);
    }),
  );
}

/** People's data, which is no other user's of this machine to read. */
const OWN_FILE = { flags: 'wx', mode: 0o600 };

/** The rows of a backup, each in statements that the platform takes. @param {string} file */
function* restorable(file) {
  for (const statement of statementsOf(file)) yield* inPieces(statement);
}

/**
 * Puts a text before and behind what may be larger than a text can be.
 * @param {string} file
 * @param {{ from: Iterable<string> | AsyncIterable<Buffer>, before: string, after: string }} parts
 */
async function putTogether(file, { from, before, after }) {
  async function* parts() {
    yield before;
    yield* from;
    yield after;
  }
  await pipeline(parts, createWriteStream(file, OWN_FILE));
}

/** @param {import('./wrangler.mjs').Wrangler} wrangler @param {string} what @param {string[]} args */
async function must(wrangler, what, args) {
  const said = await wrangler(args);
  if (said.code !== 0) throw new Trouble(`${what} did not work: ${complaintOf(said)}`);
  return said;
}

/**
 * Writes the rows of a database to a file that nobody else can read, whole or not at all.
 * @param {string} named
 * @param {readonly string[]} place wrangler's words for which database
 * @param {import('./wrangler.mjs').Wrangler} [wrangler]
 */
export async function writeBackup(named, place, wrangler = runWrangler) {
  const file = resolve(named);
  if (existsSync(file)) throw new Trouble(`${file} is there already: name another.`);
  if (!existsSync(dirname(file))) throw new Trouble(`There is no folder ${dirname(file)}.`);
  const applied = await must(wrangler, 'Asking for the migrations', [
    ...['d1', 'execute', 'DB', '--json', '--command', NAMES, ...place],
  ]);
  const names = jsonIn(applied.out)[0].results.map(({ name }) => name);
  const missing = migrationNames().filter((name) => !names.includes(name));
  if (missing.length > 0)
    throw new Trouble(
      `The database has not had ${missing.join(', ')}: take the backup from the checkout that was brought out last.`,
    );
  const unknown = names.filter((name) => !migrationNames().includes(name));
  if (unknown.length > 0)
    throw new Trouble(
      `The database has had ${unknown.join(', ')}, which this checkout does not know, nor the tables that came with it: take the backup from the checkout that was brought out last.`,
    );
  const tables = tablesWithRows().flatMap((name) => ['--table', name]);
  // Wrangler's own file can be read by everybody: it lies in a folder that is nobody else's, beside where it will be.
  const folder = mkdtempSync(join(dirname(file), '.loreloom-backup-'));
  try {
    const [rows, whole] = [join(folder, 'rows.sql'), join(folder, 'whole.sql')];
    await must(wrangler, 'Exporting', [
      ...['d1', 'export', 'DB', '--no-schema', '--output', rows, '--skip-confirmation', ...tables],
      ...place,
    ]);
    const asked = brokenTexts();
    const broken = await must(wrangler, 'Asking for texts with breaks of lines', [
      ...['d1', 'execute', 'DB', '--json', '--command', asked.map(({ query }) => query).join(';'), ...place],
    ]);
    await putTogether(whole, {
      from: createReadStream(rows),
      before: `${BACKUP_HEAD}${names.join(' ')}\n`,
      after: `\n${mendsOf(asked, jsonIn(broken.out)).join('')}${BACKUP_END}`,
    });
    renameSync(whole, file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(
    `${file}: ${(statSync(file).size / 1024 / 1024).toFixed(1)} MiB. It holds people's data: keep it as such.`,
  );
}

/**
 * Brings the rows of a backup into a database with nobody in it. They go in one import, which the platform does whole or not
 * at all: in several, rows would name others that are not there yet.
 * @param {string} file
 * @param {readonly string[]} place wrangler's words for which database
 * @param {import('./wrangler.mjs').Wrangler} [wrangler]
 */
export async function restoreBackup(file, place, wrangler = runWrangler) {
  if (!existsSync(file)) throw new Trouble(`There is no ${file}.`);
  const had = mustBeWhole(file);
  const said = await must(wrangler, 'Looking into the database', [
    ...['d1', 'execute', 'DB', '--json', '--command', `select count(*) as n from users;${NAMES}`, ...place],
  ]);
  const [counted, applied] = jsonIn(said.out);
  const people = counted?.results?.[0]?.n;
  if (people !== 0)
    throw new Trouble(
      `There are ${people ?? 'perhaps'} people in this database. It is restored into a new one alone: docs/operate.md, «Backups».`,
    );
  const names = applied.results.map(({ name }) => name);
  const differs = names.find((name) => !had.includes(name)) ?? had.find((name) => !names.includes(name));
  if (differs !== undefined)
    throw new Trouble(
      `The backup was made ${had.includes(differs) ? 'after' : 'before'} ${differs}, and the database ${had.includes(differs) ? 'has not had' : 'has had'} it. Rows go into tables as they were then: docs/operate.md, «Backups».`,
    );
  const folder = mkdtempSync(join(tmpdir(), 'loreloom-restore-'));
  try {
    const sql = join(folder, 'restore.sql');
    await putTogether(sql, { from: restorable(file), ...aroundRows() });
    await must(wrangler, 'Restoring', ['d1', 'execute', 'DB', '--yes', '--file', sql, ...place]);
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
    if (to !== undefined) await writeBackup(to, place);
    else await restoreBackup(from, place);
    return 0;
  });
