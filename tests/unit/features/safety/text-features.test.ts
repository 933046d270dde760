import { describe, expect, test } from 'vitest';
import { isTest, readTexts } from '../../../../scripts/safety/data.ts';
import { splitSentences } from '../../../../src/features/safety/sentences.ts';
import { FeatureReader, normalizeText } from '../../../../src/features/safety/text-features.ts';

const texts = readTexts().filter((text) => isTest(text));
const sentences = texts.flatMap(({ text }) => splitSentences(text));

describe('normalizeText', () => {
  const foldWhole = (text: string): string =>
    text
      .toWellFormed()
      .normalize('NFKD')
      .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
      .replace(/[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u093c]/g, '')
      .normalize('NFC')
      .toLowerCase();
  /** What is replaced after folding: letters, apostrophes, and Latin words with other signs. */
  const REPLACED = /[a-zßœæøłıđ'’‘ʼ`]/;
  const findDifferent = (own: readonly string[]): string[] =>
    own.filter((text) => !REPLACED.test(foldWhole(text)) && normalizeText(text) !== foldWhole(text));

  // A Devanagari sign, kana, a capital that depends on its place, and a mark.
  test.each(['क्', 'か', 'Σ', '\u3099'])(
    'each character next to “%s” is folded like the whole text',
    (neighbour) => {
      const signs = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
      const own = signs.map((sign) => neighbour + sign + neighbour);
      expect(findDifferent(own)).toEqual([]);
      expect(own.filter((text) => !REPLACED.test(foldWhole(text))).length).toBeGreaterThan(60_000);
    },
  );

  test('the test texts are folded like the whole text', () => {
    expect(findDifferent(sentences)).toEqual([]);
    expect(sentences.length).toBeGreaterThan(15_000);
  });
});

describe('FeatureReader', () => {
  /** The features of a sentence, and its hash. */
  function read(act: (reader: FeatureReader) => number): unknown[] {
    const features: unknown[] = [];
    const reader: FeatureReader = new FeatureReader((hash, from, to) =>
      features.push([hash, from, to, reader.place, reader.word, reader.before]),
    );
    return [...features, act(reader)];
  }

  test('a sentence has the same features at once and in pieces', () => {
    const own = [
      'a\ufeffb c\ufeffd',
      'k i l l 12 १२ カタカナ ｶﾀ',
      ...sentences.filter((_, index) => index % 10 === 0),
    ];
    for (const sentence of own) {
      const atOnce = read((reader) => reader.readAll(sentence));
      const inPieces = read((reader) => {
        reader.push(sentence);
        return reader.end();
      });
      expect(inPieces).toEqual(atOnce);
    }
  });

  test('a feature names its letters, and the word before it', () => {
    const names: string[] = [];
    const reader: FeatureReader = new FeatureReader((_, from, to) =>
      names.push(from === -1 ? `${reader.before} ${reader.word}` : reader.word.slice(from, to)),
    );
    reader.readAll('Kiiill 14 猫だ');
    expect(names).toEqual(['<kil', 'kil>', '<kil>', '#teen', '<kil> #teen', '猫', '猫だ', 'だ']);
  });
});
