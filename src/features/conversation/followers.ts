import { encodeEvent, type NumberedEvent } from './reply-log.ts';

const encoder = new TextEncoder();
/** The contract asks for a comment at least every 15 s; proxies close what is silent for 30. */
const KEEP_ALIVE_MS = 10_000;
const COMMENT = encoder.encode(': here\n\n');

/** Everyone who reads one reply as it is written. Losing any of them, or all, changes nothing. */
export class Followers {
  readonly #turnId: string;
  readonly #controllers = new Set<ReadableStreamDefaultController<Uint8Array>>();
  #keepAlive: ReturnType<typeof setInterval> | null = null;

  constructor(turnId: string) {
    this.#turnId = turnId;
  }

  get count(): number {
    return this.#controllers.size;
  }

  /** Opens a stream that begins with what its reader has missed and goes on with what comes. */
  open(missed: readonly NumberedEvent[]): ReadableStream<Uint8Array> {
    let own: ReadableStreamDefaultController<Uint8Array>;
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        own = controller;
        this.#controllers.add(controller);
        for (const event of missed) controller.enqueue(encoder.encode(encodeEvent(this.#turnId, event)));
        this.#keepAlive ??= setInterval(() => this.#send(COMMENT), KEEP_ALIVE_MS);
      },
      cancel: () => this.#drop(own),
    });
  }

  /** Sends events to all; they are encoded once. */
  tell(events: readonly NumberedEvent[]): void {
    if (this.#controllers.size === 0 || events.length === 0) return;
    this.#send(encoder.encode(events.map((event) => encodeEvent(this.#turnId, event)).join('')));
  }

  /** Ends every stream; nothing can be told afterwards. */
  close(): void {
    for (const controller of this.#controllers) {
      try {
        controller.close();
      } catch {
        // Its reader left in the same moment: there is nothing left to close.
      }
      this.#drop(controller);
    }
  }

  #send(bytes: Uint8Array): void {
    for (const controller of this.#controllers) {
      try {
        controller.enqueue(bytes);
      } catch {
        this.#drop(controller);
      }
    }
  }

  #drop(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controllers.delete(controller);
    if (this.#controllers.size === 0 && this.#keepAlive !== null) {
      clearInterval(this.#keepAlive);
      this.#keepAlive = null;
    }
  }
}

/** A finished reply as a stream for somebody who asks for it again. */
export function replay(turnId: string, events: readonly NumberedEvent[]): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      for (const event of events) controller.enqueue(encoder.encode(encodeEvent(turnId, event)));
      controller.close();
    },
  });
}
