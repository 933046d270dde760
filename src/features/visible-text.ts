/**
 * What can be seen of a text, and what a name is made of: the one rule for all that people write or call something.
 * Joiners and variation selectors stay where they are: emoji and the scripts of India are written with them.
 */

const LINE_END = /\r\n?|[\u0085\u2028\u2029]/g;
const CONTROLS = /(?![\n\t])\p{Cc}/gu;
/** Embeddings, overrides and isolates, their deprecated kin, and annotation marks. */
const DIRECTIONS = /[\u202A-\u202E\u2066-\u2069\u206A-\u206F\uFFF9-\uFFFB]/g;
/** Letters nobody sees, but for the flags of regions, which are spelt with them. */
const TAGS = /(\u{1F3F4}[\u{E0020}-\u{E007E}]{1,8}\u{E007F})|[\u{E0000}-\u{E007F}]/gu;
/** One or two belong into Persian, Indic scripts and families of emoji; a run of them is a flood. */
const ZERO_WIDTH_FLOOD =
  /([\u00AD\u061C\u180E\u200B-\u200F\u2060-\u2064\uFEFF])[\u00AD\u061C\u180E\u200B-\u200F\u2060-\u2064\uFEFF]{3,}/g;
/** More marks on one letter than any script has would reach into the lines around it. */
const STACKED =
  /([\p{M}\u00AD\u061C\u180E\u200B-\u200F\u2060-\u2064\uFEFF]{5})[\p{M}\u00AD\u061C\u180E\u200B-\u200F\u2060-\u2064\uFEFF]+/gu;

/** Marks that turn around the direction of what stands beside them, as far as the next of their kind. */
const DIRECTION_MARKS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** Characters of control, and whatever begins a new line. */
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** Anything that draws something: blanks, fillers, joiners and marks of format alone do not. */
const VISIBLE = /[^\p{Cc}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\uFFF9-\uFFFB]/u;

/** Whether there is anything to see in a text. */
export function hasVisibleText(text: string): boolean {
  return VISIBLE.test(text);
}

/** Whether a text goes over more than one line, or holds characters of control. */
export function hasBreaks(text: string): boolean {
  return text.search(BREAKS) !== -1;
}

/** Without letters nobody sees, and without heaps of marks that would be drawn over the lines around them. */
function withoutFloods(text: string): string {
  return text.replace(TAGS, '$1').replace(ZERO_WIDTH_FLOOD, '$1').replace(STACKED, '$1');
}

/**
 * What of a text may reach the page, whoever wrote it. Controls of direction are drawn as nothing: each block takes its
 * direction from its own letters, so no writer needs them, and what is selected and copied reads as it looks. The text
 * itself keeps them.
 */
export function drawable(text: string): string {
  return withoutFloods(text.replace(LINE_END, '\n').replace(CONTROLS, '').replace(DIRECTIONS, ''));
}

/** What a name keeps of a text: nothing that turns around or covers what stands beside it. */
export function nameable(text: string): string {
  return withoutFloods(text.replaceAll(DIRECTION_MARKS, ''));
}

/**
 * A name from elsewhere, made into one by the rule that typed names have to keep.
 * @returns empty when there is nothing to see in it
 */
export function nameFrom(text: string): string {
  const name = nameable(text.toWellFormed().replaceAll(BREAKS, ' ')).trim();
  return hasVisibleText(name) ? name : '';
}
