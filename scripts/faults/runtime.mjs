// The built product in a runtime that can be killed at any moment: storage on disk as in production, and in front of the
// product the module that makes things fail (in-runtime.mjs).
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
import { moduleOf, modulesOf } from '../lib/built-modules.mjs';
import { builtConfig } from '../lib/prepare.mjs';
import { ROOT } from '../lib/process.mjs';
import { storesOf } from '../lib/stores.mjs';

const here = (name) => readFileSync(fileURLToPath(new URL(name, import.meta.url)), 'utf8');
/** The runtime that Miniflare brings along. */
const WORKERD = createRequire(import.meta.resolve('miniflare'))('workerd').default;
/** An alarm that the product sets for half a minute comes after one and a half seconds. */
export const ALARM_SPEED = 20;

function modulesWith(server, main) {
  if (main !== 'entry.mjs') throw new Error(`the build's entry is ${main}, and entry.mjs was expected`);
  return [
    moduleOf(join(server, 'faults-entry.mjs'), here('in-runtime.mjs')),
    moduleOf(join(server, 'faults-clock.mjs'), here('in-runtime-clock.mjs')),
    moduleOf(join(server, 'faults-wraps.mjs'), here('in-runtime-wraps.mjs')),
    ...modulesOf(join(server, main)),
  ];
}

/** A program in the runtime's place that keeps what it was told to run, and becomes the runtime. */
function noting(folder) {
  const script = join(folder, 'workerd.sh');
  const configFile = join(folder, 'workerd.config');
  writeFileSync(script, `#!/bin/sh\ncat > '${configFile}'\nexec '${WORKERD}' "$@" < '${configFile}'\n`);
  chmodSync(script, 0o755);
  return { script, configFile };
}

/** As long as any time of ours is written: it is replaced in what the runtime is started with. */
const CLOCK_PLACE = '+000000000000001';

/** What the runtime is started with, with its clock off by so much. */
function withClock(told, ms) {
  const text = `${ms < 0 ? '-' : '+'}${String(Math.abs(Math.round(ms))).padStart(CLOCK_PLACE.length - 1, '0')}`;
  const changed = Buffer.from(told);
  const at = changed.indexOf(CLOCK_PLACE);
  if (at === -1) throw new Error('the place of the clock was not found');
  changed.write(text, at, 'latin1');
  return changed;
}

/** Folders for the time of one run that the runtime is told of. */
function passingFolders(told) {
  const within = join(realpathSync(tmpdir()), 'miniflare-');
  const text = told.toString('latin1');
  return [
    ...new Set(
      text
        .split(within)
        .slice(1)
        .map((rest) => within + /^[\w./-]*/.exec(rest)[0]),
    ),
  ];
}

/** Stands where Miniflare would listen for what its services have to say: nobody needs it. */
async function standIn() {
  const server = createServer((request, response) => {
    request.resume();
    response.end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/**
 * The product, to be started, killed and started again over the same storage. Miniflare lays it out once; what it told the
 * runtime to run is kept, and the runtime is started with it directly: a restart costs half a second and not two.
 */
export class Runtime {
  /** @param {{ outDir: string, folder: string, modelUrl: string }} options */
  constructor({ outDir, folder, modelUrl }) {
    this.config = JSON.parse(readFileSync(builtConfig(outDir), 'utf8'));
    this.server = dirname(builtConfig(outDir));
    this.modules = modulesWith(this.server, this.config.main);
    /** When what goes on by itself is begun in production. */
    this.crons = this.config.triggers.crons;
    this.folder = folder;
    this.stores = join(folder, 'stores');
    this.logFile = join(folder, 'runtime.log');
    this.modelUrl = modelUrl;
    this.clockMs = 0;
    this.child = null;
    this.origin = null;
    mkdirSync(this.stores, { recursive: true });
    this.program = noting(folder);
    process.on('exit', () => this.child?.kill('SIGKILL'));
  }

  /** Lays down the tables of D1 and what everybody finds there, and keeps what the runtime is started with. */
  async prepare({ d1, kv }) {
    process.env.MINIFLARE_WORKERD_PATH = this.program.script;
    const miniflare = new Miniflare({
      ...convertV4MiniflareOptions({
        name: 'loreloom',
        port: 0,
        host: '127.0.0.1',
        compatibilityDate: this.config.compatibility_date,
        // The last two let the module in front of the product throw objects out of memory.
        compatibilityFlags: [...this.config.compatibility_flags, 'experimental', 'unsafe_module'],
        modulesRoot: this.server,
        modules: this.modules,
        ...storesOf('faults'),
        bindings: {
          RATE_LIMITS: 'off',
          // The site's conversation with itself is nobody's, and is taken away by a later one: there is none here.
          SYNTHETIC_CHECKS: 'off',
          MAIL_FROM: 'Loreloom <hello@localhost.test>',
          AUTH_SECRET: 'only-for-this-harness',
          MODEL_ROLEPLAY_BASE_URL: this.modelUrl,
          MODEL_ROLEPLAY_IDLE_SECONDS: '1.5',
          FAULTS_CLOCK_MS: CLOCK_PLACE,
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
    this.told = readFileSync(this.program.configFile);
    // Miniflare takes its own folder along when it goes; the runtime looks for what it was told of there.
    this.passing = passingFolders(this.told);
    for (const folder of this.passing) mkdirSync(folder, { recursive: true });
    cpSync(this.stores, this.fresh, { recursive: true });
  }

  get fresh() {
    return join(this.folder, 'fresh');
  }

  /** Storage as `prepare` left it, and the machine's own time. */
  reset() {
    rmSync(this.stores, { recursive: true, force: true });
    cpSync(this.fresh, this.stores, { recursive: true });
    rmSync(this.logFile, { force: true });
    this.clockMs = 0;
  }

  async start() {
    this.loopback ??= await standIn();
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
    child.stdin.end(withClock(this.told, this.clockMs));
    const port = await new Promise((resolve, reject) => {
      let told = '';
      child.stdio[3].on('data', (piece) => {
        told += piece;
        const listens = /"event":"listen","socket":"entry","port":(\d+)/.exec(told);
        if (listens !== null) resolve(Number(listens[1]));
      });
      child.on('exit', () => reject(new Error(`the runtime did not start; its log is ${this.logFile}`)));
      child.on('error', reject);
    });
    this.origin = `http://127.0.0.1:${port}`;
  }

  /** Ends the runtime as a failing machine does: at once, wherever it is. */
  async kill() {
    const { child } = this;
    this.child = null;
    this.origin = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  }

  /** Tells the module in front of the product what is to fail. */
  async order(what) {
    const answer = await fetch(`${this.origin}/__faults`, {
      method: 'POST',
      body: JSON.stringify(what),
      signal: AbortSignal.timeout(10_000),
    });
    return answer.json();
  }

  async stepClock(ms) {
    this.clockMs += Math.round(ms);
    await this.order({ clockMs: this.clockMs });
  }

  async close() {
    await this.kill();
    this.loopback?.close();
    for (const folder of this.passing ?? []) rmSync(folder, { recursive: true, force: true });
  }
}
