import { createParser } from 'eventsource-parser';
import { z } from 'zod';

export type ModelFailureCode =
  | 'unreachable'
  | 'unauthorized'
  /** Its account is empty, or there is no such model or address: no text of anybody's would be answered. */
  | 'misconfigured'
  | 'rate_limited'
  | 'provider_error'
  | 'bad_request'
  | 'timed_out'
  | 'cut_off'
  | 'refused'
  | 'empty'
  | 'aborted'
  /** Nobody was asked: it has not answered of late, or no model is asked now (features/model/model-ports.ts). */
  | 'paused'
  | 'calls_off';

/** One piece of an answer. `thinking`: the model reasons; what it thinks is not kept. */
export type ModelPart =
  | { kind: 'text'; text: string }
  | { kind: 'thinking' }
  | { kind: 'finish'; reason: 'stop' | 'length' }
  /** `detail` is for the log alone: at most 300 characters, never the key, never chat text. */
  | { kind: 'failure'; code: ModelFailureCode; detail: string };

export type ModelEnd = Extract<ModelPart, { kind: 'finish' | 'failure' }>;

/** What the bytes of one answer have said so far. Pure: no clock, no network. */
export interface ModelAnswer {
  /** How the answer ended, or null while it goes on. Never changes once set. */
  readonly end: ModelEnd | null;
  /** Takes the next piece of the body, decoded. After the end it is ignored. */
  feed(piece: string): void;
  /** Says that the body is over and gives the end, which always exists from here on. */
  close(): ModelEnd;
  /** Gives the text that came since the last call and forgets it; '' when there is none. */
  takeText(): string;
  /** True once in an answer: when reasoning came before any text. */
  takeThinking(): boolean;
}

// No provider sends a frame near this size; beyond it the sender is broken or
// hostile, and an isolate has 128 MB for everyone in it.
const MAX_LINE_CHARACTERS = 1024 * 1024;

// Ten times the longest reply the product asks for. A model that repeats itself
// for ever is stopped here instead of filling the conversation's storage.
const MAX_TEXT_CHARACTERS = 200_000;

const MAX_DETAIL_CHARACTERS = 300;

// Reasoning models of some providers send content as a list of typed pieces.
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

// Read in the same way whether it is a chunk (`delta`) or a whole answer (`message`).
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

const errorShape = z.object({
  code: z.union([z.string(), z.number()]).nullish().catch(null),
  status: z.union([z.string(), z.number()]).nullish().catch(null),
  type: z.string().nullish().catch(null),
});

/**
 * Makes a failure whose detail is safe to log: what providers name (codes, types)
 * is kept only where it looks like an identifier and does not hold `secret`,
 * because their free texts quote keys and prompts back.
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

/** The names a provider gave its error (code, status, type), from its body or frame. */
export function extractErrorNames(value: unknown): { names: unknown[]; limited: boolean } {
  const outer = errorShape.safeParse(value).data;
  const nested = value !== null && typeof value === 'object' && 'error' in value ? value.error : null;
  const inner = errorShape.safeParse(nested).data;
  const found = inner ?? outer;
  const names = [found?.code, found?.status, found?.type];
  // An error that is only a sentence has no other name; a sentence beside names may quote the chat.
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
    // The words of OpenRouter, Mistral and DeepSeek for a reply that broke off on their side.
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
 * Reads one answer to a chat completion.
 *
 * @param isEventStream true when the answer says so; otherwise its first character
 *   decides between one JSON answer and a stream that is wrongly labelled.
 * @param secret the key, so that no detail can hold it; null without one.
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
  // Blank text is passed on but is not an answer: nobody should pay for an empty bubble.
  let hasText = false;
  let isOver = false;

  const parser = createParser({
    maxBufferSize: MAX_LINE_CHARACTERS,
    onEvent: (event) => {
      if (end === null) readEvent(event.event, event.data);
    },
    // Without a listener comments are dropped unread, and one without an end would pass every bound.
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
      // A refusal is the provider's own sentence in place of the character's.
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
    // The bound may fall inside a pair, whose other half will not come.
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
      // A comment or one of the fields data, event, id, retry.
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
      // A last frame without its empty line still counts where it arrived whole.
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
      // Half a character cannot be stored or sent as UTF-8: what stays unpaired becomes U+FFFD here.
      return text.toWellFormed();
    },
    takeThinking() {
      const isNews = isThinking && !isThinkingReported;
      isThinkingReported ||= isThinking;
      return isNews;
    },
  };
}

/** The value of a JSON text, or undefined where it is none. The parser's own words quote the text, so they are dropped. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
