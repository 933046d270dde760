import { PERSONA_LIMITS } from '../../config.ts';

/** How many personas a plan holds: every paid plan holds at least what the first one does. */
export function personaLimit(plan: 'free' | 'storyteller' | 'adventurer' | 'legend'): number {
  return plan === 'free' ? PERSONA_LIMITS.free : PERSONA_LIMITS.storyteller;
}
