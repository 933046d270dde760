import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../../../../src/config/languages.ts';
import { TAGS } from '../../../../../src/features/character/limits.ts';
import { buildIndexedWords, parseSearch } from '../../../../../src/features/character/discovery/search.ts';
import { findTag } from '../../../../../src/features/character/discovery/tag-words.ts';
import { getStem } from '../../../../../src/features/character/discovery/word-forms.ts';
import { parseQuery, tokenize } from '../../../../../src/features/search/search-words.ts';

const stem = (word: string): string =>
  tokenize(word)
    .map((one) => getStem(one.word))
    .join(' ');

describe('Word stems', () => {
  test.each([
    [
      'English',
      ['witch', 'witches'],
      ['city', 'cities'],
      ['fox', 'foxes'],
      ['haunt', 'haunted', 'haunting', 'haunts'],
      ['run', 'runs', 'running', 'Running'],
      ['stop', 'stops', 'stopped', 'stopping'],
      ['plan', 'plans', 'planned', 'planning'],
      ['swim', 'swims', 'swimming'],
      ['fall', 'falls', 'falling'],
      ['wolf', 'wolves'],
      ['elf', 'elves'],
      ['knife', 'knives'],
      ['wife', 'wives'],
      ['thief', 'thieves'],
      ['love', 'loves'],
      ['olive', 'olives'],
      ['cave', 'caves'],
      ['prize', 'prizes'],
    ],
    [
      'German',
      ['Drache', 'Drachen', 'Drachens'],
      ['Zauberer', 'Zauberin', 'Zauberinnen'],
      ['dunkle', 'dunklen', 'dunkles'],
    ],
    [
      'French',
      ['sorcière', 'sorcières'],
      ['cheval', 'chevaux'],
      ['bateau', 'bateaux'],
      ['perdu', 'perdue', 'perdus'],
    ],
    [
      'Spanish',
      ['guerrero', 'guerrera', 'guerreros'],
      ['ciudad', 'ciudades'],
      ['luz', 'luces'],
      ['voz', 'voces'],
      ['cruz', 'cruces'],
      ['raíz', 'raíces'],
      ['actriz', 'actrices'],
    ],
    [
      'Italian',
      ['strega', 'streghe'],
      ['cavaliere', 'cavalieri'],
      ['cattivo', 'cattiva', 'cattive'],
      ['selva', 'selve'],
    ],
    [
      'Portuguese',
      ['feiticeira', 'feiticeiras'],
      ['coração', 'corações'],
      ['luz', 'luzes'],
      ['atriz', 'atrizes'],
    ],
    ['Russian', ['дракон', 'дракона', 'драконы', 'драконами'], ['тёмный', 'тёмная', 'темного']],
    [
      'Polish',
      ['królowa', 'królową', 'królowe', 'królowej'],
      ['król', 'króla', 'królowi', 'królów'],
      ['kolorowy', 'kolorowa', 'kolorowych', 'kolorowego', 'kolorowej'],
      ['rycerz', 'rycerza', 'rycerze'],
      ['wiedźma', 'wiedźmy', 'wiedźmą', 'wiedźmami'],
      ['ciemny', 'ciemna', 'ciemnego', 'ciemnych'],
    ],
    ['Hindi', ['लड़का', 'लड़के', 'लड़कों', 'लड़कियाँ'], ['कहानी', 'कहानियाँ', 'कहानियों']],
    ['Indonesian', ['penyihir', 'penyihirnya']],
  ] as [string, ...string[][]][])('the forms of a word have one stem in %s', (_, ...groups) => {
    for (const group of groups)
      expect({ group, stems: new Set(group.map(stem)).size }).toEqual({ group, stems: 1 });
  });

  test('different words have different stems', () => {
    for (const [one, other] of [
      ['prince', 'princess'],
      ['flow', 'flower'],
      ['light', 'lighthouse'],
      ['star', 'story'],
      ['king', 'kin'],
      ['król', 'królowa'],
      ['café', 'cave'],
      ['Graf', 'grave'],
      ['prize', 'price'],
      ['maze', 'mace'],
      ['luz', 'Luc'],
      ['life', 'Liv'],
      ['self', 'selva'],
      ['Franz', 'France'],
      ['nóż', 'noce'],
      ['рыба', 'рысь'],
      ['港', '港口'],
    ] as const)
      expect({ one, other, same: stem(one) === stem(other) }).toEqual({ one, other, same: false });
  });
});

test('a tag is found by its label in each language of the interface', () => {
  for (const language of LANGUAGES) {
    const labels = JSON.parse(readFileSync(`src/locales/${language}/common.json`, 'utf8')).tag as Record<
      string,
      string
    >;
    for (const tag of TAGS) {
      const [phrase, ...others] = parseQuery(labels[tag] ?? '');
      expect({ language, tag, others }).toEqual({ language, tag, others: [] });
      expect({ language, found: findTag(phrase?.words ?? []) }).toEqual({ language, found: tag });
    }
  }
});

test('a typed search never contains operators', () => {
  for (const typed of [
    'a" OR b',
    'NEAR(a b)',
    'words:a',
    'a* NOT b',
    '^a $ =b ~c #rpg',
    "'; drop",
    '"unfinished',
    '{a b}',
  ]) {
    for (const expression of parseSearch(typed)?.steps ?? []) {
      const outside = expression.replaceAll(/"[^"]*"/g, '').replaceAll(/\b(?:AND|OR|NOT)\b|[()* ]/g, '');
      expect({ typed, outside }).toEqual({ typed, outside: '' });
      for (const [, inside] of expression.matchAll(/"(?<inside>[^"]*)"/g))
        expect(inside).toMatch(/^(?:[\^$]|[=~#]?[\p{L}\p{M}\p{N}]+)(?: (?:\$|=?[\p{L}\p{M}\p{N}]+))*$/u);
    }
  }
  expect(parseSearch('!?*')).toBeNull();
  expect(parseSearch('')).toBeNull();
});

test('the index marks where a name begins and ends, and no phrase spans two texts', () => {
  const texts = { name: 'Mira Holm', oneliner: 'Keeper of two lighthouses', summary: null };
  expect(buildIndexedWords({ ...texts, freeTags: ['sea', 'sci-fi'] })).toBe(
    '^ =mira =holm $ mira holm $ keeper of two lighthouses $ $ sea $ sci fi $ ~lighthous',
  );
});
