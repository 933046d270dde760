/**
 * Sanitizes texts and names for display. Joiners and variation selectors stay, because emoji and Indic scripts need them.
 */

const LINE_END = /\r\n?|[\u0085\u2028\u2029]/g;
const CONTROLS = /(?![\n\t])\p{Cc}/gu;
/** Bidirectional embeddings, overrides and isolates, the deprecated format characters, and annotation marks. */
const DIRECTIONS = /[\u202A-\u202E\u2066-\u2069\u206A-\u206F\uFFF9-\uFFFB]/g;
/** Invisible tag characters, except in regional flags, which are built from them. */
const TAGS = /(\u{1F3F4}[\u{E0020}-\u{E007E}]{1,8}\u{E007F})|[\u{E0000}-\u{E007F}]/gu;
/** One or two zero-width characters occur in Persian, Indic scripts and emoji sequences; a longer run is abuse. */
const ZERO_WIDTH_FLOOD =
  /([\u00AD\u061C\u180E\u200B-\u200F\u2060-\u2064\uFEFF])[\u00AD\u061C\u180E\u200B-\u200F\u2060-\u2064\uFEFF]{3,}/g;
/** More combining marks on one letter than any script uses would cover the lines around it. */
const STACKED =
  /([\p{M}\u00AD\u061C\u180E\u200B-\u200F\u2060-\u2064\uFEFF]{5})[\p{M}\u00AD\u061C\u180E\u200B-\u200F\u2060-\u2064\uFEFF]+/gu;

/** Marks that change the direction of the text next to them. */
const DIRECTION_MARKS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** Control characters and line breaks. */
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** Any character that draws something, unlike blanks, fillers, joiners and format characters. */
const VISIBLE = /[^\p{Cc}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\uFFF9-\uFFFB]/u;

/** Whether a text has a visible character. */
export function hasVisibleText(text: string): boolean {
  return VISIBLE.test(text);
}

/** Whether a text has line breaks or control characters. */
export function hasBreaks(text: string): boolean {
  return text.search(BREAKS) !== -1;
}

/** Latin letters, digits and common punctuation. Most texts contain nothing else, and nothing to remove. */
const PLAIN = /^[\n\t\u0020-\u007E\u00A0-\u00AC\u00AE-\u024F\u2010-\u2027\u20AC]*$/;

/** Removes invisible characters and stacked marks. */
function stripFloods(text: string): string {
  return text.replace(TAGS, '$1').replace(ZERO_WIDTH_FLOOD, '$1').replace(STACKED, '$1');
}

/**
 * Sanitizes a text for display; the stored text stays unchanged. Direction controls are removed: each block takes its
 * direction from its letters, and a copied text then reads as it looks.
 */
export function sanitizeText(text: string): string {
  if (PLAIN.test(text)) return text;
  return stripFloods(text.replace(LINE_END, '\n').replace(CONTROLS, '').replace(DIRECTIONS, ''));
}

/** Removes characters from a name that would reverse or cover the text next to it. */
export function sanitizeName(text: string): string {
  return stripFloods(text.replaceAll(DIRECTION_MARKS, ''));
}

/**
 * Turns a text from an import into a valid name.
 * @returns an empty string when no visible character is left
 */
export function toName(text: string): string {
  const name = sanitizeName(text.toWellFormed().replaceAll(BREAKS, ' ')).trim();
  return hasVisibleText(name) ? name : '';
}
