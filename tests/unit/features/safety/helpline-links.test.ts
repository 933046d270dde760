import { describe, expect, test } from 'vitest';
import file from '../../../../data/helplines.json' with { type: 'json' };
import { LANGUAGES } from '../../../../src/config/languages.ts';
import { getPhoneLink, getTextLink } from '../../../../src/features/safety/helpline-links.ts';
import {
  DIRECTORY,
  getHelplines,
  listHelplinesByLanguage,
  type Helpline,
} from '../../../../src/features/safety/helplines.ts';

const countries = [
  ...new Set([...file.lines.map(({ country }) => country), ...Object.keys(file.emergency.numbers)]),
];
const allHelplines: Helpline[] = [
  ...countries.flatMap((country) => getHelplines(country, 'en')),
  ...LANGUAGES.flatMap((lang) => [
    ...getHelplines(null, lang),
    ...listHelplinesByLanguage(lang).flatMap(({ lines }) => lines),
  ]),
];
const findLine = (country: string, name: string) => {
  const line = getHelplines(country, 'en').find((other) => other.name === name);
  if (line === undefined) throw new Error(`${country} has no line named ${name}`);
  return line;
};
/** A helpline as devices saved it before number, key and word had fields of their own. */
const toEarlierForm = ({ name, phone, text, url, hours }: Helpline): Helpline => ({
  name,
  phone,
  text,
  url,
  hours,
});

describe.each([
  ['a helpline', (line: Helpline) => line],
  ['a helpline that a device saved earlier', toEarlierForm],
])('Links of %s', (_, read) => {
  test('phone links dial only digits, +, * and #, and every shown number has a link', () => {
    for (const line of allHelplines) {
      const link = getPhoneLink(read(line));
      expect(link === null).toBe(line.phone === null);
      if (link !== null) expect(decodeURIComponent(link.href), line.name).toMatch(/^tel:[+*]?[\d*#]+$/);
    }
  });

  test('the link for Chile dials the number with its star', () => {
    const link = getPhoneLink(read(findLine('CL', 'No estás solo, no estás sola')));
    expect(link).toEqual({ number: '*4141', then: null, href: 'tel:*4141' });
  });

  test('the link for Indonesia dials 119 and names the 8 to press afterwards', () => {
    const line = read(findLine('ID', 'Healing119'));
    expect(line.phone).toBe('119 (8)');
    expect(getPhoneLink(line)).toEqual({ number: '119', then: '8', href: 'tel:119' });
  });

  test('the link for the Crisis Text Line sends HOME to 741741', () => {
    const line = read(findLine('US', 'Crisis Text Line'));
    expect(line.text).toBe('741741 (HOME)');
    expect(getTextLink(line)).toEqual({ number: '741741', word: 'HOME', href: 'sms:741741?&body=HOME' });
    expect(getPhoneLink(line)).toBeNull();
  });

  test('a text link without a word opens an empty message', () => {
    const line = read(findLine('AU', 'Lifeline'));
    expect(getTextLink(line)).toEqual({ number: '0477 13 11 14', word: null, href: 'sms:0477131114' });
  });

  test('text links contain only numbers, and helplines without text messages have none', () => {
    for (const line of allHelplines) {
      const link = getTextLink(read(line));
      expect(link === null).toBe(line.text === null);
      if (link !== null) expect(link.href, line.name).toMatch(/^sms:\d+(?:\?&body=[A-Z]+)?$/);
    }
    expect(getTextLink(read(DIRECTORY))).toBeNull();
    expect(getPhoneLink(read(DIRECTORY))).toBeNull();
  });
});

test('a text contact without a number has no link, and # is escaped in a phone link', () => {
  const line = { ...DIRECTORY, text: 'WhatsApp on their page', phone: '*100#' };
  expect(getTextLink(line)).toBeNull();
  expect(getPhoneLink(line)?.href).toBe('tel:*100%23');
});
