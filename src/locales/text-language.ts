/** Scripts of the interface languages that do not use Latin letters. */
const LANGUAGE_SCRIPTS: Partial<Record<string, 'kana' | 'han' | 'devanagari' | 'cyrillic'>> = {
  ja: 'kana',
  zh: 'han',
  hi: 'devanagari',
  ru: 'cyrillic',
};

const LETTERS = {
  latin: /\p{Script=Latin}/gu,
  kana: /[\p{Script=Hiragana}\p{Script=Katakana}]/gu,
  han: /\p{Script=Han}/gu,
  devanagari: /(?=\p{L})\p{Script=Devanagari}/gu,
  cyrillic: /\p{Script=Cyrillic}/gu,
  any: /\p{L}/gu,
};

/** In UTF-16 units: enough to detect the script, also while a text is still being streamed. */
const MAX_SAMPLE_LENGTH = 400;

/**
 * One Chinese or Japanese character counts as this many letters, so that a foreign name does not decide the language.
 */
const CJK_WEIGHT = 3;

/**
 * Detects a text's language from its script, for its `lang` attribute, which selects voices and fonts, if the interface
 * uses another script. Latin letters count as English, in which most characters are written.
 * @param text plain text of a character, model or user
 * @param uiLanguage code of the interface language
 * @returns a language code; undefined if the text can inherit the interface's or if it is unclear
 */
export function detectTextLanguage(text: string, uiLanguage: string): string | undefined {
  const sample = text.slice(0, MAX_SAMPLE_LENGTH);
  const count = (script: keyof typeof LETTERS) => sample.match(LETTERS[script])?.length ?? 0;
  const [latin, kana, han] = [count('latin'), count('kana'), count('han')];
  const cjk = (kana + han) * CJK_WEIGHT;
  const half = (count('any') + (kana + han) * (CJK_WEIGHT - 1)) / 2;
  const ownScript = LANGUAGE_SCRIPTS[uiLanguage];
  if (latin > half) return ownScript ? 'en' : undefined;
  if (cjk > half) {
    if (kana > 0) return ownScript === 'kana' ? undefined : 'ja';
    // Han characters alone may be Chinese or Japanese; assume the interface's language if it uses them.
    return ownScript === 'kana' || ownScript === 'han' ? undefined : 'zh';
  }
  if (count('devanagari') > half) return ownScript === 'devanagari' ? undefined : 'hi';
  if (count('cyrillic') > half) return ownScript === 'cyrillic' ? undefined : 'ru';
  return undefined;
}
