import type { ModeratorAnswer } from '../../vendors/moderation.ts';
import { type ModerationInput, applyRules, type Verdict, resolveVerdict } from './moderation.ts';

/** Looks at texts before they are kept, sent or told. */
export interface Moderator {
  /** Whether a model is asked beside the rules; where it is not, `rules` says all that `check` would. */
  readonly hasModel: boolean;
  /** What the rules alone say: at once, and without a network. */
  checkRules(text: string, about: ModerationInput): Verdict;
  /** What the rules say and, where one is configured, a moderation model. Never throws. */
  check(text: string, about: ModerationInput, signal?: AbortSignal): Promise<Verdict>;
  /** The same without the rules, for text that they have read already. */
  checkModelOnly(text: string, about: ModerationInput, signal?: AbortSignal): Promise<Verdict>;
}

/** In milliseconds: a failure as quick as this keeps nobody waiting. */
const MAX_QUICK_FAILURE_MS = 1000;
/** So long nobody waits again for a moderation model that did not answer, where a text may go on without it. */
export const MODERATOR_COOLDOWN_MS = 30_000;

/**
 * @param ask a moderation model; null for the rules alone
 * @param clock milliseconds since 1970
 */
export function createModerator(
  ask: ((text: string, signal: AbortSignal | undefined) => Promise<ModeratorAnswer | 'failed'>) | null,
  clock: () => number = Date.now,
): Moderator {
  /** When the model kept somebody waiting last, and did not answer. */
  let failedAt = -Infinity;
  const isCoolingDown = () => Math.abs(clock() - failedAt) < MODERATOR_COOLDOWN_MS;
  const checkWithModel = async (
    rules: Verdict,
    text: string,
    about: ModerationInput,
    signal?: AbortSignal,
  ): Promise<Verdict> => {
    if (ask === null || !rules.ok || text.trim() === '') return rules;
    const fallback = resolveVerdict(rules, 'failed', about);
    // A reply is asked about by sentences: one that waited for each of them would be told by nobody's patience.
    if (fallback.ok && isCoolingDown()) return fallback;
    const askedAt = clock();
    const answered = await ask(text, signal);
    // Who stops waiting has not been left waiting.
    const hasFailed = answered === 'failed' && signal?.aborted !== true;
    if (hasFailed && clock() - askedAt >= MAX_QUICK_FAILURE_MS) failedAt = clock();
    return resolveVerdict(rules, answered, about);
  };
  return {
    hasModel: ask !== null,
    checkRules: applyRules,
    check: (text, about, signal) => checkWithModel(applyRules(text, about), text, about, signal),
    checkModelOnly: (text, about, signal) => checkWithModel({ ok: true, crisis: null }, text, about, signal),
  };
}
