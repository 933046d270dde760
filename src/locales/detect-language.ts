import { LANGUAGES, type Language } from '../config/languages.ts';
import { detectTextLanguage } from './text-language.ts';

/** The commonest short words of the languages in Latin letters, and of Hindi as many people type it. */
const COMMON_WORDS: Partial<Record<Language, string>> = {
  en: 'the and of to you she he her his is are was with that this for it my not have',
  de: 'der die das und ich du sie er es ist nicht ein eine den dem mit zu auf war wie ihr sich von für',
  es: 'el la los las y que qué de en un una es no con por para su se lo del está pero más como ella él',
  fr: 'le la les et je tu il elle est des un une dans que qui ne pas pour sur avec du au vous ce son',
  it: 'il lo la gli e di che è un una non per con si del della sono come ma nel più lei lui ti mi',
  pt: 'o a os as e que de um uma não com por para do da em no na se ela ele você mas é seu sua',
  pl: 'i w na z nie się jest że do to jak ale był jej jego po ona on ty ja przez dla co tak',
  id: 'yang dan di itu ini dengan untuk dari ke tidak dia aku kau kamu pada adalah akan saya ada anda lagi sudah udah jangan gue kalau tapi juga saja nanti banget ya yg',
  hi: 'hai hain ki ke ka mein aur ko se nahi main tum ye bhi to kya ho par ek hu',
};

const languagesByWord = new Map<string, Language[]>();
for (const language of LANGUAGES)
  for (const word of COMMON_WORDS[language]?.split(' ') ?? [])
    languagesByWord.set(word, [...(languagesByWord.get(word) ?? []), language]);

/** In UTF-16 units: a few paragraphs. */
const MAX_SAMPLE_LENGTH = 2000;
const WORD = /[\p{L}\p{M}]+/gu;
/** Macros and tags of cards are English in every language. */
const MACRO = /\{\{[^{}]*\}\}|<[^<>]*>/g;

/** In letters: Japanese of this length has kana, so a text in Han characters alone is Chinese. */
const MIN_CHINESE_LETTERS = 30;

/**
 * Detects the language in which a text is written, by its script and its commonest words.
 * @param uiLanguage of the interface, for a text without common words
 */
export function detectLanguage(text: string, uiLanguage: Language): Language {
  const sample = text.slice(0, MAX_SAMPLE_LENGTH).replaceAll(MACRO, ' ');
  const script = detectTextLanguage(sample, 'en') as Language | undefined;
  if (script === 'zh' && uiLanguage === 'ja' && (sample.match(/\p{L}/gu)?.length ?? 0) < MIN_CHINESE_LETTERS)
    return uiLanguage;
  if (script !== undefined) return script;
  const counts = new Map<Language, number>();
  for (const word of sample.toLowerCase().match(WORD) ?? [])
    for (const language of languagesByWord.get(word) ?? [])
      counts.set(language, (counts.get(language) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  return counts.get(uiLanguage) === most
    ? uiLanguage
    : ([...counts].find(([, count]) => count === most)?.[0] ?? uiLanguage);
}
