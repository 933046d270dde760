import {
  createSearch,
  findActivations,
  type LoreIndex,
  type LoreSearch,
  type ScannedMessage,
} from './lore-activation.ts';
import type { LoreEntry } from './lorebook.ts';

/**
 * Decides which entries stand before a conversation, and after which message each of the others appears. An entry stays
 * where it appeared first, so that a prompt begins with the one before. Pure.
 */

/** A message of the part of a conversation that a prompt contains. */
export interface StoryMessage extends ScannedMessage {
  role: 'user' | 'character';
}

/** Whether an entry is placed before the conversation, because nothing in the conversation can change it. */
const isAlwaysActive = ({ constant, probability, excluded }: LoreEntry): boolean =>
  constant && probability >= 100 && excluded.length === 0;

export function listConstantEntries({ entries }: LoreIndex): LoreEntry[] {
  return entries.map(({ entry }) => entry).filter(isAlwaysActive);
}

/**
 * Lists the entries that appear after each message. An entry appears with the first user message whose prompt activates
 * it: after the message with its key if that is one of the two newest ones, otherwise after the newest one.
 * @param story oldest first
 * @returns for each message
 */
export function listPlacedEntries(index: LoreIndex, story: readonly StoryMessage[]): LoreEntry[][] {
  const placed = story.map((): LoreEntry[] => []);
  const known = new Set(listConstantEntries(index));
  const search = createSearch(index);
  const possible = selectPossible(index, story, search);
  if (possible.entries.length === 0) return placed;
  for (const [place, { role }] of story.entries()) {
    if (role !== 'user' && place < story.length - 1) continue;
    for (const [entry, back] of findActivations(possible, readBackwards(story, place), search)) {
      if (known.has(entry)) continue;
      known.add(entry);
      placed[place - (back <= 1 ? back : 0)]?.push(entry);
    }
  }
  return placed;
}

function* readBackwards(story: readonly StoryMessage[], place: number): Generator<ScannedMessage> {
  for (let at = place; at >= 0; at -= 1) yield story[at] as StoryMessage;
}

/** Leaves out the entries whose keys occur neither in the story nor in other entries that may become active. */
function selectPossible(index: LoreIndex, story: readonly ScannedMessage[], { scan }: LoreSearch): LoreIndex {
  const found = new Set(story.flatMap(({ text }) => scan(text)));
  const possible = new Set<(typeof index.entries)[number]>();
  for (let before = -1; before < possible.size;) {
    before = possible.size;
    for (const one of index.entries) {
      if (possible.has(one) || !(one.entry.constant || one.keys.some((key) => found.has(key)))) continue;
      possible.add(one);
      if (index.recursive) for (const key of scan(one.scanned)) found.add(key);
    }
  }
  return { ...index, entries: index.entries.filter((one) => possible.has(one)) };
}
