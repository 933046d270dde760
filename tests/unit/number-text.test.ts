import { describe, expect, test } from 'vitest';
import { withPart } from '../../src/features/character/lorebook/lorebook-edit.ts';
import { isHalfWritten, numberIn, numberText } from '../../src/islands/character-form/fields/number-text.ts';

describe('A number that another program wrote into my lorebook', () => {
  test('is shown as it stands there', () => {
    expect([7, -7, 1.5, 1e21, '7', '1.5', 'soon', true, null, undefined].map(numberText)).toEqual([
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
    for (const text of ['1.5', '1e+21', 'soon', '1234567890', ' 7']) expect(numberIn(text, true)).toBeNull();
    expect([numberIn('-7', true), numberIn('-7', false), numberIn('007', false)]).toEqual([-7, null, 7]);
  });

  test('can be taken away letter by letter, and nothing odd is added', () => {
    for (const [text, before] of [
      ['1.', '1.5'],
      ['1e+2', '1e+21'],
      ['soo', 'soon'],
      ['', '7'],
    ] as const)
      expect(isHalfWritten(text, before, false)).toBe(true);
    expect([isHalfWritten('1.57', '1.5', true), isHalfWritten('7x', '7', true)]).toEqual([false, false]);
    expect([isHalfWritten('-', '', true), isHalfWritten('-', '', false)]).toEqual([true, false]);
  });

  test('is written over even by the number that it counted as', () => {
    expect(withPart({ insertion_order: 'soon' }, { order: 0 })).toEqual({ insertion_order: 0 });
    expect(withPart({ insertion_order: '7' }, { order: 7 })).toEqual({ insertion_order: '7' });
    expect(withPart({ insertion_order: 'soon' }, { content: 'Deep.' })).toMatchObject({
      insertion_order: 'soon',
    });
  });
});
