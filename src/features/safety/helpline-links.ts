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

/** A number as shown, and what follows it in brackets: "119 (8)", "741741 (HOME)". */
const DISPLAYED_NUMBER = /^([+*#]?\d[\d*#\s.-]*?)(?:\s*\((\w+)\))?$/;

/** Returns what a phone dials: digits, +, * and #. In a link, # has to be written as %23. */
const toDialString = (number: string): string => number.replaceAll(/[^\d+*#]/g, '').replaceAll('#', '%23');

/** Splits a number as shown; for copies of a helpline that a device saved before the parts had fields of their own. */
function splitDisplayedNumber(shown: string): { number: string; extra: string | null } | null {
  const [, number, extra = null] = DISPLAYED_NUMBER.exec(shown) ?? [];
  return number === undefined ? null : { number, extra };
}

/** Returns how to call a helpline; null where they take no calls. */
export function getPhoneLink({ phone, phone_number, phone_then }: Helpline): PhoneLink | null {
  if (phone === null) return null;
  const shown = splitDisplayedNumber(phone);
  const number = phone_number ?? shown?.number ?? phone;
  return { number, then: phone_then ?? shown?.extra ?? null, href: `tel:${toDialString(number)}` };
}

/** Returns how to text a helpline; null where they take no text messages, or not at a number. */
export function getTextLink({ text, text_number, text_word }: Helpline): TextLink | null {
  if (text === null) return null;
  const shown = splitDisplayedNumber(text);
  const number = text_number ?? shown?.number;
  if (number === undefined) return null;
  const word = text_word ?? shown?.extra ?? null;
  // "?&body=" is read by both Android ("?body=") and iOS ("&body=").
  const body = word === null ? '' : `?&body=${encodeURIComponent(word)}`;
  return { number, word, href: `sms:${toDialString(number)}${body}` };
}
