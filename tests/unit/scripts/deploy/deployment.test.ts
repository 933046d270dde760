import { cpSync, mkdtempSync, rmSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unstable_readConfig } from 'wrangler';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listTables, wrapExport, wrapRows } from '../../../../scripts/deploy/backup-file.mjs';
import { checkSecrets, checkSettings, showSecrets } from '../../../../scripts/deploy/check.mjs';
import { readArguments } from '../../../../scripts/deploy/command.mjs';
import { listMigrations, openMigrated, tryMigrations } from '../../../../scripts/deploy/migrations.mjs';
import { describeFailure, parseJson } from '../../../../scripts/deploy/wrangler.mjs';
import { quote, readTable, setValue } from '../../../../scripts/deploy/wrangler-toml.mjs';
import { createEmptyAccount, createFakeWrangler } from '../../../support/fake-wrangler.ts';

const CONFIG = join(import.meta.dirname, '../../../../wrangler.toml');
const TOML = readFileSync(CONFIG, 'utf8');
const ENVIRONMENTS = ['staging', 'production'];

/** The fields of a configuration that the tests read: wrangler's own type has them all optional. */
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

const readConfig = (env?: string): Config =>
  unstable_readConfig(env === undefined ? { config: CONFIG } : { config: CONFIG, env }, {
    hideWarnings: true,
  }) as unknown as Config;

/** wrangler.toml after a complete setup. */
const SET = Object.entries({
  SITE_URL: 'https://chat.example',
  MAIL_FROM: 'Us <us@chat.example>',
  ADMIN_EMAILS: 'me@chat.example',
  MODEL_ROLEPLAY_BASE_URL: 'https://api.example/v1',
}).reduce(
  (text, [name, value]) => setValue(text, 'env.production.vars', name, quote(value)),
  setValue(
    setValue(TOML, 'env.production.kv_namespaces', 'id', quote('a'.repeat(32))),
    ...(['env.production.d1_databases', 'database_id', quote('1-1-4-1-1a')] as const),
  ),
);
const withVariable = (name: string, value: string) =>
  setValue(SET, 'env.production.vars', name, quote(value));
const listFailures = (text: string) => checkSettings(text, 'production').filter(({ ok }) => !ok);

describe('Environments', () => {
  const own = readConfig();

  test.each(ENVIRONMENTS)('%s has every binding of the local configuration', (env) => {
    const config = readConfig(env);
    for (const list of ['d1_databases', 'kv_namespaces', 'r2_buckets'] as const)
      expect(config[list].map(({ binding }) => binding)).toEqual(own[list].map(({ binding }) => binding));
    expect(config.analytics_engine_datasets.map(({ binding }) => binding)).toEqual(['ANALYTICS']);
    expect(config.durable_objects.bindings).toEqual(own.durable_objects.bindings);
    expect(config.send_email).toEqual(own.send_email);
    expect(config.ratelimits.map(({ name, simple }) => ({ name, simple }))).toEqual(
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
      expect(config[same], same).toEqual(own[same]);
  });

  test('environments share no store, limiter or name', () => {
    const names = [undefined, ...ENVIRONMENTS].flatMap((env) => {
      const one = readConfig(env);
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

describe('Check before a deployment', () => {
  test('the check passes with complete settings', () => {
    expect(listFailures(SET)).toEqual([]);
  });

  test('the check lists missing ids and the command that creates them', () => {
    const [line] = checkSettings(TOML, 'production');
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
    ['SITE_URL', 'http://chat.example', 'SITE_URL: a deployed site needs https://.'],
    ['MAIL_FROM', 'Us <us@localhost.test>', 'MAIL_FROM: it names this machine or a test domain'],
    ['MODEL_ROLEPLAY_BASE_URL', '', 'no model is set; docs/deployment.md has examples'],
    ['MODEL_ROLEPLAY_CONTEXT_TOKENS', 'many', 'it wants a whole number from 1024 to 2000000; set it in'],
    [
      'PAYPAL_CLIENT_SECRET',
      'the-secret-itself',
      'PAYPAL_CLIENT_SECRET: a secret must not be in wrangler.toml',
    ],
    [
      'MODEL_ROLEPLAY_BASEURL',
      'https://api.example/v1',
      'MODEL_ROLEPLAY_BASEURL: unknown; docs/tables/variables.md lists all variables',
    ],
  ])('the check fails with %s set to «%s» and says what to do', (name, value, sentence) => {
    const [line, ...others] = listFailures(withVariable(name, value));
    expect(others).toEqual([]);
    expect(line?.text).toContain(sentence);
    if (name.includes('SECRET')) expect(line?.text).not.toContain(value);
  });

  test('the check fails if the host of SITE_URL is not a custom domain', () => {
    const connect = (routes: string) => setValue(SET, 'env.production', 'routes', routes);
    const [line] = listFailures(connect('[{ pattern = "talk.example", custom_domain = true }]'));
    expect(line?.text).toContain('SITE_URL: chat.example is not the custom domain in routes');
    expect(line?.text).toContain('talk.example');
    const both =
      '[\n  { custom_domain = true, pattern = "talk.example" },\n  { pattern = "chat.example", custom_domain = true },\n]';
    for (const routes of [both, '[{ pattern = "talk.example/*", zone_name = "talk.example" }]'])
      expect(listFailures(connect(routes))).toEqual([]);
  });

  test('the check lists the secrets that the settings need and those that are missing', async () => {
    const text = withVariable('PAYPAL_CLIENT_ID', 'our-id');
    expect(showSecrets(text, 'production').text).toContain(
      'needed: AUTH_SECRET, PAYPAL_CLIENT_SECRET; optional: MODEL_ROLEPLAY_API_KEY',
    );
    const holds = (names: string[]) => () =>
      Promise.resolve({ code: 0, out: JSON.stringify(names.map((name) => ({ name }))), err: '' });
    expect(await checkSecrets(text, 'production', holds(['AUTH_SECRET']))).toMatchObject({
      ok: false,
      text: 'missing: PAYPAL_CLIENT_SECRET',
    });
    expect(
      await checkSecrets(text, 'production', holds(['AUTH_SECRET', 'PAYPAL_CLIENT_SECRET'])),
    ).toMatchObject({ ok: true });
  });
});

describe('Migrations', () => {
  const SECOND = '0001_lamps.sql';
  let folder = '';
  /** The migrations of this checkout, and a second one for the test. */
  let migrations = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'loreloom-deployment-'));
    migrations = join(folder, 'migrations');
    cpSync(fileURLToPath(new URL('../../../../migrations/', import.meta.url)), migrations, {
      recursive: true,
    });
    writeSecond('create table lamps (id text primary key);');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const writeSecond = (sql: string) => writeFileSync(join(migrations, SECOND), sql);

  /** Writes a backup with users of these names. */
  function writeBackup(applied: string[], usernames: string[]): string {
    const rows = usernames.map(
      (name, index) =>
        `INSERT INTO "users" ("id","username","is_anonymous","created_at","updated_at") VALUES('u${index}','${name}',1,1,1);`,
    );
    const { head, end } = wrapExport(applied);
    const file = join(folder, 'backup.sql');
    writeFileSync(file, `${head}PRAGMA defer_foreign_keys=TRUE;\n${rows.join('\n')}\n${end}`);
    return file;
  }

  test('migrations are tried on an empty database', async () => {
    expect(await tryMigrations()).toEqual({
      ok: true,
      text: `all ${listMigrations().length} on an empty database`,
    });
    writeSecond('create table lamps (id text primary key');
    expect(await tryMigrations(undefined, migrations)).toMatchObject({
      ok: false,
      text: expect.stringMatching(/^on an empty database: 0001_lamps\.sql: incomplete input/),
    });
  });

  test('migrations are tried on a copy of a backup', async () => {
    writeSecond('create table lamps (id text primary key);');
    const backup = writeBackup(listMigrations(), ['one\nPRAGMA two;', 'other']);
    const before = readFileSync(backup);
    const { ok, text } = await tryMigrations(backup, migrations);
    expect(text).toMatch(/^all 2 on an empty database; 0001_lamps\.sql on the backup in/);
    expect(ok).toBe(true);
    expect(readFileSync(backup)).toEqual(before);
  });

  test('migrations fail on a newer backup, on rows that one of them rejects, and on a broken reference', async () => {
    const newer = await tryMigrations(writeBackup([...listMigrations(), SECOND], []));
    expect(newer).toMatchObject({ ok: false });
    expect(newer.text).toContain(`its database has ${SECOND}, which this checkout lacks`);
    writeSecond('create unique index one_guest on users (is_anonymous);');
    const rejected = await tryMigrations(writeBackup(listMigrations(), ['one', 'two']), migrations);
    expect(rejected).toMatchObject({ ok: false });
    expect(rejected.text).toMatch(/^on the backup: 0001_lamps\.sql: UNIQUE constraint failed/);
    writeSecond("create table lamps (user_id text references users(id)); insert into lamps values ('none');");
    const broken = await tryMigrations(writeBackup(listMigrations(), ['one']), migrations);
    expect(broken).toMatchObject({ ok: false, text: expect.stringContaining('FOREIGN KEY') });
  });
});

describe('Values in wrangler.toml', () => {
  const text = '# a word\n[a] # of a\nx = "1" # why\n\n# of b\n[[b.c]]\nname = "n"\n';

  test('setting a value changes nothing else, and a new one follows the last of its table', () => {
    expect(setValue(text, 'a', 'x', quote('2'))).toBe(text.replace('x = "1" # why', 'x = "2"'));
    expect(setValue(text, 'a', 'y', 'true')).toBe(text.replace('# why\n', '# why\ny = true\n'));
    expect(() => setValue(text, 'z', 'x', '1')).toThrow(/no \[z\]/);
  });

  test('a value over several lines is replaced as a whole', () => {
    const long = '[a]\nlist = [\n  "[1",\n  { x = 1 },\n]\nlast = true\n';
    expect(setValue(long, 'a', 'list', '[]')).toBe('[a]\nlist = []\nlast = true\n');
    expect(readTable(long, 'a').last).toBe('true');
    expect(readTable(long, 'a').list).toContain('{ x = 1 }');
  });

  test('a value is read back as it was written', () => {
    for (const value of ['a "quoted" one', 'back\\slash', 'Us <us@chat.example> # no comment', ''])
      expect(readTable(setValue(text, 'a', 'x', quote(value)), 'a').x).toBe(value);
    expect(readTable(text, 'a')).toEqual({ x: '1' });
  });
});

describe('Output of wrangler', () => {
  test('a failure of wrangler is reduced to its complete error message', async () => {
    expect(
      describeFailure({
        code: 1,
        out: '\n📎 It looks like you are authenticating Wrangler via a custom API token.\n',
        err: '✘ [ERROR] A request to the Cloudflare API (/accounts/x/d1/database) failed.\n\n  An unexpected error occurred. [code: 10000]\n  \n  If you think this is a bug, please open an issue\n\n🪵  Logs were written to "/home/me/x.log"\n',
      }),
    ).toBe(
      'A request to the Cloudflare API (/accounts/x/d1/database) failed. An unexpected error occurred. [code: 10000]',
    );
    const refused = createFakeWrangler({ ...createEmptyAccount(), newestReturnsNull: true });
    expect(describeFailure(await refused(['secret', 'put', 'AUTH_SECRET', '--env', 'production']))).toMatch(
      /^Secret edit failed\. .*\(1\) use the `wrangler versions secret put` .*\(2\) deploy the latest version first, then modify secrets\./,
    );
    expect(parseJson('▲ a warning\n[\n  { "a": 1 }\n]\n')).toEqual([{ a: 1 }]);
  });
});

describe('Deployment commands', () => {
  const usage = 'usage: …';

  test.each([[[]], [['--env', 'live']], [['--production']], [['production']]])(
    'a command prints its usage when it is called with %j',
    (argv) => {
      expect(() => readArguments(argv, { usage })).toThrow(/usage: …$/);
    },
  );
});

describe('Database backup', () => {
  test('a backup contains every table with rows of its own and no derived search table', () => {
    const db = openMigrated();
    const tables = listTables(db);
    db.close();
    expect(tables).toEqual(
      expect.arrayContaining(['users', 'characters', 'character_words', 'conversations']),
    );
    expect(tables.filter((name) => name.startsWith('character_search'))).toEqual([]);
    expect(tables).not.toContain('d1_migrations');
  });

  test('restoring a backup adds no rows by triggers and keeps the triggers', () => {
    const db = openMigrated();
    const shape = () =>
      db
        .prepare("select type, name, sql from sqlite_schema where name not like 'sqlite_%' order by 1, 2")
        .all();
    const before = shape();
    const rows = [
      `INSERT INTO "character_words" ("character_id","words","tags","version") VALUES('c1','old words','#anime',7);`,
      `INSERT INTO "competition_entries" ("character_id") VALUES('c1');`,
    ].join('\n');
    // Foreign keys are off, because the rows that these refer to are missing here.
    const { before: ahead, after } = wrapRows(db);
    db.exec(`pragma foreign_keys = off; ${ahead}${rows}${after}`);
    expect(shape()).toEqual(before);
    expect(db.prepare('select character_id, words, tags, version from character_words').all()).toEqual([
      { character_id: 'c1', words: '', tags: '#anime', version: 0 },
    ]);
    expect(db.prepare('select count(*) as n from competition_entries').get()).toEqual({ n: 1 });
    db.close();
  });
});
