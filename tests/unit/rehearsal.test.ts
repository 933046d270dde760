import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, test } from 'vitest';
import {
  applyMigrations,
  copyDatabase,
  exportedTables,
  makeDatabase,
} from '../../scripts/rehearse/database.mjs';
import { judge } from '../../scripts/rehearse/limits.mjs';
import { storesOf } from '../../scripts/lib/stores.mjs';
import { kinds, rehearseObjects } from '../../scripts/rehearse/objects.mjs';
import { databaseTable, objectTable } from '../../scripts/rehearse/tables.mjs';
import { apply, databaseAt, fill, MIGRATIONS, tablesOf } from '../support/database-shapes.ts';
import { exported } from '../support/exported.ts';

/** A runtime is started, or several: on a machine that is busy with other things. */
const RUNTIME_MS = 120_000;

const folders: string[] = [];
const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'loreloom-rehearsal-test-'));
  folders.push(made);
  return made;
};
afterEach(() => {
  for (const made of folders.splice(0)) rmSync(made, { recursive: true, force: true });
});

const say = (): void => undefined;

/** A database on disk as it was after so many migrations, with something in every table. */
function copyAt(count: number, isNoted: boolean): string {
  const file = join(folder(), 'copy.sqlite');
  const db = new DatabaseSync(file);
  db.exec('pragma synchronous = off; pragma journal_mode = memory');
  apply(db, MIGRATIONS.slice(0, count));
  fill(db, tablesOf(db));
  if (isNoted) {
    db.exec('create table d1_migrations (id integer primary key, name text)');
    for (const { name } of MIGRATIONS.slice(0, count))
      db.prepare('insert into d1_migrations (name) values (?)').run(name);
  }
  db.close();
  return file;
}

/** A copy as `wrangler d1 export --table …` writes it: tables and rows, no index, no trigger, no index of words. */
function exportOf(file: string, hasTables: boolean): string {
  const db = new DatabaseSync(file);
  const lines = ['PRAGMA defer_foreign_keys=TRUE;'];
  for (const table of [...tablesOf(db).keys(), 'd1_migrations'].toReversed()) {
    if (hasTables)
      lines.push(
        `${String(db.prepare('select sql from sqlite_master where name = ?').get(table)?.['sql'])};`,
      );
    for (const row of db.prepare(`select * from "${table}"`).all()) {
      const values = Object.values(row).map((value) =>
        typeof value === 'string' ? exported(value) : String(value ?? 'NULL'),
      );
      lines.push(`INSERT INTO "${table}" (${Object.keys(row).join(',')}) VALUES(${values.join(',')});`);
    }
  }
  db.close();
  const made = join(folder(), 'export.sql');
  writeFileSync(made, lines.join('\n'));
  return made;
}

describe('A rehearsal', () => {
  test(
    'of all migrations on D1 itself keeps every row, and tells of each what it took',
    { timeout: RUNTIME_MS },
    async () => {
      const made = await makeDatabase(folder(), { rows: 60, from: '0001', say });
      try {
        const { applied, before, lost, loose } = await applyMigrations({ ...made, say });
        expect(applied.map(({ name }) => name)).toEqual(MIGRATIONS.slice(1).map(({ name }) => name));
        expect({ lost, loose }).toEqual({ lost: [], loose: 0 });
        expect(before.get('conversations')).toBe(60);
        for (const { rowsWritten, sizeBytes, statements } of applied) {
          expect(rowsWritten).toBeGreaterThan(0);
          expect(sizeBytes).toBeGreaterThan(100_000);
          expect(statements.length).toBeGreaterThan(0);
        }
        const table = databaseTable(
          applied.map((one) => ({ ...one, ...judge(one) })),
          { before },
        );
        expect(table).toContain('A made-up database: 60 conversations, 6 characters, 12 people');
        expect(table).toContain('**0007_own_faces_and_stale_pages.sql**');
      } finally {
        await made.end();
      }
    },
  );

  test(
    'takes a copy that is a file, though it does not say which migrations it has',
    { timeout: RUNTIME_MS },
    async () => {
      const copy = copyAt(10, false);
      const opened = await copyDatabase(folder(), copy, say);
      try {
        expect(opened.pending.map(({ name }) => name)).toEqual(MIGRATIONS.slice(10).map(({ name }) => name));
        const { before, lost, loose } = await applyMigrations({ ...opened, say });
        expect(before.get('conversations')).toBe(40);
        expect({ lost, loose }).toEqual({ lost: [], loose: 0 });
      } finally {
        await opened.end();
      }
      // The copy itself stays as it was.
      const db = new DatabaseSync(copy, { readOnly: true });
      expect(tablesOf(db)).toEqual(tablesOf(databaseAt(10)));
      db.close();
    },
  );

  test.each([
    { what: 'with its tables', hasTables: true },
    { what: 'of rows alone', hasTables: false },
  ])(
    'takes an export $what, and makes what none can hold',
    { timeout: RUNTIME_MS },
    async ({ hasTables }) => {
      const told: string[] = [];
      const opened = await copyDatabase(folder(), exportOf(copyAt(11, true), hasTables), (text) =>
        told.push(text),
      );
      try {
        expect(told.join()).toMatch(/lacks \d+ indexes, triggers and indexes of words/);
        const { applied, before, lost, loose } = await applyMigrations({ ...opened, say });
        expect(applied[0]?.name).toMatch(/^0011/);
        expect(before.get('characters')).toBe(6);
        expect({ lost, loose }).toEqual({ lost: [], loose: 0 });
        const names = `select name from sqlite_master where name not like '\\_cf\\_%' escape '\\'
        and tbl_name <> 'd1_migrations' order by name`;
        const { results } = await opened.db.prepare(names).all();
        const fresh = databaseAt(MIGRATIONS.length).prepare(names).all();
        expect(results.map((row) => row['name'])).toEqual(fresh.map((row) => row['name']));
      } finally {
        await opened.end();
      }
    },
  );

  test('refuses what is no copy, in a sentence', async () => {
    await expect(copyDatabase(folder(), '/no/such.sqlite', say)).rejects.toThrow(
      'there is no file /no/such.sqlite',
    );
    const other = join(folder(), 'other.sqlite');
    new DatabaseSync(other).exec('create table lamps (id text)');
    await expect(copyDatabase(folder(), other, say)).rejects.toThrow('it is no database of this product');
    const newer = copyAt(MIGRATIONS.length, true);
    new DatabaseSync(newer).exec("insert into d1_migrations (name) values ('9999_from_tomorrow.sql')");
    await expect(copyDatabase(folder(), newer, say)).rejects.toThrow(
      'a migration that is not here: 9999_from_tomorrow.sql',
    );
    const rows = join(folder(), 'rows.sql');
    writeFileSync(rows, "INSERT INTO users (id) VALUES('ann');");
    await expect(copyDatabase(folder(), rows, say)).rejects.toThrow('does not say which migrations');
    const odd = copyAt(10, false);
    new DatabaseSync(odd).exec('alter table users add column lamps integer');
    await expect(copyDatabase(folder(), odd, say)).rejects.toThrow('its tables are those of none of them');
    await expect(makeDatabase(folder(), { rows: 40, from: '0000', say })).rejects.toThrow(
      'no migration after the first',
    );
  });

  test('names each table for an export, and no index of words', () => {
    const named = exportedTables();
    expect(named).toContain('--table users');
    expect(named).toContain('--table d1_migrations');
    expect(named).not.toContain('character_search');
  });

  test('has rows for every class of objects that the product keeps', async () => {
    const classes = Object.values(storesOf('any').durableObjects).map(({ className }) => className);
    const named = (await kinds()).map(({ kind }) => `${kind[0]?.toUpperCase()}${kind.slice(1)}Object`);
    expect(named.toSorted()).toEqual(classes.toSorted());
  });

  test(
    'opens objects of every step, and finds them whole after the runtime was killed',
    { timeout: RUNTIME_MS },
    async () => {
      const told = await rehearseObjects(folder(), { messages: 1100, kills: 2, say });
      expect(told.rows.every(({ kept }) => kept)).toBe(true);
      expect(told.rows.find(({ kind }) => kind === 'conversation')).toMatchObject({
        from: 1,
        pieces: 6,
      });
      // Nothing newer yet; its words are there, and found as they were.
      expect(told.rows.find(({ kind }) => kind === 'search')).toMatchObject({ from: 1, kept: true });
      expect(told.killed).toMatchObject({ torn: 0 });
      expect(objectTable(told)).toContain('2 times');
    },
  );
});

describe('What would stand in the way of a migration', () => {
  const easy = {
    seconds: 0.1,
    processorSeconds: null,
    sizeBytes: 1e8,
    rowsWritten: 10,
    statements: [{ text: 'select 1', seconds: 0.1 }],
  };

  test('is nothing where it is short, small and cheap', () => {
    expect(judge(easy)).toEqual({ blocks: [], tells: [] });
  });

  test('is its time, its statements and the size of the database, and each is told before it is too much', () => {
    expect(judge({ ...easy, seconds: 31 }).blocks).toEqual(['31.0 s in one call, of 30 s: over the limit']);
    expect(judge({ ...easy, seconds: 16 })).toEqual({
      blocks: [],
      tells: ['16.0 s in one call, of 30 s: over half of the limit', 'no query is answered for 16.0 s'],
    });
    // Of a busy machine's clock only what the work itself can come to counts.
    expect(judge({ ...easy, seconds: 300, processorSeconds: 0.2 })).toEqual({ blocks: [], tells: [] });
    expect(judge({ ...easy, seconds: 31, processorSeconds: 11 }).blocks).toHaveLength(1);
    expect(judge({ ...easy, sizeBytes: 11e9 }).blocks).toEqual(['11.00 GB, of 10 GB: over the limit']);
    expect(judge({ ...easy, statements: [{ text: 'x'.repeat(100_001), seconds: 0 }] }).blocks).toEqual([
      'a statement of 100001 bytes: over the limit',
    ]);
    expect(judge({ ...easy, rowsWritten: 2_000_000 }).tells).toEqual([
      '$2.00 for rows written; a free plan has 100,000 a day',
    ]);
  });
});
