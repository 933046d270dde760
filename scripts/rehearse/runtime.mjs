// A D1 database, or objects, in the runtime that the platform runs, on disk, in a folder of their own.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';

const RUNTIME = { compatibilityDate: '2026-10-01', compatibilityFlags: ['nodejs_compat'] };
/**
 * Runs a batch behind its answer: while a statement of many seconds runs, nothing of the runtime answers anybody, and
 * whoever waits on a line finds it closed. How it went is asked for afterwards.
 */
const BATCHES = `
let went = null;
export default {
  async fetch(request, env, ctx) {
    if (request.method === 'GET') return Response.json(went);
    const statements = await request.json();
    went = null;
    ctx.waitUntil((async () => {
      await scheduler.wait(20);
      const begun = Date.now();
      try {
        const results = await env.DB.batch(statements.map((statement) => env.DB.prepare(statement)));
        went = { seconds: (Date.now() - begun) / 1000, metas: results.map(({ meta }) => meta) };
      } catch (error) {
        went = { error: String(error.message) };
      }
    })());
    return new Response(null, { status: 202 });
  },
};`;
/** How often it is asked. In ms. */
const ASK_MS = 50;

/**
 * @param {string} folder where it lies
 * @returns the database, what applies statements to it in one piece, and what ends the runtime
 */
export async function openDatabase(folder) {
  const miniflare = new Miniflare({
    ...convertV4MiniflareOptions({
      ...RUNTIME,
      port: 0,
      modules: [{ type: 'ESModule', path: join(folder, 'batches.mjs'), contents: BATCHES }],
      modulesRoot: folder,
      d1Databases: { DB: 'rehearsal' },
    }),
    resourcePersistencePath: folder,
  });
  await miniflare.ready;
  const apply = async (statements) => {
    await miniflare.dispatchFetch('http://rehearsal/', { method: 'POST', body: JSON.stringify(statements) });
    for (;;) {
      await wait(ASK_MS);
      const went = await asked(async () => (await miniflare.dispatchFetch('http://rehearsal/')).json());
      if (went?.error !== undefined) throw new Error(went.error);
      if (went !== null) return went;
    }
  };
  return { db: await miniflare.getD1Database('DB'), apply, end: () => miniflare.dispose() };
}

/**
 * @param {string} folder where they lie
 * @param {{ name: string, contents: string }[]} modules the first has the class `Rehearsed`
 */
export async function openObjects(folder, modules) {
  const miniflare = new Miniflare({
    ...convertV4MiniflareOptions({
      ...RUNTIME,
      port: 0,
      modules: modules.map(({ name, contents }) => ({
        type: 'ESModule',
        path: join(folder, name),
        contents,
      })),
      modulesRoot: folder,
      durableObjects: { OBJECTS: { className: 'Rehearsed', useSQLite: true } },
    }),
    resourcePersistencePath: folder,
  });
  await miniflare.ready;
  return { miniflare, end: () => miniflare.dispose() };
}

/** The runtime's own process, as a child of this one; null where the system does not say. */
export function runtimePid() {
  if (!existsSync('/proc/self/stat')) return null;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const [, name, parent] = /\((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
      if (name === 'workerd' && Number(parent) === process.pid) return Number(pid);
    } catch {
      // Gone meanwhile.
    }
  }
  return null;
}

/** Ticks of Linux's clock of processes in a second. */
const TICKS = 100;

/** How long a process has used a processor, in seconds; null where the system does not say. @param {number | null} pid */
export function processorSeconds(pid) {
  if (pid === null) return null;
  const [, rest] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user, system] = rest.split(' ').slice(11, 13).map(Number);
  return (user + system) / TICKS;
}

/** After a statement of many seconds the runtime has closed the line to it, which the next question finds out. */
const TRIES = 5;

/**
 * Asks something that changes nothing, until there is an answer.
 * @template Answer
 * @param {() => Promise<Answer>} ask
 * @returns {Promise<Answer>}
 */
export async function asked(ask) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (tries === TRIES || !(error instanceof TypeError)) throw error;
    }
  }
}

/** The largest database below a folder: where only one is, that one. */
export function databaseFile(folder) {
  const files = readdirSync(folder, { recursive: true })
    .map((file) => join(folder, String(file)))
    .filter((file) => file.endsWith('.sqlite') && !file.endsWith('metadata.sqlite'));
  const [file] = files.toSorted((a, b) => statSync(b).size - statSync(a).size);
  if (file === undefined) throw new Error(`no database lies in ${folder}`);
  return file;
}
