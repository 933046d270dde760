import { CARD } from '../limits.ts';

/**
 * What a lorebook may have, for the form and the API alike. Books come from other programs, and the prompt passes over
 * what it does not understand: so only what costs room is asked for, and kinds of values are not.
 */

/** A Character Card's `character_book`, as it was brought or edited. */
export interface Book {
  [field: string]: unknown;
  entries: unknown[];
}

const { maxEntries, maxKeys, maxKeyChars, maxContentChars, maxBytes } = CARD.lorebook;

/** The longest text of each kind, in UTF-16 units, and the most keys in a list of them. */
export const LORE_LIMITS = { name: maxKeyChars, key: maxKeyChars, keys: maxKeys, text: maxContentChars };

/** What is too much in a book: `entries` and `bytes` of the whole of it, all others of one text or list. */
export interface LoreTrouble {
  /** Which entry, from 0; null: the book itself. */
  entry: number | null;
  code: 'entries' | 'bytes' | 'name' | 'key' | 'keys' | 'text';
}

/** Something that is over its limit, and what stands there. */
interface Over {
  code: LoreTrouble['code'];
  value: string;
}

type Fields = Readonly<Record<string, unknown>>;

const TEXTS = [
  ['name', 'name'],
  ['comment', 'text'],
  ['description', 'text'],
  ['content', 'text'],
] as const;
const LISTS = ['keys', 'secondary_keys'] as const;

function overIn(fields: Fields): Over[] {
  const over: Over[] = [];
  for (const [field, code] of TEXTS) {
    const { [field]: text } = fields;
    if (typeof text === 'string' && text.length > LORE_LIMITS[code]) over.push({ code, value: text });
  }
  for (const field of LISTS) {
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
function sizeOf(value: unknown): Size {
  const json = JSON.stringify(value);
  return { bytes: encoder.encode(json).length, chars: json.length };
}

interface Looked extends Size {
  over: readonly Over[];
}
/** An entry is never changed in its place: what was found of one holds as long as it is there. */
const looked = new WeakMap<object, Looked>();

function lookAt(entry: unknown): Looked {
  if (typeof entry !== 'object' || entry === null) return { over: [], ...sizeOf(entry) };
  const known = looked.get(entry);
  if (known !== undefined) return known;
  const found = { over: overIn(entry as Fields), ...sizeOf(entry) };
  looked.set(entry, found);
  return found;
}

const aroundOf = (book: Book): Book => ({ ...book, entries: [] });

function bookSize(book: Book, unit: keyof Size): number {
  const entries = book.entries.reduce<number>((sum, entry) => sum + lookAt(entry)[unit], 0);
  return sizeOf(aroundOf(book))[unit] + entries + Math.max(0, book.entries.length - 1);
}

/** How much room a book takes as JSON, in bytes. */
export const bookBytes = (book: Book): number => bookSize(book, 'bytes');

/** The same in UTF-16 units, in which a device counts. */
export const bookChars = (book: Book): number => bookSize(book, 'chars');

/**
 * Everything that is too much in a book.
 * @param stood the book that was there before: a text or a list that was too long in it already may stay as it is
 */
export function bookTroubles(book: Book, stood: Book | null): LoreTrouble[] {
  const troubles: LoreTrouble[] = [];
  if (book.entries.length > maxEntries) troubles.push({ entry: null, code: 'entries' });
  if (bookBytes(book) > maxBytes) troubles.push({ entry: null, code: 'bytes' });
  const found = [
    ...overIn(aroundOf(book)).map(({ code, value }) => ({ entry: null, code, value })),
    ...book.entries.flatMap((entry, index) => lookAt(entry).over.map((over) => ({ entry: index, ...over }))),
  ];
  if (found.length === 0) return troubles;
  const before = new Set(
    stood === null
      ? []
      : [...overIn(aroundOf(stood)), ...stood.entries.flatMap((entry) => lookAt(entry).over)].map(
          ({ value }) => value,
        ),
  );
  for (const { entry, code, value } of found) if (!before.has(value)) troubles.push({ entry, code });
  return troubles;
}
