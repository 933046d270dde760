import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LANGUAGES } from '../../src/config.ts';
import { isSexualWithMinor } from '../../src/features/safety/decisions.ts';

/** Sentences that no rule was made from: each says that somebody is a minor, has an act, or is harmless. */
interface Unseen {
  ages: string[];
  acts: string[];
  harmless: string[];
}

const UNSEEN = LANGUAGES.map(
  (language): Unseen =>
    (JSON.parse(readFileSync(`tests/support/minors/${language}.json`, 'utf8')) as { unseen: Unseen }).unseen,
);

// What was measured, less a little; docs/safety-model.md has the figures.
test('Of 240 ages beside acts at least 200 are refused', () => {
  const pairs = UNSEEN.flatMap(({ ages, acts }) =>
    ages.map((age, index) => `${age} ${acts[index] as string}`),
  );
  expect(pairs).toHaveLength(240);
  expect(pairs.filter((text) => isSexualWithMinor(text)).length).toBeGreaterThanOrEqual(200);
});

test('Of 240 harmless texts that look like it at most 7 are refused', () => {
  const harmless = UNSEEN.flatMap((one) => one.harmless);
  expect(harmless).toHaveLength(240);
  expect(harmless.filter((text) => isSexualWithMinor(text)).length).toBeLessThanOrEqual(7);
});
