import { describe, expect, test } from 'vitest';
import file from '../../data/helplines.json' with { type: 'json' };
import { LANGUAGES } from '../../src/config/languages.ts';
import { getPhoneLink, getTextLink } from '../../src/features/safety/helpline-links.ts';
import {
  DIRECTORY,
  getHelplines,
  listHelplinesByLanguage,
  type Helpline,
} from '../../src/features/safety/helplines.ts';

const countries = [
  ...new Set([...file.lines.map(({ country }) => country), ...Object.keys(file.emergency.numbers)]),
];
const everyLine: Helpline[] = [
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
/** As a device saved it before the number, the key and the word had fields of their own. */
const savedEarlier = ({ name, phone, text, url, hours }: Helpline): Helpline => ({
  name,
  phone,
  text,
  url,
  hours,
});

describe.each([
  ['a helpline', (line: Helpline) => line],
  ['a helpline that a device saved earlier', savedEarlier],
])('the links of %s', (_, read) => {
  test('dial digits, +, * and # only, and every number that is shown can be dialed', () => {
    for (const line of everyLine) {
      const link = getPhoneLink(read(line));
      expect(link === null).toBe(line.phone === null);
      if (link !== null) expect(decodeURIComponent(link.href), line.name).toMatch(/^tel:[+*]?[\d*#]+$/);
    }
  });

  test('dial the number of Chile with its star', () => {
    const link = getPhoneLink(read(findLine('CL', 'No estás solo, no estás sola')));
    expect(link).toEqual({ number: '*4141', then: null, href: 'tel:*4141' });
  });

  test('dial 119 in Indonesia and leave the 8 to be pressed once the call is answered', () => {
    const line = read(findLine('ID', 'Healing119'));
    expect(line.phone).toBe('119 (8)');
    expect(getPhoneLink(line)).toEqual({ number: '119', then: '8', href: 'tel:119' });
  });

  test('text HOME to 741741', () => {
    const line = read(findLine('US', 'Crisis Text Line'));
    expect(line.text).toBe('741741 (HOME)');
    expect(getTextLink(line)).toEqual({ number: '741741', word: 'HOME', href: 'sms:741741?&body=HOME' });
    expect(getPhoneLink(line)).toBeNull();
  });

  test('open an empty message where no word is asked for', () => {
    const line = read(findLine('AU', 'Lifeline'));
    expect(getTextLink(line)).toEqual({ number: '0477 13 11 14', word: null, href: 'sms:0477131114' });
  });

  test('text numbers only, and nothing where a line takes no text messages', () => {
    for (const line of everyLine) {
      const link = getTextLink(read(line));
      expect(link === null).toBe(line.text === null);
      if (link !== null) expect(link.href, line.name).toMatch(/^sms:\d+(?:\?&body=[A-Z]+)?$/);
    }
    expect(getTextLink(read(DIRECTORY))).toBeNull();
    expect(getPhoneLink(read(DIRECTORY))).toBeNull();
  });
});

test('a way to write that is no number has no link, and a # is written so that a link keeps it', () => {
  const line = { ...DIRECTORY, text: 'WhatsApp on their page', phone: '*100#' };
  expect(getTextLink(line)).toBeNull();
  expect(getPhoneLink(line)?.href).toBe('tel:*100%23');
});
