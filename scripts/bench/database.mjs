// What D1 takes for each statement of public pages and of a turn, with 100,000 characters and 1,000,000 conversations. The
// running product is asked for the pages and the turn; each statement that it sent is then sent alone, over and over,
// beside the smallest one there is.
import { updateTrending } from '../../src/features/character/discovery/discovery-refresh-store.ts';
import { openDatabase } from '../../src/db/open.ts';
import { CATALOGUE_NOW, generateCharacter } from '../../tests/support/large-catalogue.ts';
import { call, callForJson } from './call.mjs';
import { median, percentile, shown, statementName, sum, table } from './figures.mjs';
import { fillLarge } from './large-database.mjs';
import { CHARACTER, givePoints, newPeople } from './people.mjs';
import { migrate, newFolder, removeFolder, startProduct } from './runtime.mjs';

const CHARACTERS = 100_000;
const CONVERSATIONS = 1_000_000;
const IN_ONE_CALL = 10;
const CALLS = 12;
/** Over so much a statement is named below the table. */
const SLOW = { ms: 20, rows: 1000 };

/** What is asked for, and by whom. */
function requestsOf({ cookie, conversationId }) {
  const own = { headers: { cookie } };
  const name = generateCharacter(11).name.split(' ')[1];
  return [
    ['home', '/en'],
    ['discover: popular', '/en/discover'],
    ['discover: new', '/en/discover?sort=new'],
    ['discover: trending', '/en/discover?sort=trending'],
    ['a tag', '/en/tag/fantasy'],
    ['search: a rare word', `/api/characters?q=${encodeURIComponent(name)}`],
    ['search: a common word', '/api/characters?q=night'],
    ['a character', `/en/character-info/${CHARACTER}`],
    ['a creator', `/creator/${generateCharacter(1).creator}`],
    ['the competition', '/en/creator-competition'],
    ['one’s chats', '/api/chats', own],
    ['a conversation', `/api/conversations/${conversationId}`, own],
    [
      'a turn',
      `/api/conversations/${conversationId}/messages`,
      {
        method: 'POST',
        headers: { ...own.headers, 'content-type': 'application/json' },
        body: JSON.stringify({
          content: '[[scenario:tokens n=3 ms=0]] And then?',
          client_message_id: crypto.randomUUID(),
        }),
      },
    ],
  ];
}

/** The statements of one request, each once. */
async function statementsOf(origin, [page, path, options]) {
  await call(`${origin}/bench/take`);
  const answer = await fetch(origin + path, options);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status}: ${text.slice(0, 300)}`);
  // What follows an answer belongs to it.
  await new Promise((resolve) => {
    setTimeout(resolve, 300);
  });
  const { statements } = await callForJson(`${origin}/bench/take`);
  const bySql = new Map();
  for (const one of statements) {
    const known = bySql.get(one.sql);
    if (known === undefined) bySql.set(one.sql, { ...one, page, times: 1 });
    else known.times += 1;
  }
  return [...bySql.values()];
}

const FLOOR = { sql: 'select 1', params: [] };

/** A statement's time, and the floor's: asked by turns, so that what makes the machine slower or quicker does it to both. */
async function timeOf(origin, statement, calls) {
  const times = { floor: [], own: [] };
  for (let round = 0; round <= calls; round += 1) {
    for (const [name, { sql, params }] of [
      ['floor', FLOOR],
      ['own', statement],
    ]) {
      const begun = performance.now();
      await call(`${origin}/bench/repeat`, JSON.stringify({ sql, params, times: IN_ONE_CALL }));
      // The first one reads from the disk what the others find in memory.
      if (round > 0) times[name].push((performance.now() - begun) / IN_ONE_CALL);
    }
  }
  return { median: median(times.own), p95: percentile(times.own, 0.95), floor: times.floor };
}

/** Whether a statement can be sent again and again: one that only adds a row cannot. */
const canRepeat = ({ sql }) => !/^\s*(?:insert|delete)\b/i.test(sql) || /on conflict/i.test(sql);

/** @param {import('./run.mjs').Bench} bench */
export async function measureDatabase({ outDir, model, quick, say }) {
  const folder = newFolder();
  const size = quick
    ? { characters: 2000, conversations: 20_000 }
    : { characters: CHARACTERS, conversations: CONVERSATIONS };
  try {
    const empty = await startProduct({ outDir, modelUrl: model.url, folder });
    await migrate(empty.db);
    await givePoints(empty.kv);
    await empty.end();
    const begun = performance.now();
    const { bytes } = await fillLarge(folder, { ...size, say });
    const filledSeconds = (performance.now() - begun) / 1000;
    const product = await startProduct({ outDir, modelUrl: model.url, folder, isCounted: true });
    try {
      await updateTrending(openDatabase(product.db), product.kv, CATALOGUE_NOW);
      const [person] = await newPeople(product, 1);
      await product.db
        .prepare(
          `update conversations set owner_id = (select owner_id from conversations where id = ?1)
           where owner_id in (select 'p' || value from json_each('[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]'))`,
        )
        .bind(person.conversationId)
        .run();
      const requests = requestsOf(person);
      // A first time each: what is only asked once by a Worker is not what a page costs.
      for (const [, path, options] of requestsOf(person)) {
        const answer = await fetch(product.origin + path, options);
        await answer.text();
      }
      await call(`${product.origin}/bench/note`, 'yes');
      const statements = [];
      for (const request of requests) statements.push(...(await statementsOf(product.origin, request)));
      await call(`${product.origin}/bench/note`, 'no');
      say(`  ${statements.length} statements …`);
      const calls = quick ? 3 : CALLS;
      const rows = [];
      for (const { sql, params, page, times, read, written } of statements) {
        const name = statementName(sql);
        const time = canRepeat({ sql }) ? await timeOf(product.origin, { sql, params }, calls) : null;
        rows.push({ page, name, times, read, written, time });
      }
      return { ...size, bytes, filledSeconds, rows };
    } finally {
      await product.end();
    }
  } finally {
    removeFolder(folder);
  }
}

/** @param {Awaited<ReturnType<typeof measureDatabase>>} seen */
export function tellDatabase({ characters, conversations, bytes, filledSeconds, rows }) {
  const pages = [...new Set(rows.map(({ page }) => page))];
  const slow = rows.filter(({ read, time }) => read > SLOW.rows || (time !== null && time.p95 > SLOW.ms));
  const count = (value) => value.toLocaleString('en');
  const floors = rows.flatMap(({ time }) => time?.floor ?? []);
  return [
    `${count(characters)} characters and ${count(conversations)} conversations, ${shown(bytes / 1e6)} MB, put in within ${shown(filledSeconds)} s. Times are those of one statement from the Worker to D1 and back, ${IN_ONE_CALL} one after another in each of ${CALLS} calls; \`select 1\`, the floor, is asked by turns with each of them and takes ${shown(median(floors))} ms (95 %: ${shown(percentile(floors, 0.95))}).`,
    table(
      ['for', 'statement', 'times', 'rows read', 'written', 'median, ms', 'of the floor', '95 %'],
      rows.map(({ page, name, times, read, written, time }) => [
        page,
        name,
        times,
        count(read),
        count(written),
        time === null ? '–' : shown(time.median),
        time === null ? '–' : `${shown(time.median / median(time.floor))}×`,
        time === null ? '–' : shown(time.p95),
      ]),
    ),
    `All statements of one request, one after the other: ${pages
      .map((page) => {
        const own = rows.filter((row) => row.page === page);
        return `${page} ${shown(sum(own.map(({ time, times }) => (time?.median ?? 0) * times)))} ms`;
      })
      .join(', ')}.`,
    slow.length === 0
      ? `- No statement takes more than ${SLOW.ms} ms at the 95th percentile or reads more than ${count(SLOW.rows)} rows.`
      : `- Over ${SLOW.ms} ms or ${count(SLOW.rows)} rows: ${slow.map(({ page, name, read }) => `${page}, ${name} (${count(read)} rows)`).join('; ')}.`,
  ].join('\n\n');
}
