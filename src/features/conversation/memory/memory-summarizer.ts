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
      const text = await this.#ask(model, buildMergePrompt(parts, this.#ports.getNames()), signal);
      if (isShorter(text, parts)) this.#write(() => this.#store.merge(parts, text, Date.now()));
      else this.#unmergeableKey = mergeKey;
      return 'merge';
    }
    if (beforeId === null) return 'nothing';
    const run = this.#store.findRunBefore(beforeId, model);
    if (run === null) return 'nothing';
    // Show only notes derived from earlier messages: the new notes may repeat their content, but have only this run as
    // sources.
    const known = this.#store.listKnownBefore(run).map((entry) => entry.text);
    const text = await this.#ask(model, buildNotesPrompt(run, known, this.#ports.getNames()), signal);
    // If a message has changed since, nothing is written and the next step selects a new run.
    this.#write(() => this.#store.saveNotes(run, text, Date.now()));
    return 'notes';
  }

  /** @param write returns whether it wrote anything */
  #write(write: () => boolean): void {
    if (this.#ports.atomically(write)) this.#hasWritten = true;
  }

  /**
   * Returns the model's notes; empty when there is nothing to keep or the notes may not be stored.
   * @throws SummaryError when the model gave no usable answer
   */
  async #ask(model: ChosenModel, messages: ModelMessage[], signal: AbortSignal): Promise<string> {
    let answer = '';
    let isCut = false;
    for await (const part of this.#ports.streamCompletion(model, messages, signal)) {
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
    return this.#ports.isAllowed(notes) ? notes : '';
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
