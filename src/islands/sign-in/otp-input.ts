import { LOGIN_CODE } from '../../features/account/limits.ts';

/** One digit or nothing in each box. */
export type OtpDigits = readonly string[];

/** What a key press or a paste leaves behind: the boxes, and the box that has the focus next. */
export interface OtpUpdate {
  boxes: OtpDigits;
  focus: number;
}

const LAST_INDEX = LOGIN_CODE.digits - 1;

export function createEmptyDigits(): OtpDigits {
  return Array.from({ length: LOGIN_CODE.digits }, () => '');
}

/** The digits of a text in order; full-width ones, as some keyboards write them, count too. */
export function extractDigits(text: string): string {
  return text.normalize('NFKC').replace(/[^0-9]/g, '');
}

/** The code as it stands; it is complete with as many digits as there are boxes. */
export function joinDigits(boxes: OtpDigits): string {
  return boxes.join('');
}

export function isCodeComplete(boxes: OtpDigits): boolean {
  return boxes.every((digit) => digit !== '');
}

/**
 * The value of one box changed. A second digit in a filled box replaces the first; several digits at once (a code that
 * the device filled in) spread over the boxes; anything but digits is dropped.
 */
export function handleTyping(boxes: OtpDigits, index: number, value: string): OtpUpdate {
  const digits = extractDigits(value);
  if (digits === '') {
    return value === '' ? { boxes: insertDigits(boxes, index, ' '), focus: index } : { boxes, focus: index };
  }
  const before = boxes[index] ?? '';
  if (digits.length === 2 && before !== '') {
    const replaced = digits.startsWith(before) ? digits.slice(1) : digits.slice(0, 1);
    return { boxes: insertDigits(boxes, index, replaced), focus: Math.min(index + 1, LAST_INDEX) };
  }
  return handlePaste(boxes, index, digits);
}

/** A text was pasted: its digits fill the boxes from this one on, a whole code from the first one on. */
export function handlePaste(boxes: OtpDigits, index: number, text: string): OtpUpdate {
  const digits = extractDigits(text);
  if (digits === '') return { boxes, focus: index };
  const start = digits.length >= LOGIN_CODE.digits ? 0 : index;
  const remainingDigits = digits.slice(0, LOGIN_CODE.digits - start);
  return {
    boxes: insertDigits(boxes, start, remainingDigits),
    focus: Math.min(start + remainingDigits.length, LAST_INDEX),
  };
}

/** Backspace empties a filled box, and in an empty one goes back and empties the one before. */
export function handleBackspace(boxes: OtpDigits, index: number): OtpUpdate {
  const at = boxes[index] === '' ? Math.max(index - 1, 0) : index;
  return { boxes: insertDigits(boxes, at, ' '), focus: at };
}

/** The box that an arrow key, Home or End leads to; null for other keys. */
export function getNextIndex(index: number, key: string): number | null {
  switch (key) {
    case 'ArrowLeft':
      return Math.max(index - 1, 0);
    case 'ArrowRight':
      return Math.min(index + 1, LAST_INDEX);
    case 'Home':
      return 0;
    case 'End':
      return LAST_INDEX;
    default:
      return null;
  }
}

/** Writes digits into the boxes from `start` on; a blank empties its box. */
function insertDigits(boxes: OtpDigits, start: number, digits: string): OtpDigits {
  return boxes.map((digit, index) => {
    const written = index >= start ? digits[index - start] : undefined;
    return written === undefined ? digit : written.trim();
  });
}
