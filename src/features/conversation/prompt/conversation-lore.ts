import { indexLore, type LoreIndex } from '../../character/lorebook/lore-activation.ts';
import { readLorebook } from '../../character/lorebook/lorebook.ts';
import type { LoreStore } from './lore-store.ts';
import { replaceMacros } from '../macro-names.ts';

/** A lorebook as a prompt is told of it. */
export interface PromptLore {
  index: LoreIndex;
  /** What the book itself allows in one prompt, in tokens; null where it does not say. */
  tokenBudget: number | null;
}

/** The lorebook of a story's character, made ready once for as long as nobody is called otherwise. */
export class ConversationLore {
  readonly #store: LoreStore;
  #cached: { user: string; char: string; lore: PromptLore | null } | null = null;

  constructor(store: LoreStore) {
    this.#store = store;
  }

  /** As it is kept: text of JSON; null when there is none. */
  getBook(): string | null {
    return this.#store.readBook();
  }

  /** @param book text of JSON; null for none */
  saveBook(book: string | null): void {
    this.#store.saveBook(book);
    this.#cached = null;
  }

  /** For a prompt in which people have these names; null when there is nothing to tell. */
  getPromptLore(names: { user: string; char: string }): PromptLore | null {
    const ready = this.#cached;
    if (ready !== null && ready.user === names.user && ready.char === names.char) return ready.lore;
    const lore = this.#build(names);
    this.#cached = { ...names, lore };
    return lore;
  }

  #build(names: { user: string; char: string }): PromptLore | null {
    const text = this.#store.readBook();
    return text === null ? null : buildPromptLore(JSON.parse(text), names);
  }
}

/** Makes a book ready to be told in prompts where people have these names; null when there is nothing to tell. */
export function buildPromptLore(book: unknown, names: { user: string; char: string }): PromptLore | null {
  const read = readLorebook(book);
  if (read.entries.length === 0) return null;
  return { index: indexLore(read, (text) => replaceMacros(text, names)), tokenBudget: read.tokenBudget };
}
