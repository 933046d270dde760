import { MIN_NUMBER_AGE } from './age-words.ts';

/** The kinds of ages that are read in texts, and their bounds in years. Pure. */

/**
 * - `present`: under 18, someone in the scene.
 * - `relative`: under 18, someone's child, sibling or pet.
 * - `past`: under 18, a person who has grown up since.
 * - `narrated`: under 18, in the past tense: a story about someone of that age, or a memory of a grown-up.
 * - `adult`: 18 or older.
 * - `duration`: not an age, but a time, a date or a quantity, such as "15 years ago".
 */
export type AgeKind = 'present' | 'relative' | 'past' | 'narrated' | 'adult' | 'duration';

export const ADULT_AGE = 18;
export const MAX_AGE = 110;

export const isYoungAge = (value: number): boolean => value >= MIN_NUMBER_AGE && value < ADULT_AGE;

/** Whether a person born in `born` is under 18. @param year the current year */
export const isYoungYear = (born: number, year: number): boolean =>
  born <= year - MIN_NUMBER_AGE && born >= year - ADULT_AGE + 1;

/** Whether a person born in `born` is an adult alive today. @param year the current year */
export const isAdultYear = (born: number, year: number): boolean =>
  born >= year - MAX_AGE && born < year - ADULT_AGE;
