// A model provider that is slow, breaks off and fails, as its seed says, and records what it has sent. Each reply begins with a
// number and continues in words that contain it, so a stored text shows which reply it came from.
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { createRandom, hashText } from './random.mjs';

/** How replies end, with weights. */
const ENDS = { finish: 60, cut: 6, reset: 6, error: 4, status: 5, silent: 6, empty: 3, trickle: 10 };
/** Far longer than the product waits for a silent provider (runtime.mjs). */
const SILENT_MS = 20_000;
/** What the product asks for besides replies, by a phrase in its last message, and the answers. */
const TASKS = [
  { task: 'continue', phrase: 'go on with your last message' },
  { task: 'draft', phrase: 'write the next message of', answer: 'I take the lamp and go first.' },
  {
    ...{ task: 'suggestions', phrase: 'write three different things' },
    answer: 'I ask who lit the lamp.\nI step closer to the window.\nLet us wait for the tide.',
  },
  { task: 'other', phrase: '', answer: 'They met.' },
];

const frame = (delta, reason = null) => {
  const choices = [{ index: 0, delta, finish_reason: reason }];
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices })}\n\n`;
};

/** Plans a reply. The same request gets the same plan at its first, second and third attempt. */
function planReply(random, number) {
  const end = random.pickWeighted(ENDS);
  const isSlow = end === 'trickle';
  const count = random.integer(4, isSlow ? 40 : 60);
  const words = Array.from({ length: count }, (_, index) => ` w${number}x${index}`);
  const all = end === 'empty' || end === 'status' ? [] : [`r${number}`, ...words];
  const isBroken = ['cut', 'reset', 'error', 'silent'].includes(end);
  return {
    end,
    firstMs: random.chance(0.15) ? random.between(200, 900) : random.between(0, 30),
    paceMs: isSlow ? random.between(50, 120) : random.between(1, 25),
    pieces: isBroken ? all.slice(0, random.integer(0, all.length - 1)) : all,
  };
}

/** @returns the address, and the replies by number: `{ task, sent, finished }` */
export async function startModelProvider() {
  const replies = new Map();
  const attempts = new Map();
  let seed = 0;
  let lastNumber = 0;

  async function answer(request, response) {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { messages } = JSON.parse(body);
    const prompt = messages.at(-1)?.content ?? '';
    const { task, answer: fixed } = prompt.includes('[Out of the story:')
      ? TASKS.find(({ phrase }) => prompt.includes(phrase))
      : { task: 'reply' };
    const key = `${task} ${messages.findLast(({ role }) => role === 'user')?.content ?? ''} ${prompt}`;
    const attempt = (attempts.get(key) ?? 0) + 1;
    attempts.set(key, attempt);
    lastNumber += 1;
    const plan = planReply(createRandom(hashText(`${seed} ${key} ${attempt}`)), lastNumber);
    const pieces = fixed !== undefined && plan.pieces.length > 0 ? [fixed] : plan.pieces;
    const reply = { task, sent: '', finished: false };
    replies.set(lastNumber, reply);
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const { signal } = gone;
    await delay(plan.firstMs, undefined, { signal });
    if (plan.end === 'status') {
      response.writeHead(503, { 'content-type': 'application/json' });
      response.end('{"error":{"message":"scripted"}}');
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(frame({ role: 'assistant', content: '' }));
    for (const piece of pieces) {
      await delay(plan.paceMs, undefined, { signal });
      // Recorded before it leaves: everything that may have arrived counts as sent.
      reply.sent += piece;
      response.write(frame({ content: piece }));
    }
    if (plan.end === 'reset') response.socket?.destroy();
    else if (plan.end === 'error') response.end('data: {"error":{"message":"scripted","code":500}}\n\n');
    else if (plan.end === 'cut') response.end();
    else if (plan.end === 'silent') {
      await delay(SILENT_MS, undefined, { signal });
      response.end();
    } else {
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
    /** Forgets the replies and uses another seed. Numbers continue: a request of the last round may still be open. */
    reset(nextSeed) {
      replies.clear();
      attempts.clear();
      seed = nextSeed;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
