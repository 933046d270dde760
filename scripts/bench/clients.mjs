// The processes that the bench has beside it: its clients and the scripted model server.
import { fork, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../lib/process.mjs';
import { callForJson } from './call.mjs';

const LOAD = fileURLToPath(new URL('load.mjs', import.meta.url));
const MODEL = join(ROOT, 'tests', 'support', 'model-server.mjs');

/** @returns asks the clients for a job and gives what they saw; `end` ends them */
export function startClients() {
  const child = fork(LOAD, { serialization: 'advanced' });
  const waiting = new Map();
  let last = 0;
  child.on('message', ({ id, result, failure }) => {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (failure === undefined) resolve(result);
    else reject(new Error(failure));
  });
  child.on('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('The clients ended.'));
  });
  const ask = (job, options) =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      child.send({ id: last, job, options });
    });
  return { ask, end: () => child.disconnect() };
}

/** The scripted model server, in a process of its own; it ends with this one. */
export async function startModel() {
  const child = spawn(process.execPath, [MODEL], { stdio: ['ignore', 'pipe', 'inherit'] });
  const end = () => child.kill('SIGTERM');
  process.once('exit', end);
  const url = await new Promise((resolve, reject) => {
    let told = '';
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (text) => {
      told += text;
      const found = /listening on (\S+)/.exec(told);
      if (found !== null) resolve(found[1]);
    });
    child.once('exit', () => reject(new Error('The model server did not start.')));
  });
  const { origin } = new URL(url);
  const control = (what) => callForJson(`${origin}/control/${what}`);
  return { url, origin, control, end };
}
