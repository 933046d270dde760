/**
 * What somebody may be told in a conversation. `adult`: its character is for adults, and they asked for that. `withheld`:
 * it is for adults and they did not: what was said stays theirs to read, and nothing more is written.
 */
export type Rating = 'general' | 'adult' | 'withheld';

/** What the rating rests on. */
export interface RatedCharacter {
  /** Whether the character is for adults, as its maker has it now. */
  nsfwAllowed: boolean;
}

/** @param spicy whether the person is an adult with spicy mode on */
export function getRating(character: RatedCharacter, spicy: boolean): Rating {
  if (!character.nsfwAllowed) return 'general';
  return spicy ? 'adult' : 'withheld';
}

/** The refusal of everything that would go on with such a story. */
export const SPICY_MODE_OFF = { ok: false, code: 'spicy_mode_off' } as const;
