// A rehearsal of what changes tables, before it is done to anybody's: `npm run rehearse`. It makes a D1 database with a
// million conversations as the migration before the newest leaves it, or takes a copy of a real one, applies what is
// pending in the runtime that the platform runs, and says how long it takes, what it writes and what would stand in the
// way; and brings objects with 20,000 messages up to date from each of their steps. docs/schema-changes.md says more.
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  applyMigrations,
  copyDatabase,
  exportedTables,
  makeDatabase,
  Trouble,
} from './rehearse/database.mjs';
import { judge } from './rehearse/limits.mjs';
import { rehearseObjects } from './rehearse/objects.mjs';
import { databaseTable, objectTable, writeInto } from './rehearse/tables.mjs';

const USAGE = `npm run rehearse -- [options]
  --rows N         conversations of the made-up database, 1,000,000 without it
  --from NNNN      the first migration that is applied to it: the newest alone without it
  --copy FILE      a copy of a real database instead: a file of SQLite, or of SQL statements
  --tables         only prints what names each table to wrangler d1 export
  --messages N     messages of the objects, 20,000 without it
  --kills N        how often the runtime is killed while an object is brought up to date, 5 without it
  --only WHAT      database or objects
  --write FILE     writes the tables into a page, between its marks`;

const say = (text) => console.log(text);

function wanted() {
  const { values } = parseArgs({
    options: {
      rows: { type: 'string', default: '1000000' },
      from: { type: 'string' },
      copy: { type: 'string' },
      tables: { type: 'boolean' },
      messages: { type: 'string', default: '20000' },
      kills: { type: 'string', default: '5' },
      only: { type: 'string' },
      write: { type: 'string' },
    },
  });
  const [rows, messages, kills] = [values.rows, values.messages, values.kills].map(Number);
  if (!(Number.isInteger(rows) && rows >= 40) || !(Number.isInteger(messages) && messages >= 40))
    throw new Trouble('--rows and --messages are whole numbers from 40 on');
  if (!(Number.isInteger(kills) && kills >= 0)) throw new Trouble('--kills is a whole number');
  if (!['database', 'objects', undefined].includes(values.only))
    throw new Trouble('--only is database or objects');
  return { ...values, rows, messages, kills };
}

async function rehearseDatabase(folder, { rows, from, copy }) {
  const opened =
    copy === undefined
      ? await makeDatabase(folder, { rows, from, say })
      : await copyDatabase(folder, copy, say);
  try {
    if (opened.pending.length === 0) say('The copy has every migration: there is nothing to rehearse.');
    const { applied, before, loose, lost } = await applyMigrations({ ...opened, say });
    const told = applied.map((one) => ({ ...one, ...judge(one) }));
    const wrong = [
      ...told.flatMap(({ name, blocks }) => blocks.map((what) => `${name}: ${what}`)),
      ...lost.map(([table]) => `${table} has fewer rows than before`),
      ...(loose > 0 ? [`${loose} rows point to nothing`] : []),
    ];
    return { table: databaseTable(told, { before, copy }), wrong };
  } finally {
    await opened.end();
  }
}

async function main() {
  const options = wanted();
  if (options.tables) return say(exportedTables());
  const folder = mkdtempSync(join(tmpdir(), 'loreloom-rehearsal-'));
  const tables = {};
  const wrong = [];
  try {
    if (options.only !== 'objects') {
      const told = await rehearseDatabase(folder, options);
      tables.database = told.table;
      wrong.push(...told.wrong);
    }
    if (options.only !== 'database') {
      const told = await rehearseObjects(folder, { ...options, say });
      tables.objects = objectTable(told);
      wrong.push(...told.wrong);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const machine = `${cpus()[0]?.model.trim()}, ${cpus().length} cores, load ${loadavg()[1].toFixed(0)}, ${new Date().toISOString().slice(0, 10)}`;
  for (const table of Object.values(tables)) say(`\n${table}`);
  say(`\n${machine}`);
  if (options.write !== undefined) writeInto(options.write, tables, machine);
  if (wrong.length > 0) {
    say(`\nThis would not go well:\n${wrong.map((what) => `- ${what}`).join('\n')}`);
    process.exitCode = 1;
  } else say('\nNothing stands in the way.');
}

try {
  await main();
} catch (error) {
  if (!(error instanceof Trouble) && error?.code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION') throw error;
  console.error(`${error.message}\n\n${USAGE}`);
  process.exitCode = 2;
}
