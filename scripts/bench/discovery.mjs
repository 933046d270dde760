// What a page of the public lists costs the database: `npm run bench:discovery -- [count …]`, by default 10,000
// and 100,000 characters. It fills a D1 database under workerd with a catalogue that is the same each time, asks for
// pages as the product does, and prints rows read and the database's own time for each kind of page. It ends with 1 where
// one takes longer or reads more than it may. With LORELOOM_BENCH_STATE, a folder, the database stays there, and the next
// run fills in only what is missing.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getPlatformProxy } from 'wrangler';
import {
  CATALOGUE_NOW,
  fillCatalogue,
  insertRecentChats,
  generateCharacter,
} from '../../tests/support/large-catalogue.ts';
import { openDatabase } from '../../src/db/open.ts';
import {
  toCharacterDay,
  updateTrending,
} from '../../src/features/character/discovery/discovery-refresh-store.ts';
import { listCharacters } from '../../src/features/character/discovery/listing-store.ts';
import { ROOT } from '../lib/process.mjs';

const counts = process.argv.slice(2).map(Number);
if (counts.length === 0) counts.push(10_000, 100_000);
if (counts.some((count) => !Number.isInteger(count) || count < 1000)) {
  console.error('usage: discovery.mjs [count of characters, from 1000 …]');
  process.exit(2);
}
/** Each page is read so often; the first time is left out, as a warm-up. */
const READS = 20;
const PAGE = 24;
const DEEP_PAGES = 40;
/** What any kind of page may take at the 95th percentile, and read at most, with however many characters. */
const BOUNDS = { ms: 20, rows: 300 };

const at = (values, share) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];

/** D1 as the product is given it, and what it was asked. */
function listening(binding) {
  const asked = [];
  const prepare = (sql) => ({
    bind: (...values) => {
      asked.push({ sql, values });
      return binding.prepare(sql).bind(...values);
    },
  });
  return { binding: { prepare }, asked };
}

const general = { userId: null, spicy: false };
const adult = { userId: null, spicy: true };

/** Every kind of page with the queries that stand for it. */
function kinds(count) {
  const rare = [11, 222, 333, 444, 555].map((index) => generateCharacter(index).name.split(' ')[1]);
  const q = (words, more = {}) => words.map((word) => ({ q: word, ...more }));
  return [
    ['popular, first page', [{}, { tag: 'female' }, { tag: 'rpg' }]],
    ['popular, deep', [{ deep: true }, { deep: true, tag: 'anime' }]],
    ['new, first page', [{ sort: 'new' }, { sort: 'new', tag: 'female' }]],
    [
      'new, deep',
      [
        { sort: 'new', deep: true },
        { sort: 'new', tag: 'male', deep: true },
      ],
    ],
    ['trending', [{ sort: 'trending' }, { sort: 'trending', tag: 'fantasy' }]],
    ['trending, deep', [{ sort: 'trending', deep: true }]],
    ['search: a whole name', q([11, 222, 333].map((index) => generateCharacter(index).name))],
    ['search: a rare word', q(rare)],
    ['search: a common word', q(['the', 'night', 'дракон', 'der'])],
    ['search: a common word, deep', q(['the', 'night'], { deep: true })],
    ['search: a common word and a tag', q(['the', 'night', 'dragon'], { tag: 'rpg' })],
    ['search: several common words', q(['the night of', 'the keeper', 'witch river', 'Hexe Fluss'])],
    // Words of two languages: nobody has both.
    ['search: common words never together', q(['night дракон', 'the Nacht', 'witch 夜', 'noche Hexe'])],
    ['search: one sign of Chinese or Japanese', q(['夜', '龙', '魔', '人'])],
    ['search: two signs', q(['灯台', '灯塔', '魔女', '骑士'])],
    ['search: four signs and more', q(['図書館を', '知道灯塔和', '夜里的人'])],
    ['search: a word’s beginning', q(['ni', 'dr', 'lig', 'keep', 'garde', 'ка'])],
    ['search: another form of a word', q(['dragons', 'keepers', 'Drachen', 'драконов', 'brujas'])],
    ['search: nobody', q(['xylophonist', 'qqqq', 'the xylophonist', '朧朧'])],
    ['search: newest first', q(['the', rare[0], 'dragons', '夜', 'ni'], { sort: 'new' })],
  ].map(([name, queries]) => ({ name, queries, count }));
}

async function measure({ env, kind, viewer }) {
  const times = [];
  const rows = [];
  for (const { deep, ...wanted } of kind.queries) {
    let cursor;
    for (let page = 0; deep && page < Math.min(DEEP_PAGES, Math.floor(kind.count / PAGE / 10)); page += 1) {
      const query = { sort: 'popular', limit: 100, ...wanted, cursor };
      cursor = (await listCharacters(openDatabase(env.DB), query, viewer, env.KV)).next_cursor ?? cursor;
    }
    const { binding, asked } = listening(env.DB);
    const query = { sort: 'popular', limit: PAGE, ...wanted, cursor };
    await listCharacters(openDatabase(binding), query, viewer, env.KV);
    for (let read = 0; read < READS; read += 1) {
      let [time, count] = [0, 0];
      for (const { sql, values } of asked) {
        const { meta } = await env.DB.prepare(sql)
          .bind(...values)
          .all();
        time += meta.timings?.sql_duration_ms ?? meta.duration;
        count += meta.rows_read;
      }
      if (read > 0) times.push(time);
      rows.push(count);
    }
  }
  return { p50: at(times, 0.5), p95: at(times, 0.95), most: Math.max(...rows) };
}

const kept = process.env.LORELOOM_BENCH_STATE;
const folder = kept ?? mkdtempSync(join(tmpdir(), 'loreloom-bench-'));
mkdirSync(folder, { recursive: true });
const configPath = join(folder, 'wrangler.json');
writeFileSync(
  configPath,
  JSON.stringify({
    name: 'loreloom-bench',
    compatibility_date: '2026-10-01',
    d1_databases: [{ binding: 'DB', database_name: 'bench', database_id: 'bench' }],
    kv_namespaces: [{ binding: 'KV', id: 'bench' }],
  }),
);
const { env, dispose } = await getPlatformProxy({
  configPath,
  persist: { path: join(folder, 'v3') },
  envFiles: [],
});
try {
  const isReady = await env.DB.prepare("select 1 from sqlite_master where name = 'character_words'").first();
  const files = isReady ? [] : readdirSync(join(ROOT, 'migrations')).filter((name) => name.endsWith('.sql'));
  for (const file of files.toSorted()) {
    const statements = readFileSync(join(ROOT, 'migrations', file), 'utf8').split('--> statement-breakpoint');
    await env.DB.batch(statements.map((statement) => env.DB.prepare(statement)));
  }
  const results = [];
  let filled = await env.DB.prepare('select count(*) as count from characters').first('count');
  const measured = counts.filter((count) => count >= filled).toSorted((a, b) => a - b);
  for (const count of measured) {
    const begun = performance.now();
    await fillCatalogue(env.DB, filled, count);
    const seconds = (performance.now() - begun) / 1000;
    console.log(`${count - filled} characters more, ${count} in all: ${seconds.toFixed(1)} s`);
    filled = count;
    await env.DB.prepare('delete from character_days').run();
    await insertRecentChats(env.DB, count, toCharacterDay(CATALOGUE_NOW));
    await Promise.all((await env.KV.list()).keys.map(({ name }) => env.KV.delete(name)));
    const ranking = performance.now();
    await updateTrending(openDatabase(env.DB), env.KV, CATALOGUE_NOW);
    const size = (await env.DB.prepare('select 1').all()).meta.size_after;
    console.log(
      `trending computed in ${Math.round(performance.now() - ranking)} ms; the database has ${Math.round(size / 1e6)} MB`,
    );
    for (const kind of kinds(count)) {
      for (const [who, viewer] of [
        ['everybody', general],
        ['adults', adult],
      ])
        results.push({ kind: kind.name, who, count, ...(await measure({ env, kind, viewer })) });
    }
  }
  console.log(`\n| page | for | ${measured.map((count) => `${count}: rows, p50, p95 ms`).join(' | ')} |`);
  console.log(`|---|---|${measured.map(() => '---|').join('')}`);
  for (const { kind, who } of results.filter(({ count }) => count === measured[0])) {
    const cells = measured.map((count) => {
      const found = results.find((one) => one.kind === kind && one.who === who && one.count === count);
      return `${found.most}, ${found.p50.toFixed(2)}, ${found.p95.toFixed(2)}`;
    });
    console.log(`| ${kind} | ${who} | ${cells.join(' | ')} |`);
  }
  const over = results.filter(({ p95, most }) => p95 >= BOUNDS.ms || most > BOUNDS.rows);
  for (const { kind, who, count, most, p95 } of over)
    console.error(
      `Over ${BOUNDS.ms} ms or ${BOUNDS.rows} rows: ${kind}, ${who}, ${count}: ${p95} ms, ${most} rows`,
    );
  if (over.length > 0) process.exitCode = 1;
} finally {
  await dispose();
  if (kept === undefined) rmSync(folder, { recursive: true, force: true });
}
