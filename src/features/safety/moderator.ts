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
}

/** @param ask a moderation model; null for the rules alone */
export function moderatorBy(
  ask: ((text: string, signal: AbortSignal | undefined) => Promise<ModeratorAnswer | 'failed'>) | null,
): Moderator {
  return {
    asks: ask !== null,
    rules: byRules,
    async check(text, about, signal) {
      const rules = byRules(text, about);
      if (ask === null || !rules.ok || text.trim() === '') return rules;
      return verdictOf(rules, await ask(text, signal), about);
    },
  };
}
