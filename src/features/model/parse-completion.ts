import { TEXT_LIMITS } from '../../config/text-limits.ts';

/** Parses model output other than replies. Tolerant, because models add unrequested text. */

export const SUGGESTION_COUNT = 3;
/** More than twelve long words; a longer line is an explanation. */
const MAX_SUGGESTION_CHARS = 200;

const LIST_MARK =
  /^(?:[-–—•●▪·]\s+|\*\s+|\(?[0-9０-９]{1,2}[.):、．）]\s*|(?:option|suggestion)\s+[0-9]{1,2}\s*[:.)-]\s*)/iu;
const QUOTES: readonly (readonly [string, string])[] = [
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
  ['“', '”'],
  ['„', '“'],
  ['„', '”'],
  ['«', '»'],
  ['»', '«'],
  ['‘', '’'],
  ['「', '」'],
  ['『', '』'],
];

/** Removes one pair of quotation marks around the whole text. */
function stripQuotes(text: string): string {
  for (const [open, close] of QUOTES) {
    if (text.length < 2 || !text.startsWith(open) || !text.endsWith(close)) continue;
    const inner = text.slice(open.length, -close.length);
    // Marks inside mean that the outer two belong to different quotations.
    if (!inner.includes(open) && !inner.includes(close)) return inner.trim();
  }
  return text;
}

function parseJsonList(text: string): string[] | null {
  try {
    const parsed: unknown = JSON.parse(text.replaceAll(/^```(?:json)?|```$/g, ''));
    return Array.isArray(parsed) && parsed.every((item) => typeof item === 'string') ? parsed : null;
  } catch {
    return null;
  }
}

/** Parses three suggestions, without numbers, bullets and quotation marks; null unless there are three different ones. */
export function parseSuggestions(text: string): string[] | null {
  const answer = text.trim();
  // Some models put all three on one line.
  const onePerLine = answer.includes('\n') ? answer : answer.replaceAll(/(?<!\s)\s+(?=\(?[23][.)]\s)/g, '\n');
  const lines = (parseJsonList(answer) ?? onePerLine.split('\n')).map((line) => line.trim());
  const marked = lines.filter((line) => LIST_MARK.test(line));
  const items = new Map<string, string>();
  for (const line of marked.length >= SUGGESTION_COUNT ? marked : lines) {
    const item = stripQuotes(
      line
        .replace(LIST_MARK, '')
        .trim()
        .replace(/^\*\*(.+)\*\*$/, '$1'),
    );
    const isTalk = /^`{3}/.test(line) || /[:：]$/.test(item) || item.length > MAX_SUGGESTION_CHARS;
    if (item !== '' && !isTalk && !items.has(item.toLowerCase())) items.set(item.toLowerCase(), item);
  }
  const found = [...items.values()];
  return found.length < SUGGESTION_COUNT ? null : found.slice(0, SUGGESTION_COUNT);
}

/** A speaker's name before dialogue: in front of quotation marks or an action, or on its own in bold. */
const SPEAKER =
  /^(?:\*\*[^*\n]{1,60}[:：]\s*\*\*|\*\*[^*\n]{1,60}\*\*\s*[:：]|\p{L}[\p{L}\p{M} .'’-]{0,48}[:：]\s*(?=["“„«「*]))\s*/u;

/**
 * Parses a drafted user message, cut to the length of a message; possibly empty.
 * @param person the user's name, which models tend to put in front
 */
export function parseDraft(text: string, person = ''): string {
  let draft = text.trim().replace(SPEAKER, '');
  if (person !== '' && new RegExp(`^${RegExp.escape(person)}\\s*[:：]`, 'iu').test(draft))
    draft = draft.replace(/^[^:：]*[:：]\s*/u, '');
  return draft.slice(0, TEXT_LIMITS.message).toWellFormed().trim();
}
