import { computeSeededFraction } from '../../../lib/seeded-fraction.ts';
import { LoreKeys } from './lorebook-keys.ts';
import type { LoreEntry, ParsedLorebook } from './lorebook.ts';

/**
 * Conversation text that one prompt scans for keys, in UTF-16 units; the same limit applies to the text of active
 * entries.
 */
const MAX_SCAN_CHARS = 60_000;
/** How often active entries may activate further entries. */
const MAX_RECURSIONS = 4;
/** Steps of all patterns and whole words for one prompt, each some tens of nanoseconds; afterwards none is found. */
const MAX_STEPS = 2_000_000;
/** Draws of entries with a probability for one prompt, each some tenths of a microsecond. */
const MAX_DRAWS = 500_000;

/** An entry with the numbers of its keys; -1 for a key that never occurs. */
interface IndexedEntry {
  entry: LoreEntry;
  keys: number[];
  secondary: number[];
  required: number[][];
  excluded: number[];
  /** The text that is scanned for the keys of other entries. */
  scanned: string;
  /** Separates the draws of entries for the same message. */
  seed: string;
}

/** A lorebook indexed for matching, with its macros replaced. */
export interface LoreIndex {
  keys: LoreKeys;
  entries: IndexedEntry[];
  recursive: boolean;
  /** The most recent messages that any entry is matched against. */
  depth: number;
  /** The keys in texts that were scanned before, because prompts share most of their texts. */
  scans: Map<string, readonly number[]>;
}

/** A message that is scanned. */
export interface ScannedMessage {
  /** The same for the same message in every prompt; null where every probability counts as certain. */
  id: string | null;
  text: string;
}

/** Replaces the macros of a lorebook. */
export interface LoreMacros {
  fill: (text: string) => string;
  /** The same for a text that is only scanned: hidden keys stay in it. */
  fillScanned: (text: string) => string;
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

export function indexLore(book: ParsedLorebook, { fill, fillScanned }: LoreMacros): LoreIndex {
  const keys = new LoreKeys();
  const entries = book.entries.map((entry): IndexedEntry => {
    const number = (list: readonly string[]) => list.map((key) => keys.add(fill(key), entry) ?? -1);
    return {
      entry: { ...entry, content: fill(entry.content), name: fill(entry.name) },
      keys: number(entry.keys),
      secondary: number(entry.secondary?.keys ?? []),
      required: entry.required.map(number),
      excluded: number(entry.excluded),
      scanned: book.recursive && !entry.recursion.isLast ? fillScanned(entry.content) : '',
      seed:
        entry.probability < 100
          ? String(computeSeededFraction([...entry.keys, entry.content].join('\n')))
          : '',
    };
  });
  const depth = Math.max(0, ...new Set(book.entries.map(({ scanDepth }) => scanDepth)));
  return { keys, entries, recursive: book.recursive, depth, scans: new Map() };
}

/** Texts whose keys are kept; more than a prompt contains. */
const MAX_SCANS = 2000;

/** The search for the entries of one prompt, with what its texts share. */
export interface LoreSearch {
  /** Lists the keys in a text. All calls share a budget. */
  scan: (text: string) => readonly number[];
  /** Draws that are left; afterwards no entry with a probability becomes active. */
  draws: number;
}

export function createSearch({ keys, scans }: LoreIndex): LoreSearch {
  const budget = { steps: MAX_STEPS };
  const scan = (text: string) => {
    const known = scans.get(text);
    if (known !== undefined) return known;
    const found: number[] = [];
    keys.find(text, budget, (key) => found.push(key));
    if (scans.size >= MAX_SCANS) scans.clear();
    if (budget.steps > 0) scans.set(text, found);
    return found;
  };
  return { scan, draws: MAX_DRAWS };
}

/** Where keys were found. Messages are counted from the newest, 0. */
class FoundKeys {
  /** For each key, the messages with it, newest first. */
  readonly #messages: (number[] | undefined)[];
  /** For each key in the text of an active entry, the message that activated that entry. */
  readonly #entries: (number | undefined)[];

  constructor(count: number) {
    this.#messages = Array.from({ length: count });
    this.#entries = Array.from({ length: count });
  }

  addMessage(key: number, back: number): void {
    const list = (this.#messages[key] ??= []);
    if (list.at(-1) !== back) list.push(back);
  }

  addEntry(key: number, trigger: number): void {
    this.#entries[key] ??= trigger;
  }

  /** Lists the messages that activate an entry by a key. */
  *listTriggers(key: number, { scanDepth, recursion }: LoreEntry): Generator<number> {
    if (!recursion.isDelayed) {
      for (const back of this.#messages[key] ?? []) {
        if (back >= scanDepth) break;
        yield back;
      }
    }
    const trigger = recursion.isExcluded ? undefined : this.#entries[key];
    if (trigger !== undefined) yield trigger;
  }

  has(key: number, entry: LoreEntry): boolean {
    return this.listTriggers(key, entry).next().done !== true;
  }
}

/**
 * Returns the entries that a conversation activates. Runs in linear time of lorebook and conversation: each text is
 * scanned once, each entry is activated once, and the recursion is limited. An entry with a probability is drawn once
 * for each message with its keys; as long as the message is scanned, the result stays the same.
 * @param story the most recent messages, newest first
 */
export function findActiveEntries(index: LoreIndex, story: Iterable<ScannedMessage>): LoreEntry[] {
  return [...findActivations(index, story, createSearch(index)).keys()];
}

/** The same, with the message that activates each entry, counted from the newest, 0. */
export function findActivations(
  index: LoreIndex,
  story: Iterable<ScannedMessage>,
  search: LoreSearch,
): Map<LoreEntry, number> {
  const { keys, entries, recursive, depth } = index;
  const found = new FoundKeys(keys.count);
  const ids: (string | null)[] = [];
  let room = MAX_SCAN_CHARS;
  const scanText = (text: string, add: (key: number) => void) => {
    const part = text.slice(0, room);
    room -= part.length;
    for (const key of search.scan(part)) add(key);
  };
  for (const { id, text } of story) {
    const back = ids.push(id) - 1;
    if (back >= depth || keys.count === 0) break;
    scanText(text, (key) => found.addMessage(key, back));
    if (room <= 0) break;
  }
  const active = new Map<LoreEntry, number>();
  room = MAX_SCAN_CHARS;
  for (let round = 0; ; round += 1) {
    const activated = entries.filter((one) => {
      if (active.has(one.entry)) return false;
      const trigger = findTrigger(one, { found, ids, search });
      if (trigger !== null) active.set(one.entry, trigger);
      return trigger !== null;
    });
    if (!recursive || activated.length === 0 || round === MAX_RECURSIONS) break;
    for (const { entry, scanned } of activated)
      if (room > 0) scanText(scanned, (key) => found.addEntry(key, active.get(entry) ?? 0));
  }
  return new Map(
    entries.flatMap(({ entry }) => {
      const trigger = active.get(entry);
      return trigger === undefined ? [] : [[entry, trigger] as const];
    }),
  );
}

/** Returns the message that activates an entry; null when none does. */
function findTrigger(
  one: IndexedEntry,
  { found, ids, search }: { found: FoundKeys; ids: readonly (string | null)[]; search: LoreSearch },
): number | null {
  const { entry, keys, required, excluded } = one;
  if (entry.probability < 100 && search.draws <= 0) return null;
  const has = (key: number) => found.has(key, entry);
  if (excluded.some(has)) return null;
  if (entry.constant) return isDrawn(one, ids[0], search) ? 0 : null;
  if (!keys.some(has) || !required.every((list) => list.some(has)) || !isSecondaryMet(one, has)) return null;
  for (const key of keys)
    for (const trigger of found.listTriggers(key, entry))
      if (isDrawn(one, ids[trigger], search)) return trigger;
  return null;
}

function isSecondaryMet({ entry, secondary }: IndexedEntry, has: (key: number) => boolean): boolean {
  switch (entry.secondary?.logic) {
    case undefined:
      return true;
    case 'any':
      return secondary.some(has);
    case 'all':
      return secondary.every(has);
    case 'notAny':
      return !secondary.some(has);
    case 'notAll':
      return !secondary.every(has);
  }
}

/** Whether an entry's probability holds for a message. */
function isDrawn({ entry, seed }: IndexedEntry, id: string | null | undefined, search: LoreSearch): boolean {
  if (entry.probability >= 100 || id === null) return true;
  search.draws -= 1;
  return computeSeededFraction(`${id} ${seed}`) * 100 < entry.probability;
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
