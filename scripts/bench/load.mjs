// The clients of the bench, in a process of their own: whoever measures is not to wait for what starts the servers. It is
// told over its channel what to do (`{ id, job, options }`), answers with what it saw, and ends when the channel does.
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { isEnd, lastWordOf, piecesIn, turnOf } from './ways.mjs';

/** Nobody uses a connection again that the server may be about to close: it does after five seconds. */
const IDLE_MS = 3000;
const agent = new Agent({ keepAlive: true, maxSockets: Infinity, timeout: IDLE_MS });
/** Far above what anything here takes: an answer that never ends is a failure, and no reason to wait for ever. */
const PATIENCE_MS = 120_000;

/**
 * One turn to its end.
 * @returns the moments of its pieces, counted from when it was sent, and whether all of it came, to its end
 */
function follow(way, index, scenario, onPiece = () => {}) {
  const { body, ...options } = turnOf(way, index, scenario);
  return new Promise((resolve) => {
    const moments = [];
    const last = lastWordOf(scenario);
    let [tail, isWhole, isAllSaid] = ['', false, last === ''];
    const begun = performance.now();
    const done = (failure = null) => resolve({ moments, isWhole, failure, begun });
    const sent = request({ ...options, agent, timeout: PATIENCE_MS }, (answer) => {
      const isGood = answer.statusCode === 200;
      answer.setEncoding('utf8');
      answer.on('data', (text) => {
        const now = performance.now() - begun;
        if (isGood) {
          const found = piecesIn(way, text);
          for (let piece = 0; piece < found; piece += 1) moments.push(now);
          if (found > 0) onPiece();
        }
        // The last event brings the whole reply: its name may stand far before its end.
        isAllSaid ||= (tail + text).includes(last);
        isWhole ||= isGood && isAllSaid && isEnd(way, tail + text);
        tail = (tail + text).slice(-4000);
      });
      answer.on('end', () => done(isGood ? null : `${answer.statusCode}: ${tail.slice(0, 300)}`));
      answer.on('error', (error) => done(error.message));
    });
    sent.on('timeout', () => sent.destroy(new Error('no answer in time')));
    sent.on('error', (error) => done(error.message));
    sent.end(body);
  });
}

const firstFailure = (turns) => turns.find(({ isWhole }) => !isWhole);

/** Many streams, begun over some time. */
async function streams({ way, count, spreadMs, scenario }) {
  const turns = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      if (spreadMs > 0) await pause((spreadMs * index) / count);
      return follow(way, index, scenario);
    }),
  );
  return {
    firsts: turns.filter(({ moments }) => moments.length > 0).map(({ moments }) => moments[0]),
    gaps: turns.flatMap(({ moments }) => moments.slice(1).map((moment, index) => moment - moments[index])),
    whole: turns.filter(({ isWhole }) => isWhole).length,
    failure: firstFailure(turns)?.failure ?? null,
  };
}

/** Turns one after another, with a pause between: what is done after a reply is nobody's waiting. */
async function sequence({ way, count, from, scenario, pauseMs }) {
  const [firsts, begun] = [[], []];
  for (let index = from; index < from + count; index += 1) {
    const turn = await follow(way, index, scenario);
    if (!turn.isWhole) throw new Error(`${way.name}: ${turn.failure ?? 'a reply broke off'}`);
    firsts.push(turn.moments[0]);
    begun.push(performance.timeOrigin + turn.begun);
    await pause(pauseMs);
  }
  return { firsts, begun };
}

/** Whole turns for some time, so many at once. */
async function turns({ way, atOnce, seconds, scenario }) {
  const until = performance.now() + seconds * 1000;
  const begun = performance.now();
  let [next, whole, failure] = [0, 0, null];
  const one = async (place) => {
    while (performance.now() < until) {
      // Each has people of its own: nobody sends while their reply is being written.
      const turn = await follow(way, place + atOnce * (next++ % 8), scenario);
      if (turn.isWhole) whole += 1;
      else failure ??= turn.failure ?? 'broke off';
    }
  };
  await Promise.all(Array.from({ length: atOnce }, (_, place) => one(place)));
  return { whole, seconds: (performance.now() - begun) / 1000, failure };
}

const holding = new Map();

/** Streams that stay open; told once the first words of all have come. */
async function hold({ way, count, scenario, name }) {
  let waiting = count;
  let tell;
  const begun = new Promise((resolve) => {
    tell = resolve;
  });
  const all = Array.from({ length: count }, (_, index) => {
    let isCounted = false;
    const arrived = () => {
      if (isCounted) return;
      isCounted = true;
      waiting -= 1;
      if (waiting === 0) tell();
    };
    // As many people, one after the other: the machine is to hold them all, not to begin all at once.
    return pause(index * 5).then(() => follow(way, index, scenario, arrived));
  });
  const ended = Promise.all(all);
  holding.set(name, ended);
  await Promise.race([begun, ended]);
  return { waiting };
}

async function release({ name }) {
  const ended = await holding.get(name);
  holding.delete(name);
  return {
    whole: ended.filter(({ isWhole }) => isWhole).length,
    failure: firstFailure(ended)?.failure ?? null,
  };
}

const HEAD_END = Buffer.from('\r\n\r\n');
const CHUNKS_END = Buffer.from('\r\n0\r\n\r\n');

/** Where an answer ends in what has come, or -1: as much of HTTP as a client needs that wants to take no time. */
function endOf(bytes) {
  const head = bytes.indexOf(HEAD_END);
  if (head === -1) return -1;
  const headers = bytes.toString('latin1', 0, head).toLowerCase();
  const length = /content-length: (\d+)/.exec(headers);
  if (length !== null) {
    const end = head + 4 + Number(length[1]);
    return bytes.length >= end ? end : -1;
  }
  const end = bytes.indexOf(CHUNKS_END, head + 2);
  return end === -1 ? -1 : end + CHUNKS_END.length;
}

/** One address over and over, over some connections. */
async function pages({ origin, path, connections, seconds }) {
  const { host, port } = new URL(origin);
  const asked = Buffer.from(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
  const begun = performance.now();
  const until = begun + seconds * 1000;
  let [answers, bad] = [0, 0];
  const times = [];
  const one = () =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1');
      socket.setNoDelay(true);
      let bytes = Buffer.alloc(0);
      let sentAt = 0;
      const ask = () => {
        sentAt = performance.now();
        socket.write(asked);
      };
      socket.on('connect', ask);
      socket.on('data', (more) => {
        bytes = bytes.length === 0 ? more : Buffer.concat([bytes, more]);
        const end = endOf(bytes);
        if (end === -1) return;
        if (!bytes.subarray(0, 12).includes(' 200')) bad += 1;
        bytes = bytes.subarray(end);
        const now = performance.now();
        answers += 1;
        times.push(now - sentAt);
        if (now < until) ask();
        else {
          socket.destroy();
          resolve();
        }
      });
      socket.on('error', reject);
      socket.setTimeout(PATIENCE_MS, () => reject(new Error('no answer in time')));
    });
  await Promise.all(Array.from({ length: connections }, one));
  return { answers, bad, times, seconds: (performance.now() - begun) / 1000 };
}

const JOBS = { streams, sequence, turns, hold, release, pages };

process.on('message', async ({ id, job, options }) => {
  try {
    process.send({ id, result: await JOBS[job](options) });
  } catch (error) {
    process.send({ id, failure: error instanceof Error ? error.message : String(error) });
  }
});
process.on('disconnect', () => process.exit(0));
