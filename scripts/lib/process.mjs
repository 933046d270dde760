// Runs other programs and ends them with this process. Plain JavaScript for Node 20: it runs before anything is installed.
import { spawn } from 'node:child_process';
import { mkdirSync, openSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout's root. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

const KILL_ON_EXIT = fileURLToPath(new URL('kill-on-exit.mjs', import.meta.url));

/** Returns an environment that is quiet and offline, with the project's own tools and Node first on the path. */
export function toolEnvironment(extra = {}) {
  return {
    ...process.env,
    PATH: [join(ROOT, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
    ASTRO_TELEMETRY_DISABLED: '1',
    WRANGLER_SEND_METRICS: 'false',
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
    WRANGLER_HIDE_BANNER: 'true',
    // A tool spends half of its start on compiling itself, so cache the result.
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'compiled'),
    ...extra,
  };
}

/**
 * Runs a program to its end.
 * @returns its exit code and everything that it printed
 */
export function run(command, args, { env = toolEnvironment(), show = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const release = track(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (text) => {
        output += text;
        if (show) process.stdout.write(text);
      });
    }
    child.on('error', (error) => {
      release();
      resolve({ code: 127, output: `${output}${error.message}` });
    });
    child.on('close', (code, signal) => {
      release();
      resolve({ code: code ?? (signal ? 1 : 0), output });
    });
  });
}

/**
 * Starts a server in a process group of its own. It ends with this process, however that ends (kill-on-exit.mjs). Its
 * output goes to a file.
 */
export function serve(command, args, { env = toolEnvironment(), logFile }) {
  mkdirSync(dirname(logFile), { recursive: true });
  const log = openSync(logFile, 'w');
  const child = spawn(process.execPath, [KILL_ON_EXIT, command, ...args], {
    cwd: ROOT,
    env,
    stdio: ['pipe', log, log],
    detached: true,
  });
  child.on('exit', track(child));
  return child;
}

const groups = new Set();

function track(child) {
  groups.add(child);
  return () => groups.delete(child);
}

const alive = (pid) => {
  try {
    process.kill(-pid, 0);
    return true;
  } catch {
    return false;
  }
};

function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has already ended.
  }
}

/** Ends a process and everything it started: SIGTERM first, SIGKILL after `graceMs`. */
export async function endGroup(child, graceMs = 5000) {
  if (child.pid === undefined) return;
  signalGroup(child.pid, 'SIGTERM');
  const deadline = Date.now() + graceMs;
  while (alive(child.pid) && Date.now() < deadline) await pause(50);
  signalGroup(child.pid, 'SIGKILL');
}

/** Ends everything that this module started. */
export async function endAll() {
  await Promise.all([...groups].map((child) => endGroup(child)));
}

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Whether a port of this machine is free. */
export async function portIsFree(port) {
  for (const host of ['127.0.0.1', '::1']) {
    const free = await new Promise((resolve) => {
      const probe = createServer();
      probe.once('error', (error) => resolve(error.code !== 'EADDRINUSE'));
      probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)));
    });
    if (!free) return false;
  }
  return true;
}

/** Returns a port that is free now. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen({ port: 0, host: '127.0.0.1' }, () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** Waits until an address answers with 2xx. False if its server ends first or the time is over. */
export async function untilHealthy(url, child, timeoutMs = 60_000) {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) return false;
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(2000) });
      if (answer.ok) return true;
    } catch {
      // Not up yet.
    }
    await pause(100);
  }
  return false;
}
