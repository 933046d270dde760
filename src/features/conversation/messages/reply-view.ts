import type { Message, ReplyEvent } from '../contract.ts';

/**
 * A message as its reader sees it: stored, on its way to the server, or not sent.
 * `key` stays the same when a message on its way becomes a stored one, so that its element stays too.
 */
export interface ViewMessage extends Message {
  key: string;
  /** `pending`: on its way. `waiting`: goes out by itself when the network is back. `unsent`: it needs a hand. */
  delivery: 'stored' | 'pending' | 'waiting' | 'unsent';
}

/** The reply that events were last received for. */
export interface FollowedTurn {
  id: string;
  replyId: string;
  /** The highest event number seen since the latest `accepted`. */
  lastNumber: number;
  /** What stood in the reply already when the turn began: a continued reply's text. */
  base: string;
  /** All deltas since the latest `accepted`, joined. */
  text: string;
  ended: boolean;
}

/** What the reader of a conversation sees, oldest message first. */
export interface ReplyView {
  messages: readonly ViewMessage[];
  turn: FollowedTurn | null;
  /** What a broken connection sends as `Last-Event-ID`; null before the first event. */
  lastEventId: string | null;
}

/** An event and its id, `turn:number`. */
export interface FollowedEvent {
  id: string;
  event: ReplyEvent;
}

/** The view of a stored history, oldest message first. */
export function createReplyView(messages: readonly Message[]): ReplyView {
  return { messages: messages.map(toStoredMessage), turn: null, lastEventId: null };
}

/** Puts a page of earlier messages (oldest first) before what is shown; messages shown already are not doubled. */
export function withEarlier(view: ReplyView, earlier: readonly Message[]): ReplyView {
  const shown = new Set(view.messages.map((message) => message.id));
  const added = earlier.filter((message) => !shown.has(message.id)).map(toStoredMessage);
  return { ...view, messages: [...added, ...view.messages] };
}

/** Puts a page of later messages (oldest first) after what is shown; messages shown already are not doubled. */
export function withLater(view: ReplyView, later: readonly Message[]): ReplyView {
  const shown = new Set(view.messages.map((message) => message.id));
  const added = later.filter((message) => !shown.has(message.id)).map(toStoredMessage);
  return { ...view, messages: insertAtEnd(view.messages, ...added) };
}

/** Puts a message as the server has it now in the place of its earlier state; one that is not shown stays so. */
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

/** Has another view go on with the reply that is followed in this one: what was read of it already stays. */
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

/** Takes a message and all stored ones after it out of the view: they were deleted. */
export function removeTail(view: ReplyView, messageId: string): ReplyView {
  const from = view.messages.findIndex((message) => message.id === messageId);
  if (from === -1) return view;
  return {
    ...view,
    messages: view.messages.filter((message, index) => index < from || message.delivery !== 'stored'),
  };
}

/**
 * Puts the newest page of the history (oldest first) in place of what is shown of it. Earlier pages stay where the two
 * meet, messages keep their keys, and what was not sent stays at the end.
 * @returns the view, and whether it still reaches back as far as before
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
 * Shows a message that is on its way, as the last one, or where it waited. The same turn again (a retry) is the same
 * message.
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
  // What waits is sent one after the other: whatever becomes of it, it keeps its place.
  const messages =
    shown?.delivery === 'waiting'
      ? view.messages.map((message) => (message === shown ? pending : message))
      : [...view.messages.filter((message) => message !== shown), pending];
  return { ...view, messages };
}

/**
 * Marks a message that was on its way as not sent: it can be tried again.
 * @param delivery `waiting` when it will be, by itself
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

/** Takes a message that was never stored out of the view: it was refused, or its writer gave it up. */
export function removeUnsent(view: ReplyView, turnId: string): ReplyView {
  return {
    ...view,
    messages: view.messages.filter((message) => message.key !== turnId || message.delivery === 'stored'),
  };
}

/**
 * Draws one event of a reply. Live and replayed events go through here alike, and a replay, whole or from any point,
 * leaves the same text as the live reply.
 *
 * `accepted` puts the stored messages in place and starts counting the reply's text anew; a text shown already stays
 * until the replay has caught up with it. A `delta` counts only when its number is above the last one seen.
 * `done` and `error` are final: nothing of that turn changes the view afterwards.
 *
 * A message that is not shown is put in only where its place is known: at the end, if that is where it stands and what
 * is shown reaches there. Of any other nothing shows.
 * @param showsEnd whether the newest messages are shown
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
      // What it says stands with the messages themselves.
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
  const isContinued =
    shownReply?.status === 'streaming' && shownReply.selected_version_id === reply.selected_version_id;
  const streaming: ViewMessage = {
    ...reply,
    key: shownReply?.key ?? getReplyKey(turnId),
    delivery: 'stored',
    status: 'streaming',
    content: isContinued ? shownReply.content : reply.content,
  };
  let messages = view.messages;
  if (userMessage) {
    // What was on its way gives way to the stored message, which the history may have brought already.
    messages = messages.filter((message) => message.key !== turnId || message.delivery === 'stored');
    // One that is shown as stored already may have been edited since this was said: of the same text, it may be said anew
    // where help is.
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

function applyFinal(
  view: ReplyView,
  turnId: string,
  number: number,
  eventId: string,
  reply: Message,
): ReplyView {
  const shown = view.messages.find((message) => message.id === reply.id);
  const final: ViewMessage = { ...toStoredMessage(reply), key: shown?.key ?? getReplyKey(turnId) };
  const versionIds = [reply.selected_version_id, ...reply.versions.map((version) => version.id)];
  return {
    messages: isFinished(shown, versionIds) ? view.messages : placeMessage(view.messages, final, false),
    turn: { id: turnId, replyId: reply.id, lastNumber: number, base: '', text: reply.content, ended: true },
    lastEventId: eventId,
  };
}

/** Whether a reply is shown with these versions and is not being written: no event of theirs says anything newer. */
function isFinished(shown: ViewMessage | undefined, versionIds: readonly string[]): boolean {
  if (!shown || shown.status === 'streaming') return false;
  return versionIds.every((id) => shown.versions.some((version) => version.id === id));
}

/** Puts a message where its own earlier state stands (by key or id), or at the end if it stands there. */
function placeMessage(
  messages: readonly ViewMessage[],
  message: ViewMessage,
  standsAtEnd: boolean,
): readonly ViewMessage[] {
  const at = messages.findIndex((other) => other.key === message.key || other.id === message.id);
  if (at < 0) return standsAtEnd ? insertAtEnd(messages, message) : messages;
  return messages.map((other, index) => (index === at ? { ...message, key: other.key } : other));
}

/** Puts messages after all that are stored: what is on its way comes after them. */
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

/** The key of the reply to a turn, also before the reply has an id. */
export function getReplyKey(turnId: string): string {
  return `${turnId}:reply`;
}

/** While a replay catches up with a text shown already, the text shown stays; it never shrinks and grows again. */
function pickLonger(shown: string, replayed: string): string {
  return shown.length > replayed.length && shown.startsWith(replayed) ? shown : replayed;
}

function parseEventId(id: string): { turnId: string; number: number } {
  const colon = id.lastIndexOf(':');
  const number = Number(id.slice(colon + 1));
  return { turnId: id.slice(0, Math.max(colon, 0)), number: Number.isFinite(number) ? number : 0 };
}
