import { createInstance } from 'i18next';
import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../../src/config/languages.ts';
import {
  formatDate,
  formatDayAndTime,
  formatList,
  formatMoney,
  formatNumber,
  formatRelativeTime,
  formatTime,
  textFormatter,
} from '../../../src/locales/format.ts';
import { loadTexts } from '../../../src/locales/i18n.ts';

/** Replaces non-breaking spaces by plain ones. */
const read = (text: string) => text.replaceAll(/[\u{A0}\u{202F}]/gu, ' ');

test('a list of any length is formatted for the language', () => {
  const names = ['Mira', 'Teodora', 'Loam'];
  expect(formatList(names, 'de')).toBe('Mira, Teodora und Loam');
  expect(formatList(names, 'ja')).toBe('Mira、Teodora、Loam');
  expect(formatList(['Mira', 'Iona'], 'es')).toBe('Mira e Iona');
  expect(formatList(['Mira'], 'fr')).toBe('Mira');
});

describe('Dates', () => {
  const day = new Date(Date.UTC(2026, 10, 20));
  const long = (lang: string) => formatDate(day, lang, { zone: 'UTC' });

  test('a long date is formatted for the language', () => {
    expect(long('en')).toBe('November 20, 2026');
    expect(long('de')).toBe('20. November 2026');
    expect(long('pt')).toBe('20 de novembro de 2026');
    expect(long('ja')).toBe('2026年11月20日');
    expect(long('pl')).toBe('20 listopada 2026');
  });

  test('a short date is formatted for the language', () => {
    expect(formatDate(day, 'en', { length: 'short', zone: 'UTC' })).toBe('Nov 20, 2026');
    expect(formatDate(day, 'ru', { length: 'short', zone: 'UTC' })).toMatch(/^20 нояб\. 2026/);
  });

  test('a Chinese date uses simplified characters', () => {
    expect(long('zh')).toBe('2026年11月20日');
  });

  test('a missing date gives an empty text', () => {
    for (const of of [formatDate, formatDayAndTime, formatTime]) expect(of('never', 'en')).toBe('');
  });
});

describe('Times', () => {
  const now = new Date(2026, 2, 29, 0, 30).getTime();

  test('a time includes the weekday when it is on another day', () => {
    expect(read(formatTime(new Date(2026, 2, 29, 18, 5), 'en', now))).toBe('6:05 PM');
    expect(read(formatTime(new Date(2026, 2, 30, 18, 5), 'de', now))).toBe('Montag, 18:05');
    expect(read(formatDayAndTime(new Date(2026, 2, 30, 18, 5), 'en'))).toBe('Mar 30, 6:05 PM');
  });

  test('a time a week or more away includes the date', () => {
    expect(read(formatTime(new Date(2026, 3, 3, 18, 5), 'en', now))).toBe('Friday 6:05 PM');
    const later = read(formatTime(new Date(2026, 3, 5, 18, 5), 'en', now));
    expect(later).toMatch(/^April 5(?:,| at) 6:05 PM$/);
    expect(read(formatTime(new Date(2027, 2, 29, 18, 5), 'en', now))).toMatch(/^March 29, 2027.* 6:05 PM$/);
    expect(read(formatTime(new Date(2026, 3, 5, 18, 5), 'de', now))).toMatch(/^5\. April.* 18:05$/);
  });
});

describe('Relative times', () => {
  const now = new Date(2026, 2, 29, 12, 0).getTime();
  const ago = (minutes: number, lang: string) => formatRelativeTime(now - minutes * 60_000, lang, now);

  test('relative times are in minutes, hours and days of less than a week, and dates from then on', () => {
    expect([0, 0.9, 1, 59, 60, 1439, 1440, 2880, 10_079].map((minutes) => ago(minutes, 'en'))).toEqual([
      ...['now', 'now', '1 min. ago', '59 min. ago', '1 hr. ago', '23 hr. ago'],
      ...['yesterday', '2 days ago', '6 days ago'],
    ]);
    expect(ago(10_080, 'en')).toBe('Mar 22');
    expect(ago(200 * 1440, 'en')).toMatch(/^Sep 10, 2025$/);
  });

  test('relative times are in the language’s own words', () => {
    expect(ago(5, 'de')).toBe('vor 5 Min.');
    expect(ago(5, 'fr')).toMatch(/^il y a 5\smin$/);
    expect(ago(5, 'ja')).toMatch(/^5\s?分前$/);
    expect(ago(1440, 'ru')).toBe('вчера');
  });

  test('relative times count the future as now, and an invalid time as nothing', () => {
    expect(ago(-90, 'en')).toBe('now');
    expect(formatRelativeTime('never', 'en', now)).toBe('');
  });
});

describe('Numbers', () => {
  test('a number has the separators of the language', () => {
    expect(formatNumber(12_000, 'en')).toBe('12,000');
    expect(formatNumber(12_000, 'de')).toBe('12.000');
    expect(formatNumber(1_234_567, 'hi')).toBe('12,34,567');
    expect(read(formatNumber(12_000.5, 'fr'))).toBe('12 000,5');
  });

  test('a price is formatted for the language', () => {
    expect(formatMoney(699, 'en')).toBe('$6.99');
    expect(read(formatMoney(699, 'de'))).toBe('6,99 $');
    expect(read(formatMoney(1499, 'pt'))).toBe('US$ 14,99');
    expect(formatMoney(10_000, 'en')).toBe('$100');
    expect(formatMoney(0, 'en')).toBe('$0');
  });

  test('numbers inside sentences are formatted, and codes stay unchanged', async () => {
    const island = createInstance().use(textFormatter);
    void island.init({
      lng: 'de',
      initAsync: false,
      resources: { de: { chat: { left: '{{count}} Punkte, Code {{code}}', of: '{{name}}' } } },
      interpolation: { escapeValue: false, alwaysFormat: true },
    });
    const words = island.getFixedT('de', 'chat' as never) as unknown as (
      key: string,
      values: object,
    ) => string;
    expect(words('left', { count: 12_000, code: '120000' })).toBe('12.000 Punkte, Code 120000');
    expect(words('of', { name: '' })).toBe('');
    const { t } = await loadTexts('en');
    expect(t('character:chatCount', { count: 12_000 })).toContain('12,000');
  });

  test('numbers, prices and dates are formatted in every language', () => {
    for (const lang of LANGUAGES) {
      expect(formatNumber(1, lang)).toBe('1');
      expect(formatMoney(699, lang)).toMatch(/6[.,]99/);
      expect(formatDate(0, lang, { zone: 'UTC' })).toContain('1970');
    }
  });
});
