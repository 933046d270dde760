import { CARD } from '../limits.ts';

/**
 * Limits of a lorebook, for the form and the API. Lorebooks come from other programs, and prompts ignore what they do
 * not understand. So only sizes are checked, not types of values.
 */

/** A Character Card's `character_book`, as it was imported or edited. */
export interface EditableLorebook {
  [field: string]: unknown;
  entries: unknown[];
}

const { maxEntries, maxKeys, maxKeyChars, maxContentChars, maxBytes } = CARD.lorebook;

/** The longest text of each kind, in UTF-16 units, and the most keys in a list. */
export const LORE_LIMITS = { name: maxKeyChars, key: maxKeyChars, keys: maxKeys, text: maxContentChars };

/** A limit that a lorebook exceeds: `entries` and `bytes` are about the whole, the others about one text or list. */
export interface LorebookProblem {
  /** Index of the entry, from 0; null for the lorebook itself. */
  entry: number | null;
  code: 'entries' | 'bytes' | 'name' | 'key' | 'keys' | 'text';
}

/** A value that exceeds its limit. */
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

/** Levels around a lorebook in a card: the card and its data. */
const ENCLOSING_DEPTH = 2;

/** Whether a lorebook is within the depth limit of cards; no program could serialise a deeper one. */
export function isWithinDepth(book: unknown): boolean {
  // Iterative, because recursion would overflow the stack.
  const open = [{ value: book, depth: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue;
    if (next.depth > CARD.maxDepth - ENCLOSING_DEPTH) return false;
    for (const inner of Object.values(next.value)) open.push({ value: inner, depth: next.depth + 1 });
  }
  return true;
}

const encoder = new TextEncoder();

/** Size as JSON, in bytes and in UTF-16 units. */
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
/** Entries are never changed in place, so a result is valid as long as its entry exists. */
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

/** Returns the size of a lorebook as JSON, in bytes. */
export const countBookBytes = (book: EditableLorebook): number => computeBookSize(book, 'bytes');

/** The same in UTF-16 units, in which browser storage counts. */
export const countBookChars = (book: EditableLorebook): number => computeBookSize(book, 'chars');

/**
 * Finds all limits that a lorebook exceeds.
 * @param previous the lorebook before the change: a text or list that was too long in it already may stay as it is
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
