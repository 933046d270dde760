import type { Message } from '../contract.ts';
import { createReplayStream } from './followers.ts';
import type { MessageStore } from '../messages/message-store.ts';
import {
  buildAcceptedEvent,
  getMissedEvents,
  type NumberedEvent,
  readEventId,
  type ReplyEnd,
  buildSafetyEvent,
} from './reply-log.ts';
import type { RunningReply } from './running-reply.ts';
import { getErrorMessage } from './turn.ts';
import type { OpenTurn, Turn } from './turn-store.ts';

/** Builds the event streams of a turn's readers, live or after its end: all events, or those that they have missed. */
export class TurnStreams {
  readonly #messages: MessageStore;

  constructor(messages: MessageStore) {
    this.#messages = messages;
  }

  /** Adds a reader to a reply in progress. */
  join(running: RunningReply, turn: OpenTurn, lastEventId: string | null): ReadableStream<Uint8Array> {
    const reply = this.#messages.findMessage(turn.replyId) as Message;
    return running.followers.open(
      getMissedEvents({
        seen: readEventId(lastEventId, turn.id),
        text: running.sentText,
        ...this.#beginning(turn, reply, running.base),
        end: null,
      }),
    );
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
      ...this.#beginning(turn, reply, base),
      end,
    });
    return createReplayStream(turn.id, missed);
  }

  /** The events before the text: `accepted`, and crisis help if the message showed a crisis. */
  #beginning({ head, userMessageId }: Pick<Turn, 'head' | 'userMessageId'>, reply: Message, base: string) {
    const sent = userMessageId === null ? null : this.#messages.findMessage(userMessageId);
    const safety = head === 0 ? undefined : sent?.safety;
    const before: NumberedEvent[] = safety === undefined ? [] : [buildSafetyEvent(head, safety)];
    const newest = this.#messages.isNewest(reply.id);
    return { accepted: buildAcceptedEvent(reply, sent, { base, newest }), before, head };
  }

  #isDeleted(messageId: string | null): boolean {
    return messageId !== null && this.#messages.findMessage(messageId) === null;
  }
}
