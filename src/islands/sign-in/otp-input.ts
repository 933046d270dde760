import { LOGIN_CODE } from '../../features/account/limits.ts';

/** One digit or an empty string per box. */
export type OtpDigits = readonly string[];

/** The result of an input: the boxes and the index of the box to focus. */
export interface OtpUpdate {
  boxes: OtpDigits;
  focus: number;
}

const LAST_INDEX = LOGIN_CODE.digits - 1;

export function createEmptyDigits(): OtpDigits {
  return Array.from({ length: LOGIN_CODE.digits }, () => '');
}

/** The digits of a text, including full-width ones, which some keyboards produce. */
export function extractDigits(text: string): string {
  return text.normalize('NFKC').replace(/[^0-9]/g, '');
}

/** The digits as one string; may be incomplete. */
export function joinDigits(boxes: OtpDigits): string {
  return boxes.join('');
}

export function isCodeComplete(boxes: OtpDigits): boolean {
  return boxes.every((digit) => digit !== '');
}

/**
 * Handles input in a box. A second digit in a filled box replaces the first. Several digits at once, such as an
 * autofilled code, fill the following boxes. Other characters are dropped.
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

/** Handles a paste: the digits fill the boxes from this one on, a complete code from the first one on. */
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

/** Handles Backspace: empties a filled box; in an empty box, empties the previous one. */
export function handleBackspace(boxes: OtpDigits, index: number): OtpUpdate {
  const at = boxes[index] === '' ? Math.max(index - 1, 0) : index;
  return { boxes: insertDigits(boxes, at, ' '), focus: at };
}

/** The index that an arrow key, Home or End moves to; null for other keys. */
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

/** Writes digits from `start` on; a space empties its box. */
function insertDigits(boxes: OtpDigits, start: number, digits: string): OtpDigits {
  return boxes.map((digit, index) => {
    const written = index >= start ? digits[index - start] : undefined;
    return written === undefined ? digit : written.trim();
  });
}
