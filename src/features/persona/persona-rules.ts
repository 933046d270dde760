import type { RuntimeConfig } from '../runtime-config/contract.ts';

/** How many personas a plan holds: every paid plan holds at least what the first one does. */
export function getPersonaLimit(
  plan: 'free' | 'storyteller' | 'adventurer' | 'legend',
  config: Pick<RuntimeConfig, 'personas_free' | 'personas_storyteller'>,
): number {
  return plan === 'free' ? config.personas_free : config.personas_storyteller;
}
