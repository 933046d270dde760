// Starts the built product, and a bare Worker beside it, each in a miniflare of its own: the same
// runtime in the same run, without the development server's proxy in front.
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { builtConfig } from '../lib/prepare.mjs';
import { ROOT } from '../lib/process.mjs';

/** Every module of a build, the entry first, as miniflare wants them. */
function modulesOf(entry) {
  const rest = readdirSync(dirname(entry), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && /\.m?js$/.test(file.name))
    .map((file) => join(file.parentPath, file.name))
    .filter((path) => path !== entry);
  return [entry, ...rest].map((path) => ({ type: 'ESModule', path, contents: readFileSync(path, 'utf8') }));
}

async function start(options) {
  // Storage on disk, as in production: writes that cost nothing would flatter us.
  const resourcePersistencePath = mkdtempSync(join(tmpdir(), 'loreloom-bench-'));
  const miniflare = new Miniflare({
    ...convertV4MiniflareOptions({ port: 0, ...options }),
    resourcePersistencePath,
  });
  const { origin } = await miniflare.ready;
  return { miniflare, origin };
}

/**
 * @param {{ outDir: string, modelUrl: string }} options
 * @returns the two addresses, the product's database, and what ends both
 */
export async function startRuntime({ outDir, modelUrl }) {
  const config = JSON.parse(readFileSync(builtConfig(outDir), 'utf8'));
  const server = dirname(builtConfig(outDir));
  const runtime = {
    compatibilityDate: config.compatibility_date,
    compatibilityFlags: config.compatibility_flags,
  };
  const bareWorker = fileURLToPath(new URL('bare-worker.mjs', import.meta.url));
  const product = await start({
    ...runtime,
    modulesRoot: server,
    modules: modulesOf(join(server, config.main)),
    d1Databases: { DB: 'bench' },
    kvNamespaces: { KV: 'bench' },
    r2Buckets: { MEDIA: 'bench' },
    durableObjects: {
      CONVERSATIONS: { className: 'ConversationObject', useSQLite: true },
      WALLETS: { className: 'WalletObject', useSQLite: true },
      SEARCHES: { className: 'SearchObject', useSQLite: true },
    },
    bindings: {
      RATE_LIMITS: 'off',
      MAIL_FROM: 'Loreloom <hello@localhost.test>',
      AUTH_SECRET: 'only-for-this-measurement',
      MODEL_ROLEPLAY_BASE_URL: modelUrl,
    },
  });
  const bare = await start({
    ...runtime,
    modulesRoot: dirname(bareWorker),
    modules: [{ type: 'ESModule', path: bareWorker, contents: readFileSync(bareWorker, 'utf8') }],
    durableObjects: { BARE: { className: 'BareObject', useSQLite: true } },
    bindings: { MODEL_URL: `${modelUrl}/chat/completions` },
  });
  const db = await product.miniflare.getD1Database('DB');
  const migrations = join(ROOT, 'migrations');
  for (const file of readdirSync(migrations)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()) {
    for (const statement of readFileSync(join(migrations, file), 'utf8').split('--> statement-breakpoint')) {
      await db.prepare(statement).run();
    }
  }
  return {
    product: product.origin,
    bare: bare.origin,
    db,
    end: () => Promise.all([product.miniflare.dispose(), bare.miniflare.dispose()]),
  };
}
