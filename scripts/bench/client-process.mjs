// The clients, in a process of their own so that they do not wait for the one that runs the servers. It receives jobs over
// its channel (`{ job, options }`), answers with what it measured, and ends when the channel closes.
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { countPieces, createTurn, getLastWord, hasEnd } from './targets.mjs';

/** Shorter than the five seconds after which a server closes an idle connection. */
const IDLE_MS = 3000;
const agent = new Agent({ keepAlive: true, maxSockets: Infinity, timeout: IDLE_MS });
/** Far longer than any answer takes, so that one without an end is a failure. */
const TIMEOUT_MS = 120_000;
/** Long enough to hold the end of a reply, which the last event repeats whole. */
const TAIL_CHARS = 4000;

/**
 * Sends one turn and reads its reply to the end.
 * @returns when it was sent, the times of its pieces in ms since then, and null or why the reply is not complete
 */
function runTurn(target, index, scenario) {
  const { body, ...options } = createTurn(target, index, scenario);
  const { promise, resolve } = Promise.withResolvers();
  const lastWord = getLastWord(scenario);
  const times = [];
  let [tail, isComplete, hasLastWord] = ['', false, lastWord === ''];
  const begun = performance.now();
  const finish = (failure) => resolve({ startedAt: performance.timeOrigin + begun, times, failure });
  const sent = request({ ...options, agent, timeout: TIMEOUT_MS }, (answer) => {
    const isGood = answer.statusCode === 200;
    answer.setEncoding('utf8');
    answer.on('data', (text) => {
      const now = performance.now() - begun;
      if (isGood) times.push(...Array.from({ length: countPieces(target, text) }, () => now));
      hasLastWord ||= (tail + text).includes(lastWord);
      isComplete ||= isGood && hasLastWord && hasEnd(target, tail + text);
      tail = (tail + text).slice(-TAIL_CHARS);
    });
    answer.on('end', () => finish(isComplete ? null : `${answer.statusCode}: … ${tail.slice(-300)}`));
    answer.on('error', (error) => finish(error.message));
  });
  sent.on('timeout', () => sent.destroy(new Error('no answer in time')));
  sent.on('error', (error) => finish(error.message));
  sent.end(body);
  return promise;
}

/**
 * Runs turns until there are `count` or `seconds` have passed, `concurrency` at a time. The first turns begin evenly over
 * `spreadMs`; each later one begins `pauseMs` after the end of another.
 */
async function turns({ target, scenario, from = 0, ...options }) {
  const { count = Infinity, seconds = Infinity, concurrency = 1, spreadMs = 0, pauseMs = 0 } = options;
  const begun = performance.now();
  const turns = [];
  let next = from;
  const run = async (place) => {
    if (spreadMs > 0) await pause((spreadMs * place) / concurrency);
    while (next < from + count && performance.now() < begun + seconds * 1000) {
      turns.push(await runTurn(target, next++, scenario));
      if (pauseMs > 0) await pause(pauseMs);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, (_, place) => run(place)));
  const complete = turns.filter(({ failure }) => failure === null);
  return {
    startedAt: turns.map(({ startedAt }) => startedAt),
    firsts: turns.flatMap(({ times }) => times.slice(0, 1)),
    gaps: turns.flatMap(({ times }) => times.slice(1).map((time, index) => time - times[index])),
    complete: complete.length,
    perSecond: complete.length / ((performance.now() - begun) / 1000),
    failure: turns.find(({ failure }) => failure !== null)?.failure ?? null,
  };
}

/** Sends a request and reads its answer to the end. @returns its time in ms, and why it failed or null */
function sendRequest(origin, { path, method, headers, body }) {
  const { host, port } = new URL(origin);
  const { promise, resolve } = Promise.withResolvers();
  const begun = performance.now();
  const finish = (failure) => resolve({ ms: failure === null ? performance.now() - begun : null, failure });
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  const options = { hostname: '127.0.0.1', port, path, method, headers: { ...headers, ...length, host } };
  const sent = request({ ...options, agent, timeout: TIMEOUT_MS }, (answer) => {
    answer.resume();
    answer.on('end', () => finish(answer.statusCode < 300 ? null : `status ${answer.statusCode}`));
    answer.on('error', (error) => finish(error.message));
  });
  sent.on('timeout', () => sent.destroy(new Error('no answer in time')));
  sent.on('error', (error) => finish(error.message));
  sent.end(body);
  return promise;
}

/**
 * Sends each event at its time, whether or not earlier ones are answered: people do not wait for each other.
 * @param events in the order of `at`, the ms since the beginning; each with a `request`, or a `turn` of the target
 * @returns for each the time of its answer, or of a turn's first token
 */
async function replay({ target, events, scenario }) {
  const begun = performance.now();
  const sending = [];
  for (const { at, action, turn, request: own } of events) {
    const early = begun + at - performance.now();
    if (early > 0) await pause(early);
    const answered =
      turn === undefined
        ? sendRequest(target.origin, own)
        : runTurn(target, turn, scenario).then(({ times, failure }) => ({ ms: times[0] ?? null, failure }));
    sending.push(answered.then((seen) => ({ at, action, ...seen })));
  }
  return Promise.all(sending);
}

/** Whether some bytes are a whole HTTP answer. It reads little, so that clients take little time. */
function isWhole(bytes) {
  const head = bytes.indexOf('\r\n\r\n');
  if (head === -1) return false;
  const length = /content-length: (\d+)/i.exec(bytes.toString('latin1', 0, head));
  return length === null
    ? bytes.includes('\r\n0\r\n\r\n', head + 2)
    : bytes.length >= head + 4 + Number(length[1]);
}

/** Requests one address over and over on some connections. */
async function pages({ origin, path, connections, seconds }) {
  const { host, port } = new URL(origin);
  const message = Buffer.from(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
  const begun = performance.now();
  const times = [];
  let bad = 0;
  const run = () => {
    const { promise, resolve, reject } = Promise.withResolvers();
    const socket = connect(Number(port), '127.0.0.1');
    let [bytes, sentAt] = [Buffer.alloc(0), 0];
    const send = () => {
      bytes = Buffer.alloc(0);
      sentAt = performance.now();
      socket.write(message);
    };
    socket.setNoDelay(true);
    socket.setTimeout(TIMEOUT_MS, () => reject(new Error('no answer in time')));
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('data', (more) => {
      bytes = bytes.length === 0 ? more : Buffer.concat([bytes, more]);
      if (!isWhole(bytes)) return;
      if (!bytes.subarray(0, 12).includes(' 200')) bad += 1;
      const now = performance.now();
      times.push(now - sentAt);
      if (now < begun + seconds * 1000) return void send();
      socket.destroy();
      resolve();
    });
    return promise;
  };
  await Promise.all(Array.from({ length: connections }, run));
  return { bad, times, perSecond: times.length / ((performance.now() - begun) / 1000) };
}

const JOBS = { turns, pages, replay };

process.on('message', async ({ job, options }) => {
  try {
    process.send({ result: await JOBS[job](options) });
  } catch (error) {
    process.send({ failure: error instanceof Error ? error.message : String(error) });
  }
});
process.on('disconnect', () => process.exit(0));
