import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import file from '../../data/helplines.json' with { type: 'json' };
import { LANGUAGES } from '../../src/config/languages.ts';
import { helplinesFile } from '../../src/features/safety/helplines-schema.ts';
import { getHelplines, listHelplinesByLanguage } from '../../src/features/safety/helplines.ts';

const phones = (country: string | null, lang: string) =>
  getHelplines(country, lang).map(({ phone }) => phone);

test('I am shown the lines of the country where I am, whatever language I read', () => {
  expect(phones('US', 'ja')[0]).toBe('988');
  expect(phones('gb', 'en')[0]).toBe('116 123');
  expect(phones('DE', 'en')[0]).toBe('0800 111 0 111');
  expect(phones('BR', 'pt')[0]).toBe('188');
  expect(phones('FR', 'fr')[0]).toBe('3114');
});

test('I always find the emergency number of my country and the directory behind its lines', () => {
  for (const country of ['US', 'IN', 'KZ', 'AO', 'JP', 'ZW']) {
    const lines = getHelplines(country, 'en');
    expect(lines.at(-1)?.url).toBe('https://findahelpline.com');
    expect(lines.at(-2)).toMatchObject({ name: 'Emergency number', hours: 'always' });
    expect(lines.at(-2)?.phone).toMatch(/^\d{3}$/);
  }
  expect(phones('JP', 'ja')).toContain('119');
  expect(phones('KZ', 'ru')).toContain('112');
});

test('I am shown where my language is spoken when nobody knows where I am', () => {
  for (const nowhere of [null, '', 'XX', 'T1', '<b>']) {
    const lines = getHelplines(nowhere, 'es');
    expect(lines.at(-1)?.url).toBe('https://findahelpline.com');
    expect(lines.map(({ name }) => name)).toContain('Línea 024 (España)');
    expect(lines.length).toBeLessThanOrEqual(5);
  }
  expect(getHelplines(null, 'xx').length).toBeGreaterThan(1);
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
    expect([country, getHelplines(country, 'en').at(-2)?.phone]).toEqual([country, number]);
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
  for (const country of ['VN', 'KZ']) expect(getHelplines(country, 'ru').length).toBeGreaterThan(2);
});

test('When nobody knows where I am, I am told 112, and that it is for many countries and not for all', () => {
  const said = new Set<string>();
  for (const lang of LANGUAGES) {
    const [anywhere, directory] = getHelplines(null, lang).slice(-2);
    expect(anywhere).toMatchObject({ phone: '112', hours: 'always' });
    expect(anywhere?.name).not.toBe(getHelplines('FR', lang).at(-2)?.name);
    expect(directory?.url).toBe('https://findahelpline.com');
    said.add(anywhere?.name ?? '');
  }
  expect(said.size).toBe(LANGUAGES.length);
});

test('the helplines file has the shape that the product reads, and every line can be reached in some way', () => {
  expect(helplinesFile.safeParse(file).error?.issues).toBeUndefined();
  for (const { name, phone, text, url } of file.lines)
    expect(
      [phone, text, url].some((way) => way !== null),
      name,
    ).toBe(true);
});

test('the helplines file names no day of reading without the page that was read, and no line twice', () => {
  const [line] = file.lines;
  const withSource = (source: unknown) => ({ ...file, lines: [{ ...line, source }] });
  expect(helplinesFile.safeParse(withSource({ read: '2026-11-28' })).success).toBe(false);
  expect(helplinesFile.safeParse(withSource({ address: 'https://a.example', read: 'today' })).success).toBe(
    false,
  );
  expect(
    helplinesFile.safeParse(withSource({ address: 'https://a.example', read: '2026-11-28' })).success,
  ).toBe(true);
  const names = file.lines.map(({ country, name }) => `${country} ${name}`);
  expect(names).toEqual([...new Set(names)]);
});

test('a line is shown also while nobody has checked it, and the operator is given the list of those to check', () => {
  const unchecked = file.lines.filter(({ source }) => source === null);
  for (const { country, name } of unchecked)
    expect(getHelplines(country, 'en').map((line) => line.name)).toContain(name);
  const printed = execFileSync(process.execPath, ['scripts/helplines-check.mjs'], { encoding: 'utf8' });
  for (const { name } of unchecked) expect(printed).toContain(`  ${name}: `);
  expect(printed).toContain(`To check: ${unchecked.length} of ${file.lines.length} helplines.`);
  const one = execFileSync(process.execPath, ['scripts/helplines-check.mjs', 'id'], { encoding: 'utf8' });
  expect(one).toContain('Indonesia (ID)');
  expect(one).toContain('call 119, then press 8');
  expect(one).not.toContain('United States');
});

test('the page of every language names its countries with a number for each', () => {
  for (const lang of LANGUAGES) {
    const countries = listHelplinesByLanguage(lang);
    expect(countries.length).toBeGreaterThan(0);
    for (const { country, lines } of countries) {
      expect(country).not.toMatch(/^[A-Z]{2}$/);
      expect(lines.at(-1)?.phone).toMatch(/^\d{3}$/);
    }
  }
});
