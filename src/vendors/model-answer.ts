import { createParser } from 'eventsource-parser';
import { z } from 'zod';
import { readLengthRefusal } from './context-length.ts';
import { readContent, readReasoning } from './model-content.ts';
import { createFailure, readProviderError, toModelEnd } from './model-errors.ts';
import type { ModelEnd, ModelPart } from './model-part.ts';
import { ThinkingParser } from './thinking-tags.ts';

/** Parser state of one response. Pure: no clock, no network. */
export interface ModelAnswer {
  /** How the response ended; null before the end. Never changes once set. */
  readonly end: ModelEnd | null;
  /** How many milliseconds of silence end the response, once it has finished; null before. */
  readonly graceMs: number | null;
  /** Parses the next decoded piece of the body; ignored after the end. */
  feed(piece: string): void;
  /** Marks the body as complete and returns the end, which is always set afterwards. */
  close(): ModelEnd;
  /** Returns what has come since the last call. */
  take(): ModelPart[];
}

// No provider sends a line near this size. A larger one is an error or an attack, and all requests in an isolate share
// 128 MB.
const MAX_LINE_CHARACTERS = 1024 * 1024;

// Ten times the longest reply that the product requests. Stops a model that repeats itself endlessly before it fills the
// conversation's storage.
const MAX_TEXT_CHARACTERS = 200_000;

// After a finish reason, remaining data ([DONE], usage) follows at once. A body that is read to its end frees the
// connection for the next call, and a provider that lingers delays nothing.
const GRACE_MS = 100;
// Some servers send a finish reason with every piece of text, so more text may follow such a one.
const GRACE_AFTER_TEXT_MS = 500;

const messageShape = z.object({
  content: z.unknown().optional(),
  refusal: z.unknown().optional(),
  reasoning_content: z.unknown().optional(),
  reasoning: z.unknown().optional(),
  thinking: z.unknown().optional(),
  reasoning_details: z.unknown().optional(),
});

// One shape for stream chunks (`delta`), whole responses (`message`) and completions of text (`text`).
const frameShape = z.object({
  error: z.unknown().optional(),
  object: z.unknown().optional(),
  code: z.unknown().optional(),
  message: z.unknown().optional(),
  usage: z.unknown().optional(),
  choices: z
    .array(
      z.object({
        index: z.unknown().optional(),
        delta: messageShape.nullish(),
        message: messageShape.nullish(),
        text: z.unknown().optional(),
        finish_reason: z.unknown().optional(),
      }),
    )
    .nullish(),
});
type Frame = z.infer<typeof frameShape>;

/** The fields of a frame that decide whether it is nothing but text. */
interface LooseFrame {
  error?: unknown;
  object?: unknown;
  choices?: { index?: unknown; delta?: LooseDelta | null; message?: unknown; finish_reason?: unknown }[];
}
type LooseDelta = { [Field in keyof z.infer<typeof messageShape>]?: unknown };

/**
 * Returns the text of a stream's ordinary frame, which has nothing else to read; null for every other frame. Nearly all
 * frames are of this kind, and validating them with the schema takes longer than parsing them.
 */
function readPlainText(value: unknown): string | null {
  const { error, object, choices } = (value ?? {}) as LooseFrame;
  if (error != null || object === 'error' || !Array.isArray(choices) || choices.length !== 1) return null;
  const { index, delta, message, finish_reason: reason } = choices[0] ?? {};
  if ((index ?? 0) !== 0 || delta == null || message != null || reason != null) return null;
  const { content, refusal, reasoning, reasoning_content: thoughts, thinking, reasoning_details } = delta;
  if (typeof content !== 'string' || refusal != null || reasoning != null || thoughts != null) return null;
  return thinking != null || reasoning_details != null ? null : content;
}

const usageShape = z.object({
  prompt_tokens: z.number().positive(),
  prompt_tokens_details: z.object({ cached_tokens: z.number() }).nullish().catch(null),
  prompt_cache_hit_tokens: z.number().nullish().catch(null),
  cached_tokens: z.number().nullish().catch(null),
});

/** Reads the share of the prompt that was cached: OpenAI's field, DeepSeek's or Moonshot's; undefined without any. */
function readCachedShare(usage: unknown): number | undefined {
  const read = usageShape.safeParse(usage);
  if (!read.success) return undefined;
  const { prompt_tokens: all, prompt_tokens_details: details, ...others } = read.data;
  const cached = details?.cached_tokens ?? others.prompt_cache_hit_tokens ?? others.cached_tokens;
  return cached == null ? undefined : Math.min(1, Math.max(0, cached / all));
}

/** Whether the frame reports an error. Some servers send an empty one with every chunk. */
function isError({ error, object, code, message, choices }: Frame): boolean {
  if (object === 'error') return true;
  if (typeof error === 'object' && error !== null) return Object.keys(error).length > 0;
  if (error) return true;
  // DashScope sends its errors without a field of their own.
  return choices == null && Boolean(code) && typeof message === 'string';
}

/** Lines without JSON that proxies send to keep a connection open: nothing, `null`, or a word such as `ping`. */
const KEEP_ALIVE = /^(?:[a-z][a-z _-]{0,30})?$/i;

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/** Text on its way out. A character whose second half has not come yet is held back. */
class Outlet {
  #fresh = '';
  #length = 0;
  /** Blank text is passed on but does not count as a reply, so that users do not pay for an empty one. */
  hasText = false;

  /** @returns false when the text had to be cut at the maximum length */
  add(text: string): boolean {
    const room = MAX_TEXT_CHARACTERS - this.#length;
    const kept = text.length > room ? text.slice(0, room) : text;
    this.#length += kept.length;
    this.#fresh += kept;
    this.hasText ||= /\S/.test(kept);
    if (text.length <= room) return true;
    // The limit may fall inside a surrogate pair.
    if (isHighSurrogate(this.#fresh.charCodeAt(this.#fresh.length - 1)))
      this.#fresh = this.#fresh.slice(0, -1);
    return false;
  }

  /** Forgets all text, also what was taken. */
  clear(): void {
    this.#fresh = '';
    this.#length = 0;
    this.hasText = false;
  }

  take(isLast: boolean): string {
    const text = this.#fresh;
    const isHalf = !isLast && isHighSurrogate(text.charCodeAt(text.length - 1));
    this.#fresh = isHalf ? text.slice(-1) : '';
    // A lone surrogate cannot be encoded as UTF-8: replace an unpaired one with U+FFFD.
    return (isHalf ? text.slice(0, -1) : text).toWellFormed();
  }
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
  /** The latest finish reason, after which more text may still come. */
  let finish: ModelEnd | null = null;
  let graceMs: number | null = null;
  let form: 'unknown' | 'stream' | 'whole' = isEventStream ? 'stream' : 'unknown';
  let whole = '';

  const tags = new ThinkingParser();
  const text = new Outlet();
  const thinking = new Outlet();
  /** Reasoning came that the provider does not show. */
  let isThinkingHidden = false;
  let isThinkingReported = false;
  let isRetracted = false;
  let isOver = false;
  let cachedShare: number | undefined;

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
      setEnd(createFailure('provider_error', 'a line over 1 MiB'));
      return;
    }
    const line = data.trim();
    if (/^"?\[done\]"?$/i.test(line)) setEnd(finish ?? { kind: 'finish', reason: 'stop' });
    else if (name === 'error') setEnd(finish ?? createProviderError('an error event', parseJson(data)));
    else if (!KEEP_ALIVE.test(line)) readData(name, data);
  }

  function readData(name: string | undefined, data: string): void {
    const value = parseJson(data);
    const lines = data.split('\n');
    // Frames that only one line break separates come as one event.
    if (value !== undefined || lines.length === 1) readFrame(value, data.length);
    else for (const line of lines) if (end === null) readEvent(name, line);
  }

  function readFrame(value: unknown, size: number): void {
    const plain = readPlainText(value);
    if (plain !== null) {
      addText(plain);
      return;
    }
    const frame = frameShape.safeParse(value);
    if (!frame.success) return failFrame(size);
    if (isError(frame.data)) {
      setEnd(finish ?? createProviderError('an error frame', value));
      return;
    }
    cachedShare = readCachedShare(frame.data.usage) ?? cachedShare;
    // A provider may write several replies at once; the others are not shown.
    const choice = frame.data.choices?.find(({ index }) => Number(index ?? 0) === 0);
    if (!choice) return;
    // A closing frame may repeat the whole message.
    const said = choice.delta ?? (text.hasText ? null : choice.message);
    const content = readContent(said == null ? choice.text : said.content);
    if (content === null) return failFrame(size);
    // A refusal is written by the provider, not by the character.
    if (said?.refusal) {
      setEnd(createFailure('refused', 'refusal'));
      return;
    }
    const reasoning = said == null ? null : readReasoning(said);
    isThinkingHidden ||= reasoning === '';
    thinking.add((reasoning ?? '') + content.thinking);
    addText(content.text);
    if (!choice.finish_reason) return;
    const how = toModelEnd(choice.finish_reason);
    if (how.kind === 'failure') setEnd(how);
    finish = how;
    graceMs = content.text === '' ? GRACE_MS : GRACE_AFTER_TEXT_MS;
  }

  /** Ends the response because of a frame that is not understood. */
  function failFrame(size: number): void {
    const code = isOver ? 'cut_off' : 'provider_error';
    setEnd(finish ?? createFailure(code, `a frame of ${size} characters that is not understood`));
  }

  function addText(piece: string): void {
    if (piece === '' || end !== null) return;
    addSeparated(tags.push(piece));
    if (tags.isOver) setEnd({ kind: 'finish', reason: 'stop' });
  }

  function addSeparated(separated: ReturnType<ThinkingParser['push']>): void {
    if (separated.isRetracted) {
      isRetracted = true;
      text.clear();
    }
    thinking.add(separated.thinking);
    if (!text.add(separated.text)) end ??= { kind: 'finish', reason: 'length' };
  }

  function setEnd(how: ModelEnd): void {
    if (end !== null) return;
    addSeparated(tags.end());
    end ??=
      how.kind === 'finish' && !text.hasText
        ? createFailure('empty', `finish ${how.reason} without text`)
        : how.kind === 'finish' && cachedShare !== undefined
          ? { ...how, cachedShare }
          : how;
  }

  function createProviderError(what: string, value: unknown): ModelEnd {
    const { names, code } = readProviderError(value);
    const tooLong = text.hasText ? null : readLengthRefusal(value);
    if (tooLong !== null) return { ...createFailure('too_long', what, { names, secret }), ...tooLong };
    return createFailure(code ?? 'provider_error', what, { names, secret });
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
    get graceMs() {
      return graceMs;
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
        if (finish === null)
          setEnd(
            text.hasText
              ? { kind: 'finish', reason: 'stop' }
              : createFailure('provider_error', 'JSON without an answer'),
          );
      }
      // A last frame without its empty line counts if it is complete.
      if (end === null && form === 'stream') {
        isOver = true;
        parser.feed('\n\n');
      }
      setEnd(finish ?? createFailure('cut_off', 'the body ended without a finish'));
      return end as unknown as ModelEnd;
    },
    take() {
      const parts: ModelPart[] = isRetracted ? [{ kind: 'retracted' }] : [];
      isRetracted = false;
      const thought = thinking.take(end !== null);
      if (thought !== '' || (isThinkingHidden && !isThinkingReported)) {
        parts.push({ kind: 'thinking', text: thought });
        isThinkingReported = true;
      }
      const written = text.take(end !== null);
      if (written !== '') parts.push({ kind: 'text', text: written });
      return parts;
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
