import { createParser } from 'eventsource-parser';
import type { ReplyEvent } from '../../features/conversation/contract.ts';
import type { FollowedEvent } from '../../features/conversation/messages/reply-view.ts';
import { browserClock, type Clock } from './clock.ts';

/** Milliseconds. The server sends at least a comment every 15 s; after two missing ones the connection counts as dead. */
export const MAX_SILENCE_MS = 40_000;

/** The events of a reply. Never throws: without a final `done` or `error` the connection was lost. */
export interface ReplyStream extends AsyncIterable<FollowedEvent> {
  /** Milliseconds since any data arrived, comments included. */
  quietForMs(): number;
  /** Closes the connection; the server continues to write the reply. */
  close(): void;
}

/** A record, because the type checker reports an event that is missing in it. */
const KNOWN_EVENTS: Record<ReplyEvent['event'], true> = {
  accepted: true,
  safety: true,
  delta: true,
  thinking: true,
  done: true,
  error: true,
};

/**
 * Reads a `text/event-stream` response as reply events.
 * A connection that is silent for `silenceMs`, breaks or sends unreadable data counts as lost, and the iteration ends.
 * Unknown event types are skipped.
 */
export function readReplyStream(
  body: ReadableStream<Uint8Array>,
  { silenceMs = MAX_SILENCE_MS, clock = browserClock }: { silenceMs?: number; clock?: Clock } = {},
): ReplyStream {
  const reader = body.getReader();
  let lastChunkAt = clock.now();
  let closed = false;
  const close = () => {
    if (closed) return;
    closed = true;
    // Cancelling a broken connection rejects, which does not matter.
    reader.cancel().catch(() => {});
  };

  async function* events(): AsyncGenerator<FollowedEvent> {
    const decoder = new TextDecoder();
    let parsed: FollowedEvent[] = [];
    const parser = createParser({
      onEvent: ({ event = '', id = '', data }) => {
        if (!Object.hasOwn(KNOWN_EVENTS, event)) return;
        parsed.push({ id, event: { ...JSON.parse(data), event } as ReplyEvent });
      },
    });
    try {
      for (;;) {
        const chunk = await withSilenceTimeout(reader.read(), silenceMs, clock);
        if (chunk === 'silent' || chunk.done || closed) return;
        lastChunkAt = clock.now();
        parser.feed(decoder.decode(chunk.value, { stream: true }));
        const ready = parsed;
        parsed = [];
        yield* ready;
      }
    } catch {
      // Lost or unreadable: the caller rejoins in both cases.
      return;
    } finally {
      close();
    }
  }

  return { [Symbol.asyncIterator]: events, quietForMs: () => clock.now() - lastChunkAt, close };
}

function withSilenceTimeout<T>(work: Promise<T>, silenceMs: number, clock: Clock): Promise<T | 'silent'> {
  return new Promise((resolve, reject) => {
    const cancelTimer = clock.after(silenceMs, () => resolve('silent'));
    work.then(
      (value) => {
        cancelTimer();
        resolve(value);
      },
      (reason: unknown) => {
        cancelTimer();
        reject(reason);
      },
    );
  });
}
