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
 * A lorebook as it is edited: an entry is shown as a prompt would understand it, and whatever is not written in stays as it
 * came, unknown fields, extensions and odd values too. Nothing is changed in its place.
 */

export interface EntryView {
  name: string;
  keys: string[];
  secondary: string[];
  content: string;
  on: boolean;
  /** Told in every turn. */
  constant: boolean;
  /** Told only where one of the second keys stands there as well. */
  selective: boolean;
  caseSensitive: boolean;
  position: LoreEntry['position'];
  order: number;
  /** Its keys are patterns, which are not run. */
  patterns: boolean;
}
export type EntryChange = Partial<Omit<EntryView, 'patterns'>>;

/** An entry for who edits it; null for what is no entry at all: that is kept, and can only be removed. */
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

/** Some programs call an entry by its comment alone. */
const getNameField = (entry: LoreFields): 'name' | 'comment' =>
  toText(entry['name']).trim() === '' && toText(entry['comment']).trim() !== '' ? 'comment' : 'name';

/** What it is called in lists: as in the record of a reply. */
export function getEntryTitle({ name, keys }: EntryView): string {
  return name.trim() || (keys[0] ?? '').trim();
}

/** Why an entry is never told as it is; null when it is told where its keys stand. */
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

/** Whether it says its own order: what only counts as one is written over, also by the same number. */
const isNumber = (order: unknown) => toNumber(order, null) !== null;

/** An entry with something else in it; what it says already is left as it stands there. */
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

/** What a book is begun with. */
export const EMPTY_LOREBOOK: EditableLorebook = { name: '', extensions: {}, entries: [] };

/** An entry with nothing in it, told after all others. */
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

/** A second entry that says the same: no two have one id. */
export function copyEntry(entry: LoreFields): LoreFields {
  const { id: _, ...rest } = structuredClone(entry);
  return rest;
}

/**
 * The places of the entries in which all words of a query stand, whatever their case; all of them for an empty one.
 * @param open an entry that is among them in any case: it does not go away under the hands of whoever writes in it
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

/** A book of which a field is otherwise; undefined: it has none of that name. */
export function setField(book: EditableLorebook, field: string, value: unknown): EditableLorebook {
  const { [field]: _, ...rest } = book;
  return (value === undefined ? rest : { ...book, [field]: value }) as EditableLorebook;
}

/** The texts of a list that is written one a line. */
export const splitNonEmptyLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
