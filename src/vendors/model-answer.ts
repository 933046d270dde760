import { createParser } from 'eventsource-parser';
import { z } from 'zod';

export type ModelFailureCode =
  | 'unreachable'
  | 'unauthorized'
  /** The account is empty, or the model or address does not exist: every request would fail. */
  | 'misconfigured'
  | 'rate_limited'
  | 'provider_error'
  | 'bad_request'
  | 'timed_out'
  | 'cut_off'
  | 'refused'
  | 'empty'
  | 'aborted'
  /** No request was made: the circuit is open, or model calls are stopped (features/model/model-ports.ts). */
  | 'paused'
  | 'calls_off';

/** One piece of a response. `thinking` reports that the model reasons; the reasoning itself is dropped. */
export type ModelPart =
  | { kind: 'text'; text: string }
  | { kind: 'thinking' }
  | { kind: 'finish'; reason: 'stop' | 'length' }
  /** `detail` is for the log only: at most 300 characters, never the key or chat text. */
  | { kind: 'failure'; code: ModelFailureCode; detail: string };

export type ModelEnd = Extract<ModelPart, { kind: 'finish' | 'failure' }>;

/** Parser state of one response. Pure: no clock, no network. */
export interface ModelAnswer {
  /** How the response ended; null before the end. Never changes once set. */
  readonly end: ModelEnd | null;
  /** Parses the next decoded piece of the body; ignored after the end. */
  feed(piece: string): void;
  /** Marks the body as complete and returns the end, which is always set afterwards. */
  close(): ModelEnd;
  /** Returns the text since the last call, or ''. */
  takeText(): string;
  /** Returns true once per response, when reasoning came before any text. */
  takeThinking(): boolean;
}

// No provider sends a line near this size. A larger one is an error or an attack, and all requests in an isolate share
// 128 MB.
const MAX_LINE_CHARACTERS = 1024 * 1024;

// Ten times the longest reply that the product requests. Stops a model that repeats itself endlessly before it fills the
// conversation's storage.
const MAX_TEXT_CHARACTERS = 200_000;

const MAX_DETAIL_CHARACTERS = 300;

// Some providers' reasoning models send content as a list of typed pieces.
const contentShape = z.union([
  z.string(),
  z.array(z.object({ type: z.string(), text: z.string().optional() })),
]);

const messageShape = z.object({
  content: contentShape.nullish(),
  reasoning_content: z.unknown().optional(),
  reasoning: z.unknown().optional(),
  refusal: z.string().nullish(),
});

// One shape for both stream chunks (`delta`) and whole responses (`message`).
const frameShape = z.object({
  error: z.unknown().optional(),
  object: z.unknown().optional(),
  code: z.unknown().optional(),
  type: z.unknown().optional(),
  choices: z
    .array(
      z.object({
        delta: messageShape.nullish(),
        message: messageShape.nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
});

/** The fields of a frame that decide whether it is nothing but text. */
interface LooseFrame {
  error?: unknown;
  object?: unknown;
  choices?: { delta?: LooseDelta | null; message?: unknown; finish_reason?: unknown }[];
}
type LooseDelta = Partial<Record<'content' | 'refusal' | 'reasoning' | 'reasoning_content', unknown>>;

/**
 * Returns the text of a stream's ordinary frame, which has nothing else to read; null for every other frame. Nearly all
 * frames are of this kind, and validating them with the schema takes longer than parsing them.
 */
function readPlainText(value: unknown): string | null {
  const { error, object, choices } = (value ?? {}) as LooseFrame;
  if (error != null || object === 'error' || !Array.isArray(choices) || choices.length !== 1) return null;
  const { delta, message, finish_reason: reason } = choices[0] ?? {};
  if (delta == null || message != null || reason != null) return null;
  const { content, refusal, reasoning, reasoning_content: thoughts } = delta;
  if (typeof content !== 'string' || refusal != null || reasoning != null || thoughts != null) return null;
  return content;
}

const errorShape = z.object({
  code: z.union([z.string(), z.number()]).nullish().catch(null),
  status: z.union([z.string(), z.number()]).nullish().catch(null),
  type: z.string().nullish().catch(null),
});

/**
 * Creates a failure whose detail is safe to log. Names from the provider (codes, types) are kept only if they look like
 * identifiers and do not contain `secret`, because providers' error messages quote keys and prompts.
 */
export function createFailure(
  code: ModelFailureCode,
  what: string,
  named: { names: readonly unknown[]; secret: string | null } = { names: [], secret: null },
): ModelEnd {
  const kept = named.names
    .filter((name) => typeof name === 'string' || typeof name === 'number')
    .map(String)
    .filter((name) => /^[\w.-]{1,64}$/.test(name))
    .filter((name) => named.secret === null || !name.includes(named.secret));
  return { kind: 'failure', code, detail: [what, ...kept].join(' ').slice(0, MAX_DETAIL_CHARACTERS) };
}

/** Returns the names of a provider's error (code, status, type) from its body or frame. */
export function extractErrorNames(value: unknown): { names: unknown[]; limited: boolean } {
  const outer = errorShape.safeParse(value).data;
  const nested = value !== null && typeof value === 'object' && 'error' in value ? value.error : null;
  const inner = errorShape.safeParse(nested).data;
  const found = inner ?? outer;
  const names = [found?.code, found?.status, found?.type];
  // An error that is a plain sentence is only tested for a rate limit: sentences may quote the chat and must not be
  // logged.
  return { names, limited: [...names, nested].some((name) => isRateLimit(name)) };
}

function isRateLimit(name: unknown): boolean {
  if (name === 429 || name === '429') return true;
  return typeof name === 'string' && /rate[\s_-]?limit|too many requests/i.test(name);
}

function toModelEnd(finishReason: string): ModelEnd {
  switch (finishReason) {
    case 'length':
    case 'max_tokens':
    case 'model_length':
      return { kind: 'finish', reason: 'length' };
    case 'content_filter':
      return createFailure('refused', 'finish_reason content_filter');
    // OpenRouter, Mistral and DeepSeek report a reply that broke off on their side in this way.
    case 'error':
    case 'insufficient_system_resource':
      return createFailure('provider_error', `finish_reason ${finishReason}`);
    default:
      return { kind: 'finish', reason: 'stop' };
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/**
 * Creates a parser for one chat completion.
 *
 * @param isEventStream true when the content type says so; otherwise the first character decides between JSON and a
 * mislabelled stream
 * @param secret the API key, so that no detail contains it; null without one
 */
export function createAnswerParser(isEventStream: boolean, secret: string | null): ModelAnswer {
  let end: ModelEnd | null = null;
  let form: 'unknown' | 'stream' | 'whole' = isEventStream ? 'stream' : 'unknown';
  let whole = '';

  let fresh = '';
  let total = 0;
  let half = '';
  let isThinking = false;
  let isThinkingReported = false;
  // Blank text is passed on but does not count as a reply, so that users do not pay for an empty one.
  let hasText = false;
  let isOver = false;

  const parser = createParser({
    maxBufferSize: MAX_LINE_CHARACTERS,
    onEvent: (event) => {
      if (end === null) readEvent(event.event, event.data);
    },
    // Without a listener the parser skips comments unread, so an endless comment would bypass the size limit.
    onComment: () => {},
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded')
        end ??= createFailure('provider_error', 'a line over 1 MiB');
    },
  });

  function readEvent(name: string | undefined, data: string): void {
    if (data.length > MAX_LINE_CHARACTERS) {
      end = createFailure('provider_error', 'a line over 1 MiB');
      return;
    }
    if (data.trim() === '[DONE]') {
      end = rejectEmptyEnd({ kind: 'finish', reason: 'stop' });
      return;
    }
    const value = parseJson(data);
    if (name === 'error') end = createProviderError('an error event', value);
    else readFrame(value, data.length);
  }

  function readFrame(value: unknown, size: number): void {
    const plain = readPlainText(value);
    if (plain !== null) {
      addText(plain);
      return;
    }
    const frame = frameShape.safeParse(value);
    if (!frame.success) {
      end = createFailure(
        isOver ? 'cut_off' : 'provider_error',
        `a frame of ${size} characters that is not understood`,
      );
      return;
    }
    const { error, object, choices } = frame.data;
    if ((error !== undefined && error !== null) || object === 'error') {
      end = createProviderError('an error frame', value);
      return;
    }
    const choice = choices?.[0];
    if (!choice) return;
    const said = choice.delta ?? choice.message;
    if (said) {
      // A refusal is written by the provider, not by the character.
      if (said.refusal) {
        end = createFailure('refused', 'refusal');
        return;
      }
      if (said.reasoning_content || said.reasoning) isThinking ||= !hasText;
      if (said.content) addContent(said.content);
    }
    if (choice.finish_reason) end ??= rejectEmptyEnd(toModelEnd(choice.finish_reason));
  }

  function addContent(content: z.infer<typeof contentShape>): void {
    if (typeof content === 'string') {
      addText(content);
      return;
    }
    for (const piece of content) {
      if (piece.type === 'text') addText(piece.text ?? '');
      else if (piece.type === 'thinking') isThinking ||= !hasText;
    }
  }

  function addText(text: string): void {
    if (text === '' || end !== null) return;
    const room = MAX_TEXT_CHARACTERS - total;
    const kept = text.length > room ? text.slice(0, room) : text;
    total += kept.length;
    fresh += kept;
    hasText ||= /\S/.test(kept);
    if (text.length <= room) return;
    // The limit may fall inside a surrogate pair.
    if (isHighSurrogate(fresh.charCodeAt(fresh.length - 1))) fresh = fresh.slice(0, -1);
    end = rejectEmptyEnd({ kind: 'finish', reason: 'length' });
  }

  function rejectEmptyEnd(how: ModelEnd): ModelEnd {
    return how.kind === 'finish' && !hasText
      ? createFailure('empty', `finish ${how.reason} without text`)
      : how;
  }

  function createProviderError(what: string, value: unknown): ModelEnd {
    const { names, limited } = extractErrorNames(value);
    return createFailure(limited ? 'rate_limited' : 'provider_error', what, { names, secret });
  }

  function detectForm(): void {
    const first = /[^\s\uFEFF]/.exec(whole)?.[0];
    if (first === undefined) return;
    if (first === '{') {
      form = 'whole';
    } else if (':deir'.includes(first)) {
      // A comment, or one of the fields data, event, id and retry.
      form = 'stream';
      const buffered = whole;
      whole = '';
      parser.feed(buffered);
    } else {
      end = createFailure('provider_error', 'neither an event stream nor JSON');
    }
  }

  return {
    get end() {
      return end;
    },
    feed(piece) {
      if (end !== null) return;
      if (form === 'stream') {
        parser.feed(piece);
        return;
      }
      whole += piece;
      if (whole.length > MAX_LINE_CHARACTERS) end = createFailure('provider_error', 'an answer over 1 MiB');
      else if (form === 'unknown') detectForm();
    },
    close() {
      if (end === null && form === 'whole') {
        readFrame(parseJson(whole), whole.length);
        end ??= hasText
          ? { kind: 'finish', reason: 'stop' }
          : createFailure('provider_error', 'JSON without an answer');
      }
      // A last frame without its empty line counts if it is complete.
      if (end === null && form === 'stream') {
        isOver = true;
        parser.feed('\n\n');
      }
      end ??= createFailure('cut_off', 'the body ended without a finish');
      return end;
    },
    takeText() {
      if (fresh === '' && (half === '' || end === null)) return '';
      let text = half + fresh;
      fresh = '';
      half = '';
      if (end === null && isHighSurrogate(text.charCodeAt(text.length - 1))) {
        half = text.slice(-1);
        text = text.slice(0, -1);
      }
      // A lone surrogate cannot be encoded as UTF-8: replace an unpaired one with U+FFFD.
      return text.toWellFormed();
    },
    takeThinking() {
      const isNews = isThinking && !isThinkingReported;
      isThinkingReported ||= isThinking;
      return isNews;
    },
  };
}

/** Parses JSON; undefined when invalid. The error is dropped, because its message quotes the text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
