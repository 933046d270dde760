// What each statement of public pages, lists, searches and a turn takes in D1 with 100,000 characters and 1,000,000
// conversations, compared with the smallest statement, and what it reads with a tenth of the characters.
import { setTimeout as pause } from 'node:timers/promises';
import { fillConversations, growCatalogue } from '../../tests/support/large-catalogue.ts';
import { call } from './clients.mjs';
import { createPages } from './database-pages.mjs';
import {
  formatNumber,
  formatRatio,
  formatTable,
  judgeAim,
  median,
  nameStatement,
  percentile,
  sum,
} from './figures.mjs';
import { CHARACTERS } from './servers.mjs';
import { createUsers } from './users.mjs';

const STATEMENTS_PER_CALL = 10;
const CALLS = 12;
const SIZE = { characters: 100_000, conversations: 1_000_000, calls: CALLS };
const QUICK_SIZE = { characters: 10_000, conversations: 20_000, calls: 1 };
const SETTLE_MS = 300;
const FLOOR = { sql: 'select 1', params: [] };
const MAX_P95_MS = 20;
const MAX_ROWS = 300;

async function load(origin, [, path, options]) {
  const answer = await fetch(origin + path, options);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status}: ${text.slice(0, 300)}`);
}

/** The different statements of a page, without those that a Worker sends only for its first requests. */
async function recordStatements({ origin }, page) {
  await call(`${origin}/bench/take`);
  await load(origin, page);
  // The work that follows an answer belongs to its page.
  await pause(page[2]?.method === 'POST' ? SETTLE_MS : 0);
  const { statements } = JSON.parse(await call(`${origin}/bench/take`));
  // A list of adults is compared with the one of everybody, without its session.
  const own = statements.filter(({ sql }) => !(page[0].endsWith('for adults') && sql.includes('"sessions"')));
  const groups = Map.groupBy(own, ({ sql }) => sql);
  return [...groups.values()].map((same) => ({ ...same[0], page: page[0], times: same.length }));
}

/** The statements of all pages. */
async function recordPages(product, user, adult) {
  for (const page of await createPages(product.origin, user, adult)) await load(product.origin, page);
  const pages = await createPages(product.origin, user, adult);
  await call(`${product.origin}/bench/record`, 'yes');
  const statements = [];
  for (const page of pages) statements.push(...(await recordStatements(product, page)));
  await call(`${product.origin}/bench/record`, 'no');
  return statements;
}

/** A statement that only adds or deletes rows does something else the second time. */
const canRepeat = (sql) => !/^\s*(?:insert|delete)\b/i.test(sql) || /on conflict/i.test(sql);

/** Sends a statement and the floor in turn, so that changes of the machine's speed affect both. */
async function timeStatement({ origin }, statement, calls) {
  const times = { floor: [], own: [] };
  for (let round = 0; canRepeat(statement.sql) && round <= calls; round += 1) {
    for (const [kind, { sql, params }] of Object.entries({ floor: FLOOR, own: statement })) {
      const begun = performance.now();
      await call(`${origin}/bench/repeat`, JSON.stringify({ sql, params, times: STATEMENTS_PER_CALL }));
      // The first round reads from disk what the others find in memory.
      if (round > 0) times[kind].push((performance.now() - begun) / STATEMENTS_PER_CALL);
    }
  }
  return { ...statement, floor: times.floor, median: median(times.own), p95: percentile(times.own, 0.95) };
}

function formatStatements(rows, small) {
  const floors = rows.flatMap(({ floor }) => floor);
  const worst = (key) => Math.max(...rows.map((row) => row[key] || 0));
  const pages = [...Map.groupBy(rows, ({ page }) => page)].filter(([, own]) => own.length > 1);
  const totals = pages.map(
    ([page, own]) => `${page} ${formatNumber(sum(own.map(({ median, times }) => (median || 0) * times)))} ms`,
  );
  const findRead = ({ page, sql }) => small.find((one) => one.page === page && one.sql === sql)?.read;
  return [
    `Times are those of one statement from the Worker to D1 and back, ${STATEMENTS_PER_CALL} one after another in each of ${CALLS} calls; \`select 1\`, the floor, is asked by turns with each of them and takes ${formatNumber(median(floors))} ms (95 %: ${formatNumber(percentile(floors, 0.95))}). «A tenth» is the rows that it reads with a tenth of the characters, «deep» the 40th page of a hundred.`,
    formatTable(
      'for | statement | times | rows read | a tenth | written | median, ms | of the floor | 95 %',
      rows.map(({ floor, ...row }) => [
        ...[row.page, nameStatement(row.sql), row.times, row.read, findRead(row) ?? '–', row.written],
        ...[row.median, formatRatio(row.median, median(floor)), row.p95],
      ]),
    ),
    `All statements of a request that sends several, one after the other: ${totals.join(', ')}.`,
    [
      judgeAim(`At most ${MAX_P95_MS} ms for a statement, 95 %`, worst('p95'), MAX_P95_MS, 'ms'),
      judgeAim(`At most ${MAX_ROWS} rows read by a statement`, worst('read'), MAX_ROWS, 'rows'),
    ].join('\n'),
  ].join('\n\n');
}

/** @param {import('./run.mjs').Bench} bench */
export async function measureDatabase({ startProduct, quick, say }) {
  const size = quick ? QUICK_SIZE : SIZE;
  const product = await startProduct({ isCounted: true });
  const [user, adult] = await createUsers(product, 2);
  await product.db
    .prepare(
      `update users set is_anonymous = 0, spicy_mode = 1, age_confirmed = 1
       where id = (select owner_id from conversations where id = ?)`,
    )
    .bind(adult.conversationId)
    .run();
  say('  a tenth of the characters …');
  await growCatalogue(product, CHARACTERS, size.characters / 10);
  const small = await recordPages(product, user, adult);
  say('  all characters and conversations …');
  const begun = performance.now();
  const trendingMs = await growCatalogue(product, size.characters / 10, size.characters);
  const options = { count: size.conversations, characters: size.characters, ownId: user.conversationId };
  await fillConversations(product.db, options);
  const seconds = (performance.now() - begun) / 1000;
  const { meta } = await product.db.prepare('select 1').all();
  const statements = await recordPages(product, user, adult);
  say(`  ${statements.length} statements …`);
  const rows = [];
  for (const statement of statements) rows.push(await timeStatement(product, statement, size.calls));
  return [
    `${formatNumber(size.characters)} characters and ${formatNumber(size.conversations)} conversations, ${formatNumber(meta.size_after / 1e6)} MB, put in within ${formatNumber(seconds)} s; the trending lists take ${formatNumber(trendingMs)} ms.`,
    formatStatements(rows, small),
  ].join('\n\n');
}
