import { CARD } from '../limits.ts';

/**
 * A lorebook as Character Cards have one (`character_book` of V2 and V3): facts about a world, each included in the
 * prompt when the conversation mentions it. The lorebook is stored as it was imported; this is the part that prompts
 * need. It comes from strangers, so everything has a limit, and anything that cannot be understood is ignored.
 */

/** Entries that are read from one lorebook. */
export const MAX_LORE_ENTRIES = CARD.lorebook.maxEntries;
/** Keys of all entries together. */
export const MAX_LORE_KEYS = 10_000;
/** Messages to scan when a lorebook sets no number. */
export const DEFAULT_SCAN_DEPTH = 4;
/** The most messages to scan, even if a lorebook asks for more. */
export const MAX_SCAN_DEPTH = 50;
/** Length of an entry's name, in UTF-16 units. */
const MAX_NAME_CHARS = 80;
/** Lines at the start of an entry's text that are read as decorators. */
const MAX_DECORATORS = 30;

export interface LoreEntry {
  /** Shown to the user. */
  name: string;
  /** With macros, without decorators. */
  content: string;
  /** The entry is active if one of these occurs in the conversation. */
  keys: string[];
  /** Further keys and what has to be true of them; null for none. */
  secondary: { logic: SelectiveLogic; keys: string[] } | null;
  /** One key of each of these lists has to occur as well. */
  required: string[][];
  /** None of these may occur. */
  excluded: string[];
  caseSensitive: boolean;
  /** Whether keys match whole words only. */
  wholeWords: boolean;
  /** In how many of a hundred messages with its keys the entry becomes active: above 0, up to 100. */
  probability: number;
  /** Active in every turn, without any key. */
  constant: boolean;
  position: 'before' | 'after';
  /** Lower ones come first in the prompt. */
  order: number;
  /** Lower ones are left out first when there is not enough space. */
  priority: number;
  /** How many of the most recent messages are scanned. */
  scanDepth: number;
  /** What it has to do with the texts of other entries, where the lorebook scans them. */
  recursion: EntryRecursion;
}

export interface EntryRecursion {
  /** Their texts do not activate it. */
  isExcluded: boolean;
  /** Its text activates no others. */
  isLast: boolean;
  /** Only their texts activate it. */
  isDelayed: boolean;
}

/** What has to be true of the secondary keys: any or all occur, none occurs, or at least one does not occur. */
export type SelectiveLogic = 'any' | 'notAll' | 'notAny' | 'all';
/** By SillyTavern's number. */
export const SELECTIVE_LOGICS: readonly SelectiveLogic[] = ['any', 'notAll', 'notAny', 'all'];

export interface ParsedLorebook {
  /** In the lorebook's order, without entries that are disabled or empty. */
  entries: LoreEntry[];
  /** Limit for one prompt, in tokens; null when the lorebook sets none. */
  tokenBudget: number | null;
  /** Active entries are scanned for further keys. */
  recursive: boolean;
}

export type LoreFields = Record<string, unknown>;

export const isLoreFields = (value: unknown): value is LoreFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const toText = (value: unknown): string => (typeof value === 'string' ? value : '');
export const toTexts = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.filter((one): one is string => typeof one === 'string' && one.trim() !== '')
    : [];
/** Returns a number, even if a program wrote it as a text. */
export function toNumber<Otherwise>(value: unknown, fallback: Otherwise): number | Otherwise {
  const number = typeof value === 'string' && /^-?\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : fallback;
}
const parseScanDepth = (value: unknown, otherwise: number): number =>
  Math.min(MAX_SCAN_DEPTH, Math.max(0, Math.floor(toNumber(value, otherwise))));

/** Reads a lorebook of any form; a value that is not a lorebook has no entries. */
export function readLorebook(book: unknown): ParsedLorebook {
  const fields = isLoreFields(book) ? book : {};
  const listed = Array.isArray(fields['entries']) ? fields['entries'].slice(0, MAX_LORE_ENTRIES) : [];
  const scanDepth = parseScanDepth(fields['scan_depth'], DEFAULT_SCAN_DEPTH);
  const budget = toNumber(fields['token_budget'], null);
  const entries: LoreEntry[] = [];
  let room = MAX_LORE_KEYS;
  for (const listedEntry of listed) {
    const entry = isLoreFields(listedEntry) ? readEntry(listedEntry, scanDepth) : null;
    if (entry === null) continue;
    const { secondary, required, excluded } = entry;
    const keys = [entry.keys, secondary?.keys ?? [], excluded, ...required].flat().length;
    // An entry without all of its keys would be active where it should not be.
    if (keys > room) continue;
    room -= keys;
    entries.push(entry);
  }
  return {
    entries,
    tokenBudget: budget !== null && budget >= 0 ? budget : null,
    recursive: fields['recursive_scanning'] === true,
  };
}

/** The entries that prompts ignore as long as their creator does not switch them on. */
const isDisabled = (fields: LoreFields, decorators: readonly { name: string }[]): boolean =>
  fields['enabled'] === false || decorators.some(({ name }) => name === 'dont_activate');

/**
 * Returns what others may download of a stored lorebook: all of it but the entries that are disabled or cannot be read.
 * @param json a lorebook of any form; null for none
 * @returns null when no entry is left
 */
export function removeDisabledEntries(json: string | null): string | null {
  const book: unknown = json === null ? null : JSON.parse(json);
  if (!isLoreFields(book) || !Array.isArray(book['entries'])) return null;
  const entries = book['entries'].filter(
    (entry) => isLoreFields(entry) && !isDisabled(entry, readDecorators(toText(entry['content'])).decorators),
  );
  return entries.length === 0 ? null : JSON.stringify({ ...book, entries });
}

/** Reads an entry; null for one that can never be active. */
function readEntry(fields: LoreFields, scanDepth: number): LoreEntry | null {
  const { content, decorators } = readDecorators(toText(fields['content']));
  const rules = readEntryRules(fields);
  if (isDisabled(fields, decorators) || content.trim() === '' || rules.probability <= 0) return null;
  const lists = (wanted: string) =>
    decorators
      .filter(({ name }) => name === wanted)
      .map(({ value }) => toTexts(value.split(',').map((key) => key.trim())))
      .filter((list) => list.length > 0);
  const value = (wanted: string) => decorators.find(({ name }) => name === wanted)?.value;
  const named = [fields['name'], fields['comment'], toTexts(fields['keys'])[0]].map(toText);
  const secondary = toTexts(fields['secondary_keys']);
  return {
    name: (named.find((name) => name.trim() !== '') ?? '').trim().slice(0, MAX_NAME_CHARS),
    content,
    keys: toTexts(fields['keys']),
    secondary: rules.selective && secondary.length > 0 ? { logic: rules.logic, keys: secondary } : null,
    required: lists('additional_keys'),
    excluded: lists('exclude_keys').flat(),
    caseSensitive: rules.caseSensitive,
    wholeWords: rules.wholeWords,
    probability: Math.min(100, rules.probability),
    constant: fields['constant'] === true || value('activate') !== undefined,
    position: parseNamedPosition(value('position')) ?? rules.position,
    order: toNumber(fields['insertion_order'], 0),
    priority:
      value('ignore_on_max_context') === undefined
        ? toNumber(fields['priority'], 0)
        : Number.NEGATIVE_INFINITY,
    scanDepth: parseScanDepth(parseNumber(value('scan_depth')) ?? rules.scanDepth, scanDepth),
    recursion: rules.recursion,
  };
}

/** What an entry's fields and SillyTavern's extensions say about when it is active and where it goes. */
export interface EntryRules {
  caseSensitive: boolean;
  wholeWords: boolean;
  selective: boolean;
  logic: SelectiveLogic;
  /** 0 to 100. */
  probability: number;
  /** Null for the lorebook's own. */
  scanDepth: number | null;
  position: LoreEntry['position'];
  recursion: EntryRecursion;
}

export function readEntryRules(fields: LoreFields): EntryRules {
  const extensions = isLoreFields(fields['extensions']) ? fields['extensions'] : {};
  const caseSensitive = [fields['case_sensitive'], extensions['case_sensitive']];
  const probability = extensions['useProbability'] === false ? 100 : extensions['probability'];
  const at = toNumber(extensions['position'], null);
  return {
    caseSensitive: caseSensitive.find((value) => typeof value === 'boolean') === true,
    // SillyTavern's null means its user's setting.
    wholeWords: extensions['match_whole_words'] !== false,
    selective: fields['selective'] === true,
    logic: SELECTIVE_LOGICS[toNumber(extensions['selectiveLogic'], 0)] ?? 'any',
    probability: toNumber(probability, 100),
    scanDepth: toNumber(extensions['scan_depth'], null),
    position:
      at === null ? (parseNamedPosition(fields['position']) ?? 'after') : at === 0 ? 'before' : 'after',
    recursion: {
      isExcluded: extensions['exclude_recursion'] === true,
      isLast: extensions['prevent_recursion'] === true,
      // SillyTavern writes true or a level, from 1.
      isDelayed:
        extensions['delay_until_recursion'] === true || toNumber(extensions['delay_until_recursion'], 0) > 0,
    },
  };
}

/** The place that a field or decorator names; null for others, which have no effect. */
const parseNamedPosition = (value: unknown): LoreEntry['position'] | null =>
  value === 'before_char' || value === 'before_desc'
    ? 'before'
    : value === 'after_char' || value === 'after_desc'
      ? 'after'
      : null;

const parseNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,4}$/.test(text) ? Number(text) : undefined;

interface Decorator {
  name: string;
  value: string;
}

/** Decorators that we support. Others stay in the lorebook and have no effect. */
const KNOWN_DECORATORS = new Set([
  'activate',
  'dont_activate',
  'position',
  'scan_depth',
  'additional_keys',
  'exclude_keys',
  'ignore_on_max_context',
]);

/**
 * Splits the decorators of V3 off the start of a text: lines that begin with `@@`. One with `@@@` is the fallback for
 * the decorator before it, if that is not supported.
 */
function readDecorators(text: string): { content: string; decorators: Decorator[] } {
  const decorators: Decorator[] = [];
  let rest = text.trimStart();
  let understood = true;
  for (let count = 0; count < MAX_DECORATORS && rest.startsWith('@@'); count += 1) {
    const end = rest.indexOf('\n');
    const line = (end === -1 ? rest : rest.slice(0, end)).trim();
    rest = end === -1 ? '' : rest.slice(end + 1);
    const isFallback = line.startsWith('@@@');
    const said = line.slice(isFallback ? 3 : 2);
    const space = said.search(/\s/u);
    const name = space === -1 ? said : said.slice(0, space);
    if (isFallback && understood) continue;
    understood = KNOWN_DECORATORS.has(name);
    if (understood) decorators.push({ name, value: space === -1 ? '' : said.slice(space).trim() });
  }
  return { content: rest.trim(), decorators };
}
