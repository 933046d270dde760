import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../../../../src/config/languages.ts';
import { replyStyle } from '../../../../../src/features/reply-style/contract.ts';
import {
  getTemperature,
  type Liveliness,
  REPLY_LENGTHS,
  REPLY_WORDS,
  type ReplyLength,
} from '../../../../../src/features/reply-style/reply-style.ts';
import {
  calculateReplyTokens,
  MAX_REPLY_TOKENS,
} from '../../../../../src/features/conversation/prompt/reply-tokens.ts';
import { countTokens } from '../../../../../src/features/model/estimate-tokens.ts';
import { TOKENIZERS } from '../../../../../src/features/model/token-weights.ts';

const WINDOW = 128_000;
const lengths = fc.oneof(fc.constantFrom(...REPLY_LENGTHS), fc.integer(REPLY_WORDS));
const models = fc.record({
  contextTokens: fc.integer({ min: 1024, max: WINDOW }),
  tokenizer: fc.constantFrom(...TOKENIZERS, null),
});

/** Collects strings of an interface language that are whole sentences. */
function readSentences(lang: string): string {
  const folder = new URL(`../../../../../src/locales/${lang}/`, import.meta.url);
  return readdirSync(folder)
    .flatMap((name) => Object.values(JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as object))
    .filter((text): text is string => typeof text === 'string' && text.length > 24 && !/[{<]/.test(text))
    .join('\n');
}

const countWords = (text: string, lang: string): number =>
  [...new Intl.Segmenter(lang, { granularity: 'word' }).segment(text)].filter(({ isWordLike }) => isWordLike)
    .length;

describe('Maximum tokens of a reply', () => {
  test.each<[ReplyLength, number, number, number]>([
    // A length, and the maximum with o200k, with llama3 and with an unknown tokenizer.
    ['short', 1000, 1000, 1000],
    ['medium', 1000, 1000, 1000],
    ['long', 1160, 1320, 2520],
    [20, 1000, 1000, 1000],
    [800, 2320, 2640, 5040],
  ])('a length of %s allows %i, %i or %i tokens', (length, o200k, llama3, unknown) => {
    const calculate = (tokenizer: 'o200k' | 'llama3' | null) =>
      calculateReplyTokens(length, { contextTokens: WINDOW, tokenizer });
    expect([calculate('o200k'), calculate('llama3'), calculate(null)]).toEqual([o200k, llama3, unknown]);
  });

  test('a reply may always have the usual tokens, and more of them only within a third of the context', () => {
    fc.assert(
      fc.property(lengths, models, (length, model) => {
        const tokens = calculateReplyTokens(length, model);
        expect(tokens).toBeGreaterThanOrEqual(MAX_REPLY_TOKENS);
        expect(tokens).toBeLessThanOrEqual(Math.max(MAX_REPLY_TOKENS, model.contextTokens / 3));
      }),
    );
  });

  test.each(LANGUAGES)('a reply in %s that keeps to its words fits with every tokenizer', (lang) => {
    const text = readSentences(lang);
    const words = countWords(text, lang);
    expect(words).toBeGreaterThan(1000);
    for (const tokenizer of [...TOKENIZERS, null])
      for (const [length, most] of [
        ['short', 100],
        ['long', 400],
        [REPLY_WORDS.max, REPLY_WORDS.max],
      ] as const)
        expect(calculateReplyTokens(length, { contextTokens: WINDOW, tokenizer })).toBeGreaterThan(
          (countTokens(text, tokenizer) / words) * most,
        );
  });
});

describe('Reply style', () => {
  test.each<[Liveliness, number]>([
    ['calm', 0.6],
    ['balanced', 0.9],
    ['lively', 1.1],
    [0, 0],
    [1.37, 1.37],
  ])('a liveliness of %s is the temperature %f', (liveliness, temperature) => {
    expect(getTemperature(liveliness)).toBe(temperature);
  });

  test('every hundredth from 0 to 2 is a valid liveliness, and every number of words from 20 to 800 a length', () => {
    const { liveliness, reply_length: length } = replyStyle.shape;
    for (let hundredth = 0; hundredth <= 200; hundredth += 1)
      expect(liveliness.safeParse(Number((hundredth / 100).toFixed(2))).success).toBe(true);
    for (const invalid of [-0.01, 2.01, 0.005, 'wild', null, Number.NaN])
      expect(liveliness.safeParse(invalid).success).toBe(false);
    for (const valid of [20, 800, 'short']) expect(length.safeParse(valid).success).toBe(true);
    for (const invalid of [19, 801, 50.5, 'huge']) expect(length.safeParse(invalid).success).toBe(false);
  });
});
