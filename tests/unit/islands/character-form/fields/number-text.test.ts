import { describe, expect, test } from 'vitest';
import { updateEntry } from '../../../../../src/features/character/lorebook/lorebook-edit.ts';
import {
  isPartialNumber,
  parseNumber,
  formatNumberText,
} from '../../../../../src/islands/character-form/fields/number-text.ts';

describe('Lorebook numbers', () => {
  test('a number from another program is shown as it is written', () => {
    expect([7, -7, 1.5, 1e21, '7', '1.5', 'soon', true, null, undefined].map(formatNumberText)).toEqual([
      '7',
      '-7',
      '1.5',
      '1e+21',
      '7',
      '1.5',
      'soon',
      'true',
      '',
      '',
    ]);
  });

  test('a number from another program is distinguished from a number that the user may enter', () => {
    for (const text of ['1.5', '1e+21', 'soon', '1234567890', ' 7'])
      expect(parseNumber(text, true)).toBeNull();
    expect([parseNumber('-7', true), parseNumber('-7', false), parseNumber('007', false)]).toEqual([
      -7,
      null,
      7,
    ]);
  });

  test('a foreign number can be deleted character by character, and nothing invalid can be added', () => {
    for (const [text, before] of [
      ['1.', '1.5'],
      ['1e+2', '1e+21'],
      ['soo', 'soon'],
      ['', '7'],
    ] as const)
      expect(isPartialNumber(text, before, false)).toBe(true);
    expect([isPartialNumber('1.57', '1.5', true), isPartialNumber('7x', '7', true)]).toEqual([false, false]);
    expect([isPartialNumber('-', '', true), isPartialNumber('-', '', false)]).toEqual([true, false]);
  });

  test('a foreign value is replaced even by the number that it counted as', () => {
    expect(updateEntry({ insertion_order: 'soon' }, { order: 0 })).toEqual({ insertion_order: 0 });
    expect(updateEntry({ insertion_order: '7' }, { order: 7 })).toEqual({ insertion_order: '7' });
    expect(updateEntry({ insertion_order: 'soon' }, { content: 'Deep.' })).toMatchObject({
      insertion_order: 'soon',
    });
  });
});
