import type { RefusalEvidence } from '../../safety/evidence.ts';
import { type CrisisKind, findCrisis } from '../../safety/decisions.ts';
import type { ChosenModel } from '../../model/choose-model.ts';
import type { RefusalRule } from '../../safety/moderation.ts';
import { type Crisis, getCrisisHelp, type UserRegion } from './crisis-help.ts';
import type { Message } from '../contract.ts';
import { createReplayStream } from '../turn/followers.ts';
import type { MessageRecords } from '../messages/message-records-store.ts';
import type { MessageStore } from '../messages/message-store.ts';
import type { MessageSafety } from './safety-contract.ts';
import { buildRefusalEvents } from '../turn/reply-log.ts';
import { isImported } from '../messages/reported-text.ts';
import type { ReplySettingsStore } from '../prompt/reply-settings-store.ts';
import type { Rating } from '../character/character-state.ts';
import type { TextModerator, TextVerdict } from './moderate-stream.ts';
import { beginAnswer, beginRewrite } from '../turn/turn-rows.ts';
import type { BegunTurn, TurnRefusal, TurnResult } from '../turn/turn-port.ts';

/** The error event of a refused text; a safety event with the rule precedes it. */
const TEXT_REFUSED = {
  code: 'text_refused',
  error: 'This text breaks a rule of this site. It was not sent, and no points were used.',
};
const UNAVAILABLE = {
  code: 'moderation_unavailable',
  error: 'We cannot check text right now. This was not sent, and no points were used.',
};

/** Creates the token that lets the user appeal: it proves which text was refused, and next to which evidence. */
export type CreateAppealToken = (
  rule: RefusalRule,
  text: string,
  evidence: RefusalEvidence,
) => Promise<string>;

/** The result of moderating a message before it is stored. */
export type ModerationResult =
  | { ok: true; crisis: Crisis | null }
  /** `result` is an event stream like that of a reply, so that every client handles it in the same way. */
  | { ok: false; crisis: Crisis | null; result: TurnResult };

/** Moderates a message before it is sent. A refused message is not stored and costs nothing. */
export async function moderateMessage(
  judge: TextModerator,
  input: { turnId: string; content: string; rating: Rating; region: UserRegion },
  toAppeal: CreateAppealToken,
): Promise<ModerationResult> {
  const { turnId, region } = input;
  const verdict = await judge.moderateMessage(input.content, input.rating);
  const crisis = verdict.crisis === null ? null : { kind: verdict.crisis, ...region };
  if (verdict.ok) return { ok: true, crisis };
  const { content } = input;
  return {
    ok: false,
    crisis,
    result: await buildRefusedResult(turnId, verdict, { content, crisis }, toAppeal),
  };
}

async function buildRefusedResult(
  turnId: string,
  { rule, beside: evidence }: Extract<TextVerdict, { ok: false }>,
  { content, crisis }: { content: string; crisis: Crisis | null },
  toAppeal: CreateAppealToken,
): Promise<TurnResult> {
  const safety: MessageSafety[] = [
    // Crisis help is shown even if the message itself is refused.
    ...(crisis === null ? [] : [getCrisisHelp(crisis)]),
    await buildRefusal(rule, (by) => toAppeal(by, content, evidence)),
  ];
  const refusal = rule === 'unavailable' ? UNAVAILABLE : TEXT_REFUSED;
  return { ok: true, events: createReplayStream(turnId, buildRefusalEvents(safety, refusal)) };
}

/** Builds the safety notice of a refused text or an ended reply. There is no appeal against `unavailable`. */
export async function buildRefusal(
  rule: RefusalRule,
  toAppeal: (rule: RefusalRule) => Promise<string>,
): Promise<MessageSafety> {
  return { kind: 'refused', rule, ...(rule === 'unavailable' ? {} : { appeal_token: await toAppeal(rule) }) };
}

export type TextRefusal = {
  ok: false;
  code: 'text_refused';
  rule: RefusalRule;
  beside: RefusalEvidence;
  /** Crisis help, shown even if the message itself is refused. */
  help: MessageSafety | null;
  crisis: Crisis | null;
};

/** Moderates the new text of a message. Only the user's own messages can show that they need help. */
export async function moderateEdit(
  { judge, messages }: { judge: TextModerator; messages: MessageStore },
  messageId: string,
  content: string,
  { rating, region }: { rating: Rating; region: UserRegion },
): Promise<{ ok: true; crisis: Crisis | null } | TextRefusal> {
  const message = messages.findMessage(messageId);
  if (message === null || message.content === content) return { ok: true, crisis: null };
  const verdict = await judge.moderateMessage(content, rating, messageId);
  const isInNeed = verdict.crisis !== null && message.role === 'user';
  const crisis = isInNeed ? { kind: verdict.crisis as CrisisKind, ...region } : null;
  if (verdict.ok) return { ok: true, crisis };
  const { rule, beside: evidence } = verdict;
  const help = crisis === null ? null : getCrisisHelp(crisis);
  return { ok: false, code: 'text_refused', rule, beside: evidence, help, crisis };
}

export type NoteRefusal = Omit<TextRefusal, 'help' | 'crisis'>;

/** Moderates a new author's note. Notes are instructions for a story, so they show no crisis of their author. */
export async function moderateAuthorNote(
  { judge, replySettings }: { judge: TextModerator; replySettings: ReplySettingsStore },
  note: string,
  rating: Rating,
): Promise<{ ok: true } | NoteRefusal> {
  if (note === '' || note === replySettings.get().author_note) return { ok: true };
  const verdict = await judge.moderateAuthorNote(note, rating);
  if (verdict.ok) return { ok: true };
  return { ok: false, code: 'text_refused', rule: verdict.rule, beside: verdict.beside };
}

/** The user message to answer and the result of moderating it. */
export type UnscreenedResult = ModerationResult & { messageId: string | null; versionId: string | null };

export const NOTHING_UNSCREENED: UnscreenedResult = {
  ok: true,
  crisis: null,
  messageId: null,
  versionId: null,
};

/**
 * Moderates the user message that a reply answers, if it was imported: imported messages are not moderated until a reply
 * to them is requested. Other messages were moderated when they were sent and are only checked for a crisis.
 * @param before the existing reply that is regenerated or continued; null for a new reply
 */
async function moderateUnscreened(
  { judge, messages, records }: { judge: TextModerator; messages: MessageStore; records: MessageRecords },
  { turnId, rating, region }: { turnId: string; rating: Rating; region: UserRegion },
  before: string | null,
  toAppeal: CreateAppealToken,
): Promise<UnscreenedResult> {
  const message = findAnsweredMessage(messages, before);
  if (message === null) return NOTHING_UNSCREENED;
  const { id, content, selected_version_id: versionId } = message;
  const isKnown = messages.showedCrisis(id);
  const isFromFile = isImported(records.findRecord(id));
  const verdict: TextVerdict = isFromFile
    ? await judge.moderateMessage(content, rating, id)
    : { ok: true, crisis: findCrisis(content) };
  const crisis = verdict.crisis === null || isKnown ? null : { kind: verdict.crisis, ...region };
  if (verdict.ok) return { ok: true, crisis, messageId: id, versionId };
  const result = await buildRefusedResult(turnId, verdict, { content, crisis }, toAppeal);
  return { ok: false, crisis, result, messageId: id, versionId };
}

/**
 * The same, together with the user's instructions for the reply. Those are for a story, so they show no crisis of their
 * author.
 */
export async function moderateReplyRequest(
  parts: Parameters<typeof moderateUnscreened>[0],
  about: { turnId: string; rating: Rating; region: UserRegion },
  how: ReplyRequest,
  toAppeal: CreateAppealToken,
): Promise<UnscreenedResult> {
  const { replyId } = how;
  const unscreened = await moderateUnscreened(parts, about, replyId, toAppeal);
  const note = getRegenerateNote(how);
  if (!unscreened.ok || note === undefined || replyId === null) return unscreened;
  const verdict = await parts.judge.moderateMessage(note, about.rating, replyId);
  if (verdict.ok) return unscreened;
  const { crisis, messageId, versionId } = unscreened;
  const result = await buildRefusedResult(about.turnId, verdict, { content: note, crisis }, toAppeal);
  return { ok: false, crisis, result, messageId, versionId };
}

/** Finds the user message that a reply answers: the last one before it. A new reply answers only the newest message. */
function findAnsweredMessage(messages: MessageStore, before: string | null): Message | null {
  if (before === null) {
    const newest = messages.findNewest();
    return newest?.role === 'user' ? messages.findMessage(newest.id) : null;
  }
  for (const { id, role } of messages.readHistoryBefore(before))
    if (role === 'user') return messages.findMessage(id);
  return null;
}

/** How to answer an existing message: by a new reply, or by a new version of an existing one. */
export type ReplyRequest =
  | { kind: 'answer'; replyId: null }
  | { kind: 'continue'; replyId: string }
  /** `note`: the user's instructions for this reply alone; empty or absent for none. */
  | { kind: 'regenerate'; replyId: string; note?: string | undefined };

function getRegenerateNote(how: ReplyRequest): string | undefined {
  const note = how.kind === 'regenerate' ? how.note?.trim() : undefined;
  return note === '' ? undefined : note;
}

/**
 * Writes the rows of a turn that answers an existing message. If that message shows a crisis, crisis help precedes the
 * reply.
 */
export function startAnswer(
  how: ReplyRequest,
  { crisis, messageId }: UnscreenedResult,
  ...[stores, model, now]: [stores: Parameters<typeof beginAnswer>[0], model: ChosenModel, now: number]
): BegunTurn | TurnRefusal {
  if (how.kind === 'answer') return beginAnswer(stores, { crisis }, model, now);
  const begun = beginRewrite(stores, { ...how, note: getRegenerateNote(how) }, model, now);
  if (!('rows' in begun) || crisis === null) return begun;
  return { ...begun, turn: { ...begun.turn, userMessageId: messageId, head: 1 } };
}

/** Adds crisis help to a turn that was refused for another reason. */
export function withHelp<T extends { ok: boolean }>(result: T, crisis: Crisis | null): T {
  if (result.ok || crisis === null) return result;
  return { ...result, help: getCrisisHelp(crisis) };
}
