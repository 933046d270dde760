// Public pages in a second, each drawn by the product, beside a bare Worker that has the same bytes in memory; and what a
// shared cache in front makes of both, as the platform has one.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endGroup, freePort, ROOT, serve, untilHealthy } from '../lib/process.mjs';
import { varnishPath } from '../lib/varnish.mjs';
import { generateCharacter } from '../../tests/support/large-catalogue.ts';
import { median, percentile, shown, table, verdict } from './figures.mjs';
import { CHARACTER, furnish } from './people.mjs';
import { newFolder, removeFolder, startBare, startProduct } from './runtime.mjs';

const PAGES = [
  ['home', '/en'],
  ['discover', '/en/discover'],
  ['a tag', '/en/tag/fantasy'],
  ['a character', `/en/character-info/${CHARACTER}`],
  ['a creator', `/creator/${generateCharacter(1).creator}`],
  ['the blog', '/en/blog'],
  ['characters as JSON', '/api/characters'],
];
const CONNECTIONS = 16;
const SECONDS = 4;
const AIM = 2;
/** What a shared cache goes by, and what a client needs to take the same bytes for the same page. */
const KEPT_HEADERS = [
  'content-type',
  'cache-control',
  'cloudflare-cdn-cache-control',
  'cache-tag',
  'content-security-policy',
];

async function bytesOf(origin) {
  const pages = {};
  for (const [, path] of PAGES) {
    const answer = await fetch(origin + path, { redirect: 'manual' });
    const body = await answer.text();
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}: ${body.slice(0, 300)}`);
    const headers = Object.fromEntries(
      KEPT_HEADERS.flatMap((name) => (answer.headers.has(name) ? [[name, answer.headers.get(name)]] : [])),
    );
    pages[path] = { body, headers };
  }
  return pages;
}

/** The shared cache of the tests in front of an origin; null where there is no Varnish. */
async function cacheBefore(origin, folder, name) {
  const varnish = varnishPath();
  const rules = join(ROOT, 'tests', 'support', 'shared-cache.vcl');
  if (varnish === undefined || !existsSync(rules)) return null;
  const port = await freePort();
  const work = join(folder, name);
  mkdirSync(work, { recursive: true });
  const configuration = join(work, 'cache.vcl');
  const text = readFileSync(rules, 'utf8')
    .replaceAll('WORKER_PORT', new URL(origin).port)
    .replaceAll('PURGE_SECRET', 'only-for-this-measurement');
  writeFileSync(configuration, text);
  const child = serve(
    varnish,
    [
      ...['-F', '-j', 'none', '-a', `127.0.0.1:${port}`, '-f', configuration],
      ...['-n', join(work, 'state'), '-s', 'malloc,64m', '-T', 'none'],
    ],
    { logFile: join(work, 'log') },
  );
  const url = `http://127.0.0.1:${port}`;
  if (!(await untilHealthy(url + PAGES[1][1], child, 20_000))) {
    await endGroup(child);
    return null;
  }
  return { origin: url, end: () => endGroup(child) };
}

/** @param {import('./run.mjs').Bench} bench */
export async function measurePages({ outDir, model, clients, quick, say }) {
  const folders = [newFolder(), newFolder(), newFolder()];
  const ends = [];
  try {
    const product = await startProduct({ outDir, modelUrl: model.url, folder: folders[0] });
    ends.unshift(product.end);
    await furnish(product);
    const pages = await bytesOf(product.origin);
    const bare = await startBare({ outDir, modelUrl: model.url, folder: folders[1], pages });
    ends.unshift(bare.end);
    const [cached, bareCached] = [
      await cacheBefore(product.origin, folders[2], 'product'),
      await cacheBefore(bare.origin, folders[2], 'bare'),
    ];
    for (const cache of [cached, bareCached]) if (cache !== null) ends.unshift(cache.end);
    const seconds = quick ? 1.5 : SECONDS;
    const asked = async (server, path) => {
      if (server === null) return null;
      const options = { origin: server.origin, path, connections: CONNECTIONS };
      await clients.ask('pages', { ...options, seconds: seconds / 4 });
      const seen = await clients.ask('pages', { ...options, seconds });
      const { answers, bad, times } = seen;
      return { rate: answers / seen.seconds, bad, median: median(times), p95: percentile(times, 0.95) };
    };
    const rows = [];
    for (const [name, path] of PAGES) {
      say(`  ${name} …`);
      const isShared = /public/.test(pages[path].headers['cloudflare-cdn-cache-control'] ?? '');
      rows.push({
        ...{ name, isShared, bytes: Buffer.byteLength(pages[path].body) },
        bare: await asked(bare, path),
        ours: await asked(product, path),
        cached: isShared ? await asked(cached, path) : null,
        bareCached: isShared ? await asked(bareCached, path) : null,
      });
    }
    return { rows };
  } finally {
    for (const end of ends) await end();
    folders.forEach(removeFolder);
  }
}

/** @param {Awaited<ReturnType<typeof measurePages>>} seen */
export function tellPages({ rows }) {
  const shared = rows.filter(({ cached, bareCached }) => cached !== null && bareCached !== null);
  const worst = (some, ratio) => Math.max(...some.map(ratio));
  const bad = rows.flatMap(({ name, bare, ours }) => (bare.bad + ours.bad > 0 ? [name] : []));
  const drawn = verdict({
    ...{
      aim: `A public page, drawn each time, within ${AIM}× of the bare Worker that returns the same bytes`,
    },
    ...{
      unit: 'times as long at worst',
      most: AIM,
      value: worst(rows, ({ ours, bare }) => bare.rate / ours.rate),
    },
    why: 'The bare Worker has finished bytes in memory; a page is read from the database, its components are run and its HTML is put together. Visitors do not wait for that where the shared cache has the page: `public` pages are drawn once in 1 to 5 minutes in each place of the cache (docs/caches.md).',
  });
  const fromCache =
    shared.length > 0
      ? [
          verdict({
            ...{
              aim: `The pages that shared caches keep, out of one, as visitors get them, within ${AIM}× of the bare Worker out of the same`,
            },
            ...{ unit: 'times as long at worst', most: AIM },
            // Both out of the same cache: what the cache alone is quicker by is nobody's merit.
            value: worst(shared, ({ cached, bareCached }) => bareCached.rate / cached.rate),
            why: 'Out of the cache both take what the cache takes.',
          }),
        ]
      : ['The shared cache was not measured: there is no Varnish on this machine.'];
  return [
    `${CONNECTIONS} connections, one request at a time on each. The shared cache is Varnish with the rules of the tests, in front of the product and of the bare Worker alike; – where it keeps nothing (what is no page; and pages of creators, which the platform keeps behind the front door, docs/caches.md).`,
    table(
      [
        'page',
        'bytes',
        'bare Worker, a second',
        'Loreloom, drawn each time',
        'of the bare',
        'one takes, ms: median',
        '95 %',
        'Loreloom out of a shared cache',
        'of the bare Worker there',
      ],
      rows.map(({ name, bytes, bare, ours, cached, bareCached }) => [
        name,
        bytes.toLocaleString('en'),
        shown(bare.rate),
        shown(ours.rate),
        `1/${shown(bare.rate / ours.rate)}`,
        shown(ours.median),
        shown(ours.p95),
        cached === null ? '–' : shown(cached.rate),
        cached === null || bareCached === null ? '–' : `${shown(cached.rate / bareCached.rate)}×`,
      ]),
    ),
    [drawn, ...fromCache].map((line) => `- ${line}`).join('\n'),
    ...(bad.length === 0 ? [] : [`**Failed**: answers other than 200: ${bad.join(', ')}.`]),
  ].join('\n\n');
}
