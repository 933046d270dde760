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
import type { Turn } from './turn-store.ts';

/** What a reader of a turn is told, live or afterwards: all of it, or what they have missed. */
export class TurnTelling {
  readonly #messages: MessageStore;

  constructor(messages: MessageStore) {
    this.#messages = messages;
  }

  /** A reply that is being written, to one more reader. */
  join(running: RunningReply, turn: Turn, lastEventId: string | null): ReadableStream<Uint8Array> {
    const reply = this.#messages.findMessage(turn.replyId) as Message;
    return running.followers.open(
      getMissedEvents({
        seen: readEventId(lastEventId, turn.id),
        text: running.toldText,
        ...this.#beginning(turn, reply, running.base),
        end: null,
      }),
    );
  }

  /** What became of a turn that is over, as it stands now; null where its messages were deleted since. */
  after(turn: Turn, lastEventId: string | null): ReadableStream<Uint8Array> | null {
    const reply = this.#messages.findMessage(turn.replyId);
    if (reply === null || this.#isDeleted(turn.userMessageId)) return null;
    // Another version shows by now: it is told whole, as what it is.
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

  /** What is told before the text: what was accepted, and where help is, to somebody who may need it. */
  #beginning({ head, userMessageId }: Turn, reply: Message, base: string) {
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
