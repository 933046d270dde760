import { isolateText } from './format.ts';

/** Languages without spaces between sentences and with a full-width colon. */
const FULL_WIDTH_LANGUAGES: ReadonlySet<string> = new Set(['ja', 'zh']);

/** Joins sentences in the language's way. */
export function joinSentences(sentences: readonly string[], lang: string): string {
  return sentences.join(FULL_WIDTH_LANGUAGES.has(lang) ? '' : ' ');
}

/** A speaker's name with the language's colon and spacing. */
export function formatSpeakerLabel(who: string, lang: string): string {
  const name = isolateText(who);
  if (FULL_WIDTH_LANGUAGES.has(lang)) return `${name}：`;
  return lang === 'fr' ? `${name}\u00a0: ` : `${name}: `;
}
