import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Language, LANGUAGES } from '../../../src/config/languages.ts';
import { loadTexts, NAMESPACES, type Messages, type Texts } from '../../../src/locales/i18n.ts';
import { buildLanguageHref } from '../../../src/locales/language-href.ts';

const TEXTS = Object.fromEntries(
  await Promise.all(LANGUAGES.map(async (lang) => [lang, await loadTexts(lang)])),
) as Record<Language, Texts>;
const SOURCE = new URL('../../../src/', import.meta.url).pathname;
/** Namespaces in which a page or layout must use every text. */
const PAGE_NAMESPACES = ['common', 'shell', 'home', 'discover', 'character', 'legal', 'pages'] as const;
const PLURAL = /_(?:zero|one|two|few|many|other)$/;

/** Lists the texts of a namespace by their full key: `home:how.title`. */
function listTexts(messages: Messages, start: string): [key: string, text: string][] {
  return Object.entries(messages).flatMap(([name, value]) => {
    const key = start.endsWith(':') ? start + name : `${start}.${name}`;
    return typeof value === 'string' ? [[key, value]] : listTexts(value, key);
  });
}

function readTexts(lang: (typeof LANGUAGES)[number], namespaces: readonly (typeof NAMESPACES)[number][]) {
  const words = TEXTS[lang].words(namespaces);
  return new Map(namespaces.flatMap((namespace) => listTexts(words[namespace], `${namespace}:`)));
}

const listPlaceholders = (text: string) => [...text.matchAll(/\{\{\s*(\w+)/g)].map(([, name = '']) => name);

interface Call {
  file: string;
  source: string;
  /** The key as written; a part that is only known at run time is `*`. */
  key: string;
}

/** Returns the source of the first argument of `t(`; brackets, strings and placeholders are skipped whole. */
function readFirstArgument(source: string, from: number): string {
  const open: string[] = [];
  for (let at = from; at < source.length; at += 1) {
    const sign = source[at] as string;
    const inText = /['"`]/.test(open.at(-1) ?? '');
    if (sign === '\\') at += 1;
    else if (inText && sign === open.at(-1)) open.pop();
    else if (open.at(-1) === '`' && sign === '$' && source[at + 1] === '{') {
      open.push('}');
      at += 1;
    } else if (inText) continue;
    else if (/['"`]/.test(sign)) open.push(sign);
    else if (open.length === 0 && /[,)]/.test(sign)) return source.slice(from, at);
    else if (/[([{]/.test(sign)) open.push({ '(': ')', '[': ']', '{': '}' }[sign] as string);
    else if (sign === open.at(-1)) open.pop();
  }
  return '';
}

/** Finds every `t('namespace:key')` in pages, layouts and the API, with parts filled in at run time. */
function findCalls(): Call[] {
  return readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:astro|ts)$/.test(file))
    .flatMap((file) => {
      const source = readFileSync(join(SOURCE, file), 'utf8');
      return [...source.matchAll(/\bt\(/g)].flatMap(({ index }) =>
        [...readFirstArgument(source, index + 2).matchAll(/(['`])([a-z]+:(?:(?!\1).)+)\1/gs)].map(
          ([, , written = '']) => ({ file, source, key: written.replace(/\$\{[^}]*\}/g, '*') }),
        ),
      );
    });
}

function listMatchingKeys(call: Call, keys: Iterable<string>): string[] {
  const parts = call.key.split('*').map((part) => part.replace(/[.:]/g, '\\$&'));
  const pattern = new RegExp(`^${parts.join('[^.:]+')}$`);
  return [...keys].filter((key) => pattern.test(key) || pattern.test(key.replace(PLURAL, '')));
}

const english = readTexts('en', NAMESPACES);

describe('Interface texts', () => {
  test('every text that a page uses exists', () => {
    const used = findCalls();
    expect(used.length).toBeGreaterThan(60);
    const missing = used.filter((call) => listMatchingKeys(call, english.keys()).length === 0);
    expect(missing.map(({ file, key }) => `${file}: ${key}`)).toEqual([]);
  });

  test('every text of the page namespaces is used', () => {
    const used = new Set(findCalls().flatMap((call) => listMatchingKeys(call, english.keys())));
    expect([...readTexts('en', PAGE_NAMESPACES).keys()].filter((key) => !used.has(key))).toEqual([]);
  });

  test('every call provides the values of all placeholders', () => {
    const unfilled = findCalls().flatMap((call) =>
      listMatchingKeys(call, english.keys()).flatMap((key) =>
        listPlaceholders(english.get(key) ?? '')
          .filter((place) => place !== 'brand' && !new RegExp(`\\b${place}\\b`).test(call.source))
          .map((place) => `${call.file}: ${key} {{${place}}}`),
      ),
    );
    expect(unfilled).toEqual([]);
  });

  test.each(LANGUAGES)('the texts in %s have the placeholders and keys of the English ones', (lang) => {
    for (const [key, text] of readTexts(lang, NAMESPACES)) {
      const base = english.get(key) ?? english.get(key.replace(PLURAL, '_other'));
      expect(base, `${key} is not an English text`).toBeDefined();
      // A form for «one» may omit its number, and languages differ in the numbers that count as «one».
      const places = (of: string) =>
        new Set(listPlaceholders(of).filter((place) => place !== 'count' || !key.endsWith('_one')));
      expect(places(text), key).toEqual(places(base ?? ''));
    }
  });

  test('the home page names the product', () => {
    expect(TEXTS.en.t('home:lead')).toMatch(/^Loreloom /);
  });

  test('a language without a text falls back to English', () => {
    for (const lang of LANGUAGES) expect(TEXTS[lang].t('shell:nav.home')).not.toBe('shell:nav.home');
    expect(Object.keys(TEXTS.hi.words(['errors']).errors)).toEqual(
      Object.keys(TEXTS.en.words(['errors']).errors),
    );
  });

  test('a name that looks like markup stays plain text', () => {
    expect(TEXTS.en.t('common:portraitNamed', { name: '<b>A & B</b>' })).toBe('Portrait of <b>A & B</b>');
  });
});

describe('Change of language', () => {
  const at = (path: string) => new URL(`https://loreloom.example${path}`);

  test('home, discover and tag pages change their prefix and keep the search', () => {
    expect(buildLanguageHref(at('/en'), 'de')).toBe('/de?lng=de');
    expect(buildLanguageHref(at('/en/discover?q=a+b&sort=new'), 'ja')).toBe(
      '/ja/discover?q=a+b&sort=new&lng=ja',
    );
    expect(buildLanguageHref(at('/fr/tag/anime'), 'pt')).toBe('/pt/tag/anime?lng=pt');
  });

  test('every other page keeps its address', () => {
    expect(buildLanguageHref(at('/privacy?lng=fr'), 'de')).toBe('/privacy?lng=de');
    expect(buildLanguageHref(at('/en/character-info/abc'), 'de')).toBe('/en/character-info/abc?lng=de');
    expect(buildLanguageHref(null, 'de')).toBe('/de?lng=de');
  });
});
