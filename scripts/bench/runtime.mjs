// Starts the built product, and a bare Worker beside it, each in a runtime of its own: the same workerd in the same run.
// Both are asked at a socket that leads straight to them, without miniflare's proxy in front, which would take more time
// than either.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { readModule as moduleOf, listModules as modulesOf } from '../lib/built-modules.mjs';
import { builtConfig } from '../lib/prepare.mjs';
import { freePort, ROOT } from '../lib/process.mjs';
import { childrenOf } from './machine.mjs';
import { getStoreOptions as storesOf } from '../lib/stores.mjs';

const COUNTING = fileURLToPath(new URL('counting-worker.mjs', import.meta.url));
const BARE = fileURLToPath(new URL('bare-worker.mjs', import.meta.url));

const MAX_TOLD_CHARS = 500;

const folders = new Set();

/** A folder that is gone when the bench is, however that ends. */
export function newFolder() {
  if (folders.size === 0) process.once('exit', () => folders.forEach(removeFolder));
  const folder = mkdtempSync(join(tmpdir(), 'loreloom-bench-'));
  folders.add(folder);
  return folder;
}

export function removeFolder(folder) {
  rmSync(folder, { recursive: true, force: true });
}

/** Every module of a build, the entry first; before it, what counts. */
function modulesWith(entry, isCounted) {
  if (!isCounted) return modulesOf(entry);
  const counting = readFileSync(COUNTING, 'utf8').replace("'PRODUCT'", `'./${basename(entry)}'`);
  return [moduleOf(join(dirname(entry), 'bench-counting.mjs'), counting), ...modulesOf(entry)];
}

/** @param folder where its storage is: on disk, as in production, where writes that cost nothing would flatter us */
async function start({ bindings, ...worker }, folder) {
  const before = new Set(childrenOf(process.pid));
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const miniflare = new Miniflare({
    ...convertV4MiniflareOptions({
      port: 0,
      // Where a site knows its own address, its public pages may be kept by shared caches.
      workers: [
        {
          ...worker,
          bindings: { ...bindings, SITE_URL: origin },
          unsafeDirectSockets: [{ host: '127.0.0.1', port }],
        },
      ],
      // Of what the product logs only what went wrong: the rest would stand between the tables.
      handleStructuredLogs: ({ level, message }) => {
        if (level === 'error') console.error(message.slice(0, MAX_TOLD_CHARS));
      },
    }),
    resourcePersistencePath: folder,
  });
  await miniflare.ready;
  const pid = childrenOf(process.pid).find((child) => !before.has(child));
  return { miniflare, origin, pid, end: () => miniflare.dispose() };
}

function runtimeOf(outDir) {
  const config = JSON.parse(readFileSync(builtConfig(outDir), 'utf8'));
  return {
    main: join(dirname(builtConfig(outDir)), config.main),
    options: {
      compatibilityDate: config.compatibility_date,
      compatibilityFlags: config.compatibility_flags,
    },
  };
}

/**
 * The built product.
 * @param {{ outDir: string, modelUrl: string, folder: string, model?: string, isCounted?: boolean }} options
 *   `folder`: where it keeps its storage; one that has some already goes on with it
 */
export async function startProduct({ outDir, modelUrl, folder, model, isCounted = false }) {
  const { main, options } = runtimeOf(outDir);
  const running = await start(
    {
      name: 'product',
      ...options,
      modulesRoot: dirname(main),
      modules: modulesWith(main, isCounted),
      ...storesOf('bench'),
      bindings: {
        RATE_LIMITS: 'off',
        MAIL_FROM: 'Loreloom <hello@localhost.test>',
        AUTH_SECRET: 'only-for-this-measurement-of-no-worth',
        MODEL_ROLEPLAY_BASE_URL: modelUrl,
        ...(model === undefined ? {} : { MODEL_ROLEPLAY_MODEL: model }),
      },
    },
    folder,
  );
  const [db, kv] = await Promise.all([
    running.miniflare.getD1Database('DB'),
    running.miniflare.getKVNamespace('KV'),
  ]);
  return { ...running, db, kv };
}

/** The tables of a database that has none yet. */
export async function migrate(db) {
  const files = readdirSync(join(ROOT, 'migrations')).filter((name) => name.endsWith('.sql'));
  for (const file of files.toSorted()) {
    const statements = readFileSync(join(ROOT, 'migrations', file), 'utf8').split('--> statement-breakpoint');
    for (const statement of statements) await db.prepare(statement).run();
  }
}

/**
 * The bare Worker.
 * @param {{ outDir: string, modelUrl: string, folder: string, pages?: Record<string, { body: string, headers: Record<string, string> }> }} options
 */
export function startBare({ outDir, modelUrl, folder, pages = {} }) {
  return start(
    {
      name: 'bare',
      ...runtimeOf(outDir).options,
      modulesRoot: dirname(BARE),
      modules: [moduleOf(BARE)],
      durableObjects: { BARE: { className: 'BareObject', useSQLite: true } },
      bindings: { MODEL_URL: `${modelUrl}/chat/completions`, PAGES: pages },
    },
    folder,
  );
}
