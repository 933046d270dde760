import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWorker } from '../../scripts/lib/local-server.mjs';
import { build } from '../../scripts/lib/prepare.mjs';
import { endAll, freePort } from '../../scripts/lib/process.mjs';
import { startModelServer } from '../support/model-server.mjs';

/** The real build, seeded, with a state of its own and the scripted model server behind it. */
export default async function setUp(): Promise<() => Promise<void>> {
  const outDir = process.env.LORELOOM_TEST_OUT_DIR ?? '.wrangler/test/dist';
  await build(() => {}, outDir);
  const model = await startModelServer();
  const folder = mkdtempSync(join(tmpdir(), 'loreloom-e2e-'));
  const { url } = await startWorker({
    outDir,
    stateDir: join(folder, 'state'),
    port: await freePort(),
    logFile: join(folder, 'worker.log'),
    variables: { MODEL_ROLEPLAY_BASE_URL: model.url },
  });
  process.env.LORELOOM_URL = url;
  process.env.LORELOOM_MODEL_CONTROL = new URL('/control', model.url).href;
  return async () => {
    await endAll();
    await model.close();
  };
}
