import { setTimeout as delay } from 'node:timers/promises';

export const SPLIT_UTF8_TEXT = 'Wave 👋🏽, family 👩‍👩‍👧, 日本語の返事、これは夜です。 नमस्ते, क्षत्रिय! é ﷽ end';
export const SPLIT_SURROGATE_TEXT = 'a😀b😀😀c';
export const NOISE_TEXT = 'The rain\nkept "falling" — softly.';
export const SUGGESTIONS = [
  'I ask who lit the lamp.',
  '*I step closer to the window.*',
  'Let us wait for the tide.',
];
export const INTRODUCTION = 'Somebody who waits where the road ends, and is glad of company.';
export const DRAFT_TEXT = '*I take the lamp.* "I will go first."';

const CHUNK_LENGTH = 16;

export function getMessageText(message) {
  const content = message?.content ?? '';
  return typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('');
}

/** @param isContinued for a reply that continues another one: other words, which begin with a space */
function buildTokens(from, count, isContinued = false) {
  const word = isContinued ? ' x' : ' w';
  const tokens = Array.from({ length: count }, (_, index) => `${word}${from + index}`);
  return isContinued || from > 0 || count === 0 ? tokens : [tokens[0].trimStart(), ...tokens.slice(1)];
}

function splitIntoChunks(text, size = CHUNK_LENGTH) {
  const points = [...text];
  return Array.from({ length: Math.ceil(points.length / size) }, (_, index) =>
    points.slice(index * size, (index + 1) * size).join(''),
  );
}

function readNumberOption(options, name, otherwise) {
  const value = Number(options[name] ?? otherwise);
  if (!Number.isFinite(value)) throw new Error(`${name} is no number`);
  return value;
}

/** JSON.stringify escapes a lone half of a surrogate pair, so a halved character stays valid UTF-8 on the wire. */
function buildFrame(delta, finishReason = null, line = '\n') {
  const chunk = {
    id: 'chatcmpl-scripted',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: 'scripted',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
  };
  return `data: ${JSON.stringify(chunk)}${line}${line}`;
}

const buildContentFrame = (content) => buildFrame({ content });
const USAGE = `data: ${JSON.stringify({ id: 'u', choices: [], usage: { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8, prompt_tokens_details: { cached_tokens: 1 } } })}\n\n`;
const DONE = 'data: [DONE]\n\n';

export function sendJson(res, status, body, headers = {}) {
  res.writeHead(status, { 'content-type': 'application/json', ...headers });
  res.end(JSON.stringify(body));
}

function startStream(res) {
  res.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  res.flushHeaders();
}

/** Ends as providers do: the reason, the usage and [DONE] leave one after the other. */
async function finishStream(res, reason = 'stop') {
  res.write(buildFrame({}, reason));
  await delay(1);
  res.write(USAGE);
  await delay(1);
  res.end(DONE);
}

/** A write that waits for a full socket and throws once the caller is gone. */
export function createWriter(res, abortSignal) {
  return async (data) => {
    abortSignal.throwIfAborted();
    if (res.write(data)) return;
    await new Promise((resolve) => {
      const go = () => {
        res.off('drain', go);
        abortSignal.removeEventListener('abort', go);
        resolve();
      };
      res.once('drain', go);
      abortSignal.addEventListener('abort', go);
    });
  };
}

export async function pause(ms, abortSignal) {
  if (ms > 0) await delay(ms, undefined, { signal: abortSignal });
}

/** Sends texts as a stream, or as one JSON answer to a caller that did not ask for a stream. */
async function sendTexts({ res, body, write, pause }, texts, { ms = 0, reason = 'stop' } = {}) {
  if (body.stream !== true) {
    await pause(ms * texts.length);
    sendJson(res, 200, buildCompletion(texts.join(''), reason));
    return;
  }
  startStream(res);
  await write(buildFrame({ role: 'assistant', content: '' }));
  for (const text of texts) {
    await pause(ms);
    await write(buildContentFrame(text));
  }
  await finishStream(res, reason);
}

function buildCompletion(content, reason) {
  return {
    id: 'chatcmpl-scripted',
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: reason }],
    usage: { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 },
  };
}

/** Begins a stream and sends n tokens, for scenarios that end in their own way. */
async function streamTokens({ res, options, write, pause, isContinued }) {
  const n = readNumberOption(options, 'n', 5);
  startStream(res);
  for (const text of buildTokens(0, n, isContinued)) {
    await pause(readNumberOption(options, 'ms', 0));
    await write(buildContentFrame(text));
  }
  return n;
}

/** What each scenario does with one call; model-server.mjs lists them for their users. */
export const SCENARIOS = {
  tokens: (call) =>
    sendTexts(
      call,
      [
        ...(call.prefix === '' ? [] : [call.prefix]),
        ...buildTokens(0, readNumberOption(call.options, 'n', 12), call.isContinued),
      ],
      {
        ms: readNumberOption(call.options, 'ms', 2),
        reason: call.options.finish ?? 'stop',
      },
    ),

  echo: (call) => {
    const { messages } = call.body;
    const last = getMessageText(messages.findLast((message) => message.role === 'user'))
      .replace(/\[\[scenario:[^\]]+\]\]/, '')
      .trim();
    return sendTexts(call, splitIntoChunks(`saw ${messages.length} messages: ${last}`));
  },

  say: (call) => {
    const text = Buffer.from(call.options.text ?? '', 'base64url').toString();
    return sendTexts(call, splitIntoChunks(text, readNumberOption(call.options, 'size', CHUNK_LENGTH)), {
      ms: readNumberOption(call.options, 'ms', 1),
    });
  },

  prompt: (call) => {
    const system = call.body.messages
      .filter((message) => message.role === 'system')
      .map(getMessageText)
      .join('\n\n');
    return sendTexts(call, splitIntoChunks(system));
  },

  notes: (call) => {
    const [part] = getMessageText(call.body.messages.at(-1)).split('[Out of the story:');
    const marks = [...new Set(part.match(/#[\p{L}\p{N}_]+/gu) ?? [])];
    return sendTexts(
      call,
      splitIntoChunks(marks.length === 0 ? 'They met.' : `They spoke of ${marks.join(' ')}.`),
    );
  },

  suggestions: (call) => sendTexts(call, splitIntoChunks(SUGGESTIONS.join('\n'))),

  draft: (call) => sendTexts(call, splitIntoChunks(DRAFT_TEXT)),

  introduction: (call) => sendTexts(call, splitIntoChunks(INTRODUCTION)),

  status: ({ req, res, body, options }) => {
    const code = readNumberOption(options, 'code', 500);
    const quoted = `you sent ${req.headers.authorization ?? 'no key'} and ${getMessageText(body.messages.at(-1))}`;
    const headers =
      code >= 300 && code < 400
        ? { location: '/v1/elsewhere' }
        : options.wait === undefined
          ? {}
          : { 'retry-after': options.wait };
    sendJson(
      res,
      code,
      {
        error: {
          message: quoted,
          type: 'scripted_error',
          code: `scripted_${code}`,
          param: null,
          ...(options.flagged === '1' ? { metadata: { reasons: ['violence'] } } : {}),
        },
      },
      headers,
    );
  },

  window: (call) => {
    const { res, body, options } = call;
    const window = readNumberOption(options, 'chars', 10_000);
    const asked = body.messages.reduce((sum, message) => sum + getMessageText(message).length, 0);
    if (asked <= window) return SCENARIOS[options.then ?? 'tokens'](call);
    const error = {
      code: 'context_length_exceeded',
      message: 'The prompt is too long.',
      type: 'invalid_request_error',
    };
    const figures = { type: 'exceed_context_size_error', n_prompt_tokens: asked, n_ctx: window };
    sendJson(res, 400, { error: { ...error, ...(options.figures === '1' ? figures : {}) } });
  },

  hang: ({ res }) => startStream(res),

  'hang-before-headers': () => {},

  'comments-only': async ({ res, options, write, pause }) => {
    startStream(res);
    for (;;) {
      await write(': still here\n\n');
      await pause(Math.max(1, readNumberOption(options, 'ms', 20)));
    }
  },

  cut: async (call) => {
    await streamTokens(call);
    call.res.end();
  },

  reset: async (call) => {
    await streamTokens(call);
    // What was written must leave the process before the socket is destroyed under it.
    await new Promise((resolve) => call.res.write(': last\n\n', resolve));
    call.breakOff();
  },

  'error-frame': async (call) => {
    await streamTokens(call);
    const { code = '500', event } = call.options;
    const quoted = `you sent ${call.req.headers.authorization ?? 'no key'} and ${getMessageText(call.body.messages.at(-1))}`;
    const error = { message: quoted, type: 'server_error', code: /^\d+$/.test(code) ? Number(code) : code };
    call.res.end(`${event === '1' ? 'event: error\n' : ''}data: ${JSON.stringify({ error })}\n\n`);
  },

  'split-utf8': async ({ res, write }) => {
    startStream(res);
    const bytes = Buffer.from(splitIntoChunks(SPLIT_UTF8_TEXT, 20).map(buildContentFrame).join(''));
    for (const byte of bytes) {
      await write(Buffer.of(byte));
      // Without a turn of the loop Node would join the writes again.
      await new Promise((resolve) => setImmediate(resolve));
    }
    await finishStream(res);
  },

  'split-surrogate': async ({ res, write }) => {
    startStream(res);
    for (const half of SPLIT_SURROGATE_TEXT.split('')) {
      await write(buildContentFrame(half));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await finishStream(res);
  },

  noise: async ({ res, write, pause }) => {
    startStream(res);
    const line = '\r\n';
    const data = (value) => `data:${JSON.stringify(value)}${line}${line}`;
    const [first, ...rest] = splitIntoChunks(NOISE_TEXT, 5);
    const parts = [
      `: queued${line}${line}`,
      `retry: 3000${line}id: 7${line}${line}`,
      buildFrame({ role: 'assistant', content: null }, null, line),
      buildFrame({ role: 'assistant', content: '', reasoning_content: 'Let me think' }, null, line),
      buildFrame({ content: null, reasoning: 'a little more' }, null, line),
      data({ choices: [] }),
      buildFrame({ content: first, reasoning_content: null }, null, line),
      data({ id: 'x', usage: { total_tokens: 1 } }),
      data({ choices: null, error: null }),
      ...rest.flatMap((text) => [
        `: keep-alive${line}${line}`,
        buildFrame({ content: text, refusal: null }, null, line),
        `event: ping${line}${line}`,
      ]),
      buildFrame({ content: '' }, null, line),
      data({ choices: [{ index: 0, delta: null, finish_reason: 'stop' }] }),
      data({ choices: [], usage: { total_tokens: 9 } }),
    ];
    for (const part of parts) {
      await write(part);
      await pause(1);
    }
    res.end(`data: [DONE]${line}${line}`);
  },

  thinking: async ({ res, options, write, pause, atGate }) => {
    startStream(res);
    for (let index = 0; index < readNumberOption(options, 'n', 5); index += 1) {
      await pause(readNumberOption(options, 'ms', 2));
      await write(buildFrame({ reasoning_content: `thought ${index}` }));
    }
    if (options.gate === '1') await atGate();
    for (const text of buildTokens(0, 3)) await write(buildContentFrame(text));
    await finishStream(res);
  },

  'no-text': async ({ res, write }) => {
    startStream(res);
    await write(buildFrame({ role: 'assistant', content: '' }));
    await finishStream(res);
  },

  'no-finish-done': async (call) => {
    await streamTokens(call);
    call.res.end(DONE);
  },

  'finish-hang': async (call) => {
    await streamTokens(call);
    await call.write(buildFrame({}, 'stop'));
  },

  'bad-json': async (call) => {
    await streamTokens(call);
    await call.write('data: {"choices":[{"delta":{"content":"bro\n\n');
    await finishStream(call.res);
  },

  filter: async (call) => {
    await streamTokens(call);
    await finishStream(call.res, 'content_filter');
  },

  json: async ({ res, options, pause }) => {
    await pause(readNumberOption(options, 'ms', 0));
    if (options.error === '1')
      sendJson(res, 200, { error: { message: 'overloaded', type: 'overloaded_error', code: null } });
    else
      sendJson(
        res,
        200,
        buildCompletion(
          buildTokens(0, readNumberOption(options, 'n', 12)).join(''),
          options.finish ?? 'stop',
        ),
      );
  },

  long: (call) => {
    const chars = readNumberOption(call.options, 'chars', 10_000);
    const texts = Array.from({ length: Math.ceil(chars / 1000) }, (_, index) =>
      'rain on tin '.repeat(84).slice(0, Math.min(1000, chars - index * 1000)),
    );
    return sendTexts(call, texts);
  },

  'long-line': async ({ res, options, write }) => {
    startStream(res);
    await write(buildContentFrame('x'.repeat(readNumberOption(options, 'chars', 2_000_000))));
    await finishStream(res);
  },

  'slow-first': async (call) => {
    await call.pause(readNumberOption(call.options, 'ms', 1000));
    await sendTexts(call, buildTokens(0, readNumberOption(call.options, 'n', 5)));
  },

  gate: async (call) => {
    const n = await streamTokens(call);
    await call.atGate();
    for (const text of buildTokens(n, n, call.isContinued)) {
      await call.pause(readNumberOption(call.options, 'ms', 0));
      await call.write(buildContentFrame(text));
    }
    await finishStream(call.res);
  },
};
