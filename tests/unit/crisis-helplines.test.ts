import { expect, test } from 'vitest';
import { LANGUAGES } from '../../src/config.ts';
import { LINES } from '../../src/features/safety/helplines-data.ts';
import { helplinesFor, helplinesOfLanguage } from '../../src/features/safety/helplines.ts';

const phones = (country: string | null, lang: string) =>
  helplinesFor(country, lang).map(({ phone }) => phone);

test('I am shown the lines of the country where I am, whatever language I read', () => {
  expect(phones('US', 'ja')[0]).toBe('988');
  expect(phones('gb', 'en')[0]).toBe('116 123');
  expect(phones('DE', 'en')[0]).toBe('0800 111 0 111');
  expect(phones('BR', 'pt')[0]).toBe('188');
  expect(phones('FR', 'fr')[0]).toBe('3114');
});

test('I always find the emergency number of my country and the directory behind its lines', () => {
  for (const country of ['US', 'IN', 'KZ', 'AO', 'JP', 'ZW']) {
    const lines = helplinesFor(country, 'en');
    expect(lines.at(-1)?.url).toBe('https://findahelpline.com');
    expect(lines.at(-2)).toMatchObject({ name: 'Emergency number', hours: 'always' });
    expect(lines.at(-2)?.phone).toMatch(/^\d{3}$/);
  }
  expect(phones('JP', 'ja')).toContain('119');
  expect(phones('KZ', 'ru')).toContain('112');
});

test('I am shown where my language is spoken when nobody knows where I am', () => {
  for (const nowhere of [null, '', 'XX', 'T1', '<b>']) {
    const lines = helplinesFor(nowhere, 'es');
    expect(lines.at(-1)?.url).toBe('https://findahelpline.com');
    expect(lines.map(({ name }) => name)).toContain('Línea 024 (España)');
    expect(lines.length).toBeLessThanOrEqual(5);
  }
  expect(helplinesFor(null, 'xx').length).toBeGreaterThan(1);
});

test('every line can be reached in some way', () => {
  for (const [country, lines] of Object.entries(LINES))
    for (const [name, phone, text, url] of lines) {
      expect(country).toMatch(/^[A-Z]{2}$/);
      expect(name).not.toBe('');
      expect(
        [phone, text, url].some((way) => way !== null),
        name,
      ).toBe(true);
      if (phone !== null) expect(phone).toMatch(/^[+*\d][\d ()-]*$/);
      if (url !== null) expect(url).toMatch(/^https:\/\//);
    }
});

test('the page of every language names its countries with a number for each', () => {
  for (const lang of LANGUAGES) {
    const countries = helplinesOfLanguage(lang);
    expect(countries.length).toBeGreaterThan(0);
    for (const { country, lines } of countries) {
      expect(country).not.toMatch(/^[A-Z]{2}$/);
      expect(lines.at(-1)?.phone).toMatch(/^\d{3}$/);
    }
  }
});
