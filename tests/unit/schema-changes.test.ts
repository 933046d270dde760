import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { is } from 'drizzle-orm';
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { describe, expect, test } from 'vitest';
import drizzle from '../../drizzle.config.ts';
import { type ObjectStep, sqlOf } from '../../src/db/object-migrations.ts';
import { CONVERSATION_MIGRATIONS } from '../../src/features/conversation/conversation-migrations.ts';
import { SEARCH_MIGRATIONS } from '../../src/features/search/search-store.ts';
import { WALLET_MIGRATIONS } from '../../src/features/wallet/ledger-store.ts';
import { breaksFor, databaseAt, fill, MIGRATIONS, shapeOf, tablesOf } from '../support/database-shapes.ts';
import landed from '../support/landed-changes.json' with { type: 'json' };

const OBJECTS: Record<string, readonly ObjectStep[]> = {
  conversation: CONVERSATION_MIGRATIONS,
  wallet: WALLET_MIGRATIONS,
  search: SEARCH_MIGRATIONS,
};

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

test('Every kind of object is looked at here', () => {
  const lists = readdirSync(new URL('../../src/', import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [
      ...readFileSync(new URL(`../../src/${file}`, import.meta.url), 'utf8').matchAll(
        /^export const (\w+)_MIGRATIONS\b/gm,
      ),
    ])
    .map(([, name]) => name?.toLowerCase());
  expect(lists.toSorted()).toEqual(Object.keys(OBJECTS).toSorted());
});

describe('A change that has landed', () => {
  const changes = Object.fromEntries([
    ...MIGRATIONS.map(({ name, text }) => [name, hashOf(text)]),
    ...Object.entries(OBJECTS).flatMap(([object, steps]) =>
      steps.map((step, index) => [`${object} ${index + 1}`, hashOf(JSON.stringify(step))]),
    ),
  ]);

  test('never changes again, nor does its place; a new one is written down as it lands', () => {
    const lines = (of: Record<string, string>) =>
      Object.entries(of).map(([name, hash]) => `${name}: ${hash}`);
    // Of a line that is missing, write it into tests/support/landed-changes.json. Of one that differs, put the change back
    // as it was, and say what else is to be in a new one: databases have it as it was.
    expect(lines(landed)).toEqual(lines(changes));
  });
});

/** What was taken from the code of the day before, while the product was deployed nowhere yet. */
const BEFORE_THE_RULE: Record<string, string[]> = {
  '0006_discovery.sql': [
    'character_search: name is gone',
    'character_search: oneliner is gone',
    'character_search: summary is gone',
  ],
  '0007_own_faces_and_stale_pages.sql': [
    'characters: not found by any more: characters_new',
    'characters: not found by any more: characters_popular',
  ],
  '0010_safety_competition_figures.sql': [
    'reports: subject_id is new, and has to be given',
    'reports: not unique any more: reporter_id, character_id',
    'reports: has to be unique: reporter_id, subject, subject_id',
  ],
};

/** What a later migration takes away that nothing reads or writes since the deployment before it, with that deployment. */
const TAKEN_AWAY: Record<string, string[]> = {};

describe('The code of the version before goes on working', () => {
  test.each(MIGRATIONS.slice(1).map(({ name }, index) => ({ name, count: index + 2 })))(
    'beside a database that has $name',
    ({ name, count }) => {
      const older = databaseAt(count - 1);
      const newer = databaseAt(count);
      const excused = BEFORE_THE_RULE[name] ?? TAKEN_AWAY[name] ?? [];
      expect(breaksFor(shapeOf(older), shapeOf(newer)).toSorted()).toEqual(excused.toSorted());
      // It writes what it knows, into every table that it knows.
      if (excused.length === 0) fill(newer, tablesOf(older));
    },
  );

  test.each(
    Object.entries(OBJECTS).flatMap(([object, steps]) =>
      steps.slice(1).map((step, index) => ({
        object,
        step: index + 2,
        bars: typeof step === 'object' && 'bars' in step,
      })),
    ),
  )('beside an object of the kind $object at step $step, or leaves it alone', ({ object, step, bars }) => {
    const at = (count: number) => {
      const db = new DatabaseSync(':memory:');
      for (const each of OBJECTS[object]?.slice(0, count) ?? []) db.exec(sqlOf(each));
      return shapeOf(db);
    };
    const breaks = breaksFor(at(step - 1), at(step));
    if (bars) expect(breaks).not.toEqual([]);
    else expect(breaks).toEqual([]);
  });

  test('is seen to break where a column goes, is renamed, or has to be given', () => {
    const made = (sql: string) => {
      const db = new DatabaseSync(':memory:');
      db.exec(`create table lamps (id text primary key, mile integer not null default 0, lit integer unique,
        keeper text check (keeper <> '')); create index by_mile on lamps (mile); ${sql}`);
      return shapeOf(db);
    };
    const breaks = (sql: string) => breaksFor(made(''), made(sql));
    expect(
      breaks(
        "alter table lamps add column oil integer; alter table lamps add column wick text not null default '';",
      ),
    ).toEqual([]);
    expect(
      breaks('create table oils (id text primary key); create index by_keeper on lamps (keeper);'),
    ).toEqual([]);
    expect(breaks('drop table lamps;')).toEqual(['lamps is gone']);
    expect(breaks('alter table lamps rename to lights;')).toEqual(['lamps is gone']);
    expect(breaks('alter table lamps drop column keeper;')).toEqual(['lamps: keeper is gone']);
    expect(breaks('drop index by_mile; alter table lamps rename column mile to miles;')).toContain(
      'lamps: mile is gone',
    );
    expect(breaks('drop index by_mile;')).toEqual(['lamps: not found by any more: by_mile']);
    expect(breaks('create unique index by_keeper on lamps (keeper);')).toEqual([
      'lamps: has to be unique: keeper',
    ]);
    const anew = (columns: string) => `drop table lamps; create table lamps (id text primary key, ${columns});
      create index by_mile on lamps (mile);`;
    expect(
      breaks(
        anew(
          "mile integer not null default 0, lit integer unique, keeper text check (keeper <> ''), oil integer not null",
        ),
      ),
    ).toEqual(['lamps: oil is new, and has to be given']);
    expect(
      breaks(anew("mile integer not null, lit integer not null unique, keeper text check (keeper <> '')")),
    ).toEqual(['lamps: mile has no default any more', 'lamps: lit may not be null any more']);
    expect(
      breaks(anew("mile text not null default 0, lit integer, keeper text check (keeper > 'a')")),
    ).toEqual([
      'lamps: mile is TEXT and was INTEGER',
      'lamps: not unique any more: lit',
      "lamps: has to fulfil: keeper > 'a'",
    ]);
  });
});

describe('Rows that grow with use are not walked at once', () => {
  /** Tables of objects that have a row for each message or each of a person's doings. */
  const GROWING =
    /^(?:messages|versions|turns|contexts|memory_entries|memory_sources|memory_lines|search_queue|ledger|reservations|entries|words)$/;
  const WALKS = [
    /\bupdate (\w+) set\b/g,
    /\bdelete from (\w+)\b/g,
    /\binsert (?:or \w+ )?into \w+[^;]*?\bselect\b[^;]*?\bfrom (\w+)/g,
    /\bselect count\(\*\) from (\w+)/g,
    /\balter table (\w+) drop column\b/g,
    /\balter table (\w+) add column [^;]*\b(?:check|references)\b/g,
    /\bcreate (?:unique )?index \w+ on (\w+)/g,
  ];

  /** The walks of a step, in small letters and one blank at a time. */
  function walksOf(sql: string): string[] {
    const text = sql.toLowerCase().replaceAll(/\s+/g, ' ');
    const own = new Set([...text.matchAll(/create (?:virtual )?table (\w+)/g)].map((made) => made[1]));
    return WALKS.flatMap((walk) =>
      [...text.matchAll(walk)]
        .filter(([, table = '']) => GROWING.test(table) && !own.has(table))
        .map(([found]) => found),
    );
  }

  /** They go over rows without texts, in one pass of SQLite: docs/schema-changes.md says what that costs. */
  const REHEARSED: Record<string, string[]> = {
    'conversation 2': [
      'update turns set',
      'select count(*) from messages',
      'alter table messages drop column',
      'alter table messages add column pinned integer not null default 0 check',
      'alter table messages add column source text check',
      'alter table versions add column edited integer not null default 0 check',
      "alter table turns add column kind text not null default 'send' check",
      'create index messages_pinned on messages',
      'create index messages_trash on messages',
      'create index versions_template on versions',
    ],
    'conversation 8': [
      'select count(*) from turns',
      'alter table messages add column notice integer not null default 0 check',
      'alter table versions add column crisis text check',
    ],
    'wallet 5': ['alter table reservations add column unlimited integer not null default 0 check'],
  };

  test('by a step of an object, unless it was rehearsed; the others do it in pieces', () => {
    const walks = Object.entries(OBJECTS).flatMap(([object, steps]) =>
      steps.map((step, index) => [`${object} ${index + 1}`, walksOf(sqlOf(step))] as const),
    );
    expect(Object.fromEntries(walks.filter(([, found]) => found.length > 0))).toEqual(REHEARSED);
  });

  test('and what moves in pieces is in an object that has its moves done', () => {
    const moving = Object.entries(OBJECTS).filter(([, steps]) =>
      steps.some((step) => typeof step === 'object' && step.move !== undefined),
    );
    // Its chores do. Whichever comes next needs a caller of `ObjectMoves` first.
    expect(moving.map(([object]) => object)).toEqual(['conversation']);
  });

  test('and what moves in pieces can be done at the newest step', () => {
    for (const [object, steps] of Object.entries(OBJECTS)) {
      const db = new DatabaseSync(':memory:');
      for (const step of steps) db.exec(sqlOf(step));
      for (const step of steps) {
        const move = typeof step === 'object' ? step.move : undefined;
        if (move !== undefined)
          expect(() => db.prepare(move.piece).run(0, 0), `${object}: ${move.piece}`).not.toThrow();
      }
    }
  });
});

test('What the code takes the tables for is what the migrations make of them', async () => {
  const modules = await Promise.all(
    [drizzle.schema ?? []]
      .flat()
      .map((file): Promise<object> => import(new URL(`../../${file}`, import.meta.url).pathname)),
  );
  const tables = modules
    .flatMap((module): unknown[] => Object.values(module))
    .filter((value): value is SQLiteTable => is(value, SQLiteTable));
  const shape = shapeOf(databaseAt(MIGRATIONS.length));
  const real = [...shape].filter(([table]) => !table.startsWith('character_search'));
  expect(tables.map((table) => getTableConfig(table).name).toSorted()).toEqual(
    real.map(([name]) => name).toSorted(),
  );
  for (const table of tables) {
    const { name, columns, primaryKeys, indexes } = getTableConfig(table);
    const made = shape.get(name);
    expect(
      columns.map((column) => [column.name, column.getSQLType(), column.notNull]).toSorted(),
      name,
    ).toEqual(
      [...(made?.columns.values() ?? [])]
        .map((column) => [column.name, column.type.toLowerCase(), column.notnull === 1])
        .toSorted(),
    );
    const keys = primaryKeys.map((key) => key.columns.map((column) => column.name).join(', '));
    expect(made?.unique, name).toEqual(expect.arrayContaining(keys));
    const named = (unique: boolean) =>
      indexes.filter(({ config }) => config.unique === unique).map(({ config }) => config.name);
    expect(named(false).toSorted(), name).toEqual(made?.indexes);
  }
});
