// Starts the built product, and a bare Worker beside it, on the same runtime in the same run.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestHarness } from 'wrangler';
import { builtConfig } from '../lib/prepare.mjs';
import { ROOT } from '../lib/process.mjs';

async function start(configPath) {
  const harness = createTestHarness({ root: ROOT, workers: [{ configPath }] });
  const { url } = await harness.listen();
  return { harness, origin: url.origin };
}

/**
 * @param {{ outDir: string, modelUrl: string }} options
 * @returns the two addresses, the product's database, and what ends both
 */
export async function startRuntime({ outDir, modelUrl }) {
  const built = JSON.parse(readFileSync(builtConfig(outDir), 'utf8'));
  const productConfig = join(dirname(builtConfig(outDir)), 'bench.json');
  writeFileSync(
    productConfig,
    JSON.stringify({
      ...built,
      vars: {
        RATE_LIMITS: 'off',
        MAIL_FROM: 'Loreloom <hello@localhost.test>',
        AUTH_SECRET: 'only-for-this-measurement',
        MODEL_ROLEPLAY_BASE_URL: modelUrl,
      },
    }),
  );
  const bareConfig = join(ROOT, '.wrangler', 'bench', 'bare.json');
  mkdirSync(dirname(bareConfig), { recursive: true });
  writeFileSync(
    bareConfig,
    JSON.stringify({
      name: 'bare',
      main: fileURLToPath(new URL('bare-worker.mjs', import.meta.url)),
      compatibility_date: built.compatibility_date,
      durable_objects: { bindings: [{ name: 'BARE', class_name: 'BareObject' }] },
      migrations: [{ tag: 'v1', new_sqlite_classes: ['BareObject'] }],
      vars: { MODEL_URL: `${modelUrl}/chat/completions` },
    }),
  );
  const product = await start(productConfig);
  const bare = await start(bareConfig);
  const worker = product.harness.getWorker();
  await worker.applyD1Migrations('DB');
  return {
    product: product.origin,
    bare: bare.origin,
    db: (await worker.getEnv()).DB,
    end: () => Promise.all([product.harness.close(), bare.harness.close()]),
  };
}
