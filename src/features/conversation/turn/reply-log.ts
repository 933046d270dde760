import type { RefusalRule } from '../../safety/moderation.ts';
import type { PointsStatus } from '../../wallet/contract.ts';
import type { Message, ReplyEvent } from '../contract.ts';
import type { TurnError } from './turn.ts';
import type { MessageSafety } from '../moderation/safety-contract.ts';

/**
 * A reply as a numbered event log. Numbers are positions in the text that the turn adds: a delta has the position at
 * which it ends, so a reader that saw number n is sent exactly the text after n, no matter how the text was split into
 * deltas for others. `accepted` is number 0; the final event is one above the last position. If a turn has events before
 * its text (its head), they take the numbers from 1, and all positions are shifted by their count. Thinking has the number
 * of the event before it; a reader who rejoins before the text is sent all of it again, after another `accepted`.
 */

export interface NumberedEvent {
  number: number;
  event: ReplyEvent;
}

export type ReplyEnd =
  | {
      kind: 'done';
      reply: Message;
      points: PointsStatus | null;
      contextStartId?: string | null;
      /** Whether the provider refused a longer prompt. */
      isShortened?: boolean;
    }
  | {
      kind: 'error';
      error: string;
      code: string;
      retryAfter?: number | undefined;
      reply: Message;
      rule?: RefusalRule | undefined;
      /** For a reply that is not stored: the token that lets its reader appeal against the rule. */
      appealToken?: string | undefined;
    };

/** Formats the `id:` line of an event: the turn id and the number within the turn. */
export function formatEventId(turnId: string, number: number): string {
  return `${turnId}:${number}`;
}

/** Parses a `Last-Event-ID`; null when it is absent, of another turn or malformed. */
export function readEventId(header: string | null | undefined, turnId: string): number | null {
  const match = /^([A-Za-z0-9_-]{1,64}):(\d{1,9})$/.exec(header ?? '');
  if (match === null || match[1] !== turnId) return null;
  return Number(match[2]);
}

/** The content type of a server-sent event stream. */
export const EVENT_STREAM_TYPE = 'text/event-stream; charset=utf-8';

/** Encodes an event for a server-sent event stream. */
export function encodeEvent(turnId: string, { number, event }: NumberedEvent): string {
  const { event: name, ...data } = event;
  return `id: ${formatEventId(turnId, number)}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/**
 * Returns a reply as it was before its first delta, for `accepted` live and in replays.
 * @param base the text before this turn; deltas are appended to it
 */
export function toAcceptedReply(reply: Message, base: string): Message {
  return { ...withContent(reply, base), status: 'streaming', error_code: undefined };
}

/** Returns a message with another text of its selected version. */
export function withContent(message: Message, content: string): Message {
  return {
    ...message,
    content,
    versions: message.versions.map((version) =>
      version.id === message.selected_version_id ? { ...version, content } : version,
    ),
  };
}

/**
 * Builds the `accepted` event for readers that have seen nothing yet.
 * @param newest whether the reply is the last message of the conversation
 */
export function buildAcceptedEvent(
  reply: Message,
  userMessage: Message | null,
  { base = '', newest = true }: { base?: string; newest?: boolean } = {},
): NumberedEvent {
  return {
    number: 0,
    event: {
      event: 'accepted',
      ...(userMessage === null ? {} : { user_message: userMessage }),
      reply: toAcceptedReply(reply, base),
      newest,
    },
  };
}

/** Converts the error of a turn for its final event. */
export const toErrorFields = ({ sentence: error, code, retryAfter }: TurnError) => ({
  error,
  code,
  retryAfter,
});

export function buildSafetyEvent(number: number, safety: MessageSafety): NumberedEvent {
  return { number, event: { event: 'safety', ...safety } };
}

/** The text from a position on as one delta; empty when there is none. @param head the length of the head */
export function buildDeltaEvents(text: string, from: number, head = 0): NumberedEvent[] {
  if (from >= text.length) return [];
  return [{ number: head + text.length, event: { event: 'delta', text: text.slice(from) } }];
}

/**
 * Thinking from a position on as one event; empty when there is none.
 * @param number of the event before it, because thinking has no numbers of its own
 */
export function buildThinkingEvents(thinking: string, from: number, number: number): NumberedEvent[] {
  if (from >= thinking.length) return [];
  return [{ number, event: { event: 'thinking', text: thinking.slice(from) } }];
}

/**
 * The number of the `accepted` event with which a reply begins again, above all numbers before. One number is left out, so
 * that a reader who saw the text before never has the number before this one.
 * @param head the length of the head so far
 * @param sent the length of the text that was sent
 */
export const getRestartNumber = (head: number, sent: number): number => head + sent + 2;

/**
 * The final events of a reply; a safety event precedes an error caused by a rule.
 * @param last the number of the text's end
 */
export function buildEndEvents(last: number, end: ReplyEnd): NumberedEvent[] {
  if (end.kind === 'done') {
    const { reply, points, contextStartId: start } = end;
    const contextStart = start === undefined ? {} : { context_start_id: start };
    const shortened = end.isShortened === true ? { context_shortened: true } : {};
    return [{ number: last + 1, event: { event: 'done', reply, points, ...contextStart, ...shortened } }];
  }
  const { error, code, reply, rule, appealToken: token, retryAfter: wait } = end;
  const waiting = wait === undefined ? {} : { retry_after: wait };
  const appeal = token === undefined ? {} : { appeal_token: token };
  const help = reply.safety?.helplines === undefined ? {} : { helplines: reply.safety.helplines };
  const why =
    rule === undefined ? [] : [buildSafetyEvent(last + 1, { kind: 'refused', rule, ...appeal, ...help })];
  return [
    ...why,
    { number: last + why.length + 1, event: { event: 'error', error, code, ...waiting, reply } },
  ];
}

/** The events of a refused message. It was not stored, so they contain no message. */
export function buildRefusalEvents(
  safety: readonly MessageSafety[],
  refusal: { error: string; code: string },
): NumberedEvent[] {
  const safetyEvents = safety.map((one, index) => buildSafetyEvent(index, one));
  return [...safetyEvents, { number: safetyEvents.length, event: { event: 'error', ...refusal } }];
}

/**
 * Returns the events that a reader who last saw `seen` (null: nothing) has missed, oldest first. Numbers beyond the text,
 * which only a made-up id contains, count as the text's end.
 */
export function getMissedEvents(input: {
  seen: number | null;
  text: string;
  accepted: NumberedEvent;
  /** The events of the head, numbered from 1. */
  before?: readonly NumberedEvent[];
  /** The length of the head, also when its events are not available any more. */
  head?: number;
  thinking?: string;
  end: ReplyEnd | null;
}): NumberedEvent[] {
  const { text, accepted, before = [], head = 0, thinking = '', end } = input;
  const seen = hasToRestart(input.seen, head, thinking) ? null : input.seen;
  const events = seen === null ? [accepted] : [];
  events.push(...before.filter(({ number }) => number > (seen ?? 0)));
  if (seen === null) events.push(...buildThinkingEvents(thinking, 0, head));
  events.push(...buildDeltaEvents(text, Math.max(0, (seen ?? 0) - head), head));
  if (end !== null) events.push(...buildEndEvents(head + text.length, end));
  return events;
}

/**
 * Whether a reader has to begin again: it saw a text that was thinking (`getRestartNumber`), or an unknown part of the
 * thinking before the text.
 */
function hasToRestart(seen: number | null, head: number, thinking: string): boolean {
  return seen !== null && (seen < head - 1 || (thinking !== '' && seen <= head));
}
