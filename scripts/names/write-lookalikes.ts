// Writes src/features/account/staff-names/lookalikes.ts from Unicode's table of look-alike characters
// (https://www.unicode.org/Public/security/latest/confusables.txt): `node scripts/names/write-lookalikes.ts FILE`.
// The table keeps the characters that look like a part of a word by which a name appears to belong to staff, so it gives
// the same answers as the whole of it. Run it again when Unicode publishes a version or the words change.
import { readFileSync, writeFileSync } from 'node:fs';
import {
  FILLER_WORDS,
  HAN_TITLES,
  SITE_NAME,
  STAFF_NAMES,
  STAFF_TITLES,
} from '../../src/features/account/staff-names/staff-words.ts';

const TARGET = new URL('../../src/features/account/staff-names/lookalikes.ts', import.meta.url);
const file = process.argv[2];
if (file === undefined) throw new Error('usage: node scripts/names/write-lookalikes.ts confusables.txt');

const toText = (codes: string) =>
  String.fromCodePoint(...codes.split(' ').map((code) => Number.parseInt(code, 16)));
const lines = readFileSync(file, 'utf8').split('\n');
const version = lines.flatMap((line) => /^# Version: (\S+)/.exec(line)?.[1] ?? [])[0];
if (version === undefined) throw new Error('this is not confusables.txt');
const pairs = lines.flatMap((line): [string, string][] => {
  const [, from, to] = /^\uFEFF?([0-9A-F]+) ;\t([0-9A-F ]+?) ;/.exec(line) ?? [];
  return from === undefined || to === undefined ? [] : [[toText(from), toText(to)]];
});
const table = new Map(pairs);

/** Case and accents, which the comparison ignores as well. */
const simplify = (text: string) =>
  text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase();
const skeleton = (text: string) =>
  simplify([...text.normalize('NFD')].map((sign) => table.get(sign) ?? sign).join(''));

const words = [...STAFF_TITLES, ...STAFF_NAMES, ...FILLER_WORDS, ...HAN_TITLES, SITE_NAME.toLowerCase()];
const signs = new Set(
  words.flatMap((word) => [...simplify(word), ...skeleton(word), ...skeleton(word.toUpperCase())]),
);
const byTarget = new Map<string, string[]>();
for (const [from, to] of pairs) {
  const isNeeded = [...simplify(to)].every((sign) => signs.has(sign)) && simplify(to) !== '';
  // Compatibility characters, for example in bold or in a circle, are folded without a table.
  const isFoldedAnyway = simplify(from.normalize('NFKC')) === simplify(to);
  if (isNeeded && !isFoldedAnyway) byTarget.set(to, [...(byTarget.get(to) ?? []), from]);
}
/** Keeps invisible and combining characters readable in the source. */
const quote = (text: string) =>
  `'${[...text]
    .map((sign) =>
      /[\p{L}\p{N}]/u.test(sign) &&
      !/\p{Bidi_C}|[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u.test(
        sign,
      )
        ? sign
        : `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`,
    )
    .join('')}'`;
const rows = [...byTarget]
  .toSorted(([one], [other]) => (one < other ? -1 : 1))
  .map(([to, from]) => `  [${quote(to)}, ${quote(from.toSorted().join(''))}],`);
writeFileSync(
  TARGET,
  `// Written by scripts/names/write-lookalikes.ts from the data files of Unicode ${version}, © Unicode, Inc., Unicode License v3.

/** What characters look like, and the characters that look like it. */
export const LOOKALIKES: readonly (readonly [target: string, lookalikes: string])[] = [
${rows.join('\n')}
];
`,
);
console.log(`Unicode ${version}: ${[...byTarget.values()].flat().length} of ${pairs.length} characters`);
