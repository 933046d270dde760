import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  MAX_MOOD_CHARACTERS,
  MOODS,
  parseHomeSelection,
} from '../../../../src/features/home/home-selection.ts';

describe('Home page selection', () => {
  it('the selection is empty when none or something else is stored', () => {
    for (const stored of [null, undefined, 'text', 7, []]) {
      expect(parseHomeSelection(stored)).toEqual({ scene: null, moods: [] });
    }
  });

  it('a mood keeps at most as many characters as a row shows', () => {
    const characters = Array.from({ length: 9 }, (_, index) => `c${index}`);
    const { moods } = parseHomeSelection({ scene: 'c0', moods: [{ mood: 'quiet', characters }] });
    expect(moods).toEqual([{ mood: 'quiet', characters: characters.slice(0, MAX_MOOD_CHARACTERS) }]);
  });

  it('a malformed part is dropped without the others', () => {
    expect(parseHomeSelection({ scene: 'c1', moods: 'none' })).toEqual({ scene: 'c1', moods: [] });
    expect(parseHomeSelection({ scene: 5, moods: [{ mood: 'brave', characters: ['a'] }] })).toEqual({
      scene: null,
      moods: [{ mood: 'brave', characters: ['a'] }],
    });
  });

  it('any stored value is read without an error and within the limits', () => {
    fc.assert(
      fc.property(fc.anything(), (stored) => {
        const { moods } = parseHomeSelection(stored);
        expect(moods.length).toBeLessThanOrEqual(MOODS.length);
        for (const { characters } of moods)
          expect(characters.length).toBeLessThanOrEqual(MAX_MOOD_CHARACTERS);
      }),
    );
  });
});
