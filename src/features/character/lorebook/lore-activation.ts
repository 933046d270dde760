import { LoreKeys } from './lorebook-keys.ts';
import type { LoreEntry, ParsedLorebook } from './lorebook.ts';

/**
 * Conversation text that one prompt scans for keys, in UTF-16 units; the same limit applies to the text of active
 * entries.
 */
const MAX_SCAN_CHARS = 60_000;
/** How often active entries may activate further entries. */
const MAX_RECURSIONS = 4;

/** An entry with the numbers of its keys. */
interface IndexedEntry {
  entry: LoreEntry;
  keys: number[];
  required: number[][];
  excluded: number[];
}

/** A lorebook indexed for matching, with its macros replaced by the names of a conversation. */
export interface LoreIndex {
  keys: LoreKeys;
  entries: IndexedEntry[];
  recursive: boolean;
  /** The most recent messages that any entry is matched against. */
  depth: number;
}

/** The entries that one prompt includes. */
export interface ActiveLore {
  /** In prompt order, with names filled in. */
  before: ActiveLoreEntry[];
  after: ActiveLoreEntry[];
}
export interface ActiveLoreEntry {
  name: string;
  text: string;
}

/** @param fill replaces macros with names */
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
 * Returns the entries that a conversation activates. Runs in linear time of lorebook and conversation: each text is
 * scanned once, each entry is activated once, and the recursion is limited.
 * @param story the most recent messages, newest first
 */
export function findActiveEntries(index: LoreIndex, story: Iterable<string>): LoreEntry[] {
  const { keys, entries, recursive, depth } = index;
  // For each key, the least number of messages back at which it occurs; -1 in active entries, which count for every
  // entry.
  const distances = new Float64Array(keys.count).fill(Number.POSITIVE_INFINITY);
  let room = MAX_SCAN_CHARS;
  const scanText = (text: string, back: number) => {
    const part = text.slice(0, room);
    room -= part.length;
    keys.find(part, (key) => (distances[key] = Math.min(distances[key] ?? back, back)));
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
    const found = entries.filter((one) => !active.has(one.entry) && isMatched(one, distances));
    for (const { entry } of found) active.add(entry);
    if (!recursive || found.length === 0 || round === MAX_RECURSIONS) break;
    for (const { entry } of found) if (room > 0) scanText(entry.content, -1);
  }
  return entries.flatMap(({ entry }) => (active.has(entry) ? [entry] : []));
}

function isMatched({ entry, keys, required, excluded }: IndexedEntry, distances: Float64Array): boolean {
  const any = (list: readonly number[]) => list.some((key) => (distances[key] ?? Infinity) < entry.scanDepth);
  if (any(excluded)) return false;
  return entry.constant || (any(keys) && required.every(any));
}

/**
 * Returns the active entries that fit the budget: by priority, then constant entries, then by their order. An entry
 * that does not fit leaves its space to the next.
 * @param budget in the unit of `costOf`, which is tokens
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
  const activated = new Set<LoreEntry>();
  for (const entry of byPriority) {
    if (room <= 0) break;
    const cost = costOf(entry.content);
    if (cost > room) continue;
    room -= cost;
    activated.add(entry);
  }
  const inOrder = active.filter((entry) => activated.has(entry)).toSorted((a, b) => a.order - b.order);
  const at = (position: LoreEntry['position']) =>
    inOrder
      .filter((entry) => entry.position === position)
      .map(({ name, content }) => ({ name, text: content }));
  return { before: at('before'), after: at('after') };
}
