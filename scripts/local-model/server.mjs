import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { getPauseAfter, splitIntoPieces } from './pace.mjs';
import { hash, makeRandom } from './random.mjs';
import { answer } from './tasks.mjs';

const MODEL_ID = 'offline-demo';
/** Far more than any prompt of the product. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** About 33 words a second: users can read along and still see the text grow. */
const DEFAULT_PACE_MS = 30;
/** The pause before the first word, in words. */
const THINKING_WORDS = 6;
/** A rough estimate: English has about four characters to a token. */
const CHARACTERS_PER_TOKEN = 4;
const ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool']);
/** The server counts the requests of this many prompts. */
const COUNTED_PROMPTS = 1000;
/** A new version does not repeat a sentence of this many versions before it. */
const REMEMBERED_VERSIONS = 4;

/** An error of the OpenAI shape. */
class RequestError extends Error {
  constructor(status, message, param = null) {
    super(message);
    this.status = status;
    const type = status < 500 ? 'invalid_request_error' : 'server_error';
    this.body = { error: { message, type, param, code: null } };
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
  const parts = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size > MAX_BODY_BYTES)
      throw new RequestError(413, `The body is larger than ${MAX_BODY_BYTES} bytes.`);
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch {
    throw new RequestError(400, 'The body is not valid JSON.');
  }
}

/** Returns the text of a message without parts of other kinds. */
function readText(content, param) {
  if (typeof content === 'string') return content;
  if (content === null) return '';
  if (Array.isArray(content))
    return content.map((part) => (part?.type === 'text' ? String(part.text) : '')).join('\n');
  throw new RequestError(400, `'${param}' must be a string or a list of parts.`, param);
}

/** Checks a request for a chat completion; the error names the parameter that is wrong. */
function checkRequest(body) {
  const check = (isRight, param, message) => {
    if (!isRight) throw new RequestError(400, message, param);
  };
  const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
  check(isObject(body), null, 'The body must be a JSON object.');
  const { model, stream, n, messages } = body;
  const maxTokens = body.max_completion_tokens ?? body.max_tokens ?? Infinity;
  check(['string', 'undefined'].includes(typeof model), 'model', "'model' must be a string.");
  check(typeof (stream ?? false) === 'boolean', 'stream', "'stream' must be true or false.");
  check((n ?? 1) === 1, 'n', 'Only one choice can be given.');
  const isLimit = maxTokens === Infinity || (Number.isInteger(maxTokens) && maxTokens > 0);
  check(isLimit, 'max_tokens', "'max_tokens' must be a whole number above 0.");
  const isList = Array.isArray(messages) && messages.length > 0;
  check(isList, 'messages', "'messages' must be a list with at least one message.");
  const read = messages.map((message, i) => {
    const at = `messages[${i}]`;
    const isKnown = isObject(message) && ROLES.has(message.role);
    check(isKnown, `${at}.role`, `'${at}.role' must be one of ${[...ROLES].join(', ')}.`);
    const role = message.role === 'developer' ? 'system' : message.role;
    return { role, content: readText(message.content ?? null, `${at}.content`) };
  });
  check(
    read.some(({ role }) => role === 'user'),
    'messages',
    'There is no message of a user to answer.',
  );
  const usageInStream = body.stream_options?.include_usage === true;
  return { messages: read, stream: stream === true, usageInStream, maxTokens };
}

const countTokens = (text) => Math.max(1, Math.ceil(text.length / CHARACTERS_PER_TOKEN));

/**
 * Creates the server of the offline demo model, with an OpenAI-compatible interface; it does not listen yet.
 * @param {object} [options] `paceMs`: milliseconds a word; 0 sends all at once
 * @param {number} [options.paceMs]
 * @param {(outcome: {complete: boolean, sent: number, of: number}) => void} [options.onEnd] called after each stream
 */
export function createLocalModel({ paceMs = DEFAULT_PACE_MS, onEnd = () => {} } = {}) {
  /** Requests and newest replies by prompt hash: the second request with the same history asks for another version. */
  const versions = new Map();

  function countRequest(prompt) {
    const { count, replies } = versions.get(prompt) ?? { count: 0, replies: [] };
    const version = { count: count + 1, replies };
    versions.delete(prompt);
    versions.set(prompt, version);
    if (versions.size > COUNTED_PROMPTS) versions.delete(versions.keys().next().value);
    return version;
  }

  async function complete(request, response) {
    const { messages, stream, usageInStream, maxTokens } = checkRequest(await readBody(request));
    const promptHash = hash(messages.map((message) => message.content).join('\u0001'));
    const { count, replies } = countRequest(promptHash);
    const seed = (promptHash ^ Math.imul(count, 0x9e3779b1)) >>> 0;
    const random = makeRandom(seed);
    const text = answer(messages, random, replies);
    replies.push(text);
    if (replies.length > REMEMBERED_VERSIONS) replies.shift();
    const all = splitIntoPieces(text);
    const pieces = [];
    let length = 0;
    for (const piece of all) {
      length += piece.length;
      if (pieces.length > 0 && length > maxTokens * CHARACTERS_PER_TOKEN) break;
      pieces.push(piece);
    }
    const finish = pieces.length === all.length ? 'stop' : 'length';
    const prompt = countTokens(messages.map((message) => message.content).join(''));
    const completion = countTokens(pieces.join(''));
    const usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
    const id = `chatcmpl-${seed.toString(36)}${count.toString(36)}`;
    const head = { id, created: Math.floor(Date.now() / 1000), model: MODEL_ID };
    const choice = { index: 0, logprobs: null };
    if (!stream) {
      const message = { role: 'assistant', content: pieces.join(''), refusal: null };
      const choices = [{ ...choice, message, finish_reason: finish }];
      sendJson(response, 200, { ...head, object: 'chat.completion', choices, usage });
      return;
    }

    const disconnection = new AbortController();
    response.once('close', () => disconnection.abort());
    const send = (data) =>
      response.write(`data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...data })}\n\n`);
    const sendDelta = (delta, finish_reason = null) =>
      send({ choices: [{ ...choice, delta, finish_reason }] });
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
    });
    let sent = 0;
    try {
      sendDelta({ role: 'assistant', content: '' });
      if (paceMs > 0) await wait(paceMs * THINKING_WORDS, undefined, { signal: disconnection.signal });
      for (const piece of pieces) {
        disconnection.signal.throwIfAborted();
        sendDelta({ content: piece });
        sent += 1;
        const pause = getPauseAfter(piece, paceMs, random);
        if (pause > 0) await wait(pause, undefined, { signal: disconnection.signal });
      }
      sendDelta({}, finish);
      if (usageInStream) send({ choices: [], usage });
      response.end('data: [DONE]\n\n');
    } catch (error) {
      // The client has left, so there is nothing to report.
      if (!disconnection.signal.aborted) throw error;
    } finally {
      onEnd({ complete: sent === pieces.length && !disconnection.signal.aborted, sent, of: pieces.length });
    }
  }

  const models = [{ id: MODEL_ID, object: 'model', created: 0, owned_by: 'loreloom' }];
  const routes = {
    'GET /health': (_, response) => sendJson(response, 200, { status: 'ok', model: MODEL_ID }),
    'GET /v1/models': (_, response) => sendJson(response, 200, { object: 'list', data: models }),
    'POST /v1/chat/completions': complete,
  };

  return createServer(async (request, response) => {
    try {
      const { method, url = '/' } = request;
      const { pathname } = new URL(url, 'http://localhost');
      const handle = routes[`${method} ${pathname}`];
      const isPath = Object.keys(routes).some((route) => route.endsWith(` ${pathname}`));
      if (!isPath) throw new RequestError(404, `There is nothing at ${pathname}.`);
      if (!handle) throw new RequestError(405, `${method} is not possible at ${pathname}.`);
      await handle(request, response);
    } catch (error) {
      const isExpected = error instanceof RequestError;
      if (!isExpected) console.error(error);
      const { status, body } = isExpected ? error : new RequestError(500, 'The local model failed.');
      // The rest of a body that is too large stays unread, so the connection cannot be used again.
      if (response.headersSent) response.destroy();
      else sendJson(response, status, body, status === 413 ? { connection: 'close' } : {});
    }
  });
}

function fail(error) {
  console.error(`local model: ${error.message}`);
  process.exitCode = 1;
}

function main() {
  const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } });
  const port = Number(values.port);
  const paceMs = Number(process.env.LOCAL_MODEL_PACE_MS ?? DEFAULT_PACE_MS);
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new Error('--port must be a whole number from 0 to 65535.');
  if (!(paceMs >= 0)) throw new Error('LOCAL_MODEL_PACE_MS must be a number of milliseconds, 0 or more.');
  const server = createLocalModel({ paceMs });
  server.on('error', fail);
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
    fail(error);
  }
}
