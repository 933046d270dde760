import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LANGUAGES } from '../../../../src/config/languages.ts';
import { MINIMUM_AGE } from '../../../../src/features/account/limits.ts';

type Words = { [key: string]: string | Words };

/** Reads a text from a language's file. */
function readText(lang: string, file: string, path: string): string {
  const url = new URL(`../../../../src/locales/${lang}/${file}.json`, import.meta.url);
  let at: string | Words | undefined = JSON.parse(readFileSync(url, 'utf8')) as Words;
  for (const key of path.split('.')) at = typeof at === 'object' ? at[key] : undefined;
  return typeof at === 'string' ? at : '';
}

test('the minimum age is at least 18', () => {
  expect(MINIMUM_AGE).toBeGreaterThanOrEqual(18);
});

test.each(LANGUAGES)(
  'the terms, the safety page and the sign-in dialog name the minimum age in %s',
  (lang) => {
    for (const [file, path] of [
      ['legal', 'terms.age.text'],
      ['safety', 'minors.text'],
      ['signin', 'agreement'],
    ] as const)
      expect(readText(lang, file, path)).toContain('{{age}}');
  },
);

/** The stem of the word for minors. */
const MINORS: Record<(typeof LANGUAGES)[number], RegExp> = {
  en: /\bminors\b/,
  es: /\bmenores\b/,
  fr: /\bmineurs\b/,
  de: /\bMinderjährige/,
  it: /\bminori\b/,
  pt: /\bmenores\b/,
  ru: /несовершеннолетн/,
  ja: /未成年/,
  hi: /नाबालिग/,
  pl: /niepełnoletni/,
  zh: /未成年/,
  id: /di bawah umur/,
};

test.each(LANGUAGES)(
  'the sign-in dialog, the chat and the safety page say that the site may not suit some minors in %s',
  (lang) => {
    for (const [file, path] of [
      ['signin', 'agreement'],
      ['chat', 'minorsNote'],
      ['safety', 'minors.text'],
    ] as const)
      expect(readText(lang, file, path)).toMatch(MINORS[lang]);
  },
);
