import { Followers } from './followers.ts';
import { getJoiner } from '../../model/parse-completion.ts';
import type { ModeratedPart } from '../moderation/moderate-stream.ts';
import { buildDeltaEvents } from './reply-log.ts';
import { type TurnCause, hasCalledModel } from './turn.ts';
import { truncateToFit } from '../message-limits.ts';
import { log } from '../../../lib/log.ts';

/**
 * Bursts are at most this often: below what an eye tells apart, and shorter than the pace of fast
 * models, whose tokens then pass one by one.
 */
const BURST_MS = 16;
/**
 * How much of a reply a crash may cost. Each save holds back the object's output until it is
 * confirmed; the jitter keeps many objects from saving in step.
 */
const CHECKPOINT_MS = 750;
const CHECKPOINT_JITTER_MS = 500;

/** A reply that is being written: its text, who follows it, and the wish to stop it. */
export class RunningReply {
  readonly turnId: string;
  readonly versionId: string;
  /** What stood in the version before: a continued reply's text. */
  readonly base: string;
  readonly followers: Followers;
  /** How many numbers of its log stand before its text. */
  readonly head: number;
  readonly #abort = new AbortController();
  readonly #save: (text: string) => void;
  readonly #begunAt = Date.now();
  #firstMs: number | null = null;
  #text = '';
  #told = 0;
  #lastBurstAt = 0;
  #burstTimer: ReturnType<typeof setTimeout> | null = null;
  #checkpointTimer: ReturnType<typeof setTimeout> | null = null;

  /** @param save stores what was added so far; called about once a second */
  constructor(turnId: string, versionId: string, base: string, save: (text: string) => void, head = 0) {
    this.turnId = turnId;
    this.versionId = versionId;
    this.base = base;
    this.head = head;
    this.followers = new Followers(turnId);
    this.#save = save;
  }

  /** What this turn has added so far. */
  get text(): string {
    return this.#text;
  }

  /** How long its reader waited for its first text, in ms; null while there is none. */
  get firstMs(): number | null {
    return this.#firstMs;
  }

  /** How far followers have been told; who joins now is sent the text up to here, then the bursts. */
  get toldText(): string {
    return this.#text.slice(0, this.#told);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Asks the model to stop; the reply then ends with what was written. */
  stop(): void {
    this.#abort.abort();
  }

  /** Takes the model's parts until the last, and says what ended them. */
  async write(parts: AsyncIterable<ModeratedPart>): Promise<TurnCause> {
    let cause: TurnCause = { kind: 'failed', failure: 'cut_off' };
    try {
      for await (const part of parts) {
        switch (part.kind) {
          case 'text':
            // As long as a reply can be, it ends as one does whose model has said all that it may.
            if (!this.#append(part.text)) return { kind: 'finished' };
            break;
          case 'thinking':
            break;
          case 'finish':
            cause = { kind: 'finished' };
            break;
          case 'refused':
            cause = part;
            break;
          case 'failure':
            cause = part.code === 'aborted' ? { kind: 'stopped' } : { kind: 'failed', failure: part.code };
            // Where nobody was asked, nobody failed: that is told where it is decided.
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

  /** @returns whether all of it has found room */
  #append(text: string): boolean {
    const added = this.#text === '' ? getJoiner(this.base, text) + text : text;
    const kept = truncateToFit(this.base.length + this.#text.length, added);
    this.#text += kept;
    this.#firstMs ??= Date.now() - this.#begunAt;
    this.#checkpointTimer ??= setTimeout(
      () => {
        this.#checkpointTimer = null;
        this.#save(this.#text);
      },
      CHECKPOINT_MS + Math.random() * CHECKPOINT_JITTER_MS,
    );
    // At most a burst's time, should the machine's clock have been set back meanwhile.
    const wait = Math.min(BURST_MS, this.#lastBurstAt + BURST_MS - Date.now());
    if (wait <= 0) this.#burst();
    else this.#burstTimer ??= setTimeout(() => this.#burst(), wait);
    return kept === added;
  }

  #burst(): void {
    if (this.#burstTimer !== null) clearTimeout(this.#burstTimer);
    this.#burstTimer = null;
    this.#lastBurstAt = Date.now();
    const events = buildDeltaEvents(this.#text, this.#told, this.head);
    this.#told = this.#text.length;
    this.followers.tell(events);
  }

  #clearTimers(): void {
    if (this.#burstTimer !== null) clearTimeout(this.#burstTimer);
    if (this.#checkpointTimer !== null) clearTimeout(this.#checkpointTimer);
    this.#burstTimer = null;
    this.#checkpointTimer = null;
  }
}
