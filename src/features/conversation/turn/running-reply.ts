import { Followers } from './followers.ts';
import type { FindActiveSessions } from '../access/active-sessions-store.ts';
import type { ModeratedPart } from '../moderation/moderate-stream.ts';
import { buildDeltaEvents, buildThinkingEvents, getRestartNumber, type NumberedEvent } from './reply-log.ts';
import { type TurnCause, hasCalledModel, toFailedCause } from './turn.ts';
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
  readonly #abort = new AbortController();
  readonly #save: (text: string, thinking: string) => void;
  readonly #getAccepted: () => NumberedEvent;
  readonly #startedAt = Date.now();
  #firstMs: number | null = null;
  #head: number;
  #text = '';
  #sent = 0;
  #thinking = '';
  #sentThinking = 0;
  #lastBurstAt = 0;
  #burstTimer: ReturnType<typeof setTimeout> | null = null;
  #checkpointTimer: ReturnType<typeof setTimeout> | null = null;

  /**
   * @param by.save stores the text added so far and the thinking; called every two seconds, later more rarely
   * @param by.head how many event numbers precede the text's
   * @param by.getAccepted builds the event with which the reply begins again
   * @param by.findActive finds out whose sessions are still active, among the followers
   */
  constructor(
    turnId: string,
    versionId: string,
    by: {
      base?: string;
      head?: number;
      save: (text: string, thinking: string) => void;
      getAccepted: () => NumberedEvent;
      findActive: FindActiveSessions;
    },
  ) {
    this.turnId = turnId;
    this.versionId = versionId;
    this.base = by.base ?? '';
    this.followers = new Followers(turnId, by.findActive);
    this.#head = by.head ?? 0;
    this.#save = by.save;
    this.#getAccepted = by.getAccepted;
  }

  /** How many event numbers precede the text's. It grows when the text begins again. */
  get head(): number {
    return this.#head;
  }

  /** The text that this turn has added so far. */
  get text(): string {
    return this.#text;
  }

  /** What the model thought in this turn. */
  get thinking(): string {
    return this.#thinking.trim();
  }

  /** The thinking that was sent to the followers. */
  get sentThinking(): string {
    return this.#thinking.slice(0, this.#sentThinking);
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
            this.#think(part.text);
            break;
          case 'retracted':
            this.#restart();
            break;
          case 'finish':
            cause = {
              kind: 'finished',
              ...(part.reason === 'length' ? { isCut: true } : {}),
              ...(part.cachedShare === undefined ? {} : { cachedShare: part.cachedShare }),
            };
            break;
          case 'refused':
            cause = part;
            break;
          case 'failure':
            cause = part.code === 'aborted' ? { kind: 'stopped' } : toFailedCause(part);
            // A blocked call (`paused`, `busy`, `calls_off`) is not logged here but by the code that blocks it.
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
    const kept = truncateToFit(this.base.length + this.#text.length, text);
    this.#text += kept;
    this.#firstMs ??= Date.now() - this.#startedAt;
    this.#checkpointTimer ??= setTimeout(
      () => {
        this.#checkpointTimer = null;
        this.#save(this.#text, this.thinking);
      },
      getCheckpointDelay(Date.now() - this.#startedAt - this.#firstMs, Math.random()),
    );
    this.#scheduleBurst();
    return kept === text;
  }

  #think(text: string): void {
    if (text === '') return;
    this.#thinking += this.#thinking === '' ? text.trimStart() : text;
    this.#scheduleBurst();
  }

  /** The text so far was thinking: the followers begin again without it. */
  #restart(): void {
    this.#clearTimers();
    this.#text = '';
    this.#firstMs = null;
    if (this.#sent === 0) return;
    this.#head = getRestartNumber(this.#head, this.#sent);
    this.#sent = 0;
    this.#sentThinking = 0;
    this.followers.publish([{ ...this.#getAccepted(), number: this.#head }]);
  }

  #scheduleBurst(): void {
    // Wait at most one interval, even if the clock was set back.
    const wait = Math.min(BURST_MS, this.#lastBurstAt + BURST_MS - Date.now());
    if (wait <= 0) this.#burst();
    else this.#burstTimer ??= setTimeout(() => this.#burst(), wait);
  }

  #burst(): void {
    if (this.#burstTimer !== null) clearTimeout(this.#burstTimer);
    this.#burstTimer = null;
    this.#lastBurstAt = Date.now();
    const events = [
      ...buildThinkingEvents(this.#thinking, this.#sentThinking, this.#head + this.#sent),
      ...buildDeltaEvents(this.#text, this.#sent, this.#head),
    ];
    this.#sent = this.#text.length;
    this.#sentThinking = this.#thinking.length;
    this.followers.publish(events);
  }

  #clearTimers(): void {
    if (this.#burstTimer !== null) clearTimeout(this.#burstTimer);
    if (this.#checkpointTimer !== null) clearTimeout(this.#checkpointTimer);
    this.#burstTimer = null;
    this.#checkpointTimer = null;
  }
}
