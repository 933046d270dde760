import { Followers } from './followers.ts';
import type { ModeratedPart } from '../moderation/moderate-stream.ts';
import { buildDeltaEvents } from './reply-log.ts';
import { type TurnCause, hasCalledModel } from './turn.ts';
import { truncateToFit } from '../message-limits.ts';
import { log } from '../../../lib/log.ts';

/**
 * Minimum time between two deltas: too short to be seen, and shorter than the interval of fast models' tokens, which then
 * pass one by one.
 */
const BURST_MS = 16;
/** How much of a reply a crash may lose: two seconds, or a tenth of a reply that is longer than 20 seconds. */
const MAX_LOSS_MS = 2000;
const MAX_LOSS_SHARE = 0.1;
/** The share by which saves come earlier at random, so that many objects do not save at the same time. */
const CHECKPOINT_JITTER = 0.1;

/**
 * Returns how long after the first unsaved word a reply is saved. Each save is billed, and delays the object's output
 * until it is confirmed.
 * @param elapsedMs since the reply's first word
 * @param random from 0 to 1
 */
export function getCheckpointDelay(elapsedMs: number, random: number): number {
  return Math.max(MAX_LOSS_MS, elapsedMs * MAX_LOSS_SHARE) * (1 - random * CHECKPOINT_JITTER);
}

/** A reply in progress: its text, its followers, and a signal to stop it. */
export class RunningReply {
  readonly turnId: string;
  readonly versionId: string;
  /** The text before this turn, of a continued reply. */
  readonly base: string;
  readonly followers: Followers;
  /** How many event numbers precede the text's. */
  readonly head: number;
  readonly #abort = new AbortController();
  readonly #save: (text: string) => void;
  readonly #startedAt = Date.now();
  #firstMs: number | null = null;
  #text = '';
  #sent = 0;
  #lastBurstAt = 0;
  #burstTimer: ReturnType<typeof setTimeout> | null = null;
  #checkpointTimer: ReturnType<typeof setTimeout> | null = null;

  /** @param save stores the text added so far; called every two seconds, later more rarely */
  constructor(turnId: string, versionId: string, base: string, save: (text: string) => void, head = 0) {
    this.turnId = turnId;
    this.versionId = versionId;
    this.base = base;
    this.head = head;
    this.followers = new Followers(turnId);
    this.#save = save;
  }

  /** The text that this turn has added so far. */
  get text(): string {
    return this.#text;
  }

  /** Time to the first text, in ms; null while there is none. */
  get firstMs(): number | null {
    return this.#firstMs;
  }

  /** The text that was sent to the followers. A new follower gets this text and then the next deltas. */
  get sentText(): string {
    return this.#text.slice(0, this.#sent);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Aborts the model call; the reply ends with the text so far. */
  stop(): void {
    this.#abort.abort();
  }

  /** Reads the model's answer to its end and returns what ended it. */
  async write(parts: AsyncIterable<ModeratedPart>): Promise<TurnCause> {
    let cause: TurnCause = { kind: 'failed', failure: 'cut_off' };
    try {
      for await (const part of parts) {
        switch (part.kind) {
          case 'text':
            // A reply that reaches the maximum length ends normally.
            if (!this.#append(part.text)) return { kind: 'finished' };
            break;
          case 'thinking':
            break;
          case 'retracted':
            this.#text = '';
            break;
          case 'finish':
            cause = {
              kind: 'finished',
              ...(part.cachedShare === undefined ? {} : { cachedShare: part.cachedShare }),
            };
            break;
          case 'refused':
            cause = part;
            break;
          case 'failure':
            cause = part.code === 'aborted' ? { kind: 'stopped' } : { kind: 'failed', failure: part.code };
            // A blocked call (`paused`, `calls_off`) is not logged here but by the code that blocks it.
            if (cause.kind === 'failed' && hasCalledModel(cause)) {
              log('model_failed', { code: part.code, detail: part.detail });
            }
            break;
        }
      }
    } finally {
      this.#clearTimers();
      this.#burst();
    }
    return cause;
  }

  /** @returns false when the text had to be cut at the maximum length */
  #append(text: string): boolean {
    const added = this.#text === '' ? getJoiner(this.base, text) + text : text;
    const kept = truncateToFit(this.base.length + this.#text.length, added);
    this.#text += kept;
    this.#firstMs ??= Date.now() - this.#startedAt;
    this.#checkpointTimer ??= setTimeout(
      () => {
        this.#checkpointTimer = null;
        this.#save(this.#text);
      },
      getCheckpointDelay(Date.now() - this.#startedAt - this.#firstMs, Math.random()),
    );
    // Wait at most one interval, even if the clock was set back.
    const wait = Math.min(BURST_MS, this.#lastBurstAt + BURST_MS - Date.now());
    if (wait <= 0) this.#burst();
    else this.#burstTimer ??= setTimeout(() => this.#burst(), wait);
    return kept === added;
  }

  #burst(): void {
    if (this.#burstTimer !== null) clearTimeout(this.#burstTimer);
    this.#burstTimer = null;
    this.#lastBurstAt = Date.now();
    const events = buildDeltaEvents(this.#text, this.#sent, this.head);
    this.#sent = this.#text.length;
    this.followers.publish(events);
  }

  #clearTimers(): void {
    if (this.#burstTimer !== null) clearTimeout(this.#burstTimer);
    if (this.#checkpointTimer !== null) clearTimeout(this.#checkpointTimer);
    this.#burstTimer = null;
    this.#checkpointTimer = null;
  }
}

/** Scripts without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}。、！？「」『』（）]/u;
const CLOSING = /^[\s,.;:!?…)\]}”’»]/u;

/**
 * The separator between a reply and its continuation, because models start with a word and omit the space.
 * @param addition the first piece of the continuation
 */
export function getJoiner(base: string, addition: string): '' | ' ' {
  const last = base.at(-1) ?? '';
  const first = addition.at(0) ?? '';
  if (last === '' || first === '' || /[\s([{“„«‘]/u.test(last) || CLOSING.test(first)) return '';
  if (UNSPACED.test(last) || UNSPACED.test(first)) return '';
  // An unpaired `"` or `*` is open: the same mark closes it, and text after it belongs inside.
  for (const mark of ['"', '*']) {
    const isOpen = base.split(mark).length % 2 === 0;
    if (isOpen && (first === mark || last === mark)) return '';
  }
  return ' ';
}
