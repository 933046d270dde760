import { hasVisibleText, sanitizeName } from '../../lib/sanitize-text.ts';
import { FREE_TAGS, TAGS } from './limits.ts';

/*
 * Free tags: words by which creators describe a character, in addition to the five tags. They are compared and stored in
 * one form.
 */

/** In UTF-16 units: a tag of this length cannot have too many characters by accident. Longer ones are not counted. */
const MAX_TAG_UNITS = 8 * FREE_TAGS.maxChars;

let segmenter: Intl.Segmenter | null = null;

/** Counts the characters that a reader sees. */
function countGraphemes(text: string): number {
  segmenter ??= new Intl.Segmenter();
  return [...segmenter.segment(text)].length;
}

/** Returns the stored form of a tag: lower case, single blanks, without a hash before it. Commas separate tags. */
export const normalizeFreeTag = (text: string): string =>
  sanitizeName(text.normalize('NFKC'))
    .toLowerCase()
    .replace(/[\s\p{Cc},;]+/gu, ' ')
    .replace(/^[\s#]+/u, '')
    .trimEnd();

/** Whether a normalised tag may be stored. */
export const isFreeTag = (tag: string): boolean =>
  tag.isWellFormed() &&
  hasVisibleText(tag) &&
  tag.length <= MAX_TAG_UNITS &&
  countGraphemes(tag) <= FREE_TAGS.maxChars;

/** Removes tags that are there twice, and names of the five tags, which characters have by themselves. */
export const listDistinctFreeTags = (tags: readonly string[]): string[] =>
  [...new Set(tags)].filter((tag) => !TAGS.some((name) => name === tag));
