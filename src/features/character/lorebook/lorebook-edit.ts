import { dequal } from 'dequal';
import {
  type LoreFields,
  isLoreFields,
  type LoreEntry,
  type EntryRules,
  readEntryRules,
  SELECTIVE_LOGICS,
  toNumber,
  toText,
  toTexts,
} from './lorebook.ts';
import { isUnusablePattern } from './lorebook-keys.ts';
import type { EditableLorebook } from './lorebook-rules.ts';

/**
 * A lorebook entry for editing, shown as prompts understand it. Fields that are not edited stay as they came, including
 * unknown fields, extensions and odd values. Objects are never changed in place.
 */

export interface EntryView {
  name: string;
  keys: string[];
  secondary: string[];
  content: string;
  on: boolean;
  /** Included in every prompt. */
  constant: boolean;
  /** Active only if one of the secondary keys occurs as well. */
  selective: boolean;
  /** What has to be true of the secondary keys. */
  logic: EntryRules['logic'];
  caseSensitive: boolean;
  wholeWords: boolean;
  /** In how many of a hundred messages with its keys it becomes active. */
  probability: number;
  /** How many of the newest messages are scanned; null for the lorebook's number. */
  scanDepth: number | null;
  position: LoreEntry['position'];
  order: number;
  /** The first key that is a pattern which is never run. */
  unusablePattern: string | null;
}
export type EntryChange = Partial<Omit<EntryView, 'unusablePattern'>>;

/** Converts an entry for editing; null for a value that is not an entry, which is kept and can only be removed. */
export function toEntryView(entry: unknown): EntryView | null {
  if (!isLoreFields(entry)) return null;
  const { selective, logic, caseSensitive, wholeWords, probability, scanDepth, position } =
    readEntryRules(entry);
  const keys = toTexts(entry['keys']);
  const secondary = toTexts(entry['secondary_keys']);
  return {
    name: toText(entry[getNameField(entry)]),
    keys,
    secondary,
    content: toText(entry['content']),
    on: entry['enabled'] !== false,
    constant: entry['constant'] === true,
    selective,
    logic,
    caseSensitive,
    wholeWords,
    probability,
    scanDepth,
    position,
    order: toNumber(entry['insertion_order'], 0),
    unusablePattern: [...keys, ...secondary].find(isUnusablePattern) ?? null,
  };
}

/** Some programs name an entry by its comment only. */
const getNameField = (entry: LoreFields): 'name' | 'comment' =>
  toText(entry['name']).trim() === '' && toText(entry['comment']).trim() !== '' ? 'comment' : 'name';

/** Returns the title of an entry in lists; the same as in the record of a reply. */
export function getEntryTitle({ name, keys }: EntryView): string {
  return name.trim() || (keys[0] ?? '').trim();
}

/** Why an entry can never be active; null when it is active wherever its keys occur. */
export function getInactiveReason({
  on,
  content,
  constant,
  keys,
  probability,
}: EntryView): 'off' | 'empty' | 'keyless' | null {
  if (!on || probability <= 0) return 'off';
  if (content.trim() === '') return 'empty';
  return constant || keys.length > 0 ? null : 'keyless';
}

const FIELD_NAMES = {
  keys: 'keys',
  secondary: 'secondary_keys',
  content: 'content',
  on: 'enabled',
  constant: 'constant',
  selective: 'selective',
  caseSensitive: 'case_sensitive',
  order: 'insertion_order',
} as const;

/** Whether an entry has an order of its own: a default order is overwritten even by the same number. */
const isNumber = (order: unknown) => toNumber(order, null) !== null;

/** Fields of SillyTavern's extensions that say the same as a field of the format; kept alike where they exist. */
const EXTENSION_COPIES = {
  caseSensitive: (value: unknown) => ({ case_sensitive: value }),
  position: (value: unknown) => ({ position: value === 'before' ? 0 : 1 }),
} as const;

/** What the format has no field for, as SillyTavern writes it into the extensions. */
const EXTENSION_FIELDS = {
  logic: (value: unknown) => ({ selectiveLogic: SELECTIVE_LOGICS.indexOf(value as EntryRules['logic']) }),
  wholeWords: (value: unknown) => ({ match_whole_words: value }),
  probability: (value: unknown) => ({ probability: value, useProbability: true }),
  scanDepth: (value: unknown) => ({ scan_depth: value }),
} as const;

const isKeyOf = <Table extends object>(table: Table, name: PropertyKey): name is keyof Table =>
  Object.hasOwn(table, name);

/** Changes an entry; fields that already have the value stay as they are written. */
export function updateEntry(entry: LoreFields, part: EntryChange): LoreFields {
  const now = toEntryView(entry) as EntryView;
  const next: LoreFields = { ...entry };
  const extensions = isLoreFields(entry['extensions']) ? entry['extensions'] : {};
  const extend = (fields: Record<string, unknown>) =>
    (next['extensions'] = { ...(isLoreFields(next['extensions']) ? next['extensions'] : {}), ...fields });
  for (const [name, value] of Object.entries(part) as [keyof EntryChange, unknown][]) {
    if (dequal(now[name], value) && (name !== 'order' || isNumber(entry['insertion_order']))) continue;
    if (name === 'name') next[getNameField(entry)] = value;
    else if (name === 'position') next['position'] = value === 'before' ? 'before_char' : 'after_char';
    else if (isKeyOf(EXTENSION_FIELDS, name)) extend(EXTENSION_FIELDS[name](value));
    else next[FIELD_NAMES[name]] = value;
    if (!isKeyOf(EXTENSION_COPIES, name)) continue;
    const copy = EXTENSION_COPIES[name](value);
    if (Object.keys(copy).some((field) => extensions[field] != null)) extend(copy);
  }
  return next;
}

/** A new lorebook. */
export const EMPTY_LOREBOOK: EditableLorebook = { name: '', extensions: {}, entries: [] };

/** Creates an empty entry that comes after all others. */
export function createEntry({ entries }: EditableLorebook): LoreFields {
  const orders = entries.map((entry) => (isLoreFields(entry) ? toNumber(entry['insertion_order'], 0) : 0));
  const order = orders.reduce((most, one) => Math.max(most, one + 1), 0);
  return {
    name: '',
    keys: [],
    secondary_keys: [],
    content: '',
    extensions: {},
    enabled: true,
    insertion_order: order,
    case_sensitive: false,
    use_regex: false,
    constant: false,
    selective: false,
    position: 'after_char',
  };
}

/** Adds the entries of another lorebook; a lorebook without entries becomes the other one. */
export function mergeLorebooks(book: EditableLorebook, added: EditableLorebook): EditableLorebook {
  if (book.entries.length === 0) return added;
  // Ids have to be unique.
  const entries = added.entries.map((entry) => (isLoreFields(entry) ? copyEntry(entry) : entry));
  return { ...book, entries: [...book.entries, ...entries] };
}

/** Copies an entry without its id, which has to be unique. */
export function copyEntry(entry: LoreFields): LoreFields {
  const { id: _, ...rest } = structuredClone(entry);
  return rest;
}

/**
 * Returns the indexes of the entries that contain all words of a query, ignoring case; all of them for an empty query.
 * @param open an entry that is always included, so that it does not disappear while the user edits it
 */
export function searchEntries(book: EditableLorebook, query: string, open: number | null = null): number[] {
  const words = query.toLowerCase().split(/\s+/u).filter(Boolean);
  const places = book.entries.keys();
  if (words.length === 0) return [...places];
  return [...places].filter((place) => {
    if (place === open) return true;
    const view = toEntryView(book.entries[place]);
    if (view === null) return false;
    const text = [view.name, ...view.keys, ...view.secondary, view.content].join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Changes a field of a lorebook; undefined removes the field. */
export function setField(book: EditableLorebook, field: string, value: unknown): EditableLorebook {
  const { [field]: _, ...rest } = book;
  return (value === undefined ? rest : { ...book, [field]: value }) as EditableLorebook;
}

/** Splits a text with one item per line, and drops empty lines. */
export const splitNonEmptyLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
