import type { RuntimeConfig } from '../runtime-config/contract.ts';

/** The number of personas a plan allows; all paid plans share one limit. */
export function getPersonaLimit(
  plan: 'free' | 'storyteller' | 'adventurer' | 'legend',
  config: Pick<RuntimeConfig, 'personas_free' | 'personas_storyteller'>,
): number {
  return plan === 'free' ? config.personas_free : config.personas_storyteller;
}
