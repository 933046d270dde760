import type { ModeratorAnswer } from '../../vendors/moderation.ts';
import { type ModerationInput, applyRules, type Verdict, resolveVerdict } from './moderation.ts';

/** Checks texts before they are stored, sent or shown. */
export interface Moderator {
  /** Whether a moderation model is configured; if not, `checkRules` and `check` are equivalent. */
  readonly hasModel: boolean;
  /** Applies the rules only, synchronously and without network access. */
  checkRules(text: string, about: ModerationInput): Verdict;
  /** Applies the rules and the moderation model, if configured. Never throws. */
  check(text: string, about: ModerationInput, signal?: AbortSignal): Promise<Verdict>;
  /** Asks only the model, for text that has already passed the rules. */
  checkModelOnly(text: string, about: ModerationInput, signal?: AbortSignal): Promise<Verdict>;
}

/** A failure within this time, in ms, does not start the cool-down. */
const MAX_QUICK_FAILURE_MS = 1000;
/** Cool-down in ms after a moderation timeout, for texts that may pass on the rules alone. */
export const MODERATOR_COOLDOWN_MS = 30_000;

/**
 * Creates a moderator.
 * @param ask calls a moderation model; null for the rules alone
 * @param clock returns ms since 1970
 */
export function createModerator(
  ask: ((text: string, signal: AbortSignal | undefined) => Promise<ModeratorAnswer | 'failed'>) | null,
  clock: () => number = Date.now,
): Moderator {
  /** When the model last failed slowly. */
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
    // A reply is checked sentence by sentence; waiting for a timeout each time would stall it.
    if (fallback.ok && isCoolingDown()) return fallback;
    const askedAt = clock();
    const answered = await ask(text, signal);
    // A request that the caller aborted is no failure.
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
