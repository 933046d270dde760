import { CARD } from '../limits.ts';

/**
 * A lorebook as Character Cards have one (`character_book` of V2, V3 alike): what is true in a world, each thing told when
 * the story comes to it. The book itself is kept as it was brought; this is what a prompt needs of it. It comes from
 * strangers: whatever cannot be understood is passed over, and everything has a bound.
 */

/** Entries of one book that are read. */
export const MAX_LORE_ENTRIES = CARD.lorebook.maxEntries;
/** Keys of all entries together. */
export const MAX_LORE_KEYS = 10_000;
/** Messages that a book is looked for in, where it does not say how many. */
export const DEFAULT_SCAN_DEPTH = 4;
/** At most so many messages back, whatever a book asks for. */
export const MAX_SCAN_DEPTH = 50;
/** Of an entry's name, in UTF-16 units. */
const MAX_NAME_CHARS = 80;
/** Lines at the head of an entry's text that are read as decorators. */
const MAX_DECORATORS = 30;

export interface LoreEntry {
  /** What a reader knows it by. */
  name: string;
  /** Macros and all, without its decorators. */
  content: string;
  /** One of them has to stand in the story. */
  keys: string[];
  /** Of each of these lists, one has to stand there as well. */
  required: string[][];
  /** None of them may stand there. */
  excluded: string[];
  caseSensitive: boolean;
  /** Told in every turn, found or not. */
  constant: boolean;
  position: 'before' | 'after';
  /** Lower ones are told first. */
  order: number;
  /** Where there is no room for all, lower ones are left out first. */
  priority: number;
  /** How many of the newest messages it is looked for in. */
  scanDepth: number;
}

export interface ParsedLorebook {
  /** As they stand in the book, without those that are switched off or say nothing. */
  entries: LoreEntry[];
  /** What may be told of it in one prompt, in tokens; null where the book does not say. */
  tokenBudget: number | null;
  /** What is told is looked through for further keys. */
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
/** A number, also where a program wrote it as a text. */
export function toNumber<Otherwise>(value: unknown, fallback: Otherwise): number | Otherwise {
  const number = typeof value === 'string' && /^-?\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : fallback;
}
const parseScanDepth = (value: unknown, otherwise: number): number =>
  Math.min(MAX_SCAN_DEPTH, Math.max(0, Math.floor(toNumber(value, otherwise))));

/** Reads a book, however it came: what is no book at all has no entries. */
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
    // An entry whose keys are not all there would be told where it should not be.
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

/** One entry; null for one that is never told. */
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

/** Those that are honoured. All others stay in the book and change nothing. */
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
 * Takes the decorators of V3 off the head of a text: lines that begin with `@@`. One with three signs stands in for the one
 * before it, where that is not known here.
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

/** A pattern between slashes, with its flags. */
const SLASHED_PATTERN = /^\/(.*)\/[a-z]*$/su;
/** What means something else than itself in a pattern. */
const PATTERN_METACHARACTERS = /[\\^$.*+?()[\]{}|/]/u;

/**
 * The words that a regular expression looks for, where it is no more than a list of words: `/\b(cat|dog)\b/i`. A pattern is
 * never run: it comes from a stranger, the engine tries without a limit, and nothing could stop it within a turn. One that
 * says more than words is never found.
 */
function extractPlainKeys(pattern: string): string[] {
  const inner = (SLASHED_PATTERN.exec(pattern.trim())?.[1] ?? pattern.trim())
    .replace(/^\\b/u, '')
    .replace(/\\b$/u, '');
  const group = /^\((?:\?:)?([^()]*)\)$/su.exec(inner)?.[1] ?? inner;
  const words = group.split('|').map((word) => word.trim());
  return words.every((word) => word !== '' && !PATTERN_METACHARACTERS.test(word)) ? words : [];
}
