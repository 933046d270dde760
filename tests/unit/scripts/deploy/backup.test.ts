import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { restoreBackup, writeBackup } from '../../../../scripts/deploy/backup.mjs';
import { openBackup, STATEMENT_BYTES } from '../../../../scripts/deploy/backup-file.mjs';
import { listMigrations, openMigrated, tryMigrations } from '../../../../scripts/deploy/migrations.mjs';
import { toD1Export } from '../../../support/d1-export.ts';

const PLACE = ['--remote', '--env', 'production'];

let folder = '';
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'loreloom-backup-test-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const getMode = (path: string): string => (statSync(path).mode & 0o777).toString(8);
const person = (id: string, username: string, nickname: string | null = null): string =>
  `INSERT INTO "users" ("id","username","nickname","is_anonymous","created_at","updated_at") VALUES('${id}',${toD1Export(username)},${nickname === null ? 'NULL' : toD1Export(nickname)},1,1,1);\n`;
/** Names with everything that could be mistaken for the end of a literal or statement. */
const people = (count: number): string =>
  Array.from({ length: count }, (_, n) =>
    person(`u${n}`, `${n} Zoë’s; it's -- no /* end\nof "it" 🙂 [`),
  ).join('');
const ROWS = people(2000);

/** Wrangler over a database with these rows, whose export has them too. */
function wranglerWithUsers(rows: [id: string, username: string, nickname: string | null][]) {
  const { db, seen, run } = wranglerOver(rows.map((row) => person(...row)).join(''));
  const put = db.prepare(
    'insert into users (id, username, nickname, is_anonymous, created_at, updated_at) values (?, ?, ?, 1, 1, 1)',
  );
  for (const row of rows) put.run(...row);
  return { db, seen, run };
}

/** Wrangler over one database; every user of the machine can read the file that it exports. */
function wranglerOver(rows: string, applied = listMigrations()) {
  const db = openMigrated();
  const seen: { folderMode: string; applied: string }[] = [];
  const run = async (args: string[]) => {
    const after = (word: string): string => args[args.indexOf(word) + 1] ?? '';
    if (args[1] === 'export') {
      const file = after('--output');
      writeFileSync(file, rows);
      chmodSync(file, 0o644);
      seen.push({ folderMode: getMode(dirname(file)), applied: '' });
    } else if (args.includes('--file')) {
      const file = after('--file');
      seen.push({ folderMode: getMode(dirname(file)), applied: getMode(file) });
      // The platform rejects a file with a longer statement.
      for (const statement of readFileSync(file, 'utf8').split(/;\n/))
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

describe('Backups', () => {
  test('a backup file is readable only by its owner, and so is its temporary folder', async () => {
    const file = join(folder, 'backup.sql');
    const { run, seen } = wranglerOver(ROWS);
    await writeBackup(file, PLACE, run);
    expect(getMode(file)).toBe('600');
    expect(seen).toEqual([{ folderMode: '700', applied: '' }]);
    expect(readdirSync(folder)).toEqual(['backup.sql']);
    expect(readFileSync(file, 'utf8')).toBe(
      `-- backup after ${listMigrations().join(' ')}\n${ROWS}\n-- end of backup\n`,
    );
    await expect(writeBackup(file, PLACE, run)).rejects.toThrow('already exists');
  });

  test('a failed export leaves no backup file', async () => {
    const { run } = wranglerOver(ROWS);
    const breaks = async (args: string[]) =>
      args[1] === 'export' ? { code: 1, out: '', err: '[ERROR] no' } : run(args);
    await expect(writeBackup(join(folder, 'backup.sql'), PLACE, breaks)).rejects.toThrow('The export failed');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('a backup is restored into an empty database and refused by one with users', async () => {
    const file = join(folder, 'backup.sql');
    await writeBackup(file, PLACE, wranglerOver(ROWS).run);
    const { db, seen, run } = wranglerOver('');
    await restoreBackup(file, PLACE, run);
    expect(seen).toEqual([{ folderMode: '700', applied: '600' }]);
    expect(db.prepare('select count(*) as n from users').get()).toEqual({ n: 2000 });
    expect(db.prepare("select username from users where id = 'u7'").get()).toEqual({
      username: `7 Zoë’s; it's -- no /* end\nof "it" 🙂 [`,
    });
    await expect(restoreBackup(file, PLACE, run)).rejects.toThrow('The database has 2000 users');
  });

  test('rows of half a megabyte are restored exactly', async () => {
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
    await writeBackup(file, PLACE, wranglerWithUsers(rows).run);
    const { db, run } = wranglerOver('');
    await restoreBackup(file, PLACE, run);
    const back = db.prepare("select username, nickname from users where id = 'long'").get();
    expect(back?.username === lore).toBe(true);
    expect(back?.nickname === word).toBe(true);
    expect(db.prepare('select count(*) as n from users').get()).toEqual({ n: 3 });
    expect(db.prepare("select name from sqlite_schema where name like '%chunks%'").all()).toEqual([]);
    expect(await tryMigrations(file)).toMatchObject({ ok: true });
  });

  test('texts with line breaks and with D1’s escape sequences for them are restored exactly', async () => {
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
    await writeBackup(file, PLACE, wranglerWithUsers(rows).run);
    const { db, run } = wranglerOver('');
    await restoreBackup(file, PLACE, run);
    for (const [id, username, nickname] of rows) {
      const back = db.prepare('select username, nickname from users where id = ?').get(id);
      expect({ id, is: back?.username === username && back?.nickname === nickname }).toEqual({
        id,
        is: true,
      });
    }
    expect(await tryMigrations(file)).toMatchObject({ ok: true });
  });

  test('a backup is refused when the migrations of the database and the checkout differ', async () => {
    const file = join(folder, 'backup.sql');
    for (const [applied, sentence] of [
      [[...listMigrations(), '9999_notes.sql'], 'differ (9999_notes.sql)'],
      [listMigrations().slice(1), `differ (${listMigrations()[0]})`],
    ] as const)
      await expect(writeBackup(file, PLACE, wranglerOver(ROWS, [...applied]).run)).rejects.toThrow(sentence);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('a backup is restored only into a database with the same migrations', async () => {
    const [first] = listMigrations();
    const next = '0001_lamps.sql';
    const file = join(folder, 'backup.sql');
    await writeBackup(file, PLACE, wranglerOver(ROWS).run);
    await expect(restoreBackup(file, PLACE, wranglerOver('', []).run)).rejects.toThrow(
      `Only the backup has the migration ${first}`,
    );
    const { db, run } = wranglerOver('', [...listMigrations(), next]);
    await expect(restoreBackup(file, PLACE, run)).rejects.toThrow(
      `Only the database has the migration ${next}`,
    );
    expect(db.prepare('select count(*) as n from users').get()).toEqual({ n: 0 });
  });

  test('an incomplete, empty or foreign backup file is rejected', async () => {
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
      expect(await tryMigrations(other)).toEqual({
        ok: false,
        text: expect.stringMatching(/incomplete|is not a backup/),
      });
      await expect(restoreBackup(other, PLACE, run)).rejects.toThrow(/incomplete|is not a backup/);
    }
    expect(db.prepare('select count(*) as n from users').get()).toEqual({ n: 0 });
  });

  test('the migrations can be tried on a backup', async () => {
    const file = join(folder, 'backup.sql');
    await writeBackup(file, PLACE, wranglerOver(ROWS).run);
    expect(await tryMigrations(file)).toMatchObject({ ok: true });
  });
});

test.each([1, 7, 64, 4096])(
  'a backup is read statement by statement from pieces of %i bytes',
  async (bytes) => {
    const file = join(folder, 'backup.sql');
    const rows = people(40);
    writeFileSync(file, `-- backup after a b\n${rows}\n\n-- end of backup\n`);
    const { migrations, statements } = await openBackup(file, bytes);
    expect(migrations).toEqual(['a', 'b']);
    const all = await Array.fromAsync(statements);
    expect(all).toHaveLength(40);
    expect(all.join('')).toBe(rows);
  },
);
