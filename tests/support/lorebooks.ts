import {
  findActiveEntries,
  indexLore,
  trimLoreToBudget,
} from '../../src/features/character/lorebook/lore-activation.ts';
import { readLorebook } from '../../src/features/character/lorebook/lorebook.ts';
import { estimateTokens } from '../../src/features/model/estimate-tokens.ts';

/** The fields of a lorebook entry that a test sets. */
export interface EntryFields {
  content?: string;
  keys?: unknown;
  [field: string]: unknown;
}

const entry = (fields: EntryFields): EntryFields => ({
  enabled: true,
  extensions: {},
  insertion_order: 0,
  ...fields,
});
/** A lorebook of these entries. */
export const book = (entries: EntryFields[], fields: object = {}) => ({
  extensions: {},
  entries: entries.map(entry),
  ...fields,
});

/** Returns the texts of a lorebook that are active for these messages, newest first. */
export function listActiveTexts(source: unknown, story: string[], budget = 10_000): string[] {
  const fill = (text: string) => text.replaceAll('{{char}}', 'Mira');
  const index = indexLore(readLorebook(source), { fill, fillScanned: fill });
  const messages = story.map((text, back) => ({ id: `m${story.length - back}`, text }));
  const { before, after } = trimLoreToBudget(findActiveEntries(index, messages), budget, estimateTokens);
  return [...before, ...after].map(({ text }) => text);
}
