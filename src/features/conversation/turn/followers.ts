import { encodeEvent, type NumberedEvent } from './reply-log.ts';

const encoder = new TextEncoder();
/**
 * The HTTP contract (docs/api.md) promises a comment at least every 15 s; proxies close a connection after 30 s of
 * silence.
 */
const KEEP_ALIVE_MS = 10_000;
const COMMENT = encoder.encode(': here\n\n');

/**
 * Readers per reply, equal to the number of open tabs per conversation. A reader that has left is removed within seconds.
 */
export const MAX_FOLLOWERS = 32;

type Follower = WritableStreamDefaultWriter<Uint8Array>;

/**
 * The readers of one reply in progress. Losing any or all of them does not affect the reply. The streams are the
 * runtime's own pipes, which pass bytes on without running script for each reader.
 */
export class Followers {
  readonly #turnId: string;
  readonly #followers = new Set<Follower>();
  #keepAlive: ReturnType<typeof setInterval> | null = null;

  constructor(turnId: string) {
    this.#turnId = turnId;
  }

  /** Whether another reader may join. */
  get hasRoom(): boolean {
    return this.#followers.size < MAX_FOLLOWERS;
  }

  /** Opens a stream that starts with the events the reader has missed. */
  open(missed: readonly NumberedEvent[]): ReadableStream<Uint8Array> {
    const { readable, follower } = pipe();
    this.#followers.add(follower);
    follower.closed.catch(() => this.#drop(follower));
    this.#keepAlive ??= setInterval(() => this.#send(COMMENT), KEEP_ALIVE_MS);
    if (missed.length > 0) this.#write(follower, encode(this.#turnId, missed));
    return readable;
  }

  /** Sends events to all readers; they are encoded once. */
  publish(events: readonly NumberedEvent[]): void {
    if (this.#followers.size === 0 || events.length === 0) return;
    this.#send(encode(this.#turnId, events));
  }

  /** Ends every stream. */
  close(): void {
    for (const follower of this.#followers) {
      end(follower);
      this.#drop(follower);
    }
  }

  #send(bytes: Uint8Array): void {
    for (const follower of this.#followers) this.#write(follower, bytes);
  }

  /** Not awaited: a slow reader's bytes queue up, bounded by the length of a reply. */
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

/** Streams the events of a finished reply. */
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
  // A reader that leaves is detected by the next write; ignore the rejection until then.
  follower.closed.catch(() => {});
  return { readable, follower };
}

function end(follower: Follower): void {
  follower.close().catch(() => {});
}
