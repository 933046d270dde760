import type { Helpline } from './helplines.ts';

/** A number to call: as shown, the key to press afterwards, and the link that dials it. */
export interface PhoneLink {
  number: string;
  then: string | null;
  href: string;
}

/** A number to text: as shown, the word to text, and the link that opens the message. */
export interface TextLink {
  number: string;
  word: string | null;
  href: string;
}

/** A displayed number with an optional suffix in brackets: "119 (8)", "741741 (HOME)". */
const DISPLAYED_NUMBER = /^([+*#]?\d[\d*#\s.-]*?)(?:\s*\((\w+)\))?$/;

/** The string to dial: digits, +, * and #. A link encodes # as %23. */
const toDialString = (number: string): string => number.replaceAll(/[^\d+*#]/g, '').replaceAll('#', '%23');

/** Splits a displayed number. Needed for helplines that a device cached before the parts had their own fields. */
function splitDisplayedNumber(shown: string): { number: string; extra: string | null } | null {
  const [, number, extra = null] = DISPLAYED_NUMBER.exec(shown) ?? [];
  return number === undefined ? null : { number, extra };
}

/** Returns how to call a helpline; null if it takes no calls. */
export function getPhoneLink({ phone, phone_number, phone_then }: Helpline): PhoneLink | null {
  if (phone === null) return null;
  const shown = splitDisplayedNumber(phone);
  const number = phone_number ?? shown?.number ?? phone;
  return { number, then: phone_then ?? shown?.extra ?? null, href: `tel:${toDialString(number)}` };
}

/** Returns how to text a helpline; null if it takes no text messages, or not at a number. */
export function getTextLink({ text, text_number, text_word }: Helpline): TextLink | null {
  if (text === null) return null;
  const shown = splitDisplayedNumber(text);
  const number = text_number ?? shown?.number;
  if (number === undefined) return null;
  const word = text_word ?? shown?.extra ?? null;
  // "?&body=" works on both Android ("?body=") and iOS ("&body=").
  const body = word === null ? '' : `?&body=${encodeURIComponent(word)}`;
  return { number, word, href: `sms:${toDialString(number)}${body}` };
}
