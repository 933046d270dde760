import type { ModeratorAnswer } from '../../vendors/moderation.ts';
import { type About, byRules, type Verdict, verdictOf } from './moderation.ts';

/** Looks at texts before they are kept, sent or told. */
export interface Moderator {
  /** Whether a model is asked beside the rules; where it is not, `rules` says all that `check` would. */
  readonly asks: boolean;
  /** What the rules alone say: at once, and without a network. */
  rules(text: string, about: About): Verdict;
  /** What the rules say and, where one is configured, a moderation model. Never throws. */
  check(text: string, about: About, signal?: AbortSignal): Promise<Verdict>;
  /** The same without the rules, for text that they have read already. */
  askAlone(text: string, about: About, signal?: AbortSignal): Promise<Verdict>;
}

/** In milliseconds: a failure as quick as this keeps nobody waiting. */
const QUICK_MS = 1000;
/** So long nobody waits again for a moderation model that did not answer, where a text may go on without it. */
export const LEFT_ALONE_MS = 30_000;

/**
 * @param ask a moderation model; null for the rules alone
 * @param clock milliseconds since 1970
 */
export function moderatorBy(
  ask: ((text: string, signal: AbortSignal | undefined) => Promise<ModeratorAnswer | 'failed'>) | null,
  clock: () => number = Date.now,
): Moderator {
  /** When the model kept somebody waiting last, and did not answer. */
  let failedAt = -Infinity;
  const isLeftAlone = () => Math.abs(clock() - failedAt) < LEFT_ALONE_MS;
  const askBeside = async (
    rules: Verdict,
    text: string,
    about: About,
    signal?: AbortSignal,
  ): Promise<Verdict> => {
    if (ask === null || !rules.ok || text.trim() === '') return rules;
    const unanswered = verdictOf(rules, 'failed', about);
    // A reply is asked about by sentences: one that waited for each of them would be told by nobody's patience.
    if (unanswered.ok && isLeftAlone()) return unanswered;
    const askedAt = clock();
    const answered = await ask(text, signal);
    // Who stops waiting has not been left waiting.
    const wasLeft = answered === 'failed' && signal?.aborted !== true;
    if (wasLeft && clock() - askedAt >= QUICK_MS) failedAt = clock();
    return verdictOf(rules, answered, about);
  };
  return {
    asks: ask !== null,
    rules: byRules,
    check: (text, about, signal) => askBeside(byRules(text, about), text, about, signal),
    askAlone: (text, about, signal) => askBeside({ ok: true, crisis: null }, text, about, signal),
  };
}
