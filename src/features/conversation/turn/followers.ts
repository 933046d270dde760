import {
  encodeEvent,
  type NumberedEvent,
  buildAcceptedEvent,
  getMissedEvents,
  readEventId,
  type ReplyEnd,
  buildSafetyEvent,
} from './reply-log.ts';
import type { FindActiveSessions } from '../access/active-sessions-store.ts';
import type { Message } from '../contract.ts';
import type { MessageStore } from '../messages/message-store.ts';
import type { RunningReply } from './running-reply.ts';
import { getErrorMessage } from './turn.ts';
import type { OpenTurn, Turn } from './turn-store.ts';

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

/** Who reads a reply in progress. */
export interface ReplyReader {
  /** The last event that the reader has received; null for all of them. */
  lastEventId: string | null;
  /** The public id of the reader's session. */
  session: string;
}

/**
 * The readers of one reply in progress. Losing any or all of them does not affect the reply. The streams are the
 * runtime's own pipes, which pass bytes on without running script for each reader.
 *
 * A stream ends with the session of its reader: at once where the session is ended in a way that closes its connections,
 * otherwise at the next keep-alive, before which the readers' sessions are read again.
 */
export class Followers {
  readonly #turnId: string;
  readonly #findActive: FindActiveSessions;
  /** Each with the public id of its reader's session. */
  readonly #followers = new Map<Follower, string>();
  #keepAlive: ReturnType<typeof setInterval> | null = null;

  constructor(turnId: string, findActive: FindActiveSessions) {
    this.#turnId = turnId;
    this.#findActive = findActive;
  }

  /** Whether another reader may join. */
  get hasRoom(): boolean {
    return this.#followers.size < MAX_FOLLOWERS;
  }

  /**
   * Opens a stream that starts with the events the reader has missed.
   * @param session the public id of the reader's session
   */
  open(missed: readonly NumberedEvent[], session: string): ReadableStream<Uint8Array> {
    const { readable, follower } = pipe();
    this.#followers.set(follower, session);
    follower.closed.catch(() => this.#drop(follower));
    this.#keepAlive ??= setInterval(() => void this.#keepActive(), KEEP_ALIVE_MS);
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
    this.#closeWhere(() => true);
  }

  /** Ends the streams of a session that has ended. @param session its public id */
  closeSession(session: string): void {
    this.#closeWhere((own) => own === session);
  }

  #closeWhere(isOver: (session: string) => boolean): void {
    for (const [follower, session] of this.#followers) {
      if (!isOver(session)) continue;
      end(follower);
      this.#drop(follower);
    }
  }

  /** Ends the streams of sessions that are over, and sends the others a comment. */
  async #keepActive(): Promise<void> {
    this.#send(COMMENT);
    const known = new Set(this.#followers.values());
    try {
      const active = await this.#findActive([...known]);
      // Readers that joined during the check were just verified.
      this.#closeWhere((session) => known.has(session) && !active.has(session));
    } catch {
      // Without D1 no reader could rejoin the reply. The next comment asks again.
    }
  }

  #send(bytes: Uint8Array): void {
    for (const follower of this.#followers.keys()) this.#write(follower, bytes);
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

/** Builds the event streams of a turn's readers, live or after its end: all events, or those that they have missed. */
export class TurnStreams {
  readonly #messages: MessageStore;

  constructor(messages: MessageStore) {
    this.#messages = messages;
  }

  /** Adds a reader to a reply in progress. */
  join(
    running: RunningReply,
    turn: OpenTurn,
    { lastEventId, session }: ReplyReader,
  ): ReadableStream<Uint8Array> {
    const reply = this.#messages.findMessage(turn.replyId) as Message;
    const missed = getMissedEvents({
      seen: readEventId(lastEventId, turn.id),
      text: running.sentText,
      thinking: running.sentThinking,
      ...this.#beginning(turn, reply, running.base),
      head: running.head,
      end: null,
    });
    return running.followers.open(missed, session);
  }

  /** Builds the event with which a reply in progress begins again. */
  buildAccepted(turn: OpenTurn, base: string): NumberedEvent {
    const reply = this.#messages.findMessage(turn.replyId) as Message;
    return this.#beginning(turn, reply, base).accepted;
  }

  /** Replays a finished turn in its current state; null when its messages were deleted since. */
  after(turn: Turn, lastEventId: string | null): ReadableStream<Uint8Array> | null {
    const reply = this.#messages.findMessage(turn.replyId);
    if (reply === null || this.#isDeleted(turn.userMessageId)) return null;
    // If another version is selected now, send it completely.
    const shows = reply.selected_version_id === turn.versionId;
    const code = shows || reply.content === '' ? turn.errorCode : null;
    const rule = reply.safety?.kind === 'refused' ? reply.safety.rule : undefined;
    const end: ReplyEnd =
      code === null
        ? { kind: 'done', reply, points: null }
        : { kind: 'error', error: getErrorMessage(code, rule), code, reply, rule };
    const base = shows ? reply.content.slice(0, turn.baseLength) : '';
    const missed = getMissedEvents({
      seen: shows ? readEventId(lastEventId, turn.id) : null,
      text: reply.content.slice(base.length),
      thinking: (shows && this.#messages.findThinking(turn.replyId)) || '',
      ...this.#beginning(turn, reply, base),
      end,
    });
    return createReplayStream(turn.id, missed);
  }

  /** The events before the text: `accepted`, and crisis help if the message showed a crisis. */
  #beginning({ head, userMessageId }: Pick<Turn, 'head' | 'userMessageId'>, reply: Message, base: string) {
    const sent = userMessageId === null ? null : this.#messages.findMessage(userMessageId);
    const safety = head === 0 ? undefined : sent?.safety;
    const before: NumberedEvent[] = safety === undefined ? [] : [buildSafetyEvent(1, safety)];
    const newest = this.#messages.isNewest(reply.id);
    return { accepted: buildAcceptedEvent(reply, sent, { base, newest }), before, head };
  }

  #isDeleted(messageId: string | null): boolean {
    return messageId !== null && this.#messages.findMessage(messageId) === null;
  }
}
