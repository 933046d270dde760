import { trimLoreToBudget, type ActiveLoreEntry } from '../../character/lorebook/lore-activation.ts';
import {
  listConstantEntries,
  listPlacedEntries,
  type StoryMessage,
} from '../../character/lorebook/lore-placement.ts';
import { sumTokens, type TokenCounter } from '../../model/estimate-tokens.ts';
import { escapeSection } from '../../model/prompt-escape.ts';
import type { PromptLore } from './conversation-lore.ts';
import { buildLoreBlock, buildLoreSection, type PromptSection } from './prompt-sections.ts';

/** The entries of a lorebook in a prompt: constant ones before the history, the others in it. Pure. */

/** Maximum shares of the context and of the free tokens for the lorebook; the rest is for the history. */
const MAX_LORE_SHARE = 1 / 5;
const MAX_FREE_LORE_SHARE = 1 / 5;

/** The entries that appear after a message. */
export type LoreBlock = Extract<PromptSection, { kind: 'lore' }>;

/** The entries in a part of the history, by the message after which they stand. */
export interface PlacedLore {
  blocks: ReadonlyMap<string, LoreBlock>;
  tokens: number;
}

interface SelectedLore {
  before: PromptSection[];
  after: PromptSection[];
  /** Places the other entries. @param story oldest first, with the beginning of a reply that is continued */
  place: (story: readonly (StoryMessage & { id: string })[]) => PlacedLore;
}

const NO_LORE: PlacedLore = { blocks: new Map(), tokens: 0 };

/** @param room `free`: the tokens for history, memory and lorebook */
export function selectLore(
  lore: PromptLore | null | undefined,
  { free, contextTokens }: { free: number; contextTokens: number },
  count: TokenCounter,
): SelectedLore {
  if (lore == null) return { before: [], after: [], place: () => NO_LORE };
  const share = Math.floor(Math.min(contextTokens * MAX_LORE_SHARE, free * MAX_FREE_LORE_SHARE));
  // Reserves two headings, in case both places have entries.
  const budget = Math.min(lore.tokenBudget ?? share, share) - 2 * count(buildLoreSection([]));
  const constant = trimLoreToBudget(listConstantEntries(lore.index), budget, count);
  const [before, after] = [
    buildLoreSections(constant.before, count),
    buildLoreSections(constant.after, count),
  ];
  const left = budget - sumTokens([...before, ...after]);
  return { before, after, place: (story) => placeLore(lore, story, left, count) };
}

function placeLore(
  { index }: PromptLore,
  story: readonly (StoryMessage & { id: string })[],
  budget: number,
  count: TokenCounter,
): PlacedLore {
  const blocks = new Map<string, LoreBlock>();
  let tokens = 0;
  const emptyTokens = count(buildLoreBlock([]));
  for (const [place, entries] of listPlacedEntries(index, story).entries()) {
    if (entries.length === 0) continue;
    const { before, after } = trimLoreToBudget(entries, budget - tokens - emptyTokens, count);
    const block = toSection([...before, ...after], buildLoreBlock, count);
    if (block === null) continue;
    blocks.set((story[place] as { id: string }).id, block);
    tokens += block.tokens;
  }
  return { blocks, tokens };
}

function buildLoreSections(entries: readonly ActiveLoreEntry[], count: TokenCounter): PromptSection[] {
  const section = toSection(entries, buildLoreSection, count);
  return section === null ? [] : [section];
}

function toSection(
  entries: readonly ActiveLoreEntry[],
  build: (texts: readonly string[]) => string,
  count: TokenCounter,
): LoreBlock | null {
  if (entries.length === 0) return null;
  const text = build(entries.map((entry) => escapeSection(entry.text)));
  return { kind: 'lore', text, tokens: count(text), entries: entries.map(({ name }) => name) };
}
