import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWorker } from '../../scripts/lib/local-server.mjs';
import { build, prepareState } from '../../scripts/lib/prepare.mjs';
import { endAll, freePort } from '../../scripts/lib/process.mjs';
import { startGoogleServer } from '../support/google-server.ts';
import { startModelServer } from '../support/model-server.mjs';
import { startPayPalServer } from '../support/paypal-server.ts';
import { startSharedCache } from '../support/shared-cache.ts';
import { GOOGLE_CLIENT_ID, PAYPAL } from '../support/test-environment.ts';
import { assertNoLeaks, readLoginCodes } from './log-leaks.ts';

const MODEL_KEY = 'key-of-the-roleplay-model';
const GOOGLE_SECRET = 'secret-of-google';

/** Starts the real build, seeded, with its own state and the scripted model server. */
export default async function setUp(): Promise<() => Promise<void>> {
  const outDir = process.env.LORELOOM_TEST_OUT_DIR ?? '.wrangler/test/dist';
  await build(() => {}, outDir);
  const model = await startModelServer();
  const google = await startGoogleServer(GOOGLE_CLIENT_ID);
  const payPal = await startPayPalServer(PAYPAL);
  // Tests read the secret to sign links that would otherwise only arrive by mail.
  const secret = randomBytes(32).toString('hex');
  process.env.LORELOOM_AUTH_SECRET = secret;
  const folder = mkdtempSync(join(tmpdir(), 'loreloom-e2e-'));
  // Workers find each other through this registry; a separate one keeps the Workers of parallel runs apart.
  process.env.WRANGLER_REGISTRY_PATH = join(folder, 'registry');
  const logFile = join(folder, 'worker.log');
  // Every site that a test starts begins with a copy of this state.
  const prepared = process.env.LORELOOM_PREPARED_STATE ?? join(folder, 'prepared');
  await prepareState(() => {}, { outDir, stateDir: prepared });
  process.env.LORELOOM_PREPARED_STATE = prepared;
  const cache = { port: await freePort(), secret: randomBytes(16).toString('hex') };
  const variables = {
    MODEL_ROLEPLAY_BASE_URL: model.url,
    MODEL_ROLEPLAY_API_KEY: MODEL_KEY,
    AUTH_SECRET: secret,
    GOOGLE_CLIENT_ID,
    GOOGLE_CLIENT_SECRET: GOOGLE_SECRET,
    GOOGLE_API_BASE: google.url,
    PAYPAL_CLIENT_ID: PAYPAL.clientId,
    PAYPAL_CLIENT_SECRET: PAYPAL.clientSecret,
    PAYPAL_API_BASE: payPal.url,
    PAYPAL_WEBHOOK_ID: PAYPAL.webhookId,
    PAYPAL_PLAN_STORYTELLER: PAYPAL.planStoryteller,
    CACHE_PURGE_URL: `http://127.0.0.1:${cache.port}/`,
    CACHE_PURGE_SECRET: cache.secret,
  };
  const { url } = await startWorker({
    outDir,
    stateDir: join(folder, 'state'),
    port: await freePort(),
    logFile,
    wholeLog: true,
    // Tests of forged headers need a front that sets its own headers, as the platform's does; journeys need none.
    direct: process.env.LORELOOM_BEHIND_FRONT === undefined,
    variables,
  });
  const shared = await startSharedCache({ ...cache, worker: url });
  if (shared) process.env.LORELOOM_SHARED_CACHE = shared.url;
  process.env.LORELOOM_URL = url;
  process.env.LORELOOM_GOOGLE = google.url;
  process.env.LORELOOM_PAYPAL = payPal.url;
  process.env.LORELOOM_MODEL_CONTROL = new URL('/control', model.url).href;
  return async () => {
    await shared?.close();
    const codes = await readLoginCodes(url);
    await endAll();
    printErrors(logFile);
    await Promise.all([model.close(), google.close(), payPal.close()]);
    assertNoLeaks({ stateDir: join(folder, 'state'), logFile, variables, codes });
  };
}

/** Prints the Worker's errors: a failed journey shows what the user saw, only the log says why. */
function printErrors(logFile: string): void {
  const lines = readFileSync(logFile, 'utf8')
    .split('\n')
    .filter((line) => /_failed"|\[ERROR\]|Uncaught/.test(line));
  if (lines.length > 0) console.log(['From the Worker’s log:', ...lines.slice(-40)].join('\n'));
}
