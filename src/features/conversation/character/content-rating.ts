import type { Environment } from '../../../env/read-environment.ts';

/**
 * What a conversation's replies may contain. `adult`: the character is for adults and the user has turned spicy mode on.
 * `blocked`: it is for adults and the user has not: messages stay readable, but no new text is written.
 */
export type Rating = 'general' | 'adult' | 'blocked';

export interface RatedCharacter {
  /** Whether the character is for adults, by its creator's current setting. */
  nsfwAllowed: boolean;
}

/** Returns the rating of a character for a user. @param spicy whether the user is an adult with spicy mode on */
export function getRating(character: RatedCharacter, spicy: boolean): Rating {
  if (!character.nsfwAllowed) return 'general';
  return spicy ? 'adult' : 'blocked';
}

/** The refusal of every request for new text in a `blocked` conversation. */
export const SPICY_MODE_OFF = { ok: false, code: 'spicy_mode_off' } as const;

/** Returns the problem code for a user who may not see adult content. */
export const getSpicyModeCode = ({ spicyMode }: Environment): 'spicy_mode_unavailable' | 'spicy_mode_off' =>
  spicyMode === 'off' ? 'spicy_mode_unavailable' : 'spicy_mode_off';
