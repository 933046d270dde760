import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { piecesOf, pauseAfter } from './pace.mjs';
import { hash, makeRandom } from './random.mjs';
import { answer } from './tasks.mjs';

export const MODEL_ID = 'offline-demo';
/** Far more than any prompt of the product; what is larger is a mistake or an attack. */
const LARGEST_BODY_BYTES = 4 * 1024 * 1024;
/** About 33 words a second: quick to read along with, slow enough to be seen being written. */
const DEFAULT_PACE_MS = 30;
/** Before the first word, in words' time: nobody answers in no time at all. */
const THINKING_WORDS = 6;
/** Rough, but usage has to add up to something: English has about four characters to a token. */
const CHARACTERS_PER_TOKEN = 4;
const ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool']);

/** A request that is answered with an error of the OpenAI shape. */
class Refusal extends Error {
  constructor(status, message, { code = null, param = null } = {}) {
    super(message);
    this.status = status;
    this.body = {
      error: { message, type: status < 500 ? 'invalid_request_error' : 'server_error', param, code },
    };
  }
}

function sendJson(response, status, body, headers = {}) {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}

async function readBody(request) {
  const tooLarge = new Refusal(413, `The body is larger than ${LARGEST_BODY_BYTES} bytes.`, {
    code: 'body_too_large',
  });
  if (Number(request.headers['content-length'] ?? 0) > LARGEST_BODY_BYTES) throw tooLarge;
  const parts = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size > LARGEST_BODY_BYTES) throw tooLarge;
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch {
    throw new Refusal(400, 'The body is not valid JSON.', { code: 'invalid_json' });
  }
}

/** A message's text; parts that are no text say nothing to this model. */
function textOf(content, param) {
  if (typeof content === 'string') return content;
  if (content === null) return '';
  if (Array.isArray(content))
    return content
      .filter((part) => part?.type === 'text' && typeof part.text === 'string')
      .map((part) => part.text)
      .join('\n');
  throw new Refusal(400, `'${param}' must be a string or a list of parts.`, { param });
}

/**
 * Checks a request for a chat completion.
 * @param {unknown} body
 * @returns {{messages: {role: string, content: string}[], stream: boolean, usageInStream: boolean, mostTokens: number}}
 * @throws {Refusal} 400 with the name of the parameter that is wrong
 */
function checked(body) {
  const wrong = (param, message) => new Refusal(400, message, { param });
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw wrong(null, 'The body must be a JSON object.');
  if (body.model !== undefined && typeof body.model !== 'string')
    throw wrong('model', "'model' must be a string.");
  if (body.stream !== undefined && body.stream !== null && typeof body.stream !== 'boolean')
    throw wrong('stream', "'stream' must be true or false.");
  if (body.n !== undefined && body.n !== null && body.n !== 1)
    throw wrong('n', 'Only one choice can be given.');
  const most = body.max_completion_tokens ?? body.max_tokens ?? Infinity;
  if (most !== Infinity && !(Number.isInteger(most) && most > 0))
    throw wrong('max_tokens', "'max_tokens' must be a whole number above 0.");
  if (!Array.isArray(body.messages) || body.messages.length === 0)
    throw wrong('messages', "'messages' must be a list with at least one message.");
  const messages = body.messages.map((message, i) => {
    if (typeof message !== 'object' || message === null || !ROLES.has(message.role))
      throw wrong(`messages[${i}].role`, `'messages[${i}].role' must be one of ${[...ROLES].join(', ')}.`);
    const role = message.role === 'developer' ? 'system' : message.role;
    return { role, content: textOf(message.content ?? null, `messages[${i}].content`) };
  });
  if (!messages.some((message) => message.role === 'user'))
    throw wrong('messages', 'There is no message of a user to answer.');
  return {
    messages,
    stream: body.stream === true,
    usageInStream: body.stream_options?.include_usage === true,
    mostTokens: most,
  };
}

const tokensIn = (text) => Math.max(1, Math.ceil(text.length / CHARACTERS_PER_TOKEN));

/**
 * The offline demo model behind an OpenAI-compatible interface.
 * @param {object} [options]
 * @param {number} [options.paceMs] milliseconds a word; 0 sends all at once
 * @param {(outcome: {complete: boolean, sent: number, of: number}) => void} [options.onEnd] told at the end of each streamed reply:
 *   whether it was heard to the end, and how many of how many pieces were sent
 * @returns {import('node:http').Server} not listening yet
 */
export function createLocalModel({ paceMs = DEFAULT_PACE_MS, onEnd = () => {} } = {}) {
  let asked = 0;

  async function complete(request, response) {
    const { messages, stream, usageInStream, mostTokens } = checked(await readBody(request));
    asked += 1;
    // The same history again is a wish for another reply, so the count and the hour are mixed in.
    const seed =
      (hash(messages.map((message) => message.content).join('\u0001')) ^
        Math.imul(asked, 0x9e3779b1) ^
        Date.now()) >>>
      0;
    const random = makeRandom(seed);
    const whole = piecesOf(answer(messages, random));
    const pieces = [];
    let length = 0;
    for (const piece of whole) {
      length += piece.length;
      if (pieces.length > 0 && length > mostTokens * CHARACTERS_PER_TOKEN) break;
      pieces.push(piece);
    }
    const finish = pieces.length === whole.length ? 'stop' : 'length';
    const text = pieces.join('');
    const head = {
      id: `chatcmpl-${seed.toString(36)}${asked.toString(36)}`,
      created: Math.floor(Date.now() / 1000),
      model: MODEL_ID,
    };
    const prompt = tokensIn(messages.map((message) => message.content).join(''));
    const usage = {
      prompt_tokens: prompt,
      completion_tokens: tokensIn(text),
      total_tokens: prompt + tokensIn(text),
    };

    if (!stream) {
      const message = { role: 'assistant', content: text, refusal: null };
      sendJson(response, 200, {
        ...head,
        object: 'chat.completion',
        choices: [{ index: 0, message, logprobs: null, finish_reason: finish }],
        usage,
      });
      return;
    }

    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const send = (data) =>
      response.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
    const chunk = (delta, finish_reason = null) => ({
      ...head,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    });
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
    });
    let sent = 0;
    try {
      send(chunk({ role: 'assistant', content: '' }));
      if (paceMs > 0) await wait(paceMs * THINKING_WORDS, undefined, { signal: gone.signal });
      for (const piece of pieces) {
        gone.signal.throwIfAborted();
        send(chunk({ content: piece }));
        sent += 1;
        const pause = pauseAfter(piece, paceMs, random);
        if (pause > 0) await wait(pause, undefined, { signal: gone.signal });
      }
      send(chunk({}, finish));
      if (usageInStream) send({ ...head, object: 'chat.completion.chunk', choices: [], usage });
      send('[DONE]');
      response.end();
    } catch (error) {
      // Whoever asked has left; nothing is owed to anybody.
      if (!gone.signal.aborted) throw error;
    } finally {
      onEnd({ complete: sent === pieces.length && !gone.signal.aborted, sent, of: pieces.length });
    }
  }

  const routes = {
    '/health': { GET: (_, response) => sendJson(response, 200, { status: 'ok', model: MODEL_ID }) },
    '/v1/models': {
      GET: (_, response) =>
        sendJson(response, 200, {
          object: 'list',
          data: [{ id: MODEL_ID, object: 'model', created: 0, owned_by: 'loreloom' }],
        }),
    },
    '/v1/chat/completions': { POST: complete },
  };

  return createServer(async (request, response) => {
    try {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost');
      const methods = routes[pathname];
      if (!methods) throw new Refusal(404, `There is nothing at ${pathname}.`, { code: 'not_found' });
      const handle = methods[request.method ?? ''];
      if (!handle) {
        response.setHeader('allow', Object.keys(methods).join(', '));
        throw new Refusal(405, `${request.method} is not possible at ${pathname}.`, {
          code: 'method_not_allowed',
        });
      }
      await handle(request, response);
    } catch (error) {
      const refusal = error instanceof Refusal ? error : new Refusal(500, 'The local model failed.');
      if (!(error instanceof Refusal)) console.error(error);
      if (response.headersSent) response.destroy();
      // What is left of a body that is too large is not read, so the connection cannot be used again.
      else
        sendJson(
          response,
          refusal.status,
          refusal.body,
          refusal.status === 413 ? { connection: 'close' } : {},
        );
    }
  });
}

function main() {
  const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } });
  const port = Number(values.port);
  const paceMs = Number(process.env.LOCAL_MODEL_PACE_MS ?? DEFAULT_PACE_MS);
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new Error('--port must be a whole number from 0 to 65535.');
  if (!(paceMs >= 0)) throw new Error('LOCAL_MODEL_PACE_MS must be a number of milliseconds, 0 or more.');
  const server = createLocalModel({ paceMs });
  server.on('error', (error) => {
    console.error(`local model: ${error.message}`);
    process.exitCode = 1;
  });
  server.listen(port, '127.0.0.1', () =>
    console.log(`local model listening on http://127.0.0.1:${server.address().port}/v1`),
  );
  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.once(signal, () => {
      server.close();
      server.closeAllConnections();
    });
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    main();
  } catch (error) {
    console.error(`local model: ${error.message}`);
    process.exitCode = 2;
  }
}
