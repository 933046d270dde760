import { indexLore, type LoreIndex } from '../../character/lorebook/lore-activation.ts';
import { readLorebook } from '../../character/lorebook/lorebook.ts';
import type { LoreStore } from './lore-store.ts';
import { fillNames } from '../conversation-names.ts';

/** A lorebook as a prompt is told of it. */
export interface PromptLore {
  index: LoreIndex;
  /** What the book itself allows in one prompt, in tokens; null where it does not say. */
  tokenBudget: number | null;
}

/** The lorebook of a story's character, made ready once for as long as nobody is called otherwise. */
export class StoryLore {
  readonly #store: LoreStore;
  #ready: { user: string; char: string; lore: PromptLore | null } | null = null;

  constructor(store: LoreStore) {
    this.#store = store;
  }

  /** As it is kept: text of JSON; null when there is none. */
  kept(): string | null {
    return this.#store.book();
  }

  /** @param book text of JSON; null for none */
  keep(book: string | null): void {
    this.#store.keep(book);
    this.#ready = null;
  }

  /** For a prompt in which people have these names; null when there is nothing to tell. */
  for(names: { user: string; char: string }): PromptLore | null {
    const ready = this.#ready;
    if (ready !== null && ready.user === names.user && ready.char === names.char) return ready.lore;
    const lore = this.#read(names);
    this.#ready = { ...names, lore };
    return lore;
  }

  #read(names: { user: string; char: string }): PromptLore | null {
    const text = this.#store.book();
    return text === null ? null : promptLore(JSON.parse(text), names);
  }
}

/** Makes a book ready to be told in prompts where people have these names; null when there is nothing to tell. */
export function promptLore(book: unknown, names: { user: string; char: string }): PromptLore | null {
  const read = readLorebook(book);
  if (read.entries.length === 0) return null;
  return { index: indexLore(read, (text) => fillNames(text, names)), tokenBudget: read.tokenBudget };
}
