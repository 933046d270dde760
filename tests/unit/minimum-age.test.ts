import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LANGUAGES } from '../../src/config/languages.ts';
import { MINIMUM_AGE } from '../../src/features/account/limits.ts';

type Words = { [key: string]: string | Words };

/** A text of a language as it stands in its file. */
function textIn(lang: string, file: string, path: string): string {
  const url = new URL(`../../src/locales/${lang}/${file}.json`, import.meta.url);
  let at: string | Words | undefined = JSON.parse(readFileSync(url, 'utf8')) as Words;
  for (const key of path.split('.')) at = typeof at === 'object' ? at[key] : undefined;
  return typeof at === 'string' ? at : '';
}

test('Nobody who is a minor may use the site', () => {
  expect(MINIMUM_AGE).toBeGreaterThanOrEqual(18);
});

test.each(LANGUAGES)(
  'In %s the terms, the page on safety and the sign-in dialog name the minimum age',
  (lang) => {
    for (const [file, path] of [
      ['legal', 'terms.age.text'],
      ['safety', 'minors.text'],
      ['signin', 'agree'],
    ] as const)
      expect(textIn(lang, file, path)).toContain('{{age}}');
  },
);

/** What a minor is called, by its stem. */
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
  'In %s one is told that it may not be suitable for some minors, before and in a chat',
  (lang) => {
    for (const [file, path] of [
      ['signin', 'agree'],
      ['chat', 'minorsNote'],
      ['safety', 'minors.text'],
    ] as const)
      expect(textIn(lang, file, path)).toMatch(MINORS[lang]);
  },
);
