import { encodeEvent, type NumberedEvent } from './reply-log.ts';

const encoder = new TextEncoder();
/** The contract asks for a comment at least every 15 s; proxies close what is silent for 30. */
const KEEP_ALIVE_MS = 10_000;
const COMMENT = encoder.encode(': here\n\n');

/** Readers of one reply: as many as a conversation may have open tabs. One who has left is noticed within seconds. */
export const MAX_FOLLOWERS = 32;

type Follower = WritableStreamDefaultWriter<Uint8Array>;

/**
 * Everyone who reads one reply as it is written. Losing any of them, or all, changes nothing.
 * Streams are the runtime's own pipes, which pass bytes on without waking script for each reader.
 */
export class Followers {
  readonly #turnId: string;
  readonly #followers = new Set<Follower>();
  #keepAlive: ReturnType<typeof setInterval> | null = null;

  constructor(turnId: string) {
    this.#turnId = turnId;
  }

  /** Whether one more may read along. */
  get hasRoom(): boolean {
    return this.#followers.size < MAX_FOLLOWERS;
  }

  /** Opens a stream that begins with what its reader has missed and goes on with what comes. */
  open(missed: readonly NumberedEvent[]): ReadableStream<Uint8Array> {
    const { readable, follower } = pipe();
    this.#followers.add(follower);
    follower.closed.catch(() => this.#drop(follower));
    this.#keepAlive ??= setInterval(() => this.#send(COMMENT), KEEP_ALIVE_MS);
    if (missed.length > 0) this.#write(follower, encode(this.#turnId, missed));
    return readable;
  }

  /** Sends events to all; they are encoded once. */
  tell(events: readonly NumberedEvent[]): void {
    if (this.#followers.size === 0 || events.length === 0) return;
    this.#send(encode(this.#turnId, events));
  }

  /** Ends every stream; nothing can be told afterwards. */
  close(): void {
    for (const follower of this.#followers) {
      end(follower);
      this.#drop(follower);
    }
  }

  #send(bytes: Uint8Array): void {
    for (const follower of this.#followers) this.#write(follower, bytes);
  }

  /** Not waited for: a slow reader's bytes queue up, bounded by the length of a reply. */
  #write(follower: Follower, bytes: Uint8Array): void {
    follower.write(bytes).catch(() => this.#drop(follower));
  }

  #drop(follower: Follower): void {
    this.#followers.delete(follower);
    if (this.#followers.size === 0 && this.#keepAlive !== null) {
      clearInterval(this.#keepAlive);
      this.#keepAlive = null;
    }
  }
}

/** A finished reply as a stream for somebody who asks for it again. */
export function createReplayStream(
  turnId: string,
  events: readonly NumberedEvent[],
): ReadableStream<Uint8Array> {
  const { readable, follower } = pipe();
  follower.write(encode(turnId, events)).catch(() => {});
  end(follower);
  return readable;
}

function encode(turnId: string, events: readonly NumberedEvent[]): Uint8Array {
  return encoder.encode(events.map((event) => encodeEvent(turnId, event)).join(''));
}

function pipe(): { readable: ReadableStream<Uint8Array>; follower: Follower } {
  const { readable, writable } = new IdentityTransformStream();
  const follower = writable.getWriter();
  // A reader who leaves is noticed by the next write; until then it is nobody's error.
  follower.closed.catch(() => {});
  return { readable, follower };
}

function end(follower: Follower): void {
  follower.close().catch(() => {});
}
