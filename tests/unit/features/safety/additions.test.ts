import { describe, expect, test } from 'vitest';
import { isTest, readTexts } from '../../../../scripts/safety/data.ts';
import { LANGUAGES } from '../../../../src/config/languages.ts';
import { stripAdditions } from '../../../../src/features/safety/additions.ts';
import { findCrisis } from '../../../../src/features/safety/decisions.ts';
import additions from '../../../../data/safety/additions.json' with { type: 'json' };

test.each([
  ['hey, I miss home, Anna', 'I miss home'],
  ['Mr Novak, I miss home right now, lol', 'I miss home'],
  ['hola, echo de menos mi casa, por favor jajaja', 'echo de menos mi casa'],
  ['je suis seul s’il te plaît', 'je suis seul'],
  ['привет, я скучаю по дому хахаха', 'я скучаю по дому'],
  ['ねえ、家に帰りたい笑', '家に帰りたい'],
  ['你好，我想回家哈哈哈', '我想回家'],
  ['aku kangen rumah wkwkwk 😂', 'aku kangen rumah'],
])('without additions “%s” is “%s”', (sentence, bare) => {
  expect(
    stripAdditions(sentence)
      .at(-1)
      ?.text.replaceAll(/^[\s\p{P}]+|[\s\p{P}]+$/gu, ''),
  ).toBe(bare);
});

test.each(['I miss home', 'lol', 'The hey is in the barn', '家に帰りたい', ''])(
  'nothing is removed from “%s”',
  (sentence) => expect(stripAdditions(sentence)).toEqual([]),
);

test('a laugh is reported, because the sentence may be a joke', () => {
  expect(stripAdditions('I miss home lol').map(({ laughs }) => laughs)).toEqual([true]);
  expect(stripAdditions('I miss home please').map(({ laughs }) => laughs)).toEqual([false]);
});

describe('Crises with additions', () => {
  const texts = readTexts().filter((text) => isTest(text) && text.labels.length > 0);
  /** Words around a statement: listed ones, and names and laughs that no list has. */
  const around = (language: string): ((statement: string) => string)[] => {
    const [greeting = '', name = ''] = additions[language as keyof typeof additions];
    return [
      (statement) => `${greeting}, ${statement}`,
      (statement) => `${statement}, Mirela`,
      (statement) => `${statement} ${name}`,
      (statement) => `${statement} hahahaha`,
      (statement) => `${statement} 😂`,
    ];
  };
  /** Slightly below what was measured with these weights. */
  const FLOOR = 0.9;

  test.each(LANGUAGES)('a greeting, a name or a laugh hides hardly any crisis in %s', (language) => {
    const found = texts.filter(({ text, language: own }) => own === language && findCrisis(text) !== null);
    const changed = found.flatMap(({ text }) =>
      around(language).map((add) => add(text.replace(/[\s.!?…。！？।]+$/u, ''))),
    );
    expect(changed.length).toBeGreaterThan(1000);
    const kept = changed.filter((text) => findCrisis(text) !== null);
    expect(kept.length).toBeGreaterThanOrEqual(FLOOR * changed.length);
  });
});
