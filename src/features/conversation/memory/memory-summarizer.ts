import { log } from '../../../lib/log.ts';
import { describeError } from '../../../lib/redact.ts';
import type { ModelMessage, ModelPart } from '../../../vendors/model.ts';
import type { ChosenModel } from '../../model/choose-model.ts';
import {
  buildMergePrompt,
  buildNotesPrompt,
  findNextMerge,
  isShorter,
  MERGED_MEMORY_SHARE,
  parseNotes,
} from './memory.ts';
import { MAX_MEMORY_SHARE } from '../prompt/fit-history.ts';
import { askAgainIfTooLong, type Retryable } from '../turn/ask-again.ts';
import type { MemoryStore } from './memory-store.ts';
import type { MacroNames } from '../prompt/prompt-sections.ts';

/** Access to the model and the conversation. */
export interface SummarizerPorts {
  /** Runs the writes in one transaction. */
  atomically<T>(write: () => T): T;
  /** Streams the model's answer. */
  streamCompletion(
    model: ChosenModel,
    messages: ModelMessage[],
    signal: AbortSignal,
  ): AsyncIterable<ModelPart>;
  /**
   * Whether notes may be stored. They have to pass the same rules as a reply, because they become part of later prompts.
   */
  isAllowed(notes: string): boolean;
  /** The current names in the conversation. */
  getNames(): MacroNames;
  /** Called once after a turn's work if anything was written, so that open tabs reload the memory. */
  onWritten(): void;
}

/** The start of the model's context in the turn that has just ended. */
export interface SummaryTrigger {
  /** The oldest message that the model will see word for word, now or after the next cut; null when it sees all. */
  beforeId: string | null;
  model: ChosenModel;
}

/** A request to the model, and the messages or notes that it summarises. */
interface SummaryPrompt<Item> {
  items: Item[];
  messages: ModelMessage[];
}

/** Model calls per turn: a cut needs about four. An imported chat is summarised over several turns. */
const MAX_STEPS_PER_TURN = 6;
/** Delay after a failure; it doubles with each further one. */
const MIN_BACKOFF_MS = 30_000;
const MAX_BACKOFF_MS = 30 * 60_000;
/** Far above the length of any notes; stops a model that repeats itself. */
const MAX_ANSWER_CHARS = 20_000;

/**
 * Summarises, in the background after a turn, the messages that have left the model's context. Runs one job at a time.
 * Notes are only stored if their messages have not changed since. It never throws, and its log contains no texts.
 */
export class MemorySummarizer {
  readonly #store: MemoryStore;
  readonly #ports: SummarizerPorts;
  #running: Promise<void> | null = null;
  #next: SummaryTrigger | null = null;
  #abort = new AbortController();
  #failures = 0;
  #retryAt = 0;
  /** Entries whose merge was not shorter; another attempt would give the same result. */
  #unmergeableKey = '';
  #hasWritten = false;
  /** How many messages or notes a model's window takes at once, as refusals have taught, by the model's id. */
  readonly #maxItems = new Map<string, number>();

  constructor(store: MemoryStore, ports: SummarizerPorts) {
    this.#store = store;
    this.#ports = ports;
  }

  /** Resolves when no job is running. */
  get idle(): Promise<void> {
    return this.#running ?? Promise.resolve();
  }

  /** Requests a job. Resolves when all requested work is done; never rejects. */
  schedule(trigger: SummaryTrigger): Promise<void> {
    this.#next = trigger;
    this.#running ??= this.#runJobs().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Aborts the running job, before the conversation is erased. */
  async stop(): Promise<void> {
    this.#next = null;
    this.#abort.abort();
    await this.idle;
    this.#abort = new AbortController();
  }

  async #runJobs(): Promise<void> {
    // Let the caller, whose turn is just ending, send its last events first.
    await Promise.resolve();
    const { signal } = this.#abort;
    while (this.#next !== null && !signal.aborted) {
      const occasion = this.#next;
      this.#next = null;
      try {
        if (Date.now() < this.#retryAt) continue;
        let memoryShare = MAX_MEMORY_SHARE;
        for (let step = 0; step < MAX_STEPS_PER_TURN && !signal.aborted; step += 1) {
          const done = await this.#runStep(occasion, memoryShare, signal);
          if (done === 'nothing') break;
          if (done === 'merge') memoryShare = MERGED_MEMORY_SHARE;
        }
        this.#failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        this.#backOff();
        log('memory_failed', {
          code: error instanceof SummaryError ? error.code : 'unexpected',
          detail: describeError(error),
        });
      } finally {
        if (this.#hasWritten) this.#ports.onWritten();
        this.#hasWritten = false;
      }
    }
  }

  #backOff(): void {
    this.#retryAt = Date.now() + Math.min(MIN_BACKOFF_MS * 2 ** this.#failures, MAX_BACKOFF_MS);
    this.#failures += 1;
  }

  /** Makes one model call, unless there is nothing to do. @param memoryShare above which notes are merged */
  async #runStep(
    { beforeId, model }: SummaryTrigger,
    memoryShare: number,
    signal: AbortSignal,
  ): Promise<'merge' | 'notes' | 'nothing'> {
    const live = this.#store.listLive();
    const parts = findNextMerge(live, model.contextTokens, memoryShare, model.tokenizer);
    const mergeKey = parts?.map(({ id, updatedAt }) => `${id}${updatedAt}`).join(' ') ?? '';
    if (parts !== null && mergeKey !== this.#unmergeableKey) {
      const build = (some: typeof parts) => buildMergePrompt(some, this.#ports.getNames());
      const { text, items } = await this.#ask(model, this.#createPrompt(model, parts, 2, build), signal);
      if (isShorter(text, items)) this.#write(() => this.#store.merge(items, text, Date.now()));
      else this.#unmergeableKey = mergeKey;
      return 'merge';
    }
    if (beforeId === null) return 'nothing';
    const run = this.#store.findRunBefore(beforeId, model);
    if (run === null) return 'nothing';
    // Show only notes derived from earlier messages: the new notes may repeat their content, but have only this run as
    // sources.
    const known = this.#store.listKnownBefore(run).map((entry) => entry.text);
    const build = (some: typeof run) => buildNotesPrompt(some, known, this.#ports.getNames());
    const { text, items } = await this.#ask(model, this.#createPrompt(model, run, 1, build), signal);
    // If a message has changed since, nothing is written and the next step selects a new run.
    this.#write(() => this.#store.saveNotes(items, text, Date.now()));
    return 'notes';
  }

  /** @param write returns whether it wrote anything */
  #write(write: () => boolean): void {
    if (this.#ports.atomically(write)) this.#hasWritten = true;
  }

  /**
   * Builds a prompt that leaves out the later half of the items when the provider refuses it for its length.
   * @param least the fewest items that can be summarised
   */
  #createPrompt<Item>(
    { id }: ChosenModel,
    all: Item[],
    least: number,
    build: (items: Item[]) => ModelMessage[],
  ): SummaryPrompt<Item> & Retryable<SummaryPrompt<Item>> {
    const create = (items: Item[]): SummaryPrompt<Item> & Retryable<SummaryPrompt<Item>> => ({
      items,
      messages: build(items),
      shorten: () => {
        const count = Math.max(least, Math.ceil(items.length / 2));
        this.#maxItems.set(id, count);
        return count < items.length ? create(items.slice(0, count)) : null;
      },
    });
    return create(all.slice(0, Math.max(least, this.#maxItems.get(id) ?? Infinity)));
  }

  /**
   * Returns the model's notes, and what they summarise; empty when there is nothing to keep or the notes may not be stored.
   * @throws SummaryError when the model gave no usable answer
   */
  async #ask<Item>(
    model: ChosenModel,
    prompt: SummaryPrompt<Item> & Retryable<SummaryPrompt<Item>>,
    signal: AbortSignal,
  ): Promise<{ text: string; items: Item[] }> {
    let answer = '';
    let isCut = false;
    let { items } = prompt;
    const parts = askAgainIfTooLong(prompt, (asked) => {
      ({ items } = asked);
      return this.#ports.streamCompletion(model, asked.messages, signal);
    });
    for await (const part of parts) {
      if (part.kind === 'retracted') answer = '';
      if (part.kind === 'text') answer += part.text;
      if (part.kind === 'failure') throw new SummaryError(part.code);
      if (part.kind === 'finish') isCut = part.reason === 'length';
      if (answer.length > MAX_ANSWER_CHARS) {
        isCut = true;
        break;
      }
    }
    const notes = parseNotes(answer, isCut);
    if (notes === null) throw new SummaryError('empty');
    return { text: this.#ports.isAllowed(notes) ? notes : '', items };
  }
}

/** The model gave no notes; `code` is the reason. */
class SummaryError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}
