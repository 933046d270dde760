import { readFileSync } from 'node:fs';
import { LANGUAGES } from '../../src/config/languages.ts';

/**
 * Reads the seeded characters of all languages, in the order of the languages. Each file of `characters/` has those that
 * are written in its language.
 */
export const readSeeds = () =>
  LANGUAGES.flatMap((language) =>
    JSON.parse(readFileSync(new URL(`characters/${language}.json`, import.meta.url), 'utf8')).map(
      (character, index) => ({ ...character, language, index }),
    ),
  );
