import { CARD } from '../limits.ts';

/**
 * What a lorebook may have, for the form and the API alike. Books come from other programs, and the prompt passes over
 * what it does not understand: so only what costs room is asked for, and kinds of values are not.
 */

/** A Character Card's `character_book`, as it was brought or edited. */
export interface EditableLorebook {
  [field: string]: unknown;
  entries: unknown[];
}

const { maxEntries, maxKeys, maxKeyChars, maxContentChars, maxBytes } = CARD.lorebook;

/** The longest text of each kind, in UTF-16 units, and the most keys in a list of them. */
export const LORE_LIMITS = { name: maxKeyChars, key: maxKeyChars, keys: maxKeys, text: maxContentChars };

/** What is too much in a book: `entries` and `bytes` of the whole of it, all others of one text or list. */
export interface LorebookProblem {
  /** Which entry, from 0; null: the book itself. */
  entry: number | null;
  code: 'entries' | 'bytes' | 'name' | 'key' | 'keys' | 'text';
}

/** Something that is over its limit, and what stands there. */
interface LimitViolation {
  code: LorebookProblem['code'];
  value: string;
}

type Fields = Readonly<Record<string, unknown>>;

const TEXT_FIELDS = [
  ['name', 'name'],
  ['comment', 'text'],
  ['description', 'text'],
  ['content', 'text'],
] as const;
const LIST_FIELDS = ['keys', 'secondary_keys'] as const;

function findViolations(fields: Fields): LimitViolation[] {
  const over: LimitViolation[] = [];
  for (const [field, code] of TEXT_FIELDS) {
    const { [field]: text } = fields;
    if (typeof text === 'string' && text.length > LORE_LIMITS[code]) over.push({ code, value: text });
  }
  for (const field of LIST_FIELDS) {
    const { [field]: list } = fields;
    if (!Array.isArray(list)) continue;
    const value = () => JSON.stringify(list);
    if (list.length > LORE_LIMITS.keys) over.push({ code: 'keys', value: value() });
    else if (list.some((key) => typeof key === 'string' && key.length > LORE_LIMITS.key))
      over.push({ code: 'key', value: value() });
  }
  return over;
}

const encoder = new TextEncoder();

/** How much room something takes as JSON: in bytes, and in UTF-16 units. */
interface Size {
  bytes: number;
  chars: number;
}
function measureSize(value: unknown): Size {
  const json = JSON.stringify(value);
  return { bytes: encoder.encode(json).length, chars: json.length };
}

interface EntryCheck extends Size {
  over: readonly LimitViolation[];
}
/** An entry is never changed in its place: what was found of one holds as long as it is there. */
const entryChecks = new WeakMap<object, EntryCheck>();

function checkEntry(entry: unknown): EntryCheck {
  if (typeof entry !== 'object' || entry === null) return { over: [], ...measureSize(entry) };
  const known = entryChecks.get(entry);
  if (known !== undefined) return known;
  const found = { over: findViolations(entry as Fields), ...measureSize(entry) };
  entryChecks.set(entry, found);
  return found;
}

const removeEntries = (book: EditableLorebook): EditableLorebook => ({ ...book, entries: [] });

function computeBookSize(book: EditableLorebook, unit: keyof Size): number {
  const entries = book.entries.reduce<number>((sum, entry) => sum + checkEntry(entry)[unit], 0);
  return measureSize(removeEntries(book))[unit] + entries + Math.max(0, book.entries.length - 1);
}

/** How much room a book takes as JSON, in bytes. */
export const countBookBytes = (book: EditableLorebook): number => computeBookSize(book, 'bytes');

/** The same in UTF-16 units, in which a device counts. */
export const countBookChars = (book: EditableLorebook): number => computeBookSize(book, 'chars');

/**
 * Everything that is too much in a book.
 * @param previous the book that was there before: a text or a list that was too long in it already may stay as it is
 */
export function findLorebookProblems(
  book: EditableLorebook,
  previous: EditableLorebook | null,
): LorebookProblem[] {
  const problems: LorebookProblem[] = [];
  if (book.entries.length > maxEntries) problems.push({ entry: null, code: 'entries' });
  if (countBookBytes(book) > maxBytes) problems.push({ entry: null, code: 'bytes' });
  const found = [
    ...findViolations(removeEntries(book)).map(({ code, value }) => ({ entry: null, code, value })),
    ...book.entries.flatMap((entry, index) =>
      checkEntry(entry).over.map((over) => ({ entry: index, ...over })),
    ),
  ];
  if (found.length === 0) return problems;
  const before = new Set(
    previous === null
      ? []
      : [
          ...findViolations(removeEntries(previous)),
          ...previous.entries.flatMap((entry) => checkEntry(entry).over),
        ].map(({ value }) => value),
  );
  for (const { entry, code, value } of found) if (!before.has(value)) problems.push({ entry, code });
  return problems;
}
