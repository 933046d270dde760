/**
 * A scripted model server: speaks the chat-completions protocol of the model
 * providers over real HTTP, and answers as a named scenario says.
 *
 * A scenario is named by the first marker in the last user message, else by the
 * model's name, else it is the default:
 *
 *   message   [[scenario:tokens n=40 ms=5]] any other words
 *   model     scenario:tokens n=40 ms=5
 *   model     scenario:tokens n=40 ms=5 notes=9   the same with another n for memory notes
 *   default   tokens n=12 ms=2, whose text begins with a counter of the server: "r1 w0 w1 …"
 *
 * Some requests are not for replies. Memory notes, suggestions, drafts and introductions have scenarios
 * of their own; a marker of theirs anywhere in the request ([[notes:status code=500 key=K]], [[suggestions:no-text]],
 * [[draft:gate n=5 key=K]]) selects another one. A continued reply follows the marker of the message that it
 * answers; its tokens are " x0 x1 …".
 *
 * Every scenario takes key=K, by which the controls below find its requests
 * ("default" without one). n counts word tokens, ms is milliseconds before each.
 *
 *   tokens n=12 ms=2 finish=stop   "w0 w1 …"; finish is the finish_reason sent
 *   echo                           "saw N messages: …", the last user message without its marker
 *   say text=BASE64URL size=16 ms=1   any text, in pieces of `size` characters
 *   prompt                         all system messages, joined by an empty line
 *   notes                          "They spoke of #a #b.", the words with a # in the part of the story or in the older notes
 *   introduction                   INTRODUCTION; what is asked for without a marker ([[introduction:introduction]]) is no-text
 *   suggestions                    the three lines of SUGGESTIONS
 *   draft                          DRAFT_TEXT
 *   status code=500                an error body that quotes the key and the last message; 302 points to another path here;
 *                                  wait=N sends Retry-After; flagged=1 lists reasons of a moderation
 *   window chars=10000 figures=0 then=tokens   another scenario, or a refusal for the length if all messages together have
 *                                  more characters; figures=1: with both numbers
 *   hang                           headers, then nothing
 *   hang-before-headers            nothing at all
 *   comments-only ms=20            comments for ever
 *   cut n=5                        n tokens, then the body ends without a finish
 *   reset n=5                      n tokens, then the socket is destroyed
 *   error-frame n=5 code=500 event=0   n tokens, then {"error":…}; event=1 sends it as `event: error`
 *   split-utf8                     SPLIT_UTF8_TEXT, each byte a write of its own
 *   split-surrogate                SPLIT_SURROGATE_TEXT, its pairs halved between chunks
 *   noise                          NOISE_TEXT among comments, CRLF, empty choices, null content, reasoning
 *   thinking n=5 ms=2 gate=0       n reasoning chunks, then three tokens; gate=1: waits for its key to be opened before them
 *   no-text                        a finish without content
 *   no-finish-done n=5             tokens and [DONE], no finish_reason
 *   finish-hang n=5                tokens and finish_reason, then nothing
 *   bad-json n=5                   n tokens, then a data line that is no JSON
 *   filter n=5                     n tokens, then finish_reason content_filter
 *   json n=12 error=0              one JSON answer, stream or not; error=1: status 200 with an error in it
 *   long chars=10000               that many characters in chunks of 1,000
 *   long-line chars=2000000        one data line with that many characters
 *   slow-first ms=1000 n=5         waits before its headers, then tokens
 *   gate n=5                       n tokens, waits for its key to be opened, n more and the finish
 *
 * Every answer names its connection in the header x-connection.
 *
 * Controls (all GET, so that a test inside workerd can use them with plain fetch):
 *
 *   /control/open?key=K            opens the gate; it stays open for later requests
 *   /control/shut?key=K            closes it again
 *   /control/reached?key=K&times=1 answers once `times` requests reached the gate; 504 after 20 s
 *   /control/ended?key=K&times=1   answers once `times` requests with the key have ended; 504 after 20 s
 *   /control/state                 {open, total, aborted, keys: {K: {requests, reached, ended, aborted, open}}}
 *   /control/requests              what was asked: [{method, path, headers, body, scenario, key, at, aborted}]
 *   /control/reset                 forgets requests and keys
 *
 * Run alone: node tests/support/model-server.mjs --port 9010 [--host 127.0.0.1]
 */
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';
import { pause, SCENARIOS, sendJson, getMessageText, createWriter } from './model-scenarios.mjs';
import { KEEP_ALIVE_TIMEOUT_MS } from './keep-alive.mjs';

export {
  DRAFT_TEXT,
  NOISE_TEXT,
  SPLIT_SURROGATE_TEXT,
  SPLIT_UTF8_TEXT,
  SUGGESTIONS,
} from './model-scenarios.mjs';

const LONG_POLL_MS = 20_000;

/** Starts the server; resolves when it listens. See model-server.d.mts for the shapes. */
export async function startModelServer({ port = 0, host = '127.0.0.1' } = {}) {
  const requests = [];
  const keys = new Map();
  const watchers = new Set();
  let counter = 0;
  let open = 0;

  function keyState(key) {
    if (!keys.has(key)) keys.set(key, { requests: 0, reached: 0, ended: 0, aborted: 0, open: false });
    return keys.get(key);
  }

  function changed() {
    for (const look of [...watchers]) look();
  }

  /** Resolves true once `isTrue` holds, false after `ms` or when `signal` aborts. */
  function until(isTrue, ms, signal) {
    if (isTrue()) return Promise.resolve(true);
    return new Promise((resolve) => {
      const finish = (answer) => {
        watchers.delete(look);
        clearTimeout(timer);
        signal?.removeEventListener('abort', leave);
        resolve(answer);
      };
      const look = () => isTrue() && finish(true);
      const leave = () => finish(false);
      const timer = ms === Infinity ? undefined : setTimeout(leave, ms);
      watchers.add(look);
      if (signal?.aborted) leave();
      else signal?.addEventListener('abort', leave);
    });
  }

  function reset() {
    requests.length = 0;
    keys.clear();
    changed();
  }

  const controls = {
    open: (key = 'default') => {
      keyState(key).open = true;
      changed();
    },
    shut: (key = 'default') => {
      keyState(key).open = false;
    },
    reached: (key = 'default', times = 1) => until(() => keyState(key).reached >= times, LONG_POLL_MS),
    ended: (key = 'default', times = 1) => until(() => keyState(key).ended >= times, LONG_POLL_MS),
    state: () => ({
      open,
      total: requests.length,
      aborted: requests.filter((request) => request.aborted).length,
      keys: Object.fromEntries(keys),
    }),
  };

  async function control(name, query, res) {
    const key = query.get('key') ?? 'default';
    const times = Number(query.get('times') ?? 1);
    if (name === 'open' || name === 'shut') {
      controls[name](key);
      return sendJson(res, 200, { key, ...keyState(key) });
    }
    if (name === 'reached' || name === 'ended') {
      const happened = await controls[name](key, times);
      return sendJson(res, happened ? 200 : 504, { key, [name]: happened, ...keyState(key) });
    }
    if (name === 'state') return sendJson(res, 200, controls.state());
    if (name === 'requests') return sendJson(res, 200, requests);
    if (name === 'reset') {
      reset();
      return sendJson(res, 200, {});
    }
    return sendJson(res, 404, { error: { message: `no control ${name}` } });
  }

  async function complete(req, res, path) {
    const raw = await readText(req);
    let body;
    try {
      body = JSON.parse(raw);
    } catch {
      body = null;
    }
    const called = readScenario(body);
    const record = {
      method: req.method,
      path,
      headers: req.headers,
      body,
      scenario: called.name,
      key: called.key,
      at: Date.now(),
      aborted: false,
    };
    requests.push(record);
    const left = new AbortController();
    const state = keyState(called.key);
    res.setHeader('x-connection', String(req.socket.remotePort));
    state.requests += 1;
    open += 1;
    let isAnswered = false;
    res.on('close', () => {
      open -= 1;
      if (!isAnswered && !res.writableEnded) {
        record.aborted = true;
        state.aborted += 1;
      }
      state.ended += 1;
      left.abort();
      changed();
    });
    changed();

    if (!Array.isArray(body?.messages) || body.messages.length === 0) {
      return sendJson(res, 400, {
        error: { message: 'messages is missing', type: 'invalid_request_error', code: 'bad_body' },
      });
    }
    const scenario = Object.hasOwn(SCENARIOS, called.name) ? SCENARIOS[called.name] : null;
    if (!scenario)
      return sendJson(res, 400, { error: { message: `no scenario ${called.name}`, code: 'no_scenario' } });
    counter += 1;
    try {
      await scenario({
        req,
        res,
        body,
        options: called.options,
        write: createWriter(res, left.signal),
        pause: (ms) => pause(ms, left.signal),
        prefix: !called.isDefault ? '' : called.isContinued ? ` n${counter}` : `n${counter} `,
        isContinued: called.isContinued,
        /** Marks a break made by the scenario itself, which does not count as an abort by the caller. */
        breakOff: () => {
          isAnswered = true;
          res.socket?.destroy();
        },
        atGate: async () => {
          state.reached += 1;
          changed();
          await until(() => keyState(called.key).open, Infinity, left.signal);
        },
        gone: left.signal,
      });
    } catch (error) {
      if (!left.signal.aborted) throw error;
    }
  }

  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS }, (req, res) => {
    const { pathname, searchParams } = new URL(req.url, 'http://model');
    const work = pathname.startsWith('/control/')
      ? control(pathname.slice('/control/'.length), searchParams, res)
      : pathname === '/v1/models'
        ? sendJson(res, 200, { object: 'list', data: [{ id: 'scripted', object: 'model' }] })
        : complete(req, res, pathname);
    Promise.resolve(work).catch((error) => res.destroy(error));
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const bound = server.address().port;

  return {
    url: `http://${host}:${bound}/v1`,
    port: bound,
    requests,
    reset,
    ...controls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Recognizes requests other than replies by their prompts. */
const TASKS = [
  ['continue', /\[Out of the story: go on with your last message\b/],
  ['draft', /\[Out of the story: write the next message of\b/],
  ['suggestions', /\[Out of the story: write three different things\b/],
  ['notes', /\[Out of the story: write the (?:notes|shorter notes)\b/],
  ['introduction', /\[Out of the story: write the introduction of\b/],
];

/** Introductions are written only where a test asks for one. */
const DEFAULT_TASK_SCENARIOS = { introduction: 'no-text' };

function readScenario(body) {
  const messages = Array.isArray(body?.messages) ? body.messages : [];
  const fromPerson = messages.filter((message) => message?.role === 'user').map(getMessageText);
  const last = fromPerson.at(-1) ?? '';
  const task = TASKS.find(([, words]) => words.test(last))?.[0] ?? 'reply';
  const isTalk = task === 'reply' || task === 'continue';
  const told = isTalk
    ? [task === 'continue' ? (fromPerson.at(-2) ?? '') : last]
    : messages.map(getMessageText);
  const marked = isTalk ? /\[\[scenario:([^\]]+)\]\]/ : new RegExp(`\\[\\[${task}:([^\\]]+)\\]\\]`);
  const marker =
    told.map((text) => marked.exec(text)).findLast((match) => match !== null) ??
    /^scenario:(.+)$/.exec(body?.model ?? '');
  const [name, ...pairs] = (
    marker?.[1] ?? (isTalk ? 'tokens n=12 ms=2' : (DEFAULT_TASK_SCENARIOS[task] ?? task))
  )
    .trim()
    .split(/\s+/);
  const options = Object.fromEntries(
    pairs.map((pair) => [pair.split('=')[0], pair.slice(pair.indexOf('=') + 1)]),
  );
  if (options[task] !== undefined) options.n = options[task];
  const isContinued = task === 'continue';
  return { name, options, key: options.key ?? 'default', isDefault: marker === null, isContinued };
}

async function readText(req) {
  const chunks = [];
  for await (const chunk of req) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

async function main(args) {
  const value = (name, otherwise) => (args.includes(name) ? args[args.indexOf(name) + 1] : otherwise);
  const server = await startModelServer({
    port: Number(value('--port', 0)),
    host: value('--host', '127.0.0.1'),
  });
  console.log(`model server listening on ${server.url}`);
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => server.close().then(() => process.exit(0)));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  await main(process.argv.slice(2));
