import { describe, expect, test } from 'vitest';
import { updateEntry } from '../../src/features/character/lorebook/lorebook-edit.ts';
import {
  isPartialNumber,
  parseNumber,
  formatNumberText,
} from '../../src/islands/character-form/fields/number-text.ts';

describe('A number that another program wrote into my lorebook', () => {
  test('is shown as it stands there', () => {
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

  test('is told from one that I may write', () => {
    for (const text of ['1.5', '1e+21', 'soon', '1234567890', ' 7'])
      expect(parseNumber(text, true)).toBeNull();
    expect([parseNumber('-7', true), parseNumber('-7', false), parseNumber('007', false)]).toEqual([
      -7,
      null,
      7,
    ]);
  });

  test('can be taken away letter by letter, and nothing odd is added', () => {
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

  test('is written over even by the number that it counted as', () => {
    expect(updateEntry({ insertion_order: 'soon' }, { order: 0 })).toEqual({ insertion_order: 0 });
    expect(updateEntry({ insertion_order: '7' }, { order: 7 })).toEqual({ insertion_order: '7' });
    expect(updateEntry({ insertion_order: 'soon' }, { content: 'Deep.' })).toMatchObject({
      insertion_order: 'soon',
    });
  });
});
