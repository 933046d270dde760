import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Language } from '../../../../src/config/languages.ts';
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

  it("a mood begins with the characters for the page's language and ends with those for every page", () => {
    const stored = {
      moods: [
        { mood: 'brave', characters: ['a', 'b', 'c', 'd'] },
        { mood: 'brave', language: 'de', characters: ['e', 'b'] },
        { mood: 'warm', language: 'ja', characters: ['f'] },
      ],
    };
    const listMoods = (language: Language) => parseHomeSelection(stored, language).moods;
    expect(listMoods('de')).toEqual([{ mood: 'brave', characters: ['e', 'b', 'a', 'c'] }]);
    expect(listMoods('fr')).toEqual([{ mood: 'brave', characters: ['a', 'b', 'c', 'd'] }]);
    expect(listMoods('ja').map(({ mood }) => mood)).toEqual(['brave', 'warm']);
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
