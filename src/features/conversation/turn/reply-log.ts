import type { RefusalRule } from '../../safety/moderation.ts';
import type { PointsStatus } from '../../wallet/contract.ts';
import type { Message, ReplyEvent } from '../contract.ts';
import type { MessageSafety } from '../moderation/safety-contract.ts';

/**
 * A reply as a numbered log. Numbers are positions in the text that the turn adds: a delta carries the position at
 * which it ends, so a reader who saw number n is sent exactly the text after n, by whatever bursts
 * others received it. `accepted` is number 0; what ends the reply is one above its last position. Where a turn has
 * something to tell before its text (its head), that takes the numbers from 1, and all positions stand so much higher.
 */

export interface NumberedEvent {
  number: number;
  event: ReplyEvent;
}

export type ReplyEnd =
  | { kind: 'done'; reply: Message; points: PointsStatus | null; contextStartId?: string | null }
  | {
      kind: 'error';
      error: string;
      code: string;
      reply: Message;
      rule?: RefusalRule | undefined;
      /** Where the reply is kept nowhere: by what its reader shows that a rule ended it. */
      appealToken?: string | undefined;
    };

/** The `id:` line of an event: which turn, and the number in it. */
export function formatEventId(turnId: string, number: number): string {
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
  return `id: ${formatEventId(turnId, number)}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/**
 * A reply as it looks before its first delta: what `accepted` shows, live and in every replay.
 * @param base what stood there before this turn wrote on; deltas are counted after it
 */
export function toAcceptedReply(reply: Message, base: string): Message {
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

/** What is told of safety, under a number of its own. */
export function buildSafetyEvent(number: number, safety: MessageSafety): NumberedEvent {
  return { number, event: { event: 'safety', ...safety } };
}

/** The text between two positions as one delta, or nothing when there is none. @param head numbers before the text's */
export function buildDeltaEvents(text: string, from: number, head = 0): NumberedEvent[] {
  if (from >= text.length) return [];
  return [{ number: head + text.length, event: { event: 'delta', text: text.slice(from) } }];
}

/** How the reply ended; a rule that ended it is told first. @param last the number of the text's end */
export function buildEndEvents(last: number, end: ReplyEnd): NumberedEvent[] {
  if (end.kind === 'done') {
    const { reply, points, contextStartId: start } = end;
    const told = start === undefined ? {} : { context_start_id: start };
    return [{ number: last + 1, event: { event: 'done', reply, points, ...told } }];
  }
  const { error, code, reply, rule, appealToken: token } = end;
  const appeal = token === undefined ? {} : { appeal_token: token };
  const help = reply.safety?.helplines === undefined ? {} : { helplines: reply.safety.helplines };
  const why =
    rule === undefined ? [] : [buildSafetyEvent(last + 1, { kind: 'refused', rule, ...appeal, ...help })];
  return [...why, { number: last + why.length + 1, event: { event: 'error', error, code, reply } }];
}

/** What is told of a text that was refused: nothing of it was kept, and so there is no message to show. */
export function buildRefusalEvents(
  safety: readonly MessageSafety[],
  refusal: { error: string; code: string },
): NumberedEvent[] {
  const told = safety.map((one, index) => buildSafetyEvent(index, one));
  return [...told, { number: told.length, event: { event: 'error', ...refusal } }];
}

/**
 * Everything that a reader who last saw `seen` (null: nothing) has missed, oldest first. Numbers
 * beyond the text, which only a guess can hold, count as the text's end.
 */
export function getMissedEvents(input: {
  seen: number | null;
  text: string;
  accepted: NumberedEvent;
  /** What is told before the text, numbered from 1. */
  before?: readonly NumberedEvent[];
  /** How many numbers that takes, also where it is not told any more. */
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
