import { describe, expect, test } from 'vitest';
import { EMAIL_PATTERN } from '../../src/features/account/contract.ts';
import { isEmailAddress, isGmailAddress } from '../../src/islands/sign-in/address.ts';
import {
  codeOf,
  emptyBoxes,
  erased,
  isComplete,
  moved,
  pasted,
  typed,
} from '../../src/islands/sign-in/otp-input.ts';

describe('addresses', () => {
  test.each([
    'a@b.co',
    'a.b+c@d-e.museum',
    'a@b',
    'a b@c.de',
    '@b.co',
    'a@b.',
    'a@b..c',
    'a@@b.co',
    'é@ö.de',
    'a@b.c,d',
  ])('the browser judges «%s» as the server does', (email) => {
    expect(isEmailAddress(email)).toBe(EMAIL_PATTERN.test(email));
  });

  test('only Google’s own mail counts as such', () => {
    expect(isGmailAddress('me@gmail.com')).toBe(true);
    expect(isGmailAddress('gmail.com@example.org')).toBe(false);
    expect(isGmailAddress('me@notgmail.com')).toBe(false);
  });
});

describe('the six boxes', () => {
  const filled = [...'123456'];

  test('take one digit each and lead on', () => {
    expect(typed(emptyBoxes(), 0, '7')).toEqual({ boxes: ['7', '', '', '', '', ''], focus: 1 });
    expect(typed(emptyBoxes(), 5, '7').focus).toBe(5);
  });

  test('take nothing but digits', () => {
    expect(typed(emptyBoxes(), 0, 'x')).toEqual({ boxes: emptyBoxes(), focus: 0 });
    expect(codeOf(typed(emptyBoxes(), 0, '７').boxes)).toBe('7');
  });

  test('a new digit replaces the one in the box, on whichever side of it I type', () => {
    expect(typed(filled, 2, '39').boxes).toEqual([...'129456']);
    expect(typed(filled, 2, '93').boxes).toEqual([...'129456']);
    expect(typed(filled, 2, '33')).toEqual({ boxes: filled, focus: 3 });
  });

  test('a pasted code fills all of them, wherever I paste it and whatever surrounds it', () => {
    expect(pasted(emptyBoxes(), 3, 'Your code: 123 456.')).toEqual({ boxes: filled, focus: 5 });
    expect(pasted(emptyBoxes(), 0, '12345678').boxes).toEqual(filled);
    expect(pasted(emptyBoxes(), 4, '12').boxes).toEqual(['', '', '', '', '1', '2']);
    expect(pasted(filled, 2, 'abc')).toEqual({ boxes: filled, focus: 2 });
  });

  test('a code that the device fills into the first box spreads over all', () => {
    expect(typed(emptyBoxes(), 0, '123456')).toEqual({ boxes: filled, focus: 5 });
  });

  test('backspace empties a box, then goes back', () => {
    expect(erased(filled, 5)).toEqual({ boxes: ['1', '2', '3', '4', '5', ''], focus: 5 });
    expect(erased(['1', '2', '', '', '', ''], 2)).toEqual({ boxes: ['1', '', '', '', '', ''], focus: 1 });
    expect(erased(emptyBoxes(), 0)).toEqual({ boxes: emptyBoxes(), focus: 0 });
  });

  test('arrow keys move within them', () => {
    expect([
      moved(0, 'ArrowLeft'),
      moved(2, 'ArrowLeft'),
      moved(2, 'ArrowRight'),
      moved(5, 'ArrowRight'),
    ]).toEqual([0, 1, 3, 5]);
    expect([moved(3, 'Home'), moved(3, 'End'), moved(3, 'a')]).toEqual([0, 5, null]);
  });

  test('are complete with six digits', () => {
    expect(isComplete(filled)).toBe(true);
    expect(isComplete(['1', '2', '3', '', '5', '6'])).toBe(false);
  });
});
