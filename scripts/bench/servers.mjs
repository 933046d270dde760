// Starts the built product and the bare Worker, each in a workerd of its own, with sockets that lead straight to them:
// miniflare's proxy takes more time than either.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { fillCatalogue, generateCharacter } from '../../tests/support/large-catalogue.ts';
import { readModule, listModules } from '../lib/built-modules.mjs';
import { builtConfig } from '../lib/prepare.mjs';
import { freePort, ROOT } from '../lib/process.mjs';
import { getStoreOptions } from '../lib/stores.mjs';
import { listChildren } from './machine.mjs';

const COUNTING = fileURLToPath(new URL('counting-worker.mjs', import.meta.url));
const BARE = fileURLToPath(new URL('bare-worker.mjs', import.meta.url));
const TRIVIAL = fileURLToPath(new URL('trivial-worker.mjs', import.meta.url));
const MAX_LOG_CHARS = 500;
const SECRET = 'only-for-this-measurement-of-no-worth';
/** Enough characters to fill every list. */
export const CHARACTERS = 1000;
/** The character of every conversation. */
export const CHARACTER = generateCharacter(1).id;

function readBuild(outDir) {
  const path = builtConfig(outDir);
  const { main, ...config } = JSON.parse(readFileSync(path, 'utf8'));
  const { compatibility_date: compatibilityDate, compatibility_flags: compatibilityFlags } = config;
  const ratelimits = config.ratelimits.map(({ name, ...limit }) => [name, limit]);
  return {
    main: join(dirname(path), main),
    compatibility: { compatibilityDate, compatibilityFlags },
    /** Its limiters count only with `RATE_LIMITS`; its mails stay on this machine. */
    platform: {
      ratelimits: Object.fromEntries(ratelimits),
      email: { send_email: config.send_email },
    },
  };
}

function addCounting(modules, isCounted) {
  if (!isCounted) return modules;
  const [{ path }] = modules;
  const counting = readFileSync(COUNTING, 'utf8').replace("'WORKER'", `'./${basename(path)}'`);
  return [readModule(join(dirname(path), 'bench-counting.mjs'), counting), ...modules];
}

/**
 * @param folder for the storage; on disk, because production also waits for its writes
 * @param isInspected whether the runtime opens its inspector (inspector.mjs)
 */
async function start({ bindings, modules, ...worker }, { folder, isCounted, isInspected = false }) {
  const before = new Set(listChildren(process.pid));
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const miniflare = new Miniflare({
    ...convertV4MiniflareOptions({
      port: 0,
      ...(isInspected ? { inspectorPort: 0 } : {}),
      workers: [
        {
          ...worker,
          modules: addCounting(modules, isCounted),
          modulesRoot: dirname(modules[0].path),
          // Shared caches may keep the public pages only of a site that knows its own address.
          bindings: { ...bindings, SITE_URL: origin },
          unsafeDirectSockets: [{ host: '127.0.0.1', port }],
        },
      ],
      handleStructuredLogs: ({ level, message }) => {
        if (level === 'error') console.error(message.slice(0, MAX_LOG_CHARS));
      },
    }),
    resourcePersistencePath: folder,
  });
  await miniflare.ready;
  const pid = listChildren(process.pid).find((child) => !before.has(child));
  let ended;
  return { miniflare, worker: worker.name, origin, pid, end: () => (ended ??= miniflare.dispose()) };
}

/** Creates the tables and a catalogue, and gives every user enough points for all measurements. */
async function seed(db, kv) {
  const files = readdirSync(join(ROOT, 'migrations')).filter((name) => name.endsWith('.sql'));
  for (const file of files.toSorted()) {
    const statements = readFileSync(join(ROOT, 'migrations', file), 'utf8').split('--> statement-breakpoint');
    for (const statement of statements) await db.prepare(statement).run();
  }
  await fillCatalogue(db, 0, CHARACTERS);
  await kv.put('business', JSON.stringify({ start_points: 1_000_000, daily_message_limit: null }));
}

/**
 * Starts the product, with a catalogue if its storage is new.
 * @param {{ outDir: string, modelUrl: string, folder: string, variables?: Record<string, string>, isCounted?: boolean, isInspected?: boolean }} options
 */
export async function startProduct({ outDir, modelUrl, variables, ...options }) {
  const { main, compatibility, platform } = readBuild(outDir);
  const isNew = readdirSync(options.folder).length === 0;
  const running = await start(
    {
      name: 'product',
      ...compatibility,
      modules: listModules(main),
      ...getStoreOptions('bench'),
      ...platform,
      bindings: {
        RATE_LIMITS: 'off',
        MAIL_FROM: 'Loreloom <hello@localhost.test>',
        AUTH_SECRET: SECRET,
        MODEL_ROLEPLAY_BASE_URL: modelUrl,
        ...variables,
      },
    },
    options,
  );
  const db = await running.miniflare.getD1Database('DB');
  const kv = await running.miniflare.getKVNamespace('KV');
  if (isNew) await seed(db, kv);
  return { ...running, db, kv, secret: SECRET };
}

/** @param {{ outDir: string, modelUrl: string, folder: string, pages?: object, isCounted?: boolean, isInspected?: boolean }} options */
export function startBare({ outDir, modelUrl, pages = {}, ...options }) {
  return start(
    {
      name: 'bare',
      ...readBuild(outDir).compatibility,
      modules: [readModule(BARE)],
      durableObjects: { BARE: { className: 'BareObject', useSQLite: true } },
      bindings: { MODEL_URL: `${modelUrl}/chat/completions`, PAGES: pages },
    },
    options,
  );
}

/** Starts a Worker that has the product's bindings and does nothing. @param {{ outDir: string, folder: string, isInspected?: boolean }} options */
export function startTrivial({ outDir, ...options }) {
  return start(
    {
      name: 'trivial',
      ...readBuild(outDir).compatibility,
      modules: [readModule(TRIVIAL)],
      ...getStoreOptions('bench'),
    },
    options,
  );
}
