import { LoreKeys } from './lorebook-keys.ts';
import type { LoreEntry, ParsedLorebook } from './lorebook.ts';

/** Text of the story that one prompt looks through for keys, in UTF-16 units; what entries tell, as much again. */
const MAX_SCAN_CHARS = 60_000;
/** How often what is told leads on to more. */
const MAX_RECURSIONS = 4;

/** An entry with the numbers of its keys. */
interface IndexedEntry {
  entry: LoreEntry;
  keys: number[];
  required: number[][];
  excluded: number[];
}

/** A book made ready to be looked for in stories in which its macros stand for these names. */
export interface LoreIndex {
  keys: LoreKeys;
  entries: IndexedEntry[];
  recursive: boolean;
  /** How many of the newest messages any entry is looked for in. */
  depth: number;
}

/** What is told of a book in one prompt. */
export interface ActiveLore {
  /** In the order in which it is told, names filled in. */
  before: ActiveLoreEntry[];
  after: ActiveLoreEntry[];
}
export interface ActiveLoreEntry {
  name: string;
  text: string;
}

/** @param fill puts names in the place of macros */
export function indexLore(book: ParsedLorebook, fill: (text: string) => string): LoreIndex {
  const keys = new LoreKeys();
  const entries = book.entries.map((entry) => {
    const number = (list: readonly string[]) =>
      list.flatMap((key) => keys.add(fill(key), entry.caseSensitive) ?? []);
    return {
      entry: { ...entry, content: fill(entry.content), name: fill(entry.name) },
      keys: number(entry.keys),
      required: entry.required.map(number),
      excluded: number(entry.excluded),
    };
  });
  const depth = Math.max(0, ...new Set(book.entries.map(({ scanDepth }) => scanDepth)));
  return { keys, entries, recursive: book.recursive, depth };
}

/**
 * The entries that a story has come to. In time by the sizes of book and story: each text is gone through once, each entry
 * told once, and what is told leads on a few times at most.
 * @param story its newest messages, newest first
 */
export function findActiveEntries(index: LoreIndex, story: Iterable<string>): LoreEntry[] {
  const { keys, entries, recursive, depth } = index;
  // By key: how many messages back it stands first; -1 in what was told, which counts for every entry.
  const stands = new Float64Array(keys.count).fill(Number.POSITIVE_INFINITY);
  let room = MAX_SCAN_CHARS;
  const scanText = (text: string, back: number) => {
    const part = text.slice(0, room);
    room -= part.length;
    keys.find(part, (key) => (stands[key] = Math.min(stands[key] ?? back, back)));
  };
  if (depth > 0 && keys.count > 0) {
    let back = 0;
    for (const text of story) {
      scanText(text, back);
      back += 1;
      if (back >= depth || room <= 0) break;
    }
  }
  const active = new Set<LoreEntry>();
  room = MAX_SCAN_CHARS;
  for (let round = 0; ; round += 1) {
    const found = entries.filter((one) => !active.has(one.entry) && isMatched(one, stands));
    for (const { entry } of found) active.add(entry);
    if (!recursive || found.length === 0 || round === MAX_RECURSIONS) break;
    for (const { entry } of found) if (room > 0) scanText(entry.content, -1);
  }
  return entries.flatMap(({ entry }) => (active.has(entry) ? [entry] : []));
}

function isMatched({ entry, keys, required, excluded }: IndexedEntry, stands: Float64Array): boolean {
  const any = (list: readonly number[]) => list.some((key) => (stands[key] ?? Infinity) < entry.scanDepth);
  if (any(excluded)) return false;
  return entry.constant || (any(keys) && required.every(any));
}

/**
 * What there is room for: of entries that were found, those with the highest priority first, then those that are always
 * told, then by their order. One that does not fit leaves its room to the next.
 * @param budget in the unit of `getRouteCost`
 */
export function trimLoreToBudget(
  active: readonly LoreEntry[],
  budget: number,
  costOf: (text: string) => number,
): ActiveLore {
  const byPriority = active.toSorted(
    (a, b) =>
      (a.priority < b.priority ? 1 : a.priority > b.priority ? -1 : 0) ||
      Number(b.constant) - Number(a.constant) ||
      a.order - b.order,
  );
  let room = budget;
  const told = new Set<LoreEntry>();
  for (const entry of byPriority) {
    if (room <= 0) break;
    const cost = costOf(entry.content);
    if (cost > room) continue;
    room -= cost;
    told.add(entry);
  }
  const inOrder = active.filter((entry) => told.has(entry)).toSorted((a, b) => a.order - b.order);
  const at = (position: LoreEntry['position']) =>
    inOrder
      .filter((entry) => entry.position === position)
      .map(({ name, content }) => ({ name, text: content }));
  return { before: at('before'), after: at('after') };
}
