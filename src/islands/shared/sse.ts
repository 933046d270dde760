import { createParser } from 'eventsource-parser';
import type { ReplyEvent } from '../../features/conversation/contract.ts';
import type { FollowedEvent } from '../../features/conversation/messages/reply-view.ts';
import { browserClock, type Clock } from './clock.ts';

/** The server sends at least a comment every 15 s; two missed and some slack mean that nobody is there any more. */
export const MAX_SILENCE_MS = 40_000;

/** The events of a reply. It ends without `done` or `error` when the connection was lost: never by throwing. */
export interface ReplyStream extends AsyncIterable<FollowedEvent> {
  /** Milliseconds since anything at all arrived, a comment included. */
  quietForMs(): number;
  /** Lets go of the connection; the reply itself goes on at the server. */
  close(): void;
}

const KNOWN_EVENTS = new Set<string>([
  'accepted',
  'safety',
  'delta',
  'done',
  'error',
] satisfies ReplyEvent['event'][]);

/**
 * Reads a `text/event-stream` answer as reply events.
 *
 * A connection that stays silent for `silenceMs`, breaks, or carries something unreadable counts as lost, and the
 * iteration ends. Events of kinds that this reader does not know are passed over.
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
    // A connection that broke already refuses to be cancelled, which changes nothing.
    reader.cancel().catch(() => {});
  };

  async function* events(): AsyncGenerator<FollowedEvent> {
    const decoder = new TextDecoder();
    let parsed: FollowedEvent[] = [];
    const parser = createParser({
      onEvent: ({ event = '', id = '', data }) => {
        if (!KNOWN_EVENTS.has(event)) return;
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
      // Lost on the way or unreadable: the reader of the stream rejoins in both cases.
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
