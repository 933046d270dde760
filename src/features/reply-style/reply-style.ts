import type { ReplyStyle } from './contract.ts';

/**
 * The steps of a reply style, the bounds of its numbers, and what they become in a request. Pure, and without zod, so that
 * islands can import it.
 */

/** From the shortest to the longest. */
export const REPLY_LENGTHS = ['short', 'medium', 'long'] as const;
/** A step, or a number of words. */
export type ReplyLength = (typeof REPLY_LENGTHS)[number] | number;
/** In words. */
export const REPLY_WORDS = { min: 20, max: 800 } as const;

/** From the most predictable to the most surprising. */
export const LIVELINESS_STEPS = ['calm', 'balanced', 'lively'] as const;
/** A step, or a temperature. */
export type Liveliness = (typeof LIVELINESS_STEPS)[number] | number;
/** As a model's temperature, in steps of a hundredth. */
export const LIVELINESS = { min: 0, max: 2, step: 0.01 } as const;

/** How many messages may follow the author's note. */
export const MAX_NOTE_DEPTH = 20;

/** As many as a select shows without a search. */
export const MAX_NAMED_STYLES = 20;

/** The style of conversations and characters that set none. */
export const DEFAULT_REPLY_STYLE: ReplyStyle = {
  author_note: '',
  author_note_depth: 0,
  reply_length: 'medium',
  liveliness: 'balanced',
};

/** Returns the fields of a style alone. */
export const pickStyle = (style: ReplyStyle): ReplyStyle => {
  const { author_note, author_note_depth, reply_length, liveliness } = style;
  return { author_note, author_note_depth, reply_length, liveliness };
};

/** Whether two styles have the same fields. */
export const isSameStyle = (one: ReplyStyle, other: ReplyStyle): boolean =>
  (Object.keys(DEFAULT_REPLY_STYLE) as (keyof ReplyStyle)[]).every((field) => one[field] === other[field]);

/** For replies and assist texts: lively, but still in character. */
export const REPLY_TEMPERATURE = 0.9;

/** A step away from the usual temperature that one notices, and with which models still write whole sentences. */
const TEMPERATURES: Record<(typeof LIVELINESS_STEPS)[number], number> = {
  calm: 0.6,
  balanced: REPLY_TEMPERATURE,
  lively: 1.1,
};

export const getTemperature = (liveliness: Liveliness): number =>
  typeof liveliness === 'number' ? liveliness : TEMPERATURES[liveliness];

const STEP_WORDS = {
  short: { least: 60, most: 100 },
  medium: null,
  long: { least: 300, most: 400 },
} as const;

/** Returns how many words a reply should have; null to leave it to the scene, as the rules of style say. */
export const getReplyWords = (length: ReplyLength): { least: number; most: number } | null =>
  typeof length === 'number' ? { least: length, most: length } : STEP_WORDS[length];

/** Reads a stored style. @param json null for none */
export const parseReplyStyle = (json: string | null | undefined): ReplyStyle | null =>
  typeof json === 'string' ? { ...DEFAULT_REPLY_STYLE, ...(JSON.parse(json) as Partial<ReplyStyle>) } : null;

/** Writes a recommended style for storage; the default one is none. */
export const serializeRecommendedStyle = (style: ReplyStyle | null): string | null =>
  style === null || isSameStyle(style, DEFAULT_REPLY_STYLE) ? null : JSON.stringify(style);
