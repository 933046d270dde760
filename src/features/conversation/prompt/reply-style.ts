/** The steps of a reply style and the bounds of its numbers. Without zod, so that islands can import them. */

/** From the shortest to the longest. */
export const REPLY_LENGTHS = ['short', 'medium', 'long'] as const;
/** In words. */
export const REPLY_WORDS = { min: 20, max: 800 } as const;
/** From the most predictable to the most surprising. */
export const LIVELINESS_STEPS = ['calm', 'balanced', 'lively'] as const;
/** As a model's temperature, in steps of a hundredth. */
export const LIVELINESS = { min: 0, max: 2, step: 0.01 } as const;
/** How many messages may stand after the author's note. */
export const MAX_NOTE_DEPTH = 20;
