import type { Message, MessageVersion, ReplyEvent, ReplyRating } from '../contract.ts';

/**
 * A message in the client's view: stored, being sent, or not sent. `key` stays the same when a sent message becomes a
 * stored one, so that its DOM element is kept.
 */
export interface ViewMessage extends Message {
  key: string;
  /** `pending`: being sent. `waiting`: will be sent when the network is back. `unsent`: the user has to retry. */
  delivery: 'stored' | 'pending' | 'waiting' | 'unsent';
  /** What the model thought, in the events received so far. */
  thinking?: string;
}

/** The reply that the client receives events for. */
export interface FollowedTurn {
  id: string;
  replyId: string;
  /** The highest event number since the latest `accepted`. */
  lastNumber: number;
  /** The text before the turn began; only a continued reply has one. */
  base: string;
  /** All deltas since the latest `accepted`, joined. */
  text: string;
  ended: boolean;
}

/** The client's view of a conversation, oldest message first. */
export interface ReplyView {
  messages: readonly ViewMessage[];
  turn: FollowedTurn | null;
  /** Sent as `Last-Event-ID` when reconnecting; null before the first event. */
  lastEventId: string | null;
}

/** An event and its id, `turn:number`. */
export interface FollowedEvent {
  id: string;
  event: ReplyEvent;
}

/** Creates the view of a stored history, oldest message first. */
export function createReplyView(messages: readonly Message[]): ReplyView {
  return { messages: messages.map(toStoredMessage), turn: null, lastEventId: null };
}

/** Whether the view has a stored message that the user has sent, which the lines of a scene are not. */
export const hasSentMessage = ({ messages }: ReplyView): boolean =>
  messages.some(
    ({ role, delivery, client_message_id: turnId }) =>
      role === 'user' && delivery === 'stored' && turnId !== undefined,
  );

/** Counts the replies in the view that a model has written to the end. */
export const countReplies = ({ messages }: ReplyView): number =>
  messages.filter(
    ({ role, status, versions }) =>
      role === 'character' && status === 'complete' && versions.some(({ model }) => model !== null),
  ).length;

/** Adds a page of earlier messages (oldest first); messages already in the view are not duplicated. */
export function withEarlier(view: ReplyView, earlier: readonly Message[]): ReplyView {
  const shown = new Set(view.messages.map((message) => message.id));
  const added = earlier.filter((message) => !shown.has(message.id)).map(toStoredMessage);
  return { ...view, messages: [...added, ...view.messages] };
}

/** Adds a page of later messages (oldest first); messages already in the view are not duplicated. */
export function withLater(view: ReplyView, later: readonly Message[]): ReplyView {
  const shown = new Set(view.messages.map((message) => message.id));
  const added = later.filter((message) => !shown.has(message.id)).map(toStoredMessage);
  return { ...view, messages: insertAtEnd(view.messages, ...added) };
}

/** Replaces a message by its current state from the server; a message that is not in the view is not added. */
export function withChanged(view: ReplyView, changed: Message): ReplyView {
  return withFollowed(
    {
      ...view,
      messages: view.messages.map((message) =>
        message.id === changed.id ? { ...toStoredMessage(changed), key: message.key } : message,
      ),
    },
    view,
  );
}

/** Shows what the user thinks of a version; null shows that they have not said. */
export function withRating(
  view: ReplyView,
  messageId: string,
  versionId: string,
  rating: ReplyRating | null,
): ReplyView {
  const rate = (version: MessageVersion): MessageVersion => {
    const rated = { ...version };
    if (rating === null) delete rated.rating;
    else rated.rating = rating;
    return rated;
  };
  return {
    ...view,
    messages: view.messages.map((message) =>
      message.id === messageId
        ? {
            ...message,
            versions: message.versions.map((version) => (version.id === versionId ? rate(version) : version)),
          }
        : message,
    ),
  };
}

/** Continues the followed reply of the second view in the first one and keeps the text received so far. */
export function withFollowed(view: ReplyView, { turn, lastEventId }: ReplyView): ReplyView {
  const messages =
    turn && !turn.ended
      ? view.messages.map((message) =>
          message.id === turn.replyId && message.status === 'streaming'
            ? { ...message, content: pickLonger(message.content, turn.base + turn.text) }
            : message,
        )
      : view.messages;
  return { messages, turn, lastEventId };
}

/** Removes a message and all stored ones after it, because they were deleted. */
export function removeTail(view: ReplyView, messageId: string): ReplyView {
  const from = view.messages.findIndex((message) => message.id === messageId);
  if (from === -1) return view;
  return {
    ...view,
    messages: view.messages.filter((message, index) => index < from || message.delivery !== 'stored'),
  };
}

/**
 * Replaces the newest page of the history (oldest first). Earlier pages stay if the new page overlaps them, messages keep
 * their keys, and unsent messages stay at the end.
 * @returns the view, and whether it still has the earlier pages
 */
export function withNewest(
  view: ReplyView,
  newest: readonly Message[],
): { view: ReplyView; isContiguous: boolean } {
  const keys = new Map(view.messages.map((message) => [message.id, message.key]));
  const meeting = view.messages.findIndex((message) => message.id === newest[0]?.id);
  const earlier = meeting > 0 ? view.messages.slice(0, meeting) : [];
  const page = newest.map((message) => ({
    ...toStoredMessage(message),
    key: keys.get(message.id) ?? message.id,
  }));
  const waiting = view.messages.filter((message) => message.delivery !== 'stored');
  return {
    view: { messages: [...earlier, ...page, ...waiting], turn: null, lastEventId: null },
    isContiguous: meeting >= 0,
  };
}

/**
 * Adds a message that is being sent: as the last one, or in its old place if it was waiting. A retry of the same turn
 * replaces the same message.
 * @param turnId the client's id of the turn
 * @param at UTC ISO 8601
 */
export function withPending(view: ReplyView, turnId: string, content: string, at: string): ReplyView {
  const pending: ViewMessage = {
    key: turnId,
    delivery: 'pending',
    id: turnId,
    role: 'user',
    content,
    created_at: at,
    edited: false,
    pinned: false,
    status: 'complete',
    versions: [],
    selected_version_id: '',
  };
  const shown = view.messages.find((message) => message.key === turnId);
  // Waiting messages are sent one after another, so this one keeps its place among them.
  const messages =
    shown?.delivery === 'waiting'
      ? view.messages.map((message) => (message === shown ? pending : message))
      : [...view.messages.filter((message) => message !== shown), pending];
  return { ...view, messages };
}

/**
 * Marks a message as not sent, so that it can be retried.
 * @param delivery `waiting` when it will be retried automatically
 */
export function withUnsent(
  view: ReplyView,
  turnId: string,
  delivery: 'unsent' | 'waiting' = 'unsent',
): ReplyView {
  return {
    ...view,
    messages: view.messages.map((message) =>
      message.key === turnId && message.delivery !== 'stored' ? { ...message, delivery } : message,
    ),
  };
}

/** Removes a message that was never stored, because it was refused or the user discarded it. */
export function removeUnsent(view: ReplyView, turnId: string): ReplyView {
  return {
    ...view,
    messages: view.messages.filter((message) => message.key !== turnId || message.delivery === 'stored'),
  };
}

/**
 * Applies one event of a reply. Live and replayed events are handled alike: a replay, whole or from any event on, results
 * in the same text as the live reply.
 *
 * `accepted` inserts the stored messages and restarts the reply's text; text already in the view stays until the replay
 * has caught up with it. A `delta` counts only when its number is above the last one seen. After `done` or `error`, no
 * event of that turn changes the view.
 *
 * A message that is not in the view is only added at the end, when it is the newest and the view reaches the end; its
 * place is unknown otherwise.
 * @param showsEnd whether the view contains the newest messages
 */
export function applyReplyEvent(view: ReplyView, followed: FollowedEvent, showsEnd = true): ReplyView {
  const { id, event } = followed;
  const { turnId, number } = parseEventId(id);
  const current = view.turn?.id === turnId ? view.turn : null;
  if (current?.ended) return view;
  switch (event.event) {
    case 'accepted':
      return applyAccepted(view, id, event, showsEnd && event.newest !== false);
    case 'safety':
      // The stored messages already contain the safety notice.
      return current === null || number <= current.lastNumber
        ? view
        : { ...view, turn: { ...current, lastNumber: number }, lastEventId: id };
    case 'delta': {
      if (!current || number <= current.lastNumber) return view;
      const text = current.text + event.text;
      return {
        turn: { ...current, lastNumber: number, text },
        lastEventId: id,
        messages: view.messages.map((message) =>
          message.id === current.replyId && message.status === 'streaming'
            ? { ...message, content: pickLonger(message.content, current.base + text) }
            : message,
        ),
      };
    }
    case 'thinking':
      return current === null ? view : applyThinking(view, current.replyId, event.text);
    case 'done':
      return applyFinal(view, turnId, number, id, event.reply);
    case 'error': {
      if (event.reply) return applyFinal(view, turnId, number, id, event.reply);
      if (!current) return { ...withUnsent(view, turnId), lastEventId: id };
      const failed = view.messages.map((message) =>
        message.id === current.replyId && message.status === 'streaming'
          ? { ...message, status: 'failed' as const, error_code: event.code }
          : message,
      );
      return { messages: failed, turn: { ...current, lastNumber: number, ended: true }, lastEventId: id };
    }
  }
}

function applyAccepted(
  view: ReplyView,
  eventId: string,
  { user_message: userMessage, reply }: Extract<ReplyEvent, { event: 'accepted' }>,
  standsAtEnd: boolean,
): ReplyView {
  const { turnId, number } = parseEventId(eventId);
  const shownReply = view.messages.find((message) => message.id === reply.id);
  // A later `accepted` begins the reply again, because its text so far was thinking.
  const isContinued =
    number === 0 &&
    shownReply?.status === 'streaming' &&
    shownReply.selected_version_id === reply.selected_version_id;
  const streaming: ViewMessage = {
    ...reply,
    key: shownReply?.key ?? getReplyKey(turnId),
    delivery: 'stored',
    status: 'streaming',
    content: isContinued ? shownReply.content : reply.content,
  };
  let messages = view.messages;
  if (userMessage) {
    // The stored message replaces the pending one. The view may already have it from the history.
    messages = messages.filter((message) => message.key !== turnId || message.delivery === 'stored');
    // A stored message in the view may be newer than this event (edited since), so take only the safety notice from the
    // event, and only if the version is the same.
    if (messages.some(({ id }) => id === userMessage.id)) messages = messages.map(withSafety(userMessage));
    else messages = placeMessage(messages, { ...toStoredMessage(userMessage), key: turnId }, standsAtEnd);
  }
  if (!isFinished(shownReply, [reply.selected_version_id]))
    messages = placeMessage(messages, streaming, standsAtEnd);
  return {
    messages,
    turn: {
      id: turnId,
      replyId: reply.id,
      lastNumber: number,
      base: reply.content,
      text: '',
      ended: false,
    },
    lastEventId: eventId,
  };
}

const withSafety =
  ({ id, selected_version_id: version, safety }: Message) =>
  (shown: ViewMessage): ViewMessage =>
    safety === undefined ||
    shown.id !== id ||
    shown.selected_version_id !== version ||
    shown.safety !== undefined
      ? shown
      : { ...shown, safety };

function applyThinking(view: ReplyView, replyId: string, text: string): ReplyView {
  const messages = view.messages.map((message) =>
    message.id === replyId && message.status === 'streaming'
      ? { ...message, thinking: (message.thinking ?? '') + text }
      : message,
  );
  return { ...view, messages };
}

function applyFinal(
  view: ReplyView,
  turnId: string,
  number: number,
  eventId: string,
  reply: Message,
): ReplyView {
  const shown = view.messages.find((message) => message.id === reply.id);
  const isSame = shown?.selected_version_id === reply.selected_version_id;
  const final: ViewMessage = {
    ...toStoredMessage(reply),
    key: shown?.key ?? getReplyKey(turnId),
    ...(isSame && shown.thinking !== undefined ? { thinking: shown.thinking } : {}),
  };
  const versionIds = [reply.selected_version_id, ...reply.versions.map((version) => version.id)];
  return {
    messages: isFinished(shown, versionIds) ? view.messages : placeMessage(view.messages, final, false),
    turn: { id: turnId, replyId: reply.id, lastNumber: number, base: '', text: reply.content, ended: true },
    lastEventId: eventId,
  };
}

/** Whether the view has all of these versions finished, so that the event contains nothing new. */
function isFinished(shown: ViewMessage | undefined, versionIds: readonly string[]): boolean {
  if (!shown || shown.status === 'streaming') return false;
  return versionIds.every((id) => shown.versions.some((version) => version.id === id));
}

/** Replaces a message by key or id, or appends it if it belongs at the end. */
function placeMessage(
  messages: readonly ViewMessage[],
  message: ViewMessage,
  standsAtEnd: boolean,
): readonly ViewMessage[] {
  const at = messages.findIndex((other) => other.key === message.key || other.id === message.id);
  if (at < 0) return standsAtEnd ? insertAtEnd(messages, message) : messages;
  return messages.map((other, index) => (index === at ? { ...message, key: other.key } : other));
}

/** Inserts messages after all stored ones and before unsent ones. */
function insertAtEnd(
  messages: readonly ViewMessage[],
  ...added: readonly ViewMessage[]
): readonly ViewMessage[] {
  const waiting = messages.findIndex(({ delivery }) => delivery !== 'stored');
  const at = waiting === -1 ? messages.length : waiting;
  return [...messages.slice(0, at), ...added, ...messages.slice(at)];
}

function toStoredMessage(message: Message): ViewMessage {
  return { ...message, key: message.id, delivery: 'stored' };
}

/** The key of a turn's reply, which is known before the reply has an id. */
export function getReplyKey(turnId: string): string {
  return `${turnId}:reply`;
}

/** Keeps the longer text while a replay catches up, so that the text never shrinks and grows again. */
function pickLonger(shown: string, replayed: string): string {
  return shown.length > replayed.length && shown.startsWith(replayed) ? shown : replayed;
}

function parseEventId(id: string): { turnId: string; number: number } {
  const colon = id.lastIndexOf(':');
  const number = Number(id.slice(colon + 1));
  return { turnId: id.slice(0, Math.max(colon, 0)), number: Number.isFinite(number) ? number : 0 };
}
