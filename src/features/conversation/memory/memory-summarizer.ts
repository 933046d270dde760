import { log } from '../../../lib/log.ts';
import { describeError } from '../../../lib/redact.ts';
import type { ModelMessage, ModelPart } from '../../../vendors/model.ts';
import type { ChosenModel } from '../../model/choose-model.ts';
import { parseNotes, isShorter, buildMergePrompt, findNextMerge, buildNotesPrompt } from './memory.ts';
import type { MemoryStore } from './memory-store.ts';
import type { MacroNames } from '../prompt/prompt-sections.ts';

/** What the background needs of the world; the object connects it. */
export interface SummarizerPorts {
  /** Writes all or, when something throws, nothing. */
  atomically<T>(write: () => T): T;
  /** The model's answer, part by part. */
  streamCompletion(
    model: ChosenModel,
    messages: ModelMessage[],
    signal: AbortSignal,
  ): AsyncIterable<ModelPart>;
  /** Whether notes may be kept: what no reply may say is not told to a model as what happened either. */
  isAllowed(notes: string): boolean;
  /** What the people of the story are called now. */
  getNames(): MacroNames;
  /** Told once after a turn's work when something was written: whoever looks at the memory looks again. */
  onWritten(): void;
}

/** Where the model's context began in the turn that has just ended. */
export interface SummaryTrigger {
  /** The oldest message that the model saw word for word; null when it saw all. */
  beforeId: string | null;
  model: ChosenModel;
}

/** One turn pushes a few messages out of the context; what was brought along is caught up with over several turns. */
const MAX_STEPS_PER_TURN = 4;
/** After a failure memory rests, twice as long each time. */
const MIN_BACKOFF_MS = 30_000;
const MAX_BACKOFF_MS = 30 * 60_000;
/** Far above any notes; a model that repeats itself is left. */
const MAX_ANSWER_CHARS = 20_000;

/**
 * Remembers, in the background after a turn, what has left the model's context. One job at a time; what it writes
 * rests on messages that still say what it read. It never throws, and its log tells no texts.
 */
export class MemorySummarizer {
  readonly #store: MemoryStore;
  readonly #ports: SummarizerPorts;
  #running: Promise<void> | null = null;
  #next: SummaryTrigger | null = null;
  #abort = new AbortController();
  #failures = 0;
  #retryAt = 0;
  /** Entries that would not become shorter; asking again would give the same. */
  #unmergeableKey = '';
  #hasWritten = false;

  constructor(store: MemoryStore, ports: SummarizerPorts) {
    this.#store = store;
    this.#ports = ports;
  }

  /** Resolves when nothing is being remembered any more. */
  get idle(): Promise<void> {
    return this.#running ?? Promise.resolve();
  }

  /** Looks whether something has to be remembered, and does so. Resolves when it is done; never rejects. */
  schedule(trigger: SummaryTrigger): Promise<void> {
    this.#next = trigger;
    this.#running ??= this.#runJobs().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Gives up what is being remembered, as before the conversation is erased. */
  async stop(): Promise<void> {
    this.#next = null;
    this.#abort.abort();
    await this.idle;
    this.#abort = new AbortController();
  }

  async #runJobs(): Promise<void> {
    // What begins a job has still its own end to tell; that comes first.
    await Promise.resolve();
    const { signal } = this.#abort;
    while (this.#next !== null && !signal.aborted) {
      const occasion = this.#next;
      this.#next = null;
      try {
        if (Date.now() < this.#retryAt) continue;
        for (let step = 0; step < MAX_STEPS_PER_TURN && !signal.aborted; step += 1) {
          if (!(await this.#runStep(occasion, signal))) break;
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

  /** One call of the model; false when there is nothing to do. */
  async #runStep({ beforeId, model }: SummaryTrigger, signal: AbortSignal): Promise<boolean> {
    const live = this.#store.listLive();
    const parts = findNextMerge(live, model.contextTokens);
    const mergeKey = parts?.map(({ id, updatedAt }) => `${id}${updatedAt}`).join(' ') ?? '';
    if (parts !== null && mergeKey !== this.#unmergeableKey) {
      const text = await this.#ask(model, buildMergePrompt(parts, this.#ports.getNames()), signal);
      if (isShorter(text, parts)) this.#write(() => this.#store.merge(parts, text, Date.now()));
      else this.#unmergeableKey = mergeKey;
      return true;
    }
    if (beforeId === null) return false;
    const run = this.#store.findRunBefore(beforeId, model.contextTokens);
    if (run === null) return false;
    // What rests on later messages is not shown: nothing of it may get into notes that do not name those as their ground.
    const known = this.#store.listKnownBefore(run).map((entry) => entry.text);
    const text = await this.#ask(model, buildNotesPrompt(run, known, this.#ports.getNames()), signal);
    // Should a message have changed meanwhile, the run is looked for anew.
    this.#write(() => this.#store.saveNotes(run, text, Date.now()));
    return true;
  }

  /** @param write says whether anything was written */
  #write(write: () => boolean): void {
    if (this.#ports.atomically(write)) this.#hasWritten = true;
  }

  /** The model's notes; empty when it found nothing to keep, or nothing that may be kept. @throws MemoryFailure when there are none */
  async #ask(model: ChosenModel, messages: ModelMessage[], signal: AbortSignal): Promise<string> {
    let answer = '';
    let isCut = false;
    for await (const part of this.#ports.streamCompletion(model, messages, signal)) {
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

/** The model gave no notes; `code` says why. */
class SummaryError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}
