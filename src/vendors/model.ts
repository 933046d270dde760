import { readLengthRefusal } from './context-length.ts';
import { createAnswerParser, parseJson } from './model-answer.ts';
import { createFailure, readProviderError } from './model-errors.ts';
import { buildCacheFields } from './prompt-cache.ts';
import { limitTemperature } from './temperature.ts';
import type { ModelEnd, ModelFailureCode, ModelPart } from './model-part.ts';

export type { ModelFailureCode, ModelPart } from './model-part.ts';

/** One OpenAI-compatible provider: `baseUrl` ends before `/chat/completions`. */
export interface ModelEndpoint {
  baseUrl: string;
  apiKey: string | null;
  model: string;
  /**
   * How many tokens a reasoning model of OpenAI may think, besides its reply. It takes other parameters: no temperature, and
   * one limit for both. 0 or absent for all other models.
   */
  thinkingTokens?: number;
}

export interface ModelMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

export interface ModelRequest {
  messages: ModelMessage[];
  /** Maximum length of the reply in the model's tokens. */
  maxTokens: number;
  temperature: number;
  /** The provider's name of the queue to use; its default when omitted. */
  serviceTier?: string | null;
  /** The same for requests whose prompts begin alike, so that the provider sends them to where it kept the beginning. */
  cacheKey?: string;
}

export interface ModelTimeouts {
  /** Maximum milliseconds without a byte. */
  idleMs: number;
  /** Maximum milliseconds from the start to the first text, regardless of other data. */
  firstTextMs: number;
  /** Maximum milliseconds from the start to the end. */
  totalMs: number;
}

export const MODEL_TIMEOUTS: ModelTimeouts = {
  // Providers that queue a request send comments or empty chunks every few seconds, so half a minute of silence means a
  // dead connection.
  idleMs: 30_000,
  // Reasoning models may think for a minute; after two minutes users have given up.
  firstTextMs: 120_000,
  // The longest reply from a slow local model ends within ten minutes, and a call may not reserve its points for longer.
  totalMs: 600_000,
};

// Once the end is known, the rest of the body may take this long. A body that is read to its end frees the connection for
// the next call, and a provider that lingers delays nothing.
const GRACE_MS = 100;

// The reason of an error is in its body, which may come after its status. Without it a refused text would look like a wrong
// key.
const ERROR_BODY_MS = 1000;

// Enough for the names in an error's body; the rest is not read.
const MAX_ERROR_BODY_CHARACTERS = 16 * 1024;

type Body = ReadableStreamDefaultReader<Uint8Array>;

/**
 * Requests one completion and yields it as it is generated.
 *
 * Never throws, never retries. Parts come in order, and the last one is always exactly one `finish` or `failure`. Parts
 * never split a surrogate pair, and all text together has at most 200,000 characters, as has all thinking.
 *
 * The request starts with the first call of `next`. Leaving the loop early cancels it upstream; to cancel it while a part
 * is awaited, abort `signal`, which yields the failure `aborted`.
 *
 * @param options.timeouts in milliseconds; MODEL_TIMEOUTS by default
 * @param options.sent called when the request was handed over, before any response; must not throw
 */
export async function* streamChat(
  endpoint: ModelEndpoint,
  request: ModelRequest,
  options: {
    signal: AbortSignal;
    timeouts?: ModelTimeouts;
    fetch?: typeof fetch;
    sent?: (() => void) | undefined;
  },
): AsyncGenerator<ModelPart> {
  const secret = endpoint.apiKey === '' ? null : endpoint.apiKey;
  const patience = startDeadline(options.signal, options.timeouts ?? MODEL_TIMEOUTS);
  const upstream = new AbortController();
  let body: Body | null = null;
  let isBodyOver = false;

  try {
    if (options.signal.aborted) {
      yield createFailure('aborted', 'before it began');
      return;
    }
    const sent = sendRequest(endpoint, secret, request, upstream.signal, options.fetch ?? fetch);
    options.sent?.();
    const openResult = await patience.wait(sent);
    if (openResult.state === 'stopped') {
      // A fetch that ignores its signal may still open a body: cancel it.
      sent.then((late) => late.body?.cancel()).catch(() => {});
      yield toStopFailure(openResult.stop);
      return;
    }
    if (openResult.state === 'broke') {
      yield createFailure('unreachable', 'fetch failed', {
        names: extractFaultNames(openResult.error),
        secret,
      });
      return;
    }

    const response = openResult.value;
    body = response.body?.getReader() ?? null;
    if (!response.ok) {
      const errorBody = body === null ? '' : await readErrorBody(body, patience);
      yield toStatusFailure(response, errorBody, secret);
      return;
    }
    if (body === null) {
      yield createFailure('provider_error', `status ${response.status} without a body`);
      return;
    }

    const isEventStream = /^\s*text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
    const answer = createAnswerParser(isEventStream, secret);
    const decoder = new TextDecoder();
    let end: ModelEnd | null = null;
    while (end === null) {
      const step = await patience.wait(body.read());
      const hasFinished: boolean = answer.graceMs !== null && step.state !== 'came';
      if (hasFinished) {
        end = answer.close();
      } else if (step.state === 'stopped') {
        end = toStopFailure(step.stop);
      } else if (step.state === 'broke') {
        end = createFailure('cut_off', 'the connection broke', {
          names: extractFaultNames(step.error),
          secret,
        });
      } else if (step.value.done) {
        isBodyOver = true;
        answer.feed(decoder.decode());
        end = answer.close();
      } else {
        answer.feed(decoder.decode(step.value.value, { stream: true }));
        end = answer.end;
      }
      for (const part of answer.take()) {
        if (part.kind === 'text') patience.recordText();
        yield part;
      }
      if (end === null && answer.graceMs !== null) patience.allowGrace(answer.graceMs);
    }
    if (end.kind === 'finish' && !isBodyOver) isBodyOver = await drain(body, patience);
    yield end;
  } finally {
    patience.close();
    if (!isBodyOver) {
      body?.cancel().catch(() => {});
      upstream.abort();
    }
  }
}

async function sendRequest(
  endpoint: ModelEndpoint,
  secret: string | null,
  request: ModelRequest,
  signal: AbortSignal,
  send: typeof fetch,
): Promise<Response> {
  const headers: Record<string, string> = { accept: 'text/event-stream', 'content-type': 'application/json' };
  if (secret !== null) headers.authorization = `Bearer ${secret}`;
  return send(`${endpoint.baseUrl.replace(/(?<!\/)\/+$/, '')}/chat/completions`, {
    method: 'POST',
    headers,
    // A redirect would send the chat, and in some runtimes the key, to an address that is not configured.
    redirect: 'manual',
    signal,
    body: JSON.stringify({
      model: endpoint.model,
      stream: true,
      ...buildCacheFields(endpoint, request),
      ...toLimits(endpoint, request),
      // Servers that do not know the field refuse it, so send it only when the operator configured it.
      ...(request.serviceTier ? { service_tier: request.serviceTier } : {}),
    }),
  });
}

function toLimits({ baseUrl, thinkingTokens = 0 }: ModelEndpoint, { maxTokens, temperature }: ModelRequest) {
  return thinkingTokens === 0
    ? { max_tokens: maxTokens, temperature: limitTemperature(baseUrl, temperature) }
    : { max_completion_tokens: maxTokens + thinkingTokens };
}

function toStopFailure(stop: DeadlineStop): ModelEnd {
  return createFailure(stop.code === 'aborted' ? 'aborted' : 'timed_out', stop.detail);
}

/** Reads the rest of a finished response; true when the body ended in time. */
async function drain(body: Body, patience: Deadline): Promise<boolean> {
  patience.allowGrace(GRACE_MS);
  for (;;) {
    const step = await patience.wait(body.read());
    if (step.state !== 'came') return false;
    if (step.value.done) return true;
  }
}

/** Reads the part of an error's body that arrives in time; the failure is reported even without it. */
async function readErrorBody(body: Body, patience: Deadline): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  patience.allowGrace(ERROR_BODY_MS);
  const isComplete = () => text.trimEnd().endsWith('}') && parseJson(text) !== undefined;
  while (text.length < MAX_ERROR_BODY_CHARACTERS && !isComplete()) {
    const step = await patience.wait(body.read());
    if (step.state !== 'came' || step.value.done) break;
    text += decoder.decode(step.value.value, { stream: true });
  }
  return text;
}

/** Whether a status can mean that the request was too long; the others say for certain what they mean. */
const canBeLength = (status: number): boolean => ![401, 402, 403, 404, 408, 429].includes(status);

/** Describes a response with an error status. */
function toStatusFailure({ status, headers }: Response, body: string, secret: string | null): ModelEnd {
  const error = parseJson(body);
  const { names, code } = readProviderError(error);
  const tooLong = canBeLength(status) ? readLengthRefusal(error) : null;
  if (tooLong !== null)
    return { ...createFailure('too_long', `status ${status}`, { names, secret }), ...tooLong };
  const isRefused = code === 'refused' && status < 500;
  const isUnpaid = code === 'misconfigured' && status === 429;
  const failure = createFailure(isRefused || isUnpaid ? code : toFailureCode(status), `status ${status}`, {
    names,
    secret,
  });
  const retryAfterMs = failure.code === 'rate_limited' ? readRetryAfter(headers.get('retry-after')) : null;
  return retryAfterMs === null ? failure : { ...failure, retryAfterMs };
}

/** Reads a `Retry-After` header (RFC 9110, 10.2.3) as milliseconds from now; null when it is missing or malformed. */
function readRetryAfter(value: string | null): number | null {
  const text = value?.trim() ?? '';
  const ms = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) && ms > 0 ? Math.ceil(ms) : null;
}

function toFailureCode(status: number): ModelFailureCode {
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 402 || status === 404) return 'misconfigured';
  if (status === 408) return 'timed_out';
  if (status === 413) return 'too_long';
  if (status === 429) return 'rate_limited';
  return status >= 400 && status < 500 ? 'bad_request' : 'provider_error';
}

/**
 * Returns the class and system code of a network error (`TypeError`, `ECONNREFUSED`). Its message may contain the address
 * or a header, so it is dropped.
 */
function extractFaultNames(error: unknown): unknown[] {
  if (!(error instanceof Error)) return [];
  const cause: unknown = error.cause;
  return [error.name, cause !== null && typeof cause === 'object' && 'code' in cause ? cause.code : null];
}

/** Why waiting stopped. `grace` is not an error: the end was known, only its trailer was missing. */
type DeadlineStop = { code: 'timed_out' | 'aborted' | 'grace'; detail: string };

type WaitResult<T> =
  | { state: 'came'; value: T }
  | { state: 'broke'; error: unknown }
  | { state: 'stopped'; stop: DeadlineStop };

/** Waits for the work of one call, up to its limits or until its signal aborts. */
interface Deadline {
  /** Waits for `work` and never rejects. Does not cancel abandoned work: the caller must. */
  wait<T>(work: Promise<T>): Promise<WaitResult<T>>;
  /** Reports the first text, so that `firstTextMs` no longer applies. */
  recordText(): void;
  /** Replaces all limits by a single one of `ms` milliseconds from now. */
  allowGrace(ms: number): void;
  /** Clears the timer and removes the abort listener. */
  close(): void;
}

/**
 * Starts the deadline of one call. One timer serves the whole call: a timer per chunk would cost more than parsing the
 * chunk.
 */
function startDeadline(signal: AbortSignal, limits: ModelTimeouts): Deadline {
  const startedAt = performance.now();
  let waitingSince: number | null = null;
  let hasText = false;
  let graceUntil: number | null = null;
  let stop: DeadlineStop | null = null;
  let notifyWaiter: ((stop: DeadlineStop) => void) | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function stopWaiting(reason: DeadlineStop): void {
    stop ??= reason;
    clearTimeout(timer);
    notifyWaiter?.(stop);
  }

  function getNearestLimit(): { at: number; stop: DeadlineStop } {
    if (graceUntil !== null) return { at: graceUntil, stop: { code: 'grace', detail: '' } };
    // While a slow consumer holds up reading, the provider is not silent.
    const idleAt = (waitingSince ?? performance.now()) + limits.idleMs;
    const textAt = hasText ? Infinity : startedAt + limits.firstTextMs;
    const totalAt = startedAt + limits.totalMs;
    const at = Math.min(idleAt, textAt, totalAt);
    if (at === totalAt)
      return { at, stop: { code: 'timed_out', detail: `not over after ${limits.totalMs} ms` } };
    if (at === textAt)
      return { at, stop: { code: 'timed_out', detail: `no text in ${limits.firstTextMs} ms` } };
    return { at, stop: { code: 'timed_out', detail: `no byte in ${limits.idleMs} ms` } };
  }

  function watch(): void {
    const due = getNearestLimit();
    const left = due.at - performance.now();
    if (left <= 0) stopWaiting(due.stop);
    else timer = setTimeout(watch, Math.ceil(left));
  }

  function onAbort(): void {
    stopWaiting({ code: 'aborted', detail: 'the caller stopped it' });
  }

  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  else watch();

  return {
    wait<T>(work: Promise<T>) {
      return new Promise<WaitResult<T>>((resolve) => {
        const settle = (step: WaitResult<T>): void => {
          waitingSince = null;
          notifyWaiter = null;
          resolve(step);
        };
        // Attach handlers even after the stop, or a late rejection would be unhandled.
        work.then(
          (value) => stop === null && settle({ state: 'came', value }),
          (error: unknown) => stop === null && settle({ state: 'broke', error }),
        );
        if (stop !== null) {
          settle({ state: 'stopped', stop });
          return;
        }
        waitingSince = performance.now();
        notifyWaiter = (reason) => settle({ state: 'stopped', stop: reason });
      });
    },
    recordText() {
      hasText = true;
    },
    allowGrace(ms) {
      if (stop !== null) return;
      graceUntil = performance.now() + ms;
      clearTimeout(timer);
      watch();
    },
    close() {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    },
  };
}
