import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../../src/config/languages.ts';
import { detectTextLanguage } from '../../../src/locales/text-language.ts';

const ENGLISH = '*She lifts the lantern.* You came back.';
const JAPANESE = '*彼女はランタンを掲げる。* おかえり、Loreloom。';
const CHINESE = '*她举起灯笼。* 你回来了，Ada。';
const HINDI = '*वह लालटेन उठाती है।* तुम लौट आए।';
const RUSSIAN = '*Она поднимает фонарь.* Ты вернулся.';
const LATIN = ['en', 'de', 'es', 'fr', 'id', 'it', 'pl', 'pt'];
const listOtherLanguages = (...own: string[]) => LANGUAGES.filter((lang) => !own.includes(lang));

describe('Detected text language', () => {
  test('English is detected in a Japanese, Chinese, Hindi or Russian interface', () => {
    for (const lang of listOtherLanguages(...LATIN)) expect(detectTextLanguage(ENGLISH, lang)).toBe('en');
  });

  test.each([
    ['ja', JAPANESE, ['ja']],
    ['zh', CHINESE, ['zh', 'ja']],
    ['hi', HINDI, ['hi']],
    ['ru', RUSSIAN, ['ru']],
  ] as const)(
    'text in %s is detected in an interface of another script, even with a foreign name in it',
    (language, text, own) => {
      for (const lang of listOtherLanguages(...own)) expect(detectTextLanguage(text, lang)).toBe(language);
    },
  );
});

describe('Inherited text language', () => {
  test('a text in the script of the interface inherits its language', () => {
    expect(detectTextLanguage(JAPANESE, 'ja')).toBeUndefined();
    expect(detectTextLanguage(CHINESE, 'zh')).toBeUndefined();
    expect(detectTextLanguage('東京', 'ja')).toBeUndefined();
    expect(detectTextLanguage(HINDI, 'hi')).toBeUndefined();
    expect(detectTextLanguage(RUSSIAN, 'ru')).toBeUndefined();
  });

  test('a text in Latin letters inherits any interface language with Latin letters', () => {
    for (const lang of LATIN) expect(detectTextLanguage(ENGLISH, lang)).toBeUndefined();
  });

  test('a text without letters of one prevailing known script inherits the interface language', () => {
    for (const lang of LANGUAGES) {
      for (const text of ['', '… 12:30 !', 'שלום', 'Καλημέρα', 'Да no']) {
        expect(detectTextLanguage(text, lang)).toBeUndefined();
      }
    }
  });
});
