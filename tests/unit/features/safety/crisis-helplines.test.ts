import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import file from '../../../../data/helplines.json' with { type: 'json' };
import { LANGUAGES } from '../../../../src/config/languages.ts';
import { helplinesFile } from '../../../../src/features/safety/helplines-schema.ts';
import { getHelplines, listHelplinesByLanguage } from '../../../../src/features/safety/helplines.ts';

const listPhones = (country: string | null, lang: string) =>
  getHelplines(country, lang).map(({ phone }) => phone);

test('helplines are those of the user’s country in any language', () => {
  expect(listPhones('US', 'ja')[0]).toBe('988');
  expect(listPhones('gb', 'en')[0]).toBe('116 123');
  expect(listPhones('DE', 'en')[0]).toBe('0800 111 0 111');
  expect(listPhones('BR', 'pt')[0]).toBe('188');
  expect(listPhones('FR', 'fr')[0]).toBe('3114');
});

test('helplines always end with the emergency number of the country and the directory', () => {
  for (const country of ['US', 'IN', 'KZ', 'AO', 'JP', 'ZW']) {
    const lines = getHelplines(country, 'en');
    expect(lines.at(-1)?.url).toBe('https://findahelpline.com');
    expect(lines.at(-2)).toMatchObject({ name: 'Emergency number', hours: 'always' });
    expect(lines.at(-2)?.phone).toMatch(/^\d{3}$/);
  }
  expect(listPhones('JP', 'ja')).toContain('119');
  expect(listPhones('KZ', 'ru')).toContain('112');
});

test('helplines of the language are shown when the country is unknown', () => {
  for (const nowhere of [null, '', 'XX', 'T1', '<b>']) {
    const lines = getHelplines(nowhere, 'es');
    expect(lines.at(-1)?.url).toBe('https://findahelpline.com');
    expect(lines.map(({ name }) => name)).toContain('Línea 024 (España)');
    expect(lines.length).toBeLessThanOrEqual(5);
  }
  expect(getHelplines(null, 'xx').length).toBeGreaterThan(1);
});

test('the emergency number is that of the country, even where it is not 112', () => {
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

test('countries without a language of the product have helplines of their own', () => {
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
    expect([country, listPhones(country, 'en')[0]]).toEqual([country, phone]);
  for (const country of ['VN', 'KZ']) expect(getHelplines(country, 'ru').length).toBeGreaterThan(2);
});

test('112 is shown for many countries, in every language, when the country is unknown', () => {
  const names = new Set<string>();
  for (const lang of LANGUAGES) {
    const [anywhere, directory] = getHelplines(null, lang).slice(-2);
    expect(anywhere).toMatchObject({ phone: '112', hours: 'always' });
    expect(anywhere?.name).not.toBe(getHelplines('FR', lang).at(-2)?.name);
    expect(directory?.url).toBe('https://findahelpline.com');
    names.add(anywhere?.name ?? '');
  }
  expect(names.size).toBe(LANGUAGES.length);
});

test('the helplines file has the expected shape, and every helpline can be reached', () => {
  expect(helplinesFile.safeParse(file).error?.issues).toBeUndefined();
  for (const { name, phone, text, url } of file.lines)
    expect(
      [phone, text, url].some((way) => way !== null),
      name,
    ).toBe(true);
});

test('a helpline has a date of reading only with its source, and no helpline appears twice', () => {
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

test('unchecked helplines are shown, and the operator can list them', () => {
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

test('the helplines page of every language names its countries with a number for each', () => {
  for (const lang of LANGUAGES) {
    const countries = listHelplinesByLanguage(lang);
    expect(countries.length).toBeGreaterThan(0);
    for (const { country, lines } of countries) {
      expect(country).not.toMatch(/^[A-Z]{2}$/);
      expect(lines.at(-1)?.phone).toMatch(/^\d{3}$/);
    }
  }
});
