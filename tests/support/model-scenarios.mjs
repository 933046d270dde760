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

const PIECE_CHARACTERS = 16;

export function textOf(message) {
  const content = message?.content ?? '';
  return typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('');
}

function words(from, count) {
  return Array.from({ length: count }, (_, index) => `${from + index === 0 ? '' : ' '}w${from + index}`);
}

function pieces(text, size = PIECE_CHARACTERS) {
  const points = [...text];
  return Array.from({ length: Math.ceil(points.length / size) }, (_, index) =>
    points.slice(index * size, (index + 1) * size).join(''),
  );
}

function number(options, name, otherwise) {
  const value = Number(options[name] ?? otherwise);
  if (!Number.isFinite(value)) throw new Error(`${name} is no number`);
  return value;
}

/** JSON.stringify escapes a lone half of a surrogate pair, so a halved character stays valid UTF-8 on the wire. */
function frame(delta, finish = null, line = '\n') {
  const chunk = {
    id: 'chatcmpl-scripted',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: 'scripted',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  };
  return `data: ${JSON.stringify(chunk)}${line}${line}`;
}

const say = (content) => frame({ content });
const USAGE = `data: ${JSON.stringify({ id: 'u', choices: [], usage: { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 } })}\n\n`;
const DONE = 'data: [DONE]\n\n';

export function sendJson(res, status, body, headers = {}) {
  res.writeHead(status, { 'content-type': 'application/json', ...headers });
  res.end(JSON.stringify(body));
}

function beginStream(res) {
  res.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  res.flushHeaders();
}

/** Ends as providers do: the reason, the usage and [DONE] leave one after the other. */
async function finish(res, reason = 'stop') {
  res.write(frame({}, reason));
  await delay(1);
  res.write(USAGE);
  await delay(1);
  res.end(DONE);
}

/** A write that waits for a full socket and throws once the caller is gone. */
export function writer(res, gone) {
  return async (data) => {
    gone.throwIfAborted();
    if (res.write(data)) return;
    await new Promise((resolve) => {
      const go = () => {
        res.off('drain', go);
        gone.removeEventListener('abort', go);
        resolve();
      };
      res.once('drain', go);
      gone.addEventListener('abort', go);
    });
  };
}

export async function pause(ms, gone) {
  if (ms > 0) await delay(ms, undefined, { signal: gone });
}

/** Sends texts as a stream, or as one JSON answer to a caller that did not ask for a stream. */
async function speak({ res, body, write, pause }, texts, { ms = 0, reason = 'stop' } = {}) {
  if (body.stream !== true) {
    await pause(ms * texts.length);
    sendJson(res, 200, wholeAnswer(texts.join(''), reason));
    return;
  }
  beginStream(res);
  await write(frame({ role: 'assistant', content: '' }));
  for (const text of texts) {
    await pause(ms);
    await write(say(text));
  }
  await finish(res, reason);
}

function wholeAnswer(content, reason) {
  return {
    id: 'chatcmpl-scripted',
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: reason }],
    usage: { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 },
  };
}

/** Begins a stream and sends n tokens, for scenarios that end in their own way. */
async function beginWithTokens({ res, options, write, pause }) {
  const n = number(options, 'n', 5);
  beginStream(res);
  for (const text of words(0, n)) {
    await pause(number(options, 'ms', 0));
    await write(say(text));
  }
  return n;
}

/** What each scenario does with one call; model-server.mjs lists them for their users. */
export const SCENARIOS = {
  tokens: (call) =>
    speak(call, [...(call.prefix === '' ? [] : [call.prefix]), ...words(0, number(call.options, 'n', 12))], {
      ms: number(call.options, 'ms', 2),
      reason: call.options.finish ?? 'stop',
    }),

  echo: (call) => {
    const { messages } = call.body;
    const last = textOf(messages.findLast((message) => message.role === 'user'))
      .replace(/\[\[scenario:[^\]]+\]\]/, '')
      .trim();
    return speak(call, pieces(`saw ${messages.length} messages: ${last}`));
  },

  say: (call) => {
    const text = Buffer.from(call.options.text ?? '', 'base64url').toString();
    return speak(call, pieces(text, number(call.options, 'size', PIECE_CHARACTERS)), {
      ms: number(call.options, 'ms', 1),
    });
  },

  prompt: (call) => {
    const system = call.body.messages
      .filter((message) => message.role === 'system')
      .map(textOf)
      .join('\n\n');
    return speak(call, pieces(system));
  },

  notes: (call) => {
    const [part] = textOf(call.body.messages.at(-1)).split('[Out of the story:');
    const marks = [...new Set(part.match(/#[\p{L}\p{N}_]+/gu) ?? [])];
    return speak(call, pieces(marks.length === 0 ? 'They met.' : `They spoke of ${marks.join(' ')}.`));
  },

  suggestions: (call) => speak(call, pieces(SUGGESTIONS.join('\n'))),

  draft: (call) => speak(call, pieces(DRAFT_TEXT)),

  introduction: (call) => speak(call, pieces(INTRODUCTION)),

  status: ({ req, res, body, options }) => {
    const code = number(options, 'code', 500);
    const quoted = `you sent ${req.headers.authorization ?? 'no key'} and ${textOf(body.messages.at(-1))}`;
    const headers =
      code >= 300 && code < 400 ? { location: '/v1/elsewhere' } : code === 429 ? { 'retry-after': '1' } : {};
    sendJson(
      res,
      code,
      { error: { message: quoted, type: 'scripted_error', code: `scripted_${code}`, param: null } },
      headers,
    );
  },

  hang: ({ res }) => beginStream(res),

  'hang-before-headers': () => {},

  'comments-only': async ({ res, options, write, pause }) => {
    beginStream(res);
    for (;;) {
      await write(': still here\n\n');
      await pause(Math.max(1, number(options, 'ms', 20)));
    }
  },

  cut: async (call) => {
    await beginWithTokens(call);
    call.res.end();
  },

  reset: async (call) => {
    await beginWithTokens(call);
    // What was written must leave the process before the socket is destroyed under it.
    await new Promise((resolve) => call.res.write(': last\n\n', resolve));
    call.breakOff();
  },

  'error-frame': async (call) => {
    await beginWithTokens(call);
    const { code = '500', event } = call.options;
    const quoted = `you sent ${call.req.headers.authorization ?? 'no key'} and ${textOf(call.body.messages.at(-1))}`;
    const error = { message: quoted, type: 'server_error', code: /^\d+$/.test(code) ? Number(code) : code };
    call.res.end(`${event === '1' ? 'event: error\n' : ''}data: ${JSON.stringify({ error })}\n\n`);
  },

  'split-utf8': async ({ res, write }) => {
    beginStream(res);
    const bytes = Buffer.from(pieces(SPLIT_UTF8_TEXT, 20).map(say).join(''));
    for (const byte of bytes) {
      await write(Buffer.of(byte));
      // Without a turn of the loop Node would join the writes again.
      await new Promise((resolve) => setImmediate(resolve));
    }
    await finish(res);
  },

  'split-surrogate': async ({ res, write }) => {
    beginStream(res);
    for (const half of SPLIT_SURROGATE_TEXT.split('')) {
      await write(say(half));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await finish(res);
  },

  noise: async ({ res, write, pause }) => {
    beginStream(res);
    const line = '\r\n';
    const data = (value) => `data:${JSON.stringify(value)}${line}${line}`;
    const [first, ...rest] = pieces(NOISE_TEXT, 5);
    const parts = [
      `: queued${line}${line}`,
      `retry: 3000${line}id: 7${line}${line}`,
      frame({ role: 'assistant', content: null }, null, line),
      frame({ role: 'assistant', content: '', reasoning_content: 'Let me think' }, null, line),
      frame({ content: null, reasoning: 'a little more' }, null, line),
      data({ choices: [] }),
      frame({ content: first, reasoning_content: null }, null, line),
      data({ id: 'x', usage: { total_tokens: 1 } }),
      data({ choices: null, error: null }),
      ...rest.flatMap((text) => [
        `: keep-alive${line}${line}`,
        frame({ content: text, refusal: null }, null, line),
        `event: ping${line}${line}`,
      ]),
      frame({ content: '' }, null, line),
      data({ choices: [{ index: 0, delta: null, finish_reason: 'stop' }] }),
      data({ choices: [], usage: { total_tokens: 9 } }),
    ];
    for (const part of parts) {
      await write(part);
      await pause(1);
    }
    res.end(`data: [DONE]${line}${line}`);
  },

  thinking: async ({ res, options, write, pause }) => {
    beginStream(res);
    for (let index = 0; index < number(options, 'n', 5); index += 1) {
      await pause(number(options, 'ms', 2));
      await write(frame({ reasoning_content: `thought ${index}` }));
    }
    for (const text of words(0, 3)) await write(say(text));
    await finish(res);
  },

  'no-text': async ({ res, write }) => {
    beginStream(res);
    await write(frame({ role: 'assistant', content: '' }));
    await finish(res);
  },

  'no-finish-done': async (call) => {
    await beginWithTokens(call);
    call.res.end(DONE);
  },

  'finish-hang': async (call) => {
    await beginWithTokens(call);
    await call.write(frame({}, 'stop'));
  },

  'bad-json': async (call) => {
    await beginWithTokens(call);
    await call.write('data: {"choices":[{"delta":{"content":"bro\n\n');
    await finish(call.res);
  },

  filter: async (call) => {
    await beginWithTokens(call);
    await finish(call.res, 'content_filter');
  },

  json: async ({ res, options, pause }) => {
    await pause(number(options, 'ms', 0));
    if (options.error === '1')
      sendJson(res, 200, { error: { message: 'overloaded', type: 'overloaded_error', code: null } });
    else
      sendJson(res, 200, wholeAnswer(words(0, number(options, 'n', 12)).join(''), options.finish ?? 'stop'));
  },

  long: (call) => {
    const chars = number(call.options, 'chars', 10_000);
    const texts = Array.from({ length: Math.ceil(chars / 1000) }, (_, index) =>
      'rain on tin '.repeat(84).slice(0, Math.min(1000, chars - index * 1000)),
    );
    return speak(call, texts);
  },

  'long-line': async ({ res, options, write }) => {
    beginStream(res);
    await write(say('x'.repeat(number(options, 'chars', 2_000_000))));
    await finish(res);
  },

  'slow-first': async (call) => {
    await call.pause(number(call.options, 'ms', 1000));
    await speak(call, words(0, number(call.options, 'n', 5)));
  },

  gate: async (call) => {
    const n = await beginWithTokens(call);
    await call.atGate();
    for (const text of words(n, n)) {
      await call.pause(number(call.options, 'ms', 0));
      await call.write(say(text));
    }
    await finish(call.res);
  },
};
