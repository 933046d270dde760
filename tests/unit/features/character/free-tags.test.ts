import { expect, test } from 'vitest';
import { newCharacterFields } from '../../../../src/features/character/contract.ts';
import { isFreeTag, normalizeFreeTag } from '../../../../src/features/character/free-tags.ts';

test('a tag is stored in lower case, with single blanks, without hash, commas or marks that reverse text', () => {
  expect(
    ['  Slow\u00a0 Burn ', '#Noir', 'ＳＣＩ－ＦＩ', 'a,b;c', '\u202egnirts', '\tTab\nline'].map(
      normalizeFreeTag,
    ),
  ).toEqual(['slow burn', 'noir', 'sci-fi', 'a b c', 'gnirts', 'tab line']);
});

test('a tag has 1 to 30 characters as a reader counts them', () => {
  const family = '👨‍👩‍👧‍👦';
  expect(
    ['', ' ', '\u200b', '\ud83d', 'x'.repeat(31), family.repeat(31), `e${'\u0301'.repeat(400)}`].map(
      isFreeTag,
    ),
  ).toEqual(Array.from({ length: 7 }, () => false));
  expect(['x', 'x'.repeat(30), 'नमस्ते', '恋愛', family].map(isFreeTag)).toEqual([
    true,
    true,
    true,
    true,
    true,
  ]);
});

test('the same tag counts once, and names of the five tags are left out', () => {
  const parse = (tags: unknown) => newCharacterFields.shape.free_tags.safeParse(tags);
  expect(parse(['Noir', ' noir', 'ANIME', 'sea']).data).toEqual(['noir', 'sea']);
  expect(parse(Array.from({ length: 11 }, (_, index) => `tag ${index}`)).success).toBe(false);
  expect(parse(['x'.repeat(31)]).error?.issues[0]?.message).toBe('A tag has 1 to 30 characters');
});
