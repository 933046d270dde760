import type { Message, ReplyEvent } from './contract.ts';
import type { PointsStatus } from '../wallet/contract.ts';

/**
 * A reply as a numbered log. Numbers are positions in the text that the turn adds: a delta carries the position at
 * which it ends, so a reader who saw number n is sent exactly the text after n, by whatever bursts
 * others received it. `accepted` is number 0; what ends the reply is one above its last position.
 */

export interface NumberedEvent {
  number: number;
  event: ReplyEvent;
}

export type ReplyEnd =
  | { kind: 'done'; reply: Message; points: PointsStatus | null; contextStartId?: string | null }
  | { kind: 'error'; error: string; code: string; reply: Message };

/** The `id:` line of an event: which turn, and the number in it. */
export function eventId(turnId: string, number: number): string {
  return `${turnId}:${number}`;
}

/** Reads a `Last-Event-ID`; null when it is absent, of another turn, or not ours. */
export function readEventId(header: string | null | undefined, turnId: string): number | null {
  const match = /^([A-Za-z0-9_-]{1,64}):(\d{1,9})$/.exec(header ?? '');
  if (match === null || match[1] !== turnId) return null;
  return Number(match[2]);
}

/** An event as it goes over the wire. */
export function encodeEvent(turnId: string, { number, event }: NumberedEvent): string {
  const { event: name, ...data } = event;
  return `id: ${eventId(turnId, number)}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/**
 * A reply as it looks before its first delta: what `accepted` shows, live and in every replay.
 * @param base what stood there before this turn wrote on; deltas are counted after it
 */
export function asAccepted(reply: Message, base: string): Message {
  return {
    ...reply,
    content: base,
    status: 'streaming',
    error_code: undefined,
    versions: reply.versions.map((version) =>
      version.id === reply.selected_version_id ? { ...version, content: base } : version,
    ),
  };
}

/**
 * `accepted`, to those who have seen nothing yet.
 * @param newest whether the reply is the last message of all
 */
export function acceptedEvent(
  reply: Message,
  userMessage: Message | null,
  { base = '', newest = true }: { base?: string; newest?: boolean } = {},
): NumberedEvent {
  return {
    number: 0,
    event: {
      event: 'accepted',
      ...(userMessage === null ? {} : { user_message: userMessage }),
      reply: asAccepted(reply, base),
      newest,
    },
  };
}

/** The text between two positions as one delta, or nothing when there is none. */
export function deltaEvents(text: string, from: number): NumberedEvent[] {
  if (from >= text.length) return [];
  return [{ number: text.length, event: { event: 'delta', text: text.slice(from) } }];
}

/** How the reply ended. */
export function endEvent(textLength: number, end: ReplyEnd): NumberedEvent {
  return {
    number: textLength + 1,
    event:
      end.kind === 'done'
        ? {
            event: 'done',
            reply: end.reply,
            points: end.points,
            ...(end.contextStartId === undefined ? {} : { context_start_id: end.contextStartId }),
          }
        : { event: 'error', error: end.error, code: end.code, reply: end.reply },
  };
}

/**
 * Everything that a reader who last saw `seen` (null: nothing) has missed, oldest first. Numbers
 * beyond the text, which only a guess can hold, count as the text's end.
 */
export function missedEvents(input: {
  seen: number | null;
  text: string;
  accepted: NumberedEvent;
  end: ReplyEnd | null;
}): NumberedEvent[] {
  const events = input.seen === null ? [input.accepted] : [];
  events.push(...deltaEvents(input.text, input.seen ?? 0));
  if (input.end !== null) events.push(endEvent(input.text.length, input.end));
  return events;
}
