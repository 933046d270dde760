import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aroundRows, restoreBackup, writeBackup } from '../../scripts/deploy/backup.mjs';
import { freshDatabase, migrationNames, tryMigrations } from '../../scripts/deploy/migrations.mjs';
import { STATEMENT_BYTES } from '../../scripts/deploy/long-rows.mjs';
import { beginningOf, piecesOf, statementsOf } from '../../scripts/deploy/pieces.mjs';
import { toD1Export } from '../support/d1-export.ts';

const PLACE = ['--remote', '--env', 'production'];

let folder = '';
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'loreloom-backup-test-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
const person = (id: string, username: string, nickname: string | null = null): string =>
  `INSERT INTO "users" ("id","username","nickname","is_anonymous","created_at","updated_at") VALUES('${id}',${toD1Export(username)},${nickname === null ? 'NULL' : toD1Export(nickname)},1,1,1);\n`;
/** Names with all that could be taken for the end of something. */
const people = (count: number): string =>
  Array.from({ length: count }, (_, n) =>
    person(`u${n}`, `${n} Zoë’s; it's -- no /* end\nof "it" 🙂 [`),
  ).join('');
const ROWS = people(2000);

/** What a database with these rows in it would export: it holds them as they are. */
function databaseOf(rows: [id: string, username: string, nickname: string | null][]) {
  const { db, seen, run } = wranglerOver(rows.map((row) => person(...row)).join(''));
  const put = db.prepare(
    'insert into users (id, username, nickname, is_anonymous, created_at, updated_at) values (?, ?, ?, 1, 1, 1)',
  );
  for (const row of rows) put.run(...row);
  return { db, seen, run };
}

/** Wrangler over one database in memory; its file of rows is as anybody's may be. */
function wranglerOver(rows: string, applied = migrationNames()) {
  const db = freshDatabase();
  const seen: { folderMode: string; applied: string }[] = [];
  const run = async (args: string[]) => {
    const after = (word: string): string => args[args.indexOf(word) + 1] ?? '';
    if (args[1] === 'export') {
      const file = after('--output');
      writeFileSync(file, rows);
      chmodSync(file, 0o644);
      seen.push({ folderMode: modeOf(dirname(file)), applied: '' });
    } else if (args.includes('--file')) {
      const file = after('--file');
      seen.push({ folderMode: modeOf(dirname(file)), applied: modeOf(file) });
      // The platform refuses what is longer, and with it all of the file.
      for (const statement of statementsOf(file))
        if (Buffer.byteLength(statement) > STATEMENT_BYTES) return { code: 1, out: '', err: 'SQLITE_TOOBIG' };
      db.exec(readFileSync(file, 'utf8'));
    } else {
      const answers = after('--command')
        .split(';')
        .map((sql) => ({
          results: sql.includes('d1_migrations') ? applied.map((name) => ({ name })) : db.prepare(sql).all(),
        }));
      return { code: 0, out: JSON.stringify(answers), err: '' };
    }
    return { code: 0, out: '[]', err: '' };
  };
  return { db, seen, run };
}

describe('A backup', () => {
  test('is a file that nobody else on the machine can read, and so is everything on the way to it', async () => {
    const file = join(folder, 'backup.sql');
    const { run, seen } = wranglerOver(ROWS);
    await writeBackup(file, PLACE, run);
    expect(modeOf(file)).toBe('600');
    expect(seen).toEqual([{ folderMode: '700', applied: '' }]);
    expect(readdirSync(folder)).toEqual(['backup.sql']);
    expect(readFileSync(file, 'utf8')).toBe(
      `-- backup after ${migrationNames().join(' ')}\n${ROWS}\n\n-- end of backup\n`,
    );
    await expect(writeBackup(file, PLACE, run)).rejects.toThrow('is there already');
  });

  test('that breaks off leaves nothing behind', async () => {
    const { run } = wranglerOver(ROWS);
    const breaks = async (args: string[]) =>
      args[1] === 'export' ? { code: 1, out: '', err: '[ERROR] no' } : run(args);
    await expect(writeBackup(join(folder, 'backup.sql'), PLACE, breaks)).rejects.toThrow('Exporting did not');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('comes back into an empty database, row by row as it was', async () => {
    const file = join(folder, 'backup.sql');
    await writeBackup(file, PLACE, wranglerOver(ROWS).run);
    const { db, seen, run } = wranglerOver('');
    await restoreBackup(file, PLACE, run);
    expect(seen).toEqual([{ folderMode: '700', applied: '600' }]);
    expect(db.prepare('select count(*) as n from users').get()).toEqual({ n: 2000 });
    expect(db.prepare("select username from users where id = 'u7'").get()).toEqual({
      username: `7 Zoë’s; it's -- no /* end\nof "it" 🙂 [`,
    });
    await expect(restoreBackup(file, PLACE, run)).rejects.toThrow('There are 2000 people');
  });

  test('comes back with rows of half a megabyte, to the letter', async () => {
    const file = join(folder, 'backup.sql');
    const [lore, word] = [0, 1].map((from) =>
      `it's '' -- "${from}" 🙂𝒳é\n;世界 {"a":[1]} \\ /* `.repeat(14_000).slice(from),
    ) as [string, string];
    const rows: [string, string, string | null][] = [
      ['a', 'Ada', null],
      ['long', lore, word],
      ['b', 'Bo', null],
    ];
    expect(Buffer.byteLength(person(...(rows[1] as (typeof rows)[number])))).toBeGreaterThan(1024 * 1024);
    await writeBackup(file, PLACE, databaseOf(rows).run);
    const { db, run } = wranglerOver('');
    await restoreBackup(file, PLACE, run);
    const back = db.prepare("select username, nickname from users where id = 'long'").get();
    expect(back?.username === lore).toBe(true);
    expect(back?.nickname === word).toBe(true);
    expect(db.prepare('select count(*) as n from users').get()).toEqual({ n: 3 });
    expect(db.prepare("select name from sqlite_schema where name like '%pieces%'").all()).toEqual([]);
    expect(tryMigrations(file)).toMatchObject({ ok: true });
  });

  test('comes back to the letter where texts have breaks of lines and the two signs by which D1 writes those', async () => {
    const texts = [
      'C:\\new\nC:\\north',
      '\\nabla\n\\n\\n\n',
      'a\r\nb \\r\\n c \\10 \\\\13 d',
      '\\\n\\',
      "it's \\r\r''\\n",
      'only \\n and \\r as they are',
      'only a break\nof lines',
      `\\n${'\n long 🙂'.repeat(60_000)}`,
    ];
    const rows = texts.map((text, n): [string, string, string | null] => [
      `u${n}`,
      text,
      texts.at(n - 1) as string,
    ]);
    const file = join(folder, 'backup.sql');
    await writeBackup(file, PLACE, databaseOf(rows).run);
    const { db, run } = wranglerOver('');
    await restoreBackup(file, PLACE, run);
    for (const [id, username, nickname] of rows) {
      const back = db.prepare('select username, nickname from users where id = ?').get(id);
      expect({ id, is: back?.username === username && back?.nickname === nickname }).toEqual({
        id,
        is: true,
      });
    }
    expect(tryMigrations(file)).toMatchObject({ ok: true });
  });

  test('is not taken from a checkout that does not know all tables', async () => {
    const file = join(folder, 'backup.sql');
    for (const [applied, sentence] of [
      [[...migrationNames(), '9999_notes.sql'], 'The database has had 9999_notes.sql, which this checkout'],
      [migrationNames().slice(1), `The database has not had ${migrationNames()[0]}`],
    ] as const)
      await expect(writeBackup(file, PLACE, wranglerOver(ROWS, [...applied]).run)).rejects.toThrow(sentence);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('goes back into tables as they were then, and into no others', async () => {
    const [first] = migrationNames();
    const next = '0001_lamps.sql';
    const file = join(folder, 'backup.sql');
    await writeBackup(file, PLACE, wranglerOver(ROWS).run);
    await expect(restoreBackup(file, PLACE, wranglerOver('', []).run)).rejects.toThrow(
      `made after ${first}, and the database has not had it`,
    );
    const { db, run } = wranglerOver('', [...migrationNames(), next]);
    await expect(restoreBackup(file, PLACE, run)).rejects.toThrow(
      `made before ${next}, and the database has had it`,
    );
    expect(db.prepare('select count(*) as n from users').get()).toEqual({ n: 0 });
  });

  test('that was cut, is empty, or is of something else, is neither restored nor taken for one that is good', async () => {
    const file = join(folder, 'backup.sql');
    await writeBackup(file, PLACE, wranglerOver(ROWS).run);
    const whole = readFileSync(file, 'utf8');
    const { db, run } = wranglerOver('');
    for (const text of [
      whole.slice(0, whole.length / 2),
      whole.slice(0, -10),
      '',
      'PRAGMA foreign_keys=off;\n',
    ]) {
      const other = join(folder, 'other.sql');
      writeFileSync(other, text);
      expect(tryMigrations(other)).toEqual({ ok: false, text: expect.stringMatching(/cut|empty/) });
      await expect(restoreBackup(other, PLACE, run)).rejects.toThrow(/cut|does not begin as one/);
    }
    expect(db.prepare('select count(*) as n from users').get()).toEqual({ n: 0 });
  });

  test('is tried with the migrations', async () => {
    const file = join(folder, 'backup.sql');
    await writeBackup(file, PLACE, wranglerOver(ROWS).run);
    expect(tryMigrations(file)).toMatchObject({ ok: true });
  });
});

describe('A file larger than what is read at once', () => {
  const write = (text: string): string => {
    const file = join(folder, 'export.sql');
    writeFileSync(file, text);
    return file;
  };

  test.each([1, 7, 64, 4096])('comes in whole statements, read %i bytes at a time', (chunkBytes) => {
    // With its tables' triggers, which have statements in them.
    const { before, after } = aroundRows();
    const text = `-- a word; and another\n${before}${people(40)}${after}-- the end`;
    const pieces = [...piecesOf(write(text), chunkBytes)];
    expect(pieces.join('')).toBe(text);
    expect(pieces.length).toBeGreaterThan(chunkBytes === 4096 ? 2 : 40);
    const db = freshDatabase();
    db.exec('pragma foreign_keys = off');
    for (const piece of pieces) db.exec(piece);
    expect(db.prepare('select count(*) as n from users').get()).toEqual({ n: 40 });
    db.close();
  });

  test('is never held whole: a piece is what is read at once, and one statement', () => {
    const longest = Math.max(...ROWS.split(/(?<=;\n)/).map((row) => row.length));
    for (const piece of piecesOf(write(ROWS), 4096)) expect(piece.length).toBeLessThan(4096 + longest);
    expect(beginningOf(join(folder, 'export.sql'), 15).toString()).toBe('INSERT INTO "us');
  });
});
