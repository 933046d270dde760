import { indexLore, type LoreIndex } from '../../character/lorebook/lore-activation.ts';
import { readLorebook } from '../../character/lorebook/lorebook.ts';
import type { PromptParts } from '../../character/definition-parts.ts';
import { type MacroValues, replaceMacros, replaceScannedMacros } from '../macro-names.ts';
import { prepareParts, type PreparedPart } from './fit-definition.ts';
import type { CharacterBooks, CharacterCopy } from '../character/character-copy.ts';

/** A lorebook that is ready for prompts. */
export interface PromptLore {
  index: LoreIndex;
  /** The book's own limit for one prompt, in tokens; null when it has none. */
  tokenBudget: number | null;
}

/** The long texts of a character with names filled in. */
interface FilledBooks extends MacroValues {
  /** What was filled. */
  copy: CharacterCopy;
  lore: PromptLore | null;
  parts: readonly PreparedPart[];
}

/**
 * The lorebook and the definition of a conversation's character. Both are kept for the current names until the runtime
 * needs the memory: they are larger than anything else of a conversation, and while a reply is written nothing needs them.
 */
export class ConversationLore {
  readonly #getCopy: () => CharacterCopy;
  #cached: WeakRef<FilledBooks> | null = null;

  constructor(getCopy: () => CharacterCopy) {
    this.#getCopy = getCopy;
  }

  /** The texts, for a copy of the conversation. */
  readBooks(): CharacterBooks {
    const { lorebook, parts } = this.#getCopy();
    return { lorebook, parts };
  }

  /** Returns the lorebook with these names filled in; null when it has no entries. */
  getPromptLore(names: MacroValues): PromptLore | null {
    return this.#fill(names).lore;
  }

  /** Returns the parts of the definition with these names filled in, by priority. */
  getPromptParts(names: MacroValues): readonly PreparedPart[] {
    return this.#fill(names).parts;
  }

  #fill(names: MacroValues): FilledBooks {
    const ready = this.#cached?.deref();
    const copy = this.#getCopy();
    if (ready?.copy === copy && ready.user === names.user && ready.char === names.char) return ready;
    const { lorebook, parts } = copy;
    const filled = {
      ...names,
      copy,
      lore: lorebook === null ? null : buildPromptLore(JSON.parse(lorebook), names),
      parts: parts === null ? [] : buildPromptParts(JSON.parse(parts) as PromptParts, names),
    };
    this.#cached = new WeakRef(filled);
    return filled;
  }
}

/** Prepares the parts of a definition for prompts with these names. */
export const buildPromptParts = (parts: PromptParts, names: MacroValues): PreparedPart[] =>
  prepareParts(parts, (text) => replaceMacros(text, names));

/** Prepares a lorebook for prompts with these names; null when it has no entries. */
export function buildPromptLore(book: unknown, names: MacroValues): PromptLore | null {
  const read = readLorebook(book);
  if (read.entries.length === 0) return null;
  const index = indexLore(read, {
    fill: (text) => replaceMacros(text, names),
    fillScanned: (text) => replaceScannedMacros(text, names),
  });
  return { index, tokenBudget: read.tokenBudget };
}
