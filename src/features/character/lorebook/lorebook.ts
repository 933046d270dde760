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
  /** One key of each of these lists has to occur as well. */
  required: string[][];
  /** None of these may occur. */
  excluded: string[];
  caseSensitive: boolean;
  /** Active in every turn, without any key. */
  constant: boolean;
  position: 'before' | 'after';
  /** Lower ones come first in the prompt. */
  order: number;
  /** Lower ones are left out first when there is not enough space. */
  priority: number;
  /** How many of the most recent messages are scanned. */
  scanDepth: number;
}

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
    const keys = entry.keys.length + entry.excluded.length + entry.required.flat().length;
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

/** Reads an entry; null for one that can never be active. */
function readEntry(fields: LoreFields, scanDepth: number): LoreEntry | null {
  const { content, decorators } = readDecorators(toText(fields['content']));
  const isOff = fields['enabled'] === false || decorators.some(({ name }) => name === 'dont_activate');
  if (isOff || content.trim() === '') return null;
  const regex = fields['use_regex'] === true;
  const readKeys = (value: unknown) =>
    toTexts(value).flatMap((key) => (regex ? extractPlainKeys(key) : [key]));
  const keys = readKeys(fields['keys']);
  const secondary = fields['selective'] === true ? toTexts(fields['secondary_keys']) : [];
  const lists = (wanted: string) =>
    decorators
      .filter(({ name }) => name === wanted)
      .map(({ value }) => toTexts(value.split(',').map((key) => key.trim())))
      .filter((list) => list.length > 0);
  const value = (wanted: string) => decorators.find(({ name }) => name === wanted)?.value;
  const named = [fields['name'], fields['comment'], toTexts(fields['keys'])[0]].map(toText);
  return {
    name: (named.find((name) => name.trim() !== '') ?? '').trim().slice(0, MAX_NAME_CHARS),
    content,
    keys,
    required: [...(secondary.length > 0 ? [readKeys(secondary)] : []), ...lists('additional_keys')],
    excluded: lists('exclude_keys').flat(),
    caseSensitive: fields['case_sensitive'] === true,
    constant: fields['constant'] === true || value('activate') !== undefined,
    position: parsePosition(value('position') ?? fields['position']),
    order: toNumber(fields['insertion_order'], 0),
    priority:
      value('ignore_on_max_context') === undefined
        ? toNumber(fields['priority'], 0)
        : Number.NEGATIVE_INFINITY,
    scanDepth: parseScanDepth(parseNumber(value('scan_depth')), scanDepth),
  };
}

export const parsePosition = (value: unknown): LoreEntry['position'] =>
  value === 'before_char' || value === 'before_desc' ? 'before' : 'after';

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

/** A regular expression between slashes, with its flags. */
const SLASHED_PATTERN = /^\/(.*)\/[a-z]*$/su;
/** Characters with a special meaning in a regular expression. */
const PATTERN_METACHARACTERS = /[\\^$.*+?()[\]{}|/]/u;

/**
 * Returns the words of a regular expression that is only a list of words: `/\b(cat|dog)\b/i`. Expressions are never
 * run: they come from strangers, matching may backtrack without limit, and nothing could stop it within a turn. Any
 * other expression never matches.
 */
function extractPlainKeys(pattern: string): string[] {
  const inner = (SLASHED_PATTERN.exec(pattern.trim())?.[1] ?? pattern.trim())
    .replace(/^\\b/u, '')
    .replace(/\\b$/u, '');
  const group = /^\((?:\?:)?([^()]*)\)$/su.exec(inner)?.[1] ?? inner;
  const words = group.split('|').map((word) => word.trim());
  return words.every((word) => word !== '' && !PATTERN_METACHARACTERS.test(word)) ? words : [];
}
