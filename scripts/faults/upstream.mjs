// A model provider that is slow, breaks off and dies, as its seed says, and writes down what it has sent. Every reply begins
// with a number of its own and goes on in words that hold it: of a stored text one can tell what it was made from.
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { chance, hashOf } from './seeded.mjs';

/** How replies end, and how often. */
const ENDS = { finish: 60, cut: 6, reset: 6, error: 4, status: 5, silent: 6, empty: 3, trickle: 10 };
/** Far above what the product waits for a silent provider here (`runtime.mjs`). */
const SILENT_MS = 20_000;
const DRAFT = 'I take the lamp and go first.';
const SUGGESTIONS = 'I ask who lit the lamp.\nI step closer to the window.\nLet us wait for the tide.';

const frame = (delta, reason = null) =>
  `data: ${JSON.stringify({
    id: 'c',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: reason }],
  })}\n\n`;

/** What a reply will be: its pieces and its end. The same message gets the same at its first, second, third asking. */
function planOf(seed, number, told, time) {
  const draw = chance(hashOf(`${seed} ${told} ${time}`));
  const end = draw.weighted(ENDS);
  const slow = end === 'trickle';
  const count = draw.whole(4, slow ? 40 : 60);
  const pieces = [`r${number}`];
  for (let index = 0; index < count; index += 1) pieces.push(` w${number}x${index}`);
  const sent = end === 'empty' || end === 'status' ? [] : pieces;
  const broken = ['cut', 'reset', 'error', 'silent'].includes(end);
  return {
    end,
    first: draw.is(0.15) ? draw.between(200, 900) : draw.between(0, 30),
    pace: slow ? draw.between(50, 120) : draw.between(1, 25),
    pieces: broken ? sent.slice(0, draw.whole(0, sent.length - 1)) : sent,
  };
}

function taskOf(messages) {
  const last = messages.at(-1)?.content ?? '';
  if (!last.includes('[Out of the story:')) return { task: 'reply', told: last };
  if (last.includes('go on with your last message')) return { task: 'continue', told: last };
  if (last.includes('write the next message of')) return { task: 'draft', told: last };
  if (last.includes('write three different things')) return { task: 'suggestions', told: last };
  return { task: 'other', told: last };
}

/** @returns what has been sent by number: `{ task, sent, finished }`, and where it listens */
export async function startUpstream({ seed }) {
  const replies = new Map();
  const askings = new Map();
  let numbered = 0;

  async function answer(request, response) {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { messages } = JSON.parse(body);
    const { task, told } = taskOf(messages);
    const key = `${task} ${messages.findLast(({ role }) => role === 'user')?.content ?? ''} ${told}`;
    const time = (askings.get(key) ?? 0) + 1;
    askings.set(key, time);
    numbered += 1;
    const number = numbered;
    const plan = planOf(seed, number, key, time);
    const asides = { draft: DRAFT, suggestions: SUGGESTIONS, other: 'They met.' };
    const pieces = task in asides && plan.pieces.length > 0 ? [asides[task]] : plan.pieces;
    const reply = { task, sent: '', finished: false };
    replies.set(number, reply);
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const { signal } = gone;
    await delay(plan.first, undefined, { signal });
    if (plan.end === 'status') {
      response.writeHead(503, { 'content-type': 'application/json' });
      response.end('{"error":{"message":"scripted"}}');
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(frame({ role: 'assistant', content: '' }));
    for (const piece of pieces) {
      await delay(plan.pace, undefined, { signal });
      // Before it leaves: what may have arrived has been sent.
      reply.sent += piece;
      response.write(frame({ content: piece }));
    }
    switch (plan.end) {
      case 'cut':
        response.end();
        return;
      case 'reset':
        response.socket?.destroy();
        return;
      case 'error':
        response.end('data: {"error":{"message":"scripted","code":500}}\n\n');
        return;
      case 'silent':
        await delay(SILENT_MS, undefined, { signal });
        response.end();
        return;
      default:
        reply.finished = true;
        response.write(frame({}, 'stop'));
        response.end('data: [DONE]\n\n');
    }
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    replies,
    /** Forgets what was sent, and goes by another seed from now on. */
    begin(another) {
      replies.clear();
      askings.clear();
      // Numbers go on: a request of the leg before may still be under way.
      seed = another;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
