import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../../src/config/languages.ts';
import { detectLanguage, parseLanguage } from '../../../src/locales/detect.ts';
import { resolveRoute, type Route } from '../../../src/locales/routes.ts';

const ORIGIN = 'https://loreloom.example';
const visit = (path: string, cookie: string | null = null, accept: string | null = null): Route =>
  resolveRoute(new URL(ORIGIN + path), cookie, accept);
const serveIn = (lang: string, setLang?: string) => ({
  kind: 'serve',
  lang,
  ...(setLang ? { setLang } : {}),
});
const redirectTo = (to: string, setLang?: string) => ({
  kind: 'redirect',
  to,
  ...(setLang ? { setLang } : {}),
});

describe('Language detection', () => {
  test("a language chosen now precedes the stored one, which precedes the browser's", () => {
    expect(detectLanguage({ lng: 'fr', cookie: 'de', acceptLanguage: 'ja' })).toBe('fr');
    expect(detectLanguage({ cookie: 'de', acceptLanguage: 'ja' })).toBe('de');
    expect(detectLanguage({ acceptLanguage: 'ja' })).toBe('ja');
    expect(detectLanguage({})).toBe('en');
  });

  test("the browser's languages count by their weights, not by their order", () => {
    expect(detectLanguage({ acceptLanguage: 'fr;q=0.3, pl;q=0.8, en;q=0.5' })).toBe('pl');
    expect(detectLanguage({ acceptLanguage: 'nl, sv;q=0.9, it;q=0.1' })).toBe('it');
    expect(detectLanguage({ acceptLanguage: 'de;q=0, es;q=0.1' })).toBe('es');
  });

  test('a regional form of a language selects that language', () => {
    expect(detectLanguage({ acceptLanguage: 'pt-BR,pt;q=0.9' })).toBe('pt');
    expect(detectLanguage({ acceptLanguage: 'zh-Hans-CN' })).toBe('zh');
    expect(detectLanguage({ cookie: 'zh-CN' })).toBe('zh');
  });

  test('an invalid language selects English', () => {
    expect(detectLanguage({ lng: '../x', cookie: '<b>', acceptLanguage: ';;q=,*;q=1' })).toBe('en');
    expect(parseLanguage('english')).toBeNull();
    expect(parseLanguage('constructor')).toBeNull();
  });
});

describe('Language routes', () => {
  test("an address without a language redirects to the same page in the user's language with its query", () => {
    expect(visit('/', 'de')).toEqual(redirectTo('/de'));
    expect(visit('/?invite=abc', null, 'fr')).toEqual(redirectTo('/fr?invite=abc'));
    expect(visit('/discover?q=a%20b&sort=new', 'ja')).toEqual(redirectTo('/ja/discover?q=a%20b&sort=new'));
    expect(visit('/tag/anime')).toEqual(redirectTo('/en/tag/anime'));
    expect(visit('/character-info/abc')).toEqual(redirectTo('/en/character-info/abc'));
    expect(visit('/blog/first-post')).toEqual(redirectTo('/en/blog/first-post'));
  });

  test('a page with a language in its address is served in it, whatever the cookie says', () => {
    expect(visit('/de', 'fr')).toEqual(serveIn('de'));
    expect(visit('/zh/discover?q=x', 'fr', 'pl')).toEqual(serveIn('zh'));
  });

  test("a page without a language in its address is served in the user's language", () => {
    for (const path of ['/login', '/character/abc', '/messages/abc', '/privacy', '/character/abc/report']) {
      expect(visit(path, 'it')).toEqual(serveIn('it'));
    }
  });

  test('a language before such a page is removed from the address and stored', () => {
    expect(visit('/de/login?next=%2Faccount')).toEqual(redirectTo('/login?next=%2Faccount', 'de'));
    expect(visit('/PT-br/character/abc', 'en')).toEqual(redirectTo('/character/abc', 'pt'));
  });

  test('a language that is not offered redirects to English', () => {
    expect(visit('/xx/discover', 'de')).toEqual(redirectTo('/en/discover'));
    expect(visit('/foo/discover')).toEqual(redirectTo('/en/discover'));
    expect(visit('/nl')).toEqual(redirectTo('/en'));
    expect(visit('/sv-SE/tag/rpg')).toEqual(redirectTo('/en/tag/rpg'));
  });

  test('a language in another spelling redirects to its canonical form', () => {
    expect(visit('/EN/discover')).toEqual(redirectTo('/en/discover'));
    expect(visit('/pt-BR')).toEqual(redirectTo('/pt'));
    expect(visit('/zh-CN/tag/anime?a=1')).toEqual(redirectTo('/zh/tag/anime?a=1'));
  });

  test('a trailing slash is removed in one redirect', () => {
    expect(visit('/de/discover/')).toEqual(redirectTo('/de/discover'));
    expect(visit('/discover/', 'de')).toEqual(redirectTo('/de/discover'));
    expect(visit('/login/?next=/x')).toEqual(redirectTo('/login?next=/x'));
  });

  test('the lng parameter switches the language and stores it', () => {
    expect(visit('/en/discover?q=x&lng=de')).toEqual(redirectTo('/de/discover?q=x', 'de'));
    expect(visit('/de?lng=de')).toEqual(redirectTo('/de', 'de'));
    expect(visit('/?lng=ja')).toEqual(redirectTo('/ja', 'ja'));
    expect(visit('/privacy?lng=de', 'fr')).toEqual(serveIn('de', 'de'));
  });

  test('an lng parameter that is not offered leaves the language as it is', () => {
    expect(visit('/de/discover?lng=xx')).toEqual(serveIn('de'));
    expect(visit('/privacy?lng=xx', 'fr')).toEqual(serveIn('fr'));
    expect(visit('/discover?lng=xx&q=1', 'fr')).toEqual(redirectTo('/fr/discover?q=1'));
  });

  test('files, pictures and API calls are not redirected', () => {
    for (const path of ['/favicon.svg', '/_astro/a.js', '/media/ab/', '/api/auth/status/', '/cdn-cgi/x/']) {
      expect(visit(path, 'de').kind).toBe('serve');
    }
  });

  test("a missing page is served in the user's language without a redirect", () => {
    expect(visit('/nothing/here', 'de')).toEqual(serveIn('de'));
    expect(visit('/fr/nothing', 'de')).toEqual(serveIn('fr'));
    expect(visit('/settings/discover')).toEqual(serveIn('en'));
  });
});

describe('Redirect safety', () => {
  test.each([
    '//evil.example',
    '//evil.example/',
    '//evil.example/discover',
    '/\\evil.example/discover',
    '/\\/evil.example/',
    '/%2F%2Fevil.example/discover',
    '/%5Cevil.example/',
    '/.//evil.example/',
    '/en//evil.example/',
    '/de//login',
  ])('a redirect never leads to another site: %s', (path) => {
    const route = visit(path);
    if (route.kind === 'redirect') {
      expect(route.to).toMatch(/^\/[^/\\]/);
      expect(new URL(route.to, ORIGIN).origin).toBe(ORIGIN);
    }
  });

  const word = fc.constantFrom(
    ...LANGUAGES,
    ...['EN', 'pt-BR', 'nl', 'xx', 'foo', '', '.', '..', 'discover', 'tag', 'anime', 'login', 'character'],
    ...[
      'report',
      'blog',
      'settings',
      'creator-center',
      'edit',
      '%2F',
      '%5C',
      '\\',
      'evil.example',
      '@',
      ' ',
      '%',
    ],
  );
  const anySegment = fc.oneof(
    { weight: 4, arbitrary: word },
    { weight: 1, arbitrary: fc.string({ maxLength: 8 }) },
  );
  const anyPath = fc
    .tuple(
      fc.array(anySegment, { maxLength: 5 }),
      fc.constantFrom(
        '',
        '/',
        '?lng=de',
        '/?lng=de&q=1',
        '?lng=zz',
        '?a=//evil.example',
        '?lng=de&lng=fr',
        '?%6cng=de',
      ),
    )
    .map(([segments, end]) => `/${segments.join('/')}${end}`);

  test('no path redirects in circles or off this site', () => {
    fc.assert(
      fc.property(
        anyPath,
        fc.constantFrom(null, 'de', 'nonsense'),
        fc.constantFrom(null, 'fr,en;q=0.5'),
        (path, cookie, accept) => {
          let url: URL;
          try {
            url = new URL(ORIGIN + path);
          } catch {
            return; // No browser can request it.
          }
          for (let step = 0; step < 3; step += 1) {
            const route = resolveRoute(url, cookie, accept);
            if (route.kind === 'serve') return;
            url = new URL(route.to, url);
            expect(url.origin).toBe(ORIGIN);
          }
          expect(resolveRoute(url, cookie, accept).kind).toBe('serve');
        },
      ),
      { numRuns: 2000 },
    );
  });
});
