import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../src/config/languages.ts';
import { getDictionary, NAMESPACES, getTranslator, type Messages } from '../../src/locales/i18n.ts';
import { buildLanguageHref } from '../../src/locales/language-href.ts';

const SOURCE = new URL('../../src/', import.meta.url).pathname;
/** Namespaces whose every text is asked for by a page or a layout. */
const PAGE_NAMESPACES = ['common', 'shell', 'home', 'discover', 'character', 'legal', 'pages'] as const;
const PLURAL = /_(?:zero|one|two|few|many|other)$/;

/** Every text of a namespace by its full key: `home:how.title`. */
function texts(messages: Messages, start: string): [key: string, text: string][] {
  return Object.entries(messages).flatMap(([name, value]) => {
    const key = start.endsWith(':') ? start + name : `${start}.${name}`;
    return typeof value === 'string' ? [[key, value]] : texts(value, key);
  });
}

function textsOf(lang: (typeof LANGUAGES)[number], namespaces: readonly (typeof NAMESPACES)[number][]) {
  const words = getDictionary(lang, namespaces);
  return new Map(namespaces.flatMap((namespace) => texts(words[namespace], `${namespace}:`)));
}

const placesOf = (text: string) => [...text.matchAll(/\{\{\s*(\w+)/g)].map(([, name = '']) => name);

interface Call {
  file: string;
  source: string;
  /** The key as written; a part that is only known at run time is `*`. */
  key: string;
}

/** What follows `t(` up to the end of its first argument: a bracket, a text or a place in one may hold anything. */
function firstArgument(source: string, from: number): string {
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

/** Every `t('namespace:key')` of pages, layouts and the API, also one of several, and with parts filled in at run time. */
function calls(): Call[] {
  return readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:astro|ts)$/.test(file))
    .flatMap((file) => {
      const source = readFileSync(join(SOURCE, file), 'utf8');
      return [...source.matchAll(/\bt\(/g)].flatMap(({ index }) =>
        [...firstArgument(source, index + 2).matchAll(/(['`])([a-z]+:(?:(?!\1).)+)\1/gs)].map(
          ([, , written = '']) => ({ file, source, key: written.replace(/\$\{[^}]*\}/g, '*') }),
        ),
      );
    });
}

function keysMatching(call: Call, keys: Iterable<string>): string[] {
  const parts = call.key.split('*').map((part) => part.replace(/[.:]/g, '\\$&'));
  const pattern = new RegExp(`^${parts.join('[^.:]+')}$`);
  return [...keys].filter((key) => pattern.test(key) || pattern.test(key.replace(PLURAL, '')));
}

const english = textsOf('en', NAMESPACES);

describe('What I read', () => {
  test('is never a raw key: every text that a page asks for exists', () => {
    const asked = calls();
    expect(asked.length).toBeGreaterThan(60);
    const missing = asked.filter((call) => keysMatching(call, english.keys()).length === 0);
    expect(missing.map(({ file, key }) => `${file}: ${key}`)).toEqual([]);
  });

  test('is all that translators have to translate: no page text is left over', () => {
    const asked = new Set(calls().flatMap((call) => keysMatching(call, english.keys())));
    expect([...textsOf('en', PAGE_NAMESPACES).keys()].filter((key) => !asked.has(key))).toEqual([]);
  });

  test('has its gaps filled: whoever asks for a text knows the names of its places', () => {
    const unfilled = calls().flatMap((call) =>
      keysMatching(call, english.keys()).flatMap((key) =>
        placesOf(english.get(key) ?? '')
          .filter((place) => place !== 'brand' && !new RegExp(`\\b${place}\\b`).test(call.source))
          .map((place) => `${call.file}: ${key} {{${place}}}`),
      ),
    );
    expect(unfilled).toEqual([]);
  });

  test.each(LANGUAGES)('has the same gaps in %s as in English, and no text that English lacks', (lang) => {
    for (const [key, text] of textsOf(lang, NAMESPACES)) {
      const base = english.get(key) ?? english.get(key.replace(PLURAL, '_other'));
      expect(base, `${key} is not an English text`).toBeDefined();
      // «One message» may name its number or not, and which numbers are «one» differs from language to language.
      const places = (of: string) =>
        new Set(placesOf(of).filter((place) => place !== 'count' || !key.endsWith('_one')));
      expect(places(text), key).toEqual(places(base ?? ''));
    }
  });

  test('names the product', () => {
    expect(getTranslator('en')('home:lead')).toMatch(/^Loreloom /);
  });

  test('is English where my language has no text yet', () => {
    for (const lang of LANGUAGES) expect(getTranslator(lang)('shell:nav.home')).not.toBe('shell:nav.home');
    expect(Object.keys(getDictionary('hi', ['errors']).errors)).toEqual(
      Object.keys(getDictionary('en', ['errors']).errors),
    );
  });

  test('keeps a name that looks like markup as the text it is', () => {
    expect(getTranslator('en')('common:portraitOf', { name: '<b>A & B</b>' })).toBe(
      'Portrait of <b>A & B</b>',
    );
  });
});

describe('When I change the language', () => {
  const at = (path: string) => new URL(`https://loreloom.example${path}`);

  test('home, discover and tag pages change their prefix and keep my search', () => {
    expect(buildLanguageHref(at('/en'), 'de')).toBe('/de?lng=de');
    expect(buildLanguageHref(at('/en/discover?q=a+b&sort=new'), 'ja')).toBe(
      '/ja/discover?q=a+b&sort=new&lng=ja',
    );
    expect(buildLanguageHref(at('/fr/tag/anime'), 'pt')).toBe('/pt/tag/anime?lng=pt');
  });

  test('every other page stays where it is', () => {
    expect(buildLanguageHref(at('/privacy?lng=fr'), 'de')).toBe('/privacy?lng=de');
    expect(buildLanguageHref(at('/en/character-info/abc'), 'de')).toBe('/en/character-info/abc?lng=de');
    expect(buildLanguageHref(null, 'de')).toBe('/de?lng=de');
  });
});
