// Backs up the rows of a deployment's database and restores them. docs/deployment.md, «Backups»
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdtempDisposableSync,
  renameSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CliError } from '../lib/prepare.mjs';
import { listTables, openBackup, splitLargeRow, wrapExport, wrapRows } from './backup-file.mjs';
import { readArguments, runCommand, WRANGLER_TOML } from './command.mjs';
import { listMigrations, openMigrated } from './migrations.mjs';
import { parseJson, requireWrangler, runWrangler } from './wrangler.mjs';

const USAGE = `usage: npx node scripts/deploy/backup.mjs --env staging|production --to FILE
       npx node scripts/deploy/backup.mjs --env staging|production --restore FILE   (into a database without users)`;
const MIGRATIONS_QUERY = 'select name from d1_migrations order by id';
/** Hexadecimal digits of a text in one statement of at most 100,000 bytes. */
const HEX_CHARS = 80_000;

const quoteName = (name) => `"${name.replaceAll('"', '""')}"`;
const quoteText = (value) => (typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value));

/**
 * Builds a query for each table that finds the texts that D1 exports wrongly: it writes a line break as the two characters
 * `\n`, and does not escape those in the text (cloudflare/workers-sdk#9042).
 * @param {import('node:sqlite').DatabaseSync} db
 */
function buildTextQueries(db) {
  return listTables(db).flatMap((table) => {
    const all = db.prepare(`pragma table_info(${quoteName(table)})`).all();
    const keys = all.filter(({ pk }) => pk > 0).map(({ name }) => name);
    const texts = all
      .filter(({ pk, type }) => pk === 0 && /text/i.test(type))
      .map(({ name }) => quoteName(name));
    if (texts.length === 0) return [];
    const isWrong = (text) =>
      `(instr(${text},char(10)) and instr(${text},'\\n') or instr(${text},char(13)) and instr(${text},'\\r'))`;
    const columns = texts.map((text) => `case when ${isWrong(text)} then hex(${text}) end ${text}`);
    const query = `select ${[...keys.map(quoteName), ...columns].join(',')} from ${quoteName(table)} where ${texts.map(isWrong).join(' or ')}`;
    return [{ table, keys, query }];
  });
}

/** Writes statements that set those texts, in hexadecimal and in parts that D1 accepts. @returns {string} */
function writeTexts({ table, keys }, rows) {
  const statements = rows.flatMap((row) => {
    const where = keys.map((key) => `${quoteName(key)}=${quoteText(row[key])}`).join(' AND ');
    const texts = Object.entries(row).filter(([name, hex]) => !keys.includes(name) && hex !== null);
    return texts.flatMap(([name, hex]) =>
      hex
        .match(new RegExp(`.{1,${HEX_CHARS}}`, 'g'))
        .map(
          (part, index) =>
            `UPDATE ${quoteName(table)} SET ${quoteName(name)}=${index === 0 ? '' : `${quoteName(name)}||`}CAST(x'${part}' AS TEXT) WHERE ${where};\n`,
        ),
    );
  });
  return statements.join('');
}

/** Writes parts to a new file that only its owner can read. @param {string} file @param {AsyncIterable<string | Buffer>} parts */
const writePrivate = (file, parts) => pipeline(parts, createWriteStream(file, { flags: 'wx', mode: 0o600 }));

/**
 * Writes the rows of a database to a file, completely or not at all.
 * @param {string} target
 * @param {readonly string[]} place wrangler's arguments that select the database
 */
export async function writeBackup(target, place, wrangler = runWrangler) {
  const file = resolve(target);
  if (existsSync(file)) throw new CliError(`${file} already exists.`);
  if (!existsSync(dirname(file))) throw new CliError(`The folder ${dirname(file)} does not exist.`);
  const run = (action, ...args) => requireWrangler(wrangler, action, ['d1', ...args, ...place]);
  const query = async (action, sql) =>
    parseJson((await run(action, 'execute', 'DB', '--json', '--command', sql)).out);
  const [{ results }] = await query('Listing the migrations', MIGRATIONS_QUERY);
  const names = results.map(({ name }) => name);
  const known = listMigrations();
  const differs = [...known, ...names].filter((name) => !known.includes(name) || !names.includes(name));
  if (differs.length > 0)
    throw new CliError(
      `The migrations of the database and of this checkout differ (${differs.join(', ')}): run this from the deployed commit.`,
    );
  using db = openMigrated();
  const tables = listTables(db).flatMap((name) => ['--table', name]);
  const queries = buildTextQueries(db);
  // Wrangler writes a file that everybody can read, so it goes into a private folder.
  using folder = mkdtempDisposableSync(join(dirname(file), '.loreloom-backup-'));
  const [rows, complete] = [join(folder.path, 'rows.sql'), join(folder.path, 'complete.sql')];
  const options = ['--no-schema', '--output', rows, '--skip-confirmation'];
  await run('The export', 'export', 'DB', ...options, ...tables);
  const answers = await query('Reading texts with line breaks', queries.map((one) => one.query).join(';'));
  const { head, end } = wrapExport(names);
  await writePrivate(
    complete,
    (async function* () {
      yield head;
      yield* createReadStream(rows);
      for (const [index, one] of queries.entries()) yield writeTexts(one, answers[index].results);
      yield end;
    })(),
  );
  renameSync(complete, file);
  const mib = (statSync(file).size / 1024 / 1024).toFixed(1);
  console.log(`${file}: ${mib} MiB. It contains personal data: store it safely.`);
}

/**
 * Restores a backup into a database without users, as one import, which D1 applies completely or not at all.
 * @param {string} file
 * @param {readonly string[]} place wrangler's arguments that select the database
 */
export async function restoreBackup(file, place, wrangler = runWrangler) {
  const { migrations, statements } = await openBackup(file);
  const sql = `select count(*) as n from users;${MIGRATIONS_QUERY}`;
  const { out } = await requireWrangler(wrangler, 'Reading the database', [
    ...['d1', 'execute', 'DB', '--json', '--command', sql, ...place],
  ]);
  const [users, applied] = parseJson(out);
  const count = users?.results?.[0]?.n;
  if (count !== 0)
    throw new CliError(
      `The database has ${count ?? 'an unknown number of'} users. Restore only into a new one: docs/deployment.md, «Backups».`,
    );
  const names = applied.results.map(({ name }) => name);
  const differs = [...names, ...migrations].find(
    (name) => !names.includes(name) || !migrations.includes(name),
  );
  if (differs !== undefined)
    throw new CliError(
      `Only ${names.includes(differs) ? 'the database' : 'the backup'} has the migration ${differs}. Both need the same: docs/deployment.md, «Backups».`,
    );
  using db = openMigrated(migrations);
  const { before, after } = wrapRows(db);
  using folder = mkdtempDisposableSync(join(tmpdir(), 'loreloom-restore-'));
  const whole = join(folder.path, 'restore.sql');
  await writePrivate(
    whole,
    (async function* () {
      yield before;
      for await (const statement of statements) yield* splitLargeRow(statement);
      yield after;
    })(),
  );
  await requireWrangler(wrangler, 'The import', [
    ...['d1', 'execute', 'DB', '--yes', '--file', whole, ...place],
  ]);
  console.log('Restored. The site rebuilds the character search within the hour.');
}

if (import.meta.main)
  await runCommand(async () => {
    const options = { to: { type: 'string' }, restore: { type: 'string' } };
    const { env, to, restore } = readArguments(process.argv.slice(2), { usage: USAGE, options });
    if ((to === undefined) === (restore === undefined)) throw new CliError(USAGE);
    const place = ['--remote', '--env', env, '--config', WRANGLER_TOML];
    await (to === undefined ? restoreBackup(restore, place) : writeBackup(to, place));
    return 0;
  });
