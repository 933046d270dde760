import { isolateText } from './format.ts';

/** Languages that write no blank between sentences and a full-width colon. */
const FULL_WIDTH_LANGUAGES: ReadonlySet<string> = new Set(['ja', 'zh']);

/** Sentences one after the other, as the language joins them. */
export function joinSentences(sentences: readonly string[], lang: string): string {
  return sentences.join(FULL_WIDTH_LANGUAGES.has(lang) ? '' : ' ');
}

/** Who is about to be quoted, with the colon of the language and the blank after it. */
export function formatSpeakerLabel(who: string, lang: string): string {
  const name = isolateText(who);
  if (FULL_WIDTH_LANGUAGES.has(lang)) return `${name}：`;
  return lang === 'fr' ? `${name}\u00a0: ` : `${name}: `;
}
