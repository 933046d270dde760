import { LOOKALIKES } from './lookalikes.ts';

/** Letters in frames, which Unicode's table of look-alikes leaves out: the first of 26, by their order in the alphabet. */
const FRAMED_LETTERS = [0x1f130, 0x1f150, 0x1f170, 0x1f1e6];

/** Signs and digits that people write for letters and that look less alike than those of Unicode's table. */
const LETTER_SUBSTITUTES: Readonly<Record<string, string>> = {
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '€': 'e',
  '!': 'l',
};

/** Marks above and below Latin, Greek and Cyrillic letters, and characters that draw nothing. */
const IGNORED = /[\u0300-\u036f\p{Default_Ignorable_Code_Point}]/gu;

/** Target by look-alike; built at the first use. */
let targets: Map<string, string> | null = null;

function loadTargets(): Map<string, string> {
  targets ??= new Map(
    LOOKALIKES.flatMap(([target, from]) => [...from].map((sign) => [sign, target] as const)),
  );
  return targets;
}

function unframe(sign: string): string {
  const code = sign.codePointAt(0) ?? 0;
  const start = FRAMED_LETTERS.find((first) => code >= first && code < first + 26);
  return start === undefined ? sign : String.fromCharCode('a'.charCodeAt(0) + code - start);
}

const mapSigns = (text: string, map: (sign: string) => string): string => [...text].map(map).join('');

/**
 * Replaces a character by what it looks like: a skeleton as in Unicode Technical Standard 39, without case, accents and the
 * difference between i and l, which capitals hide. The result is for comparing with other results only.
 * @param sign one code point
 */
export function normalizeLetter(sign: string): string {
  const table = loadTargets();
  const lookUp = (one: string) => table.get(one) ?? one.normalize('NFKC');
  const latin = mapSigns(unframe(sign).normalize('NFD').replaceAll(IGNORED, ''), lookUp).toLowerCase();
  return mapSigns(latin, (one) => LETTER_SUBSTITUTES[one] ?? lookUp(one))
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(IGNORED, '')
    .replaceAll('i', 'l');
}

/** Folds each character of a text. */
export const normalizeLetters = (text: string): string => mapSigns(text, normalizeLetter);
