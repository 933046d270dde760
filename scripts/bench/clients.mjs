// The processes that the bench starts: its clients and the scripted model server.
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../lib/process.mjs';

const CLIENTS = fileURLToPath(new URL('client-process.mjs', import.meta.url));
const MODEL = join(ROOT, 'tests', 'support', 'model-server.mjs');

/**
 * Sends a request over a connection of its own: a server may close one that is kept open just when it is used again.
 * @throws Error for any status but 200
 */
export async function call(url, body) {
  const { port, host, pathname, search } = new URL(url);
  const sent = request({
    ...{ hostname: '127.0.0.1', port, path: pathname + search, headers: { host }, agent: false },
    method: body === undefined ? 'GET' : 'POST',
  });
  sent.end(body);
  const [answer] = await once(sent, 'response');
  const content = await text(answer);
  if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode}: ${content.slice(0, 300)}`);
  return content;
}

/** Starts the clients. `ask` gives them a job, one at a time, and returns its result. */
export function startClients() {
  const child = fork(CLIENTS, { serialization: 'advanced' });
  const ask = async (job, options) => {
    child.send({ job, options });
    const [{ result, failure }] = await once(child, 'message');
    if (failure !== undefined) throw new Error(failure);
    return result;
  };
  return { ask, end: () => child.disconnect() };
}

/** Starts the scripted model server; it ends with this process. */
export async function startModel() {
  const child = spawn(process.execPath, [MODEL], { stdio: ['ignore', 'pipe', 'inherit'] });
  const end = () => child.kill('SIGTERM');
  process.once('exit', end);
  for await (const line of createInterface(child.stdout)) {
    const url = /listening on (\S+)/.exec(line)?.[1];
    if (url === undefined) continue;
    const { origin } = new URL(url);
    return { url, origin, control: (command) => call(`${origin}/control/${command}`), end };
  }
  throw new Error('The model server did not start.');
}
