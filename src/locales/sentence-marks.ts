import { isolated } from './format.ts';

/** Languages that write no blank between sentences and a full-width colon. */
const FULL_WIDTH: ReadonlySet<string> = new Set(['ja', 'zh']);

/** Sentences one after the other, as the language joins them. */
export function joinSentences(sentences: readonly string[], lang: string): string {
  return sentences.join(FULL_WIDTH.has(lang) ? '' : ' ');
}

/** Who is about to be quoted, with the colon of the language and the blank after it. */
export function speakerLabel(who: string, lang: string): string {
  const name = isolated(who);
  if (FULL_WIDTH.has(lang)) return `${name}：`;
  return lang === 'fr' ? `${name}\u00a0: ` : `${name}: `;
}
