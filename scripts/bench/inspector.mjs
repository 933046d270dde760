// What workerd's inspector reports about the heap of a Worker's isolate, which is also the heap of the Worker's objects.
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { call } from './clients.mjs';

/** Longer than it takes to collect the garbage of a full heap on a busy machine. */
const TIMEOUT_MS = 60_000;
const WAKE_MS = 200;

async function findTarget({ miniflare, worker }) {
  const { host } = await miniflare.getInspectorURL();
  const targets = JSON.parse(await call(`http://${host}/json`));
  const target = targets.find(({ id }) => id === `core:user:${worker}`);
  if (target === undefined) throw new Error(`The inspector does not have the Worker ${worker}.`);
  return `ws://${host}/${target.id}`;
}

/**
 * Connects to the inspector while `act` runs.
 * @template T
 * @param {{ miniflare: import('miniflare').Miniflare, worker: string }} server started with `isInspected`
 * @param {(send: (method: string, params?: object) => Promise<any>) => Promise<T>} act `send` calls a method of the
 *   inspector, and rejects when the answer is an error or does not come
 * @param {(method: string, params: any) => void} receive is called with each event
 */
export async function inspect(server, act, receive = () => {}) {
  const socket = new WebSocket(await findTarget(server));
  const answers = new Map();
  socket.addEventListener('message', ({ data }) => {
    const { id, method, params, result, error } = JSON.parse(data);
    // Some answers repeat the method, so only a message without an id is an event.
    if (id === undefined) return receive(method, params);
    if (error === undefined) answers.get(id)?.resolve(result);
    else answers.get(id)?.reject(new Error(error.message));
  });
  await once(socket, 'open');
  const send = (method, params = {}) => {
    const id = answers.size + 1;
    const answer = Promise.withResolvers();
    answers.set(id, answer);
    const timer = setTimeout(() => answer.reject(new Error(`${method}: no answer in time`)), TIMEOUT_MS);
    socket.send(JSON.stringify({ id, method, params }));
    return answer.promise.finally(() => clearTimeout(timer));
  };
  try {
    return await act(send);
  } finally {
    socket.close();
    await once(socket, 'close');
  }
}

/** Collects the garbage. The runtime does that when the Worker runs next, so this sends requests to it until then. */
async function collectGarbage({ origin }, send) {
  let isDone = false;
  const done = send('HeapProfiler.collectGarbage').finally(() => (isDone = true));
  done.catch(() => {});
  while (!isDone) {
    await fetch(`${origin.replace('localhost', '127.0.0.1')}/api/nothing?id=0`).then((answer) =>
      answer.text(),
    );
    await Promise.race([done, pause(WAKE_MS)]);
  }
  await done;
}

/** @returns the bytes that are used in the heap and in array buffers after the garbage was collected */
export const readHeapBytes = (server) =>
  inspect(server, async (send) => {
    await collectGarbage(server, send);
    const { usedSize, backingStorageSize = 0 } = await send('Runtime.getHeapUsage');
    return usedSize + backingStorageSize;
  });
