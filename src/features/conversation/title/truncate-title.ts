import { hasVisibleText, sanitizeName } from '../../../lib/sanitize-text.ts';
import { toPlainText } from '../../markup/parse-markup.ts';
import { MAX_CUT_TITLE_CHARS } from '../limits.ts';

/** Far more than a title can show; bounds the work for a long message. In UTF-16 units. */
export const TITLE_SOURCE_CHARS = 1000;

const ELLIPSIS = '…';
const END_MARK = /[\s\p{P}]/u;
/** Marks of an emphasis that does not end within the beginning. */
const OPEN_MARKS = /[*`]+|__|~~/g;

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
const words = new Intl.Segmenter('und', { granularity: 'word' });

/**
 * Makes a title of a message: its beginning on one line without markup, cut after a word to at most
 * {@link MAX_CUT_TITLE_CHARS} characters as people count them, also in scripts without spaces. A word that is longer than
 * that is cut between two characters.
 * @returns null when the message shows nothing
 */
export function truncateTitle(message: string): string | null {
  const start = message.slice(0, TITLE_SOURCE_CHARS).toWellFormed();
  const line = sanitizeName(toPlainText(start)).replaceAll(OPEN_MARKS, '').replaceAll(/\s+/g, ' ').trim();
  if (!hasVisibleText(line)) return null;
  let count = 0;
  let room = 0;
  for (const { index } of graphemes.segment(line)) {
    // The ellipsis takes the last place.
    if (count === MAX_CUT_TITLE_CHARS - 1) room = index;
    count += 1;
    if (count > MAX_CUT_TITLE_CHARS) return cutAtWord(line, room) + ELLIPSIS;
  }
  return line;
}

/** @param room in UTF-16 units */
function cutAtWord(line: string, room: number): string {
  let end = 0;
  for (const { index, segment } of words.segment(line)) {
    if (index + segment.length > room) break;
    end = index + segment.length;
  }
  const cut = line.slice(0, end === 0 ? room : end);
  let length = cut.length;
  while (length > 0 && END_MARK.test(cut.charAt(length - 1))) length -= 1;
  return length === 0 ? cut : cut.slice(0, length);
}
