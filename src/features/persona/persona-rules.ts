import type { Business } from '../runtime-config/contract.ts';

/** How many personas a plan holds: every paid plan holds at least what the first one does. */
export function personaLimit(
  plan: 'free' | 'storyteller' | 'adventurer' | 'legend',
  business: Pick<Business, 'personas_free' | 'personas_storyteller'>,
): number {
  return plan === 'free' ? business.personas_free : business.personas_storyteller;
}
