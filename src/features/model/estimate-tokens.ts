import { TOKEN_WEIGHTS, type Tokenizer, TOKENIZERS } from './token-weights.ts';

/**
 * Estimates tokens without a tokenizer: every character has a weight for each vocabulary, by its script, and Latin letters
 * by the letter, because a language shows in the letters that it uses. On 500 messages in each of the interface languages
 * the sum is at most 3 % below the true one and 20 % above it (tests/unit/features/model/estimate-tokens.test.ts).
 */

/** Tokens that frame a message: Llama 3 adds five, the others fewer. */
const MESSAGE_FRAME_TOKENS = 5;

/** The ranges of the character classes, as first and last UTF-16 units; a later class overrides an earlier one. */
const CLASS_RANGES: Record<string, readonly (readonly [number, number])[]> = {
  // A vocabulary without a character spells it in bytes: two or three tokens.
  twoBytes: [[0x80, 0x7ff]],
  threeBytes: [[0x800, 0xffff]],
  punctuation: [[0x21, 0x7e]],
  blank: [
    [0x00, 0x1f],
    [0x7f, 0xa0],
    [0x3000, 0x3000],
    [0xfeff, 0xfeff],
  ],
  space: [[0x20, 0x20]],
  digit: [[0x30, 0x39]],
  capital: [[0x41, 0x5a]],
  ...Object.fromEntries(
    Array.from('abcdefghijklmnopqrstuvwxyz', (letter) => [
      letter,
      [[letter.charCodeAt(0), letter.charCodeAt(0)] as const],
    ]),
  ),
  marks: [
    [0xa1, 0xbf],
    [0x2000, 0x206f],
  ],
  latin1: [[0xc0, 0xff]],
  latinExtended: [[0x100, 0x24f]],
  latinAdditional: [[0x1e00, 0x1eff]],
  greek: [[0x370, 0x3ff]],
  cyrillic: [[0x400, 0x52f]],
  hebrew: [[0x590, 0x5ff]],
  arabic: [[0x600, 0x77f]],
  devanagari: [[0x900, 0x97f]],
  devanagariMarks: [
    [0x900, 0x903],
    [0x93a, 0x93c],
    [0x93e, 0x94f],
    [0x951, 0x957],
    [0x962, 0x963],
  ],
  thai: [[0xe00, 0xe7f]],
  hangul: [[0xac00, 0xd7af]],
  hiragana: [[0x3041, 0x309f]],
  katakana: [[0x30a0, 0x30ff]],
  han: [
    [0x3400, 0x4dbf],
    [0x4e00, 0x9fff],
  ],
  cjkMarks: [
    [0x3001, 0x303f],
    [0xff00, 0xffef],
  ],
  // Mostly emoji, in two units each.
  surrogate: [[0xd800, 0xdfff]],
};

export const CHARACTER_CLASSES = Object.keys(CLASS_RANGES) as (keyof typeof TOKEN_WEIGHTS)[];

/** The class of each UTF-16 unit. */
const CLASS_BY_UNIT = new Uint8Array(0x10000);
for (const [index, ranges] of Object.values(CLASS_RANGES).entries())
  for (const [first, last] of ranges) CLASS_BY_UNIT.fill(index, first, last + 1);

/** The weights of all classes for one tokenizer. */
const WEIGHTS = TOKENIZERS.map((_, index) =>
  Float64Array.from(CHARACTER_CLASSES, (name) => TOKEN_WEIGHTS[name][index] as number),
);

/** Counts the UTF-16 units of each class, in the order of `CHARACTER_CLASSES`. */
export function countCharacters(text: string): Uint32Array {
  const counts = new Uint32Array(CHARACTER_CLASSES.length);
  for (let at = 0; at < text.length; at += 1) {
    const index = CLASS_BY_UNIT[text.charCodeAt(at)] as number;
    counts[index] = (counts[index] as number) + 1;
  }
  return counts;
}

/**
 * Estimates the tokens of a text.
 * @param tokenizer null when it is unknown: then the highest estimate of all counts
 */
export function countTokens(text: string, tokenizer: Tokenizer | null): number {
  const counts = countCharacters(text);
  if (tokenizer !== null) return Math.ceil(weigh(counts, TOKENIZERS.indexOf(tokenizer)));
  return Math.ceil(Math.max(...TOKENIZERS.map((_, index) => weigh(counts, index))));
}

function weigh(counts: Uint32Array, tokenizer: number): number {
  const weights = WEIGHTS[tokenizer] as Float64Array;
  let tokens = 0;
  for (let index = 0; index < counts.length; index += 1)
    tokens += (counts[index] as number) * (weights[index] as number);
  return tokens;
}

/** Estimates the tokens of a message with what frames it. @param tokenizer null when it is unknown */
export function estimateTokens(text: string, tokenizer: Tokenizer | null = null): number {
  return countTokens(text, tokenizer) + MESSAGE_FRAME_TOKENS;
}

/** Estimates the tokens of a text as `estimateTokens` does for one tokenizer. */
export type TokenCounter = (text: string) => number;

export function sumTokens(parts: readonly { tokens: number }[]): number {
  return parts.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** Groups of scripts whose estimates are wrong in different ways. */
export const SCRIPTS = ['latin', 'cyrillic', 'devanagari', 'japanese', 'han', 'other'] as const;
export type Script = (typeof SCRIPTS)[number];
/** How many times smaller a model's window is for each script than the setting says; 1 where nothing is known. */
export type ContextRatios = Partial<Record<Script, number>>;

const SCRIPT_BY_CLASS = new Map<string, Script>([
  ['cyrillic', 'cyrillic'],
  ['devanagari', 'devanagari'],
  ['devanagariMarks', 'devanagari'],
  ['hiragana', 'japanese'],
  ['katakana', 'japanese'],
  ['han', 'han'],
  ...['greek', 'hebrew', 'arabic', 'thai', 'hangul', 'twoBytes', 'threeBytes'].map(
    (name) => [name, 'other'] as const,
  ),
  ...CHARACTER_CLASSES.filter((name) => name.length === 1 || /^(?:capital|latin)/.test(name)).map(
    (name) => [name, 'latin'] as const,
  ),
]);
/** A character of these scripts has the content of several letters. */
const CJK_WEIGHT = 3;

/** Returns the script of most of a text. */
export function detectScript(text: string): Script {
  const sums: Record<Script, number> = {
    latin: 0,
    cyrillic: 0,
    devanagari: 0,
    japanese: 0,
    han: 0,
    other: 0,
  };
  for (const [index, count] of countCharacters(text).entries()) {
    const script = SCRIPT_BY_CLASS.get(CHARACTER_CLASSES[index] as string);
    if (script !== undefined)
      sums[script] += script === 'japanese' || script === 'han' ? count * CJK_WEIGHT : count;
  }
  // Japanese is written in both.
  if (sums.japanese > sums.han / 10) {
    sums.japanese += sums.han;
    sums.han = 0;
  }
  return SCRIPTS.reduce((most, script) => (sums[script] > sums[most] ? script : most));
}

/** The models of each tokenizer by their names at providers and on Hugging Face. The first that matches counts. */
const MODEL_NAMES: readonly (readonly [RegExp, Tokenizer])[] = [
  [/\bgpt-?(?:4o|4\.1|4\.5|5|oss)|\bo[134](?:-|$)|\bchatgpt-4o/, 'o200k'],
  [/\bgpt-?(?:4|3\.?5)/, 'cl100k'],
  [/\bllama-?(?:3|v3)|\bl3(?:\.\d)?\b/, 'llama3'],
  [
    /nemo(?!tron)|pixtral(?!-large)|ministral|magistral|devstral|mistral-?(?:small|medium|large)-?(?:3|latest|25|26|24b)/,
    'tekken',
  ],
  [/mistral-?(?:7b|v0|tiny|small|large|instruct)|mixtral|codestral/, 'mistral-v1'],
];

/** Returns the tokenizer of a model by its name at the provider; null when the name does not tell. */
export function detectTokenizer(model: string): Tokenizer | null {
  const name = model.toLowerCase().replaceAll(/[\s_:/]/g, '-');
  return MODEL_NAMES.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}
