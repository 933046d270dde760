// Public pages a second, drawn by the product each time, compared with a bare Worker that has the same bytes in memory, and
// both behind a shared cache, as on the platform.
import { generateCharacter } from '../../tests/support/large-catalogue.ts';
import { startSharedCache } from '../../tests/support/shared-cache.ts';
import { freePort } from '../lib/process.mjs';
import { formatNumber, formatRatio, formatTable, judgeAim, median, percentile } from './figures.mjs';
import { readProcessorMs } from './machine.mjs';
import { CHARACTER } from './servers.mjs';

const PAGES = [
  ['home', '/en'],
  ['discover', '/en/discover'],
  ['a tag', '/en/tag/fantasy'],
  ['a character', `/en/character-info/${CHARACTER}`],
  ['a creator', `/creator/${generateCharacter(1).creator}`],
  ['the blog', '/en/blog'],
  ['a post', '/en/blog/no-reply-is-lost'],
  ['privacy', '/privacy'],
  ['characters as JSON', '/api/characters'],
];
const CONNECTIONS = 16;
const SECONDS = 4;
const MAX_RATIO = 2;
/** What the shared cache reads, and what a client needs to accept the same bytes as the same page. */
const COPIED_HEADERS = [
  'content-type',
  'cache-control',
  'cloudflare-cdn-cache-control',
  'cache-tag',
  'content-security-policy',
];

async function copyPage(origin, path) {
  const answer = await fetch(origin + path, { redirect: 'manual' });
  const body = await answer.text();
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status}: ${body.slice(0, 300)}`);
  const headers = COPIED_HEADERS.filter((name) => answer.headers.has(name));
  return { body, headers: Object.fromEntries(headers.map((name) => [name, answer.headers.get(name)])) };
}

/** Null without an origin. */
async function measurePage({ ask, quick }, origin, path) {
  if (origin === undefined) return null;
  const seconds = quick ? 1.5 : SECONDS;
  const options = { origin, path, connections: CONNECTIONS };
  await ask('pages', { ...options, seconds: seconds / 4 });
  return ask('pages', { ...options, seconds });
}

/** The runtime's processor time for a page, in ms, with one request at a time. */
async function measureProcessor({ ask, quick }, { origin, pid }, path) {
  const options = { origin, path, connections: 1, seconds: quick ? 0.5 : SECONDS / 4 };
  await ask('pages', options);
  const before = readProcessorMs(pid);
  const { times } = await ask('pages', options);
  return (readProcessorMs(pid) - before) / times.length;
}

/** The site at another address: an isolate keeps pages of its own address only, except those without data. */
const renameHost = ({ origin, pid }) => ({ origin: origin.replace('localhost', '127.0.0.1'), pid });

function judgePages(rows) {
  const judge = (aim, ratios, reason) =>
    judgeAim(aim, Math.max(...ratios), MAX_RATIO, 'times as long at worst', reason);
  const drawn = judge(
    `A public page, drawn each time, within ${MAX_RATIO}× of the bare Worker that returns the same bytes`,
    rows.map(({ product, bare }) => bare.perSecond / product.perSecond),
    'The bare Worker has finished bytes in memory; a page is read from the database, its components are run and its HTML is put together. Visitors do not wait for that where the shared cache has the page: `public` pages are drawn once in 1 to 5 minutes in each place of the cache (docs/caching.md).',
  );
  const shared = rows.filter(({ cached, bareCached }) => cached !== null && bareCached !== null);
  if (shared.length === 0) return `${drawn}\n- This machine has no Varnish to measure a shared cache with.`;
  const cached = judge(
    `The pages that shared caches keep, out of one, as visitors get them, within ${MAX_RATIO}× of the bare Worker out of the same`,
    shared.map(({ cached, bareCached }) => bareCached.perSecond / cached.perSecond),
  );
  return `${drawn}\n${cached}`;
}

/** @param {import('./run.mjs').Bench} bench */
export async function measurePages(bench) {
  const product = await bench.startProduct();
  const pages = {};
  for (const [, path] of PAGES) pages[path] = await copyPage(product.origin, path);
  const bare = await bench.startBare({ pages });
  const startCache = async (worker) => {
    const options = { port: await freePort(), worker, secret: 'only-for-this-measurement' };
    const cache = await startSharedCache(options);
    if (cache !== null) bench.onClose(cache.close);
    return cache?.url;
  };
  const [cache, bareCache] = [await startCache(product.origin), await startCache(bare.origin)];
  const rows = [];
  for (const [name, path] of PAGES) {
    bench.say(`  ${name} …`);
    const isShared = /public/.test(pages[path].headers['cloudflare-cdn-cache-control'] ?? '');
    rows.push({
      ...{ name, bytes: Buffer.byteLength(pages[path].body) },
      bare: await measurePage(bench, bare.origin, path),
      product: await measurePage(bench, product.origin, path),
      cached: await measurePage(bench, isShared ? cache : undefined, path),
      bareCached: await measurePage(bench, isShared ? bareCache : undefined, path),
      bareProcessor: await measureProcessor(bench, bare, path),
      processor: await measureProcessor(bench, product, path),
      renderProcessor: await measureProcessor(bench, renameHost(product), path),
    });
  }
  const bad = rows.filter(({ bare, product }) => bare.bad + product.bad > 0).map(({ name }) => name);
  return [
    `${CONNECTIONS} connections, one request at a time on each. The shared cache is Varnish with the rules of the tests, in front of the product and of the bare Worker alike; – where it keeps nothing (what is no page; and pages of creators, which the platform keeps behind the front door, docs/caching.md).`,
    formatTable(
      'page | bytes | bare Worker, a second | Loreloom, drawn each time | of the bare | one takes, ms: median | 95 % | Loreloom out of a shared cache | of the bare Worker there',
      rows.map(({ name, bytes, bare, product, cached, bareCached }) => [
        ...[name, bytes, bare.perSecond, product.perSecond],
        `1/${formatNumber(bare.perSecond / product.perSecond)}`,
        ...[median(product.times), percentile(product.times, 0.95)],
        ...(cached && bareCached
          ? [cached.perSecond, formatRatio(cached.perSecond, bareCached.perSecond)]
          : ['–', '–']),
      ]),
    ),
    'The processor time of a page in ms, with one request at a time. An isolate keeps the latest pages of its own address and returns one again while what it read for it is the same; pages without data it keeps for as long as it lives.',
    formatTable(
      'page | bare Worker | Loreloom | of the bare | Loreloom, rendered again',
      rows.map(({ name, bareProcessor, processor, renderProcessor }) => [
        ...[name, bareProcessor, processor, formatRatio(processor, bareProcessor), renderProcessor],
      ]),
    ),
    judgePages(rows),
    ...(bad.length === 0 ? [] : [`**Failed**: answers other than 200: ${bad.join(', ')}.`]),
  ].join('\n\n');
}
