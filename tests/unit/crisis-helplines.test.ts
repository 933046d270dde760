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

test('The emergency number is the one of my country, also where that is not 112', () => {
  const numbers = {
    TH: '1669',
    VN: '115',
    KE: '999',
    TR: '112',
    PH: '911',
    GR: '112',
    FI: '112',
    KZ: '112',
    BD: '999',
    EG: '123',
    ZW: '999',
  };
  for (const [country, number] of Object.entries(numbers))
    expect([country, helplinesFor(country, 'en').at(-2)?.phone]).toEqual([country, number]);
});

test('I find somebody who listens in countries where none of our languages is the first one', () => {
  const first = {
    TH: '1323',
    PH: '1553',
    KE: '1199',
    GR: '1018',
    FI: '09 2525 0111',
    NP: '1166',
    IL: '1201',
  };
  for (const [country, phone] of Object.entries(first))
    expect([country, phones(country, 'en')[0]]).toEqual([country, phone]);
  for (const country of ['VN', 'KZ']) expect(helplinesFor(country, 'ru').length).toBeGreaterThan(2);
});

test('When nobody knows where I am, I am told 112, and that it is for many countries and not for all', () => {
  const said = new Set<string>();
  for (const lang of LANGUAGES) {
    const [anywhere, directory] = helplinesFor(null, lang).slice(-2);
    expect(anywhere).toMatchObject({ phone: '112', hours: 'always' });
    expect(anywhere?.name).not.toBe(helplinesFor('FR', lang).at(-2)?.name);
    expect(directory?.url).toBe('https://findahelpline.com');
    said.add(anywhere?.name ?? '');
  }
  expect(said.size).toBe(LANGUAGES.length);
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
