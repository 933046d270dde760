import { TEXT_LIMITS } from '../../config/text-limits.ts';

/** Reads what a model wrote when it was asked for something else than a reply. Tolerant: models add what nobody asked for. */

export const SUGGESTION_COUNT = 3;
/** Twelve long words and some more; a line above it is an explanation. */
const MAX_SUGGESTION_CHARS = 200;

/** What some models think aloud before they answer. */
const THOUGHTS = /<(think|thinking|reasoning)>[\s\S]*?(?:<\/\1>|$)/gi;
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

/** A model's answer without the thoughts that it wrote down before it. */
export function stripThoughts(text: string): string {
  return text.replaceAll(THOUGHTS, '').trim();
}

/** Takes off one pair of quotation marks that stands around the whole of a text. */
function stripQuotes(text: string): string {
  for (const [open, close] of QUOTES) {
    if (text.length < 2 || !text.startsWith(open) || !text.endsWith(close)) continue;
    const inner = text.slice(open.length, -close.length);
    // Marks inside mean that these two belong to different sayings.
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

/**
 * The three next lines that a model suggested, without numbers, bullets and quotation marks; null when there are not
 * three different ones to be found.
 */
export function parseSuggestions(text: string): string[] | null {
  const answer = stripThoughts(text);
  // Some write all three in one line.
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

/** A speaker's name before what they say: it stands before quotation marks, an action, or by itself in bold. */
const SPEAKER =
  /^(?:\*\*[^*\n]{1,60}[:：]\s*\*\*|\*\*[^*\n]{1,60}\*\*\s*[:：]|\p{L}[\p{L}\p{M} .'’-]{0,48}[:：]\s*(?=["“„«「*]))\s*/u;

/**
 * The person's next line as a model drafted it, never longer than a message; empty when nothing is left.
 * @param person the name that models like to put before it
 */
export function parseDraft(text: string, person = ''): string {
  let draft = stripThoughts(text).replace(SPEAKER, '');
  if (person !== '' && new RegExp(`^${RegExp.escape(person)}\\s*[:：]`, 'iu').test(draft))
    draft = draft.replace(/^[^:：]*[:：]\s*/u, '');
  return draft.slice(0, TEXT_LIMITS.message).toWellFormed().trim();
}

/** Writing that puts no spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}。、！？「」『』（）]/u;
const CLOSING = /^[\s,.;:!?…)\]}”’»]/u;

/**
 * What has to stand between a reply and what goes on from it: models begin with a word and leave its space to others.
 * @param addition the first piece of what is added
 */
export function getJoiner(base: string, addition: string): '' | ' ' {
  const last = base.at(-1) ?? '';
  const first = addition.at(0) ?? '';
  if (last === '' || first === '' || /[\s([{“„«‘]/u.test(last) || CLOSING.test(first)) return '';
  if (UNSPACED.test(last) || UNSPACED.test(first)) return '';
  // A mark that opens and closes alike closes what is open, and whatever follows an open one belongs inside it.
  for (const mark of ['"', '*']) {
    const isOpen = base.split(mark).length % 2 === 0;
    if (isOpen && (first === mark || last === mark)) return '';
  }
  return ' ';
}
