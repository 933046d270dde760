import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from 'node:sqlite';
import { unstable_readConfig } from 'wrangler';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readArguments } from '../../scripts/deploy/arguments.mjs';
import { aroundRows, tablesWithRows } from '../../scripts/deploy/backup.mjs';
import { lookAtSecrets, lookAtSettings } from '../../scripts/deploy/checks.mjs';
import { freshDatabase, migrationNames, tryMigrations } from '../../scripts/deploy/migrations.mjs';
import { quoted, valueIn, valuesIn, withValue } from '../../scripts/deploy/toml.mjs';
import { complaintOf, jsonIn } from '../../scripts/deploy/wrangler.mjs';
import { createEmptyAccount, createFakeWrangler } from '../support/fake-wrangler.ts';

const CONFIG = join(import.meta.dirname, '../../wrangler.toml');
const TOML = readFileSync(CONFIG, 'utf8');
const ENVIRONMENTS = ['staging', 'production'];

/** What of a configuration is looked at here; wrangler's own type of it is of no use to those who read it. */
interface Config {
  [inherited: string]: unknown;
  name: string;
  d1_databases: { binding: string; database_name: string }[];
  kv_namespaces: { binding: string }[];
  r2_buckets: { binding: string; bucket_name: string }[];
  durable_objects: { bindings: unknown[] };
  send_email: unknown[];
  ratelimits: { name: string; namespace_id: string; simple: unknown }[];
  analytics_engine_datasets: { binding: string; dataset: string }[];
}

const configOf = (env?: string): Config =>
  unstable_readConfig(env === undefined ? { config: CONFIG } : { config: CONFIG, env }, {
    hideWarnings: true,
  }) as unknown as Config;

/** wrangler.toml as somebody has it who has set everything up. */
const SET = Object.entries({
  SITE_URL: 'https://chat.example',
  MAIL_FROM: 'Us <us@chat.example>',
  ADMIN_EMAILS: 'me@chat.example',
  MODEL_ROLEPLAY_BASE_URL: 'https://api.example/v1',
}).reduce(
  (text, [name, value]) => withValue(text, 'env.production.vars', name, quoted(value)),
  withValue(
    withValue(TOML, 'env.production.kv_namespaces', 'id', quoted('a'.repeat(32))),
    ...(['env.production.d1_databases', 'database_id', quoted('1-1-4-1-1a')] as const),
  ),
);
const withVariable = (name: string, value: string) =>
  withValue(SET, 'env.production.vars', name, quoted(value));
const wrongIn = (text: string) => lookAtSettings(text, 'production').filter(({ ok }) => !ok);

describe('Each environment of wrangler.toml', () => {
  const own = configOf();

  test.each(ENVIRONMENTS)('%s has every binding that the product has here', (env) => {
    const theirs = configOf(env);
    for (const list of ['d1_databases', 'kv_namespaces', 'r2_buckets'] as const)
      expect(theirs[list].map(({ binding }) => binding)).toEqual(own[list].map(({ binding }) => binding));
    expect(theirs.analytics_engine_datasets.map(({ binding }) => binding)).toEqual(['ANALYTICS']);
    expect(theirs.durable_objects.bindings).toEqual(own.durable_objects.bindings);
    expect(theirs.send_email).toEqual(own.send_email);
    expect(theirs.ratelimits.map(({ name, simple }) => ({ name, simple }))).toEqual(
      own.ratelimits.map(({ name, simple }) => ({ name, simple })),
    );
    for (const same of [
      'triggers',
      'migrations',
      'observability',
      'cache',
      'compatibility_date',
      'assets',
      'version_metadata',
    ] as const)
      expect(theirs[same], same).toEqual(own[same]);
  });

  test('shares no store, no limiter and no name with another', () => {
    const names = [undefined, ...ENVIRONMENTS].flatMap((env) => {
      const one = configOf(env);
      return [
        `worker ${one.name}`,
        ...one.r2_buckets.map(({ bucket_name }) => `bucket ${bucket_name}`),
        ...one.ratelimits.map(({ namespace_id }) => `limiter ${namespace_id}`),
        ...one.analytics_engine_datasets.map(({ dataset }) => `dataset ${dataset}`),
        ...one.d1_databases.map(({ database_name }) => `database ${database_name}`),
      ];
    });
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('Before a deployment', () => {
  test('everything that is set is found right', () => {
    expect(wrongIn(SET)).toEqual([]);
  });

  test('ids that nobody made are named, with what makes them', () => {
    const [line] = lookAtSettings(TOML, 'production');
    expect(line).toMatchObject({ ok: false, fix: 'npm run setup:cloudflare -- --env production' });
    expect(line?.text).toContain('database_id in [[env.production.d1_databases]]');
    expect(line?.text).toContain('id in [[env.production.kv_namespaces]]');
  });

  test.each([
    ['SITE_URL', '', 'SITE_URL: it is missing; npm run setup:cloudflare'],
    ['RATE_LIMITS', 'off', 'RATE_LIMITS: off is for this machine and for tests'],
    [
      'MODEL_ROLEPLAY_INPUT_PRICE',
      '0.15',
      'MODEL_ROLEPLAY_OUTPUT_PRICE: it is missing, and MODEL_ROLEPLAY_INPUT_PRICE needs it',
    ],
    ['SITE_URL', 'http://chat.example', 'SITE_URL: a deployed site is reached by https://.'],
    ['MAIL_FROM', 'Us <us@localhost.test>', 'MAIL_FROM: it names this machine or a place for tests'],
    ['MODEL_ROLEPLAY_BASE_URL', '', 'no model is set, so nobody is answered'],
    ['MODEL_ROLEPLAY_CONTEXT_TOKENS', 'many', 'it wants a whole number from 1024 to 2000000; set it in'],
    [
      'PAYPAL_CLIENT_SECRET',
      'the-secret-itself',
      'PAYPAL_CLIENT_SECRET: a secret does not belong in wrangler.toml',
    ],
    ['MODEL_ROLEPLAY_BASEURL', 'https://api.example/v1', 'Is MODEL_ROLEPLAY_BASE_URL meant?'],
  ])(
    '%s set to «%s» keeps it from going out, in a sentence that says what to do',
    (name, value, sentence) => {
      const [line, ...others] = wrongIn(withVariable(name, value));
      expect(others).toEqual([]);
      expect(line?.text).toContain(sentence);
      if (name.includes('SECRET')) expect(line?.text).not.toContain(value);
    },
  );

  test('an address that is none of the custom domains keeps it from going out', () => {
    const connect = (routes: string) => withValue(SET, 'env.production', 'routes', routes);
    const [line] = wrongIn(connect('[{ pattern = "talk.example", custom_domain = true }]'));
    expect(line?.text).toContain('SITE_URL: chat.example is not where the site will be');
    expect(line?.text).toContain('talk.example');
    const both =
      '[\n  { custom_domain = true, pattern = "talk.example" },\n  { pattern = "chat.example", custom_domain = true },\n]';
    for (const routes of [both, '[{ pattern = "talk.example/*", zone_name = "talk.example" }]'])
      expect(wrongIn(connect(routes))).toEqual([]);
  });

  test('the secrets are named that are needed by what is set, and those that are not there', async () => {
    const text = withVariable('PAYPAL_CLIENT_ID', 'our-id');
    const line = lookAtSettings(text, 'production').find(({ name }) => name === 'secrets');
    expect(line?.text).toContain('needed: AUTH_SECRET, PAYPAL_CLIENT_SECRET; of use: MODEL_ROLEPLAY_API_KEY');
    const holds = (names: string[]) => () =>
      Promise.resolve({ code: 0, out: JSON.stringify(names.map((name) => ({ name }))), err: '' });
    expect(await lookAtSecrets(text, 'production', holds(['AUTH_SECRET']))).toMatchObject({
      ok: false,
      text: 'missing: PAYPAL_CLIENT_SECRET',
    });
    expect(
      await lookAtSecrets(text, 'production', holds(['AUTH_SECRET', 'PAYPAL_CLIENT_SECRET'])),
    ).toMatchObject({ ok: true });
  });
});

describe('Migrations are tried beforehand', () => {
  let folder = '';
  /** The migrations of this checkout, and a made-up second one. */
  let migrations = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'loreloom-deployment-'));
    migrations = join(folder, 'migrations');
    cpSync(fileURLToPath(new URL('../../migrations/', import.meta.url)), migrations, { recursive: true });
    writeFileSync(join(migrations, SECOND), 'create table lamps (id text primary key);');
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const SECOND = '0001_lamps.sql';

  /** A database that had some migrations. */
  function databaseAfter(names: string[]): string {
    const file = join(folder, `${names.length}.sqlite`);
    const db = new DatabaseSync(file);
    db.exec(
      'create table d1_migrations (id integer primary key autoincrement, name text unique, applied_at text)',
    );
    for (const name of names) {
      db.exec(readFileSync(join(migrations, name), 'utf8'));
      db.prepare('insert into d1_migrations (name) values (?)').run(name);
    }
    db.close();
    return file;
  }

  test('on an empty database', () => {
    expect(tryMigrations()).toEqual({
      ok: true,
      text: `all ${migrationNames().length} on an empty database`,
    });
  });

  test('on a copy that lacks one, which stays as it is', () => {
    const copy = databaseAfter(migrationNames());
    const before = readFileSync(copy);
    const { ok, text } = tryMigrations(copy, migrations);
    expect(ok).toBe(true);
    expect(text).toMatch(/^all 2 on an empty database; 0001_lamps\.sql on the copy in/);
    expect(readFileSync(copy)).toEqual(before);
  });

  test('on a backup, whose rows come with their migrations’ names and without their tables', () => {
    const rows = [
      `-- backup after ${migrationNames().join(' ')}`,
      'PRAGMA defer_foreign_keys=TRUE;',
      `INSERT INTO "users" ("id","username","is_anonymous","created_at","updated_at") VALUES('u1','one\nPRAGMA two',1,1,1);`,
    ];
    const file = join(folder, 'backup.sql');
    writeFileSync(file, `${rows.join('\n')}\n\n-- end of backup\n`);
    const { ok, text } = tryMigrations(file, migrations);
    expect(text).toContain(SECOND);
    expect(ok).toBe(true);
  });

  test('and what keeps them from going through is told: a newer database, a table that is in the way, no database', () => {
    const newer = databaseAfter([...migrationNames(), SECOND]);
    expect(tryMigrations(newer)).toMatchObject({ ok: false });
    expect(tryMigrations(newer).text).toContain(SECOND);
    const blocked = databaseAfter([]);
    const other = new DatabaseSync(blocked);
    other.exec("insert into d1_migrations (name) values ('0000_start.sql'); create table lamps (mine text)");
    other.close();
    expect(tryMigrations(blocked, migrations).text).toMatch(/^on the copy: 0001_.*already exists/);
    const none = join(folder, 'none.sqlite');
    writeFileSync(none, 'SQLite format 3\0 and then nothing of the kind');
    expect(tryMigrations(none)).toMatchObject({ ok: false });
  });
});

describe('A value of wrangler.toml', () => {
  const text = '# a word\n[a] # of a\nx = "1" # why\n\n# of b\n[[b.c]]\nname = "n"\n';

  test('is changed alone, and comes after the last where it was not', () => {
    expect(withValue(text, 'a', 'x', quoted('2'))).toBe(text.replace('x = "1" # why', 'x = "2"'));
    expect(withValue(text, 'a', 'y', 'true')).toBe(text.replace('# why\n', '# why\ny = true\n'));
    expect(() => withValue(text, 'z', 'x', '1')).toThrow(/no \[z\]/);
  });

  test('that takes several lines is changed whole', () => {
    const long = '[a]\nlist = [\n  "[1",\n  { x = 1 },\n]\nlast = true\n';
    expect(withValue(long, 'a', 'list', '[]')).toBe('[a]\nlist = []\nlast = true\n');
    expect(valueIn(long, 'a', 'last')).toBe('true');
  });

  test('is read back as it was written, whatever is in it', () => {
    for (const value of ['a "quoted" one', 'back\\slash', 'Us <us@chat.example> # no comment', ''])
      expect(valueIn(withValue(text, 'a', 'x', quoted(value)), 'a', 'x')).toBe(value);
    expect(valuesIn(text, 'a')).toEqual({ x: '1' });
  });
});

describe('What wrangler says', () => {
  test('is told by its complaint alone, and by all of it', async () => {
    expect(
      complaintOf({
        code: 1,
        out: '\n📎 It looks like you are authenticating Wrangler via a custom API token.\n',
        err: '✘ [ERROR] A request to the Cloudflare API (/accounts/x/d1/database) failed.\n\n  An unexpected error occurred. [code: 10000]\n  \n  If you think this is a bug, please open an issue\n\n🪵  Logs were written to "/home/me/x.log"\n',
      }),
    ).toBe(
      'A request to the Cloudflare API (/accounts/x/d1/database) failed. An unexpected error occurred. [code: 10000]',
    );
    const refused = createFakeWrangler({ ...createEmptyAccount(), newestReturnsNull: true });
    expect(complaintOf(await refused(['secret', 'put', 'AUTH_SECRET', '--env', 'production']))).toMatch(
      /^Secret edit failed\. .*\(1\) use the `wrangler versions secret put` .*\(2\) deploy the latest version first, then modify secrets\./,
    );
    expect(jsonIn('▲ a warning\n[\n  { "a": 1 }\n]\n')).toEqual([{ a: 1 }]);
  });
});

describe('A command for a deployment', () => {
  const usage = 'usage: …';

  test.each([[[]], [['--env', 'live']], [['--production']], [['production']]])(
    'says in a sentence what it wants when it is called with %j',
    (argv) => {
      expect(() => readArguments(argv, { usage })).toThrow(/usage: …$/);
    },
  );
});

describe('A backup', () => {
  test('has every table that holds rows of its own, and none of those that are made from them', () => {
    const tables = tablesWithRows();
    expect(tables).toEqual(
      expect.arrayContaining(['users', 'characters', 'character_words', 'conversations']),
    );
    expect(tables.filter((name) => name.startsWith('character_search'))).toEqual([]);
    expect(tables).not.toContain('d1_migrations');
  });

  test('comes back with each row once, whatever triggers would have made of it, and leaves them in place', () => {
    const db = freshDatabase();
    const shape = () =>
      db
        .prepare("select type, name, sql from sqlite_schema where name not like 'sqlite_%' order by 1, 2")
        .all();
    const before = shape();
    const rows = [
      `INSERT INTO "character_words" ("character_id","words","tags","version") VALUES('c1','old words','#anime',7);`,
      `INSERT INTO "competition_entries" ("character_id") VALUES('c1');`,
    ].join('\n');
    // The rows that these belong to are left out here: how rows name each other is the migrations' matter.
    const { before: ahead, after } = aroundRows();
    db.exec(`pragma foreign_keys = off; ${ahead}${rows}${after}`);
    expect(shape()).toEqual(before);
    expect(db.prepare('select character_id, words, tags, version from character_words').all()).toEqual([
      { character_id: 'c1', words: '', tags: '#anime', version: 0 },
    ]);
    expect(db.prepare('select count(*) as n from competition_entries').get()).toEqual({ n: 1 });
    db.close();
  });
});
