import { type CrisisKind, crisisIn } from '../safety/crisis.ts';
import type { RefusalRule } from '../safety/moderation.ts';
import { type Crisis, helpIn, type Whereabouts } from './crisis-help.ts';
import { replay } from './followers.ts';
import type { MessageStore } from './message-store.ts';
import type { MessageSafety } from './safety-contract.ts';
import { refusalEvents } from './reply-log.ts';
import type { Rating } from './rating.ts';
import type { TextJudge } from './text-judge.ts';
import type { TurnRefusal, TurnResult } from './turn-ports.ts';

/** What the events of a refused text say; the rule is told before it. */
const TEXT_REFUSED = {
  code: 'text_refused',
  error: 'This text breaks a rule of this site. It was not sent, and nothing was charged.',
};
const UNAVAILABLE = {
  code: 'moderation_unavailable',
  error: 'Texts cannot be checked right now. This one was not sent, and nothing was charged.',
};

/** What came of looking at a message before it is kept. */
export type Judged =
  | { ok: true; crisis: Crisis | null }
  /** Told as any reply is, so that every client hears of it in the same way. */
  | { ok: false; crisis: Crisis | null; result: TurnResult };

/**
 * Looks at a message that somebody wants to send. One that is refused is kept nowhere and costs nothing.
 * @param toAppeal by what they show later that it was refused
 */
export async function judgeSend(
  judge: TextJudge,
  input: { turnId: string; content: string; rating: Rating; whereabouts: Whereabouts },
  toAppeal: (rule: RefusalRule, text: string) => Promise<string>,
): Promise<Judged> {
  const { turnId, whereabouts } = input;
  const verdict = await judge.message(input.content, input.rating);
  const crisis = verdict.crisis === null ? null : { kind: verdict.crisis, ...whereabouts };
  if (verdict.ok) return { ok: true, crisis };
  const safety: MessageSafety[] = [
    // Whoever needs help is told where it is, whatever else they wrote.
    ...(crisis === null ? [] : [helpIn(crisis)]),
    await toldRefusal(verdict.rule, (rule) => toAppeal(rule, input.content)),
  ];
  const why = verdict.rule === 'unavailable' ? UNAVAILABLE : TEXT_REFUSED;
  return { ok: false, crisis, result: { ok: true, events: replay(turnId, refusalEvents(safety, why)) } };
}

/** What is told of a text that was refused, or of a reply that was cut off. Against «unavailable» there is no appeal. */
export async function toldRefusal(
  rule: RefusalRule,
  toAppeal: (rule: RefusalRule) => Promise<string>,
): Promise<MessageSafety> {
  return { kind: 'refused', rule, ...(rule === 'unavailable' ? {} : { appeal_token: await toAppeal(rule) }) };
}

export type TextRefusal = { ok: false; code: 'text_refused'; rule: RefusalRule };

/** Looks at what somebody wants a message to say instead. Only their own words can show that they need help. */
export async function judgeEdit(
  { judge, messages }: { judge: TextJudge; messages: MessageStore },
  messageId: string,
  content: string,
  { rating, whereabouts }: { rating: Rating; whereabouts: Whereabouts },
): Promise<{ ok: true; crisis: Crisis | null } | TextRefusal> {
  const message = messages.message(messageId);
  if (message === null || message.content === content) return { ok: true, crisis: null };
  const verdict = await judge.message(content, rating, messageId);
  if (!verdict.ok) return { ok: false, code: 'text_refused', rule: verdict.rule };
  const isInNeed = verdict.crisis !== null && message.role === 'user';
  return { ok: true, crisis: isInNeed ? { kind: verdict.crisis as CrisisKind, ...whereabouts } : null };
}

/**
 * Looks at the person's last message, where nobody has yet: one that was brought along with a chat is judged when it is to
 * be answered. What it shows is noted with it.
 */
export function judgeUnseen(messages: MessageStore, whereabouts: Whereabouts): Crisis | null {
  const newest = messages.newest();
  if (newest?.role !== 'user' || messages.showedCrisis(newest.id)) return null;
  const message = messages.message(newest.id);
  const kind = message === null ? null : crisisIn(message.content);
  if (message === null || kind === null) return null;
  const crisis = { kind, ...whereabouts };
  messages.markCrisis(message.selected_version_id, crisis);
  return crisis;
}

/** A turn that was refused for another reason: whoever needs help is told where it is all the same. */
export function withHelp(result: TurnResult, crisis: Crisis | null): TurnResult {
  if (result.ok || crisis === null) return result;
  return { ...result, help: helpIn(crisis) } satisfies TurnRefusal;
}
