import { indexLore, type LoreIndex } from '../../character/lorebook/lore-activation.ts';
import { readLorebook } from '../../character/lorebook/lorebook.ts';
import type { LoreStore } from './lore-store.ts';
import { type MacroValues, replaceMacros, replaceScannedMacros } from '../macro-names.ts';

/** A lorebook that is ready for prompts. */
export interface PromptLore {
  index: LoreIndex;
  /** The book's own limit for one prompt, in tokens; null when it has none. */
  tokenBudget: number | null;
}

/**
 * The lorebook of a conversation's character. Its index is kept for the current names until the runtime needs the memory:
 * it is larger than anything else of a conversation, and while a reply is written nothing needs it.
 */
export class ConversationLore {
  readonly #store: LoreStore;
  #cached: WeakRef<MacroValues & { lore: PromptLore | null }> | null = null;

  constructor(store: LoreStore) {
    this.#store = store;
  }

  /** The stored JSON text; null when there is no lorebook. */
  getBook(): string | null {
    return this.#store.readBook();
  }

  /** @param book JSON text; null for none */
  saveBook(book: string | null): void {
    this.#store.saveBook(book);
    this.#cached = null;
  }

  /** Returns the lorebook with these names filled in; null when it has no entries. */
  getPromptLore(names: MacroValues): PromptLore | null {
    const ready = this.#cached?.deref();
    if (ready?.user === names.user && ready.char === names.char) return ready.lore;
    const lore = this.#build(names);
    this.#cached = new WeakRef({ ...names, lore });
    return lore;
  }

  #build(names: MacroValues): PromptLore | null {
    const text = this.#store.readBook();
    return text === null ? null : buildPromptLore(JSON.parse(text), names);
  }
}

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
