// The format of a backup: a line with the applied migrations, D1's export of all rows, and an end mark.
import { createReadStream, existsSync } from 'node:fs';
import { CliError } from '../lib/prepare.mjs';

const HEAD = '-- backup after ';
const END = '-- end of backup';
/** D1 rejects longer statements (https://developers.cloudflare.com/d1/platform/limits/), in bytes. */
export const STATEMENT_BYTES = 100_000;
/** At most 60 kB in UTF-8, so that a chunk's statement is short enough. */
const CHUNK_CHARS = 15_000;
/** Texts from this size are split if their row is too long. */
const SPLIT_BYTES = 2000;
const CHUNKS = '_restored_chunks';

/** Returns what goes before and after the export in a backup file. @param {readonly string[]} migrations */
export const wrapExport = (migrations) => ({ head: `${HEAD}${migrations.join(' ')}\n`, end: `\n${END}\n` });

async function* readLines(file, highWaterMark) {
  let rest = '';
  for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark })) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/** A statement ends at a semicolon at the end of a line outside of quotes. */
async function* readStatements(file, lines) {
  let [statement, quotes] = ['', 0];
  for await (const line of lines) {
    statement += `${line}\n`;
    quotes += line.split("'").length - 1;
    if (quotes % 2 === 1 || !line.endsWith(';')) continue;
    yield statement;
    [statement, quotes] = ['', 0];
  }
  if (statement.trim() !== END) throw new CliError(`${file} is incomplete: its end is missing.`);
}

/**
 * Opens a backup. The file is streamed, because it may be larger than a string can be.
 * @param {string} file
 * @param {number} [chunkBytes] how much is read at once
 * @returns {Promise<{ migrations: string[], statements: AsyncGenerator<string> }>} the applied migrations and the rows; `statements` throws at its end if the file is incomplete
 * @throws CliError if it is not a backup
 */
export async function openBackup(file, chunkBytes = 64 * 1024) {
  if (!existsSync(file)) throw new CliError(`${file} does not exist.`);
  const lines = readLines(file, chunkBytes);
  const { value: head = '' } = await lines.next();
  if (!head.startsWith(HEAD)) {
    await lines.return();
    throw new CliError(`${file} is not a backup of scripts/deploy/backup.mjs.`);
  }
  return { migrations: head.slice(HEAD.length).split(' '), statements: readStatements(file, lines) };
}

/**
 * Splits the statement of a row that is too long for D1: a lorebook alone may be half a megabyte, and an export writes each
 * row as one statement. Long texts go in chunks into a helper table and are joined there.
 * @param {string} statement
 * @returns {Generator<string>} the statement itself, or several in its place
 * @throws CliError if it remains too long
 */
export function* splitLargeRow(statement) {
  if (Buffer.byteLength(statement) <= STATEMENT_BYTES) return yield statement;
  const chunks = [];
  const short = statement.replaceAll(/"[^"]*"|'(?:[^']|'')*'/g, (literal) => {
    if (literal.startsWith('"') || Buffer.byteLength(literal) < SPLIT_BYTES) return literal;
    const first = chunks.length;
    // Neither an escaped quote nor a surrogate pair may be split.
    const pattern = new RegExp(`(?:''|[^']){1,${CHUNK_CHARS}}`, 'gu');
    for (const [chunk] of literal.slice(1, -1).matchAll(pattern))
      chunks.push(`INSERT INTO ${CHUNKS} VALUES(${chunks.length},'${chunk}');\n`);
    return `(SELECT group_concat(chunk, '' ORDER BY n) FROM ${CHUNKS} WHERE n BETWEEN ${first} AND ${chunks.length - 1})`;
  });
  if (Buffer.byteLength(short) > STATEMENT_BYTES)
    throw new CliError(
      `A row is longer than the ${STATEMENT_BYTES} bytes of a statement: ${short.trim().slice(0, 60)} …`,
    );
  yield* chunks;
  yield short;
  yield `DELETE FROM ${CHUNKS};\n`;
}

/** @param {import('node:sqlite').DatabaseSync} db @param {string} type */
const listSchema = (db, type) =>
  db
    .prepare("select name, sql from sqlite_schema where type = ? and name not like 'sqlite_%' order by name")
    .all(type);

/**
 * Lists the tables with rows of their own: search tables are derived, and D1 cannot export them.
 * @param {import('node:sqlite').DatabaseSync} db
 * @returns {string[]}
 */
export function listTables(db) {
  const tables = listSchema(db, 'table');
  const virtual = tables.filter(({ sql }) => /^create virtual table/i.test(sql)).map(({ name }) => name);
  return tables
    .map(({ name }) => name)
    .filter((name) => !virtual.some((one) => name === one || name.startsWith(`${one}_`)));
}

/**
 * Returns the statements around the rows of a backup when they are restored. The backup has the rows that triggers derive, so
 * the triggers are removed during that time. The site's cron fills the search tables.
 * @param {import('node:sqlite').DatabaseSync} db a database with the backup's migrations
 */
export function wrapRows(db) {
  const triggers = listSchema(db, 'trigger');
  const before = [
    'PRAGMA defer_foreign_keys = on;',
    ...triggers.map(({ name }) => `DROP TRIGGER \`${name}\`;`),
    // The backup also has the rows that migrations insert.
    ...listTables(db).map((name) => `DELETE FROM \`${name}\`;`),
    `CREATE TABLE ${CHUNKS} (n INTEGER PRIMARY KEY, chunk TEXT NOT NULL);\n`,
  ];
  const after = [
    `DROP TABLE ${CHUNKS};`,
    "UPDATE `character_words` SET `words` = '', `version` = 0;",
    ...triggers.map(({ sql }) => `${sql};`),
  ];
  return { before: before.join('\n'), after: `${after.join('\n')}\n` };
}
