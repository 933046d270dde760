/** The scripts of the interface languages that are not written in Latin letters. */
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

/** In UTF-16 units: enough of a text to tell its script by, also while it is still being written. */
const MAX_SAMPLE_LENGTH = 400;

/** A character of Chinese or Japanese says about as much as this many letters: one foreign name is no language. */
const CJK_WEIGHT = 3;

/**
 * The language that a text's letters tell where the interface around it is written in another script, for its `lang`
 * attribute: voices and typefaces go by it. Latin letters count as English, in which most characters are written.
 * @param text plain text of a character, a model or a reader
 * @param uiLanguage code of the interface language
 * @returns a language code; undefined where the text may inherit the interface's, or nothing can be told
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
    // Characters alone may be either's: where the interface uses them, they are taken for its own.
    return ownScript === 'kana' || ownScript === 'han' ? undefined : 'zh';
  }
  if (count('devanagari') > half) return ownScript === 'devanagari' ? undefined : 'hi';
  if (count('cyrillic') > half) return ownScript === 'cyrillic' ? undefined : 'ru';
  return undefined;
}
