// The built product in a runtime that can be killed at any moment, with storage on disk and a module in front of the product
// that injects faults (faulty-worker.mjs).
import { spawn } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { readModule, listModules } from '../lib/built-modules.mjs';
import { builtConfig } from '../lib/prepare.mjs';
import { ROOT } from '../lib/process.mjs';
import { getStoreOptions } from '../lib/stores.mjs';

const readSource = (name) => readFileSync(fileURLToPath(new URL(name, import.meta.url)), 'utf8');
/** The runtime that Miniflare depends on. */
const WORKERD = createRequire(import.meta.resolve('miniflare'))('workerd').default;
/** Alarms fire this many times sooner: half a minute becomes one and a half seconds. */
const ALARM_SPEED = 20;

/** Lists the modules of a build behind the module that injects faults. */
function listFaultyModules(server, main) {
  if (main !== 'entry.mjs') throw new Error(`the entry of the build is ${main} instead of entry.mjs`);
  const sources = ['faulty-worker.mjs', 'faulty-clock.mjs', 'faulty-bindings.mjs', 'random.mjs'];
  const read = (name) => readModule(join(server, name), readSource(name));
  return [...sources.map(read), ...listModules(join(server, main))];
}

/** Writes a program that saves the configuration it receives from Miniflare and then runs workerd. */
function writeWrapper(folder) {
  const script = join(folder, 'workerd.sh');
  const configFile = join(folder, 'workerd.config');
  writeFileSync(script, `#!/bin/sh\ncat > '${configFile}'\nexec '${WORKERD}' "$@" < '${configFile}'\n`);
  chmodSync(script, 0o755);
  return { script, configFile };
}

/** Placeholder for the clock's offset in the runtime's configuration. Every offset has its length. */
const CLOCK_PLACEHOLDER = '+000000000000001';

/** Sets the clock's offset in the runtime's configuration. */
function setClockOffset(config, ms) {
  const text = `${ms < 0 ? '-' : '+'}${String(Math.abs(Math.round(ms))).padStart(CLOCK_PLACEHOLDER.length - 1, '0')}`;
  const changed = Buffer.from(config);
  const at = changed.indexOf(CLOCK_PLACEHOLDER);
  if (at === -1) throw new Error('the configuration has no placeholder for the clock');
  changed.write(text, at, 'latin1');
  return changed;
}

/** Lists Miniflare's temporary folders in the runtime's configuration. */
function listTemporaryFolders(config) {
  const prefix = join(realpathSync(tmpdir()), 'miniflare-');
  const rests = config.toString('latin1').split(prefix).slice(1);
  return [...new Set(rests.map((rest) => prefix + /^[\w./-]*/.exec(rest)[0]))];
}

/** Listens where Miniflare's services expect Miniflare. */
async function startLoopback() {
  const server = createServer((request, response) => response.end());
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/**
 * The product, to be started, killed and restarted on the same storage. Miniflare writes the configuration once; then workerd
 * is started with it directly, which takes half a second instead of two.
 */
export class Runtime {
  /** @param {{ outDir: string, folder: string, modelUrl: string }} options */
  constructor({ outDir, folder, modelUrl }) {
    this.config = JSON.parse(readFileSync(builtConfig(outDir), 'utf8'));
    this.server = dirname(builtConfig(outDir));
    this.modules = listFaultyModules(this.server, this.config.main);
    this.crons = this.config.triggers.crons;
    this.folder = folder;
    this.stores = join(folder, 'stores');
    this.fresh = join(folder, 'fresh');
    this.logFile = join(folder, 'runtime.log');
    this.modelUrl = modelUrl;
    this.clockMs = 0;
    this.child = null;
    this.origin = null;
    mkdirSync(this.stores, { recursive: true });
    this.wrapper = writeWrapper(folder);
    process.on('exit', () => this.child?.kill('SIGKILL'));
  }

  /** Creates the stores with their first rows, and saves the runtime's configuration. */
  async prepare({ d1, kv }) {
    process.env.MINIFLARE_WORKERD_PATH = this.wrapper.script;
    const miniflare = new Miniflare({
      ...convertV4MiniflareOptions({
        name: 'loreloom',
        port: 0,
        host: '127.0.0.1',
        compatibilityDate: this.config.compatibility_date,
        // The last two allow evicting objects from memory.
        compatibilityFlags: [...this.config.compatibility_flags, 'experimental', 'unsafe_module'],
        modulesRoot: this.server,
        modules: this.modules,
        ...getStoreOptions('faults'),
        bindings: {
          RATE_LIMITS: 'off',
          // The synthetic check's conversation has no user, and a later check deletes it.
          SYNTHETIC_CHECKS: 'off',
          MAIL_FROM: 'Loreloom <hello@localhost.test>',
          AUTH_SECRET: 'only-for-this-harness',
          MODEL_ROLEPLAY_BASE_URL: this.modelUrl,
          MODEL_ROLEPLAY_IDLE_SECONDS: '1.5',
          FAULTS_CLOCK_MS: CLOCK_PLACEHOLDER,
          FAULTS_ALARM_SPEED: String(ALARM_SPEED),
        },
      }),
      resourcePersistencePath: this.stores,
    });
    await miniflare.ready;
    const db = await miniflare.getD1Database('DB');
    const migrations = join(ROOT, 'migrations');
    const statements = readdirSync(migrations)
      .filter((name) => name.endsWith('.sql'))
      .toSorted()
      .flatMap((file) => readFileSync(join(migrations, file), 'utf8').split('--> statement-breakpoint'));
    await db.batch(statements.map((statement) => db.prepare(statement)));
    await db.batch(d1.map(([sql, ...values]) => db.prepare(sql).bind(...values)));
    const namespace = await miniflare.getKVNamespace('KV');
    for (const [key, value] of Object.entries(kv)) await namespace.put(key, value);
    await miniflare.dispose();
    delete process.env.MINIFLARE_WORKERD_PATH;
    this.runtimeConfig = readFileSync(this.wrapper.configFile);
    // Miniflare deletes its folders when it ends, and workerd needs them.
    this.temporary = listTemporaryFolders(this.runtimeConfig);
    for (const folder of this.temporary) mkdirSync(folder, { recursive: true });
    cpSync(this.stores, this.fresh, { recursive: true });
  }

  /** Resets the storage to what `prepare` created, and the clock. */
  reset() {
    rmSync(this.stores, { recursive: true, force: true });
    cpSync(this.fresh, this.stores, { recursive: true });
    rmSync(this.logFile, { force: true });
    this.clockMs = 0;
  }

  async start() {
    this.loopback ??= await startLoopback();
    const log = openSync(this.logFile, 'a');
    const child = spawn(
      WORKERD,
      [
        ...['serve', '--binary', '--experimental', '--socket-addr=entry=127.0.0.1:0'],
        ...[`--external-addr=loopback=127.0.0.1:${this.loopback.address().port}`, '--control-fd=3', '-'],
      ],
      { stdio: ['pipe', log, log, 'pipe'], env: { ...process.env, TZ: 'UTC' } },
    );
    closeSync(log);
    this.child = child;
    child.stdin.on('error', () => {});
    child.stdin.end(setClockOffset(this.runtimeConfig, this.clockMs));
    const port = await new Promise((resolve, reject) => {
      let output = '';
      child.stdio[3].on('data', (chunk) => {
        output += chunk;
        const listens = /"event":"listen","socket":"entry","port":(\d+)/.exec(output);
        if (listens !== null) resolve(Number(listens[1]));
      });
      child.on('exit', () => reject(new Error(`the runtime did not start; its log is ${this.logFile}`)));
      child.on('error', reject);
    });
    this.origin = `http://127.0.0.1:${port}`;
  }

  /** Kills the runtime as a failing machine would. */
  async kill() {
    const { child } = this;
    this.child = null;
    this.origin = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  }

  /** Sends a command to the module in front of the product. */
  async send(command) {
    const answer = await fetch(`${this.origin}/__faults`, {
      method: 'POST',
      body: JSON.stringify(command),
      signal: AbortSignal.timeout(10_000),
    });
    return answer.json();
  }

  async stepClock(ms) {
    this.clockMs += Math.round(ms);
    await this.send({ clockMs: this.clockMs });
  }

  async close() {
    await this.kill();
    this.loopback?.close();
    for (const folder of this.temporary ?? []) rmSync(folder, { recursive: true, force: true });
  }
}
