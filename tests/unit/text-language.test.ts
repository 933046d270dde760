import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../src/config/languages.ts';
import { detectTextLanguage } from '../../src/locales/text-language.ts';

const ENGLISH = '*She lifts the lantern.* You came back.';
const JAPANESE = '*彼女はランタンを掲げる。* おかえり、Loreloom。';
const CHINESE = '*她举起灯笼。* 你回来了，Ada。';
const HINDI = '*वह लालटेन उठाती है।* तुम लौट आए।';
const RUSSIAN = '*Она поднимает фонарь.* Ты вернулся.';
const LATIN = ['en', 'de', 'es', 'fr', 'id', 'it', 'pl', 'pt'];
const others = (...own: string[]) => LANGUAGES.filter((lang) => !own.includes(lang));

describe('A text in an interface of another script says its language', () => {
  test('English among Japanese, Chinese, Hindi and Russian', () => {
    for (const lang of others(...LATIN)) expect(detectTextLanguage(ENGLISH, lang)).toBe('en');
  });

  test.each([
    ['ja', JAPANESE, ['ja']],
    ['zh', CHINESE, ['zh', 'ja']],
    ['hi', HINDI, ['hi']],
    ['ru', RUSSIAN, ['ru']],
  ] as const)('%s, also with a foreign name in it', (language, text, own) => {
    for (const lang of others(...own)) expect(detectTextLanguage(text, lang)).toBe(language);
  });
});

describe('A text inherits the language of the interface', () => {
  test('in its own script', () => {
    expect(detectTextLanguage(JAPANESE, 'ja')).toBeUndefined();
    expect(detectTextLanguage(CHINESE, 'zh')).toBeUndefined();
    expect(detectTextLanguage('東京', 'ja')).toBeUndefined();
    expect(detectTextLanguage(HINDI, 'hi')).toBeUndefined();
    expect(detectTextLanguage(RUSSIAN, 'ru')).toBeUndefined();
  });

  test('where Latin letters may be any of many languages', () => {
    for (const lang of LATIN) expect(detectTextLanguage(ENGLISH, lang)).toBeUndefined();
  });

  test('where it has no letters, none of a known script, or none that prevails', () => {
    for (const lang of LANGUAGES) {
      for (const text of ['', '… 12:30 !', 'שלום', 'Καλημέρα', 'Да no']) {
        expect(detectTextLanguage(text, lang)).toBeUndefined();
      }
    }
  });
});
