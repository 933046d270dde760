import { describe, expect, test } from 'vitest';
import { mayStandIn, neededWords } from '../../src/features/safety/crisis-needs.ts';
import { inWords, plainEntry, plainLetters } from '../../src/features/safety/crisis-text.ts';
import { type CrisisWords, expressionOf } from '../../src/features/safety/crisis-words.ts';

type Lists = Record<string, unknown> & { script: CrisisWords['script'] };
const modules = import.meta.glob<Record<string, Lists>>(
  '../../src/features/safety/crisis-{words,parts,shapes}-*.ts',
  { eager: true },
);
const sentences = import.meta.glob<unknown>('../support/{crisis,crisis-unseen}/*.json', {
  eager: true,
  import: 'default',
});

const stringsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(stringsIn)
      : [];

const mayStand = (entry: string, text: string) => {
  const [needs = []] = neededWords([plainEntry(entry)]);
  return mayStandIn(inWords(plainLetters(text)), needs);
};

describe('An entry of a word list is looked for in a text', () => {
  test.each([
    ['kill myself', 'I will kill myself', true],
    ['kill myself', 'I will kill time', false],
    ['(want|wish) .. (die|gone)', 'I want to be gone', true],
    ['(want|wish) .. (die|gone)', 'I want to be here', false],
    ['suicid*', 'I feel suicidal', true],
    ['suicid*', 'I feel fine', false],
    ['role ?play*', 'a roleplay', true],
    ['(puns?|jokes?)', 'a pun', true],
    ['(puns?|jokes?)', 'a word', false],
    ['(my )?(dog|cat) bites', 'a cat bites', true],
    ['(my )?(dog|cat) bites', 'a cat sleeps', false],
    ['(cry|die) ?(t )?(out|now)', 'crying', true],
    ['gone|lost', 'all is lost', true],
    ['gone|lost', 'all is well', false],
    ['posta[ćc]i?', 'to postac', true],
    ['(it all|this) over', 'it all is over', true],
    ['(verblute)( .. (will|.))', 'ich verblute .', true],
  ])('“%s” in “%s”: %s', (entry, text, may) => {
    expect(mayStand(entry, text)).toBe(may);
  });

  test('wherever it stands: none is passed over in any sentence that we know', () => {
    const texts = stringsIn(sentences).map((text) => inWords(plainLetters(text)));
    const lists = Object.values(modules)
      .flatMap((module) => Object.values(module))
      .filter((language) => language.script === 'words')
      .flatMap((language) => Object.values(language))
      .filter((list) => Array.isArray(list) && list.length > 0)
      .map((list) => stringsIn(list).map(plainEntry));
    expect([texts.length > 2000, lists.length > 180]).toEqual([true, true]);
    const needs = neededWords(lists.flat());
    // Most are asked for words at all: otherwise this proves nothing.
    expect(needs.filter((places) => places.length === 0).length).toBeLessThan(needs.length / 50);
    const passedOver = lists.flatMap((entries) => {
      const whole = expressionOf(entries, 'words');
      const holding = texts.filter((text) => text.search(whole) !== -1);
      return entries.flatMap((entry) => {
        const [needed = []] = neededWords([entry]);
        const one = expressionOf([entry], 'words');
        return holding.filter((text) => !mayStandIn(text, needed) && text.search(one) !== -1);
      });
    });
    expect(passedOver).toEqual([]);
  });
});
