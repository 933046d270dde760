import { dequal } from 'dequal';
import {
  type LoreFields,
  isLoreFields,
  type LoreEntry,
  toNumber,
  parsePosition,
  toText,
  toTexts,
} from './lorebook.ts';
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
  caseSensitive: boolean;
  position: LoreEntry['position'];
  order: number;
  /** Its keys are regular expressions, which are never run. */
  patterns: boolean;
}
export type EntryChange = Partial<Omit<EntryView, 'patterns'>>;

/** Converts an entry for editing; null for a value that is not an entry, which is kept and can only be removed. */
export function toEntryView(entry: unknown): EntryView | null {
  if (!isLoreFields(entry)) return null;
  return {
    name: toText(entry[getNameField(entry)]),
    keys: toTexts(entry['keys']),
    secondary: toTexts(entry['secondary_keys']),
    content: toText(entry['content']),
    on: entry['enabled'] !== false,
    constant: entry['constant'] === true,
    selective: entry['selective'] === true,
    caseSensitive: entry['case_sensitive'] === true,
    position: parsePosition(entry['position']),
    order: toNumber(entry['insertion_order'], 0),
    patterns: entry['use_regex'] === true,
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
}: EntryView): 'off' | 'empty' | 'keyless' | null {
  if (!on) return 'off';
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

/** Changes an entry; fields that already have the value stay as they are written. */
export function updateEntry(entry: LoreFields, part: EntryChange): LoreFields {
  const now = toEntryView(entry) as EntryView;
  const next: LoreFields = { ...entry };
  for (const [name, value] of Object.entries(part) as [keyof EntryChange, unknown][]) {
    if (dequal(now[name], value) && (name !== 'order' || isNumber(entry['insertion_order']))) continue;
    if (name === 'name') next[getNameField(entry)] = value;
    else if (name === 'position') next['position'] = value === 'before' ? 'before_char' : 'after_char';
    else next[FIELD_NAMES[name]] = value;
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
