import { describe, expect, test } from 'vitest';
import { EMAIL_PATTERN } from '../../../../src/features/account/contract.ts';
import { isEmailAddress, isGmailAddress } from '../../../../src/islands/sign-in/email-address.ts';
import {
  joinDigits,
  createEmptyDigits,
  handleBackspace,
  isCodeComplete,
  getNextIndex,
  handlePaste,
  handleTyping,
} from '../../../../src/islands/sign-in/otp-input.ts';

describe('E-mail address fields', () => {
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
    'a\u0085b@c.de',
    'a\u200bb@c.de',
  ])('the browser validates the address «%s» as the server does', (email) => {
    expect(isEmailAddress(email)).toBe(EMAIL_PATTERN.test(email));
  });

  test("only addresses at Gmail's own domains count as Gmail addresses", () => {
    expect(isGmailAddress('me@gmail.com')).toBe(true);
    expect(isGmailAddress('gmail.com@example.org')).toBe(false);
    expect(isGmailAddress('me@notgmail.com')).toBe(false);
  });
});

describe('Login code fields', () => {
  const filled = [...'123456'];

  test('each field takes one digit and moves the focus to the next one', () => {
    expect(handleTyping(createEmptyDigits(), 0, '7')).toEqual({ boxes: ['7', '', '', '', '', ''], focus: 1 });
    expect(handleTyping(createEmptyDigits(), 5, '7').focus).toBe(5);
  });

  test('a field accepts nothing but digits', () => {
    expect(handleTyping(createEmptyDigits(), 0, 'x')).toEqual({ boxes: createEmptyDigits(), focus: 0 });
    expect(joinDigits(handleTyping(createEmptyDigits(), 0, '７').boxes)).toBe('7');
  });

  test('a new digit replaces the one in the field, typed before or after it', () => {
    expect(handleTyping(filled, 2, '39').boxes).toEqual([...'129456']);
    expect(handleTyping(filled, 2, '93').boxes).toEqual([...'129456']);
    expect(handleTyping(filled, 2, '33')).toEqual({ boxes: filled, focus: 3 });
  });

  test('a pasted code fills all fields, wherever it is pasted and whatever surrounds it', () => {
    expect(handlePaste(createEmptyDigits(), 3, 'Your code: 123 456.')).toEqual({ boxes: filled, focus: 5 });
    expect(handlePaste(createEmptyDigits(), 0, '12345678').boxes).toEqual(filled);
    expect(handlePaste(createEmptyDigits(), 4, '12').boxes).toEqual(['', '', '', '', '1', '2']);
    expect(handlePaste(filled, 2, 'abc')).toEqual({ boxes: filled, focus: 2 });
  });

  test('a code that the device fills into the first field is spread over all of them', () => {
    expect(handleTyping(createEmptyDigits(), 0, '123456')).toEqual({ boxes: filled, focus: 5 });
  });

  test('backspace clears a field and then moves back', () => {
    expect(handleBackspace(filled, 5)).toEqual({ boxes: ['1', '2', '3', '4', '5', ''], focus: 5 });
    expect(handleBackspace(['1', '2', '', '', '', ''], 2)).toEqual({
      boxes: ['1', '', '', '', '', ''],
      focus: 1,
    });
    expect(handleBackspace(createEmptyDigits(), 0)).toEqual({ boxes: createEmptyDigits(), focus: 0 });
  });

  test('arrow keys, Home and End move between the fields', () => {
    expect([
      getNextIndex(0, 'ArrowLeft'),
      getNextIndex(2, 'ArrowLeft'),
      getNextIndex(2, 'ArrowRight'),
      getNextIndex(5, 'ArrowRight'),
    ]).toEqual([0, 1, 3, 5]);
    expect([getNextIndex(3, 'Home'), getNextIndex(3, 'End'), getNextIndex(3, 'a')]).toEqual([0, 5, null]);
  });

  test('the code is complete with six digits', () => {
    expect(isCodeComplete(filled)).toBe(true);
    expect(isCodeComplete(['1', '2', '3', '', '5', '6'])).toBe(false);
  });
});
