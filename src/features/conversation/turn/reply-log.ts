import type { RefusalRule } from '../../safety/moderation.ts';
import type { PointsStatus } from '../../wallet/contract.ts';
import type { Message, ReplyEvent } from '../contract.ts';
import type { MessageSafety } from '../moderation/safety-contract.ts';

/**
 * A reply as a numbered event log. Numbers are positions in the text that the turn adds: a delta has the position at
 * which it ends, so a reader that saw number n is sent exactly the text after n, no matter how the text was split into
 * deltas for others. `accepted` is number 0; the final event is one above the last position. If a turn has events before
 * its text (its head), they take the numbers from 1, and all positions are shifted by their count.
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

export function buildSafetyEvent(number: number, safety: MessageSafety): NumberedEvent {
  return { number, event: { event: 'safety', ...safety } };
}

/** The text from a position on as one delta; empty when there is none. @param head the length of the head */
export function buildDeltaEvents(text: string, from: number, head = 0): NumberedEvent[] {
  if (from >= text.length) return [];
  return [{ number: head + text.length, event: { event: 'delta', text: text.slice(from) } }];
}

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
  const { error, code, reply, rule, appealToken: token } = end;
  const appeal = token === undefined ? {} : { appeal_token: token };
  const help = reply.safety?.helplines === undefined ? {} : { helplines: reply.safety.helplines };
  const why =
    rule === undefined ? [] : [buildSafetyEvent(last + 1, { kind: 'refused', rule, ...appeal, ...help })];
  return [...why, { number: last + why.length + 1, event: { event: 'error', error, code, reply } }];
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
  end: ReplyEnd | null;
}): NumberedEvent[] {
  const { seen, text, accepted, before = [], head = 0, end } = input;
  const events = seen === null ? [accepted] : [];
  events.push(...before.filter(({ number }) => number > (seen ?? 0)));
  events.push(...buildDeltaEvents(text, Math.max(0, (seen ?? 0) - head), head));
  if (end !== null) events.push(...buildEndEvents(head + text.length, end));
  return events;
}
