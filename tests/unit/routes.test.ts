import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../src/config/languages.ts';
import { detectLanguage, parseLanguage } from '../../src/locales/detect.ts';
import { resolveRoute, type Route } from '../../src/locales/routes.ts';

const ORIGIN = 'https://loreloom.example';
const visit = (path: string, cookie: string | null = null, accept: string | null = null): Route =>
  resolveRoute(new URL(ORIGIN + path), cookie, accept);
const served = (lang: string, setLang?: string) => ({ kind: 'serve', lang, ...(setLang ? { setLang } : {}) });
const sentTo = (to: string, setLang?: string) => ({ kind: 'redirect', to, ...(setLang ? { setLang } : {}) });

describe('The language I get', () => {
  test('is the one I chose just now, before the one I chose earlier, before what my browser asks for', () => {
    expect(detectLanguage({ lng: 'fr', cookie: 'de', acceptLanguage: 'ja' })).toBe('fr');
    expect(detectLanguage({ cookie: 'de', acceptLanguage: 'ja' })).toBe('de');
    expect(detectLanguage({ acceptLanguage: 'ja' })).toBe('ja');
    expect(detectLanguage({})).toBe('en');
  });

  test('follows the order of wishes in my browser, not the order in which it writes them', () => {
    expect(detectLanguage({ acceptLanguage: 'fr;q=0.3, pl;q=0.8, en;q=0.5' })).toBe('pl');
    expect(detectLanguage({ acceptLanguage: 'nl, sv;q=0.9, it;q=0.1' })).toBe('it');
    expect(detectLanguage({ acceptLanguage: 'de;q=0, es;q=0.1' })).toBe('es');
  });

  test('is found for regional forms of it', () => {
    expect(detectLanguage({ acceptLanguage: 'pt-BR,pt;q=0.9' })).toBe('pt');
    expect(detectLanguage({ acceptLanguage: 'zh-Hans-CN' })).toBe('zh');
    expect(detectLanguage({ cookie: 'zh-CN' })).toBe('zh');
  });

  test('is English when what I send is nonsense', () => {
    expect(detectLanguage({ lng: '../x', cookie: '<b>', acceptLanguage: ';;q=,*;q=1' })).toBe('en');
    expect(parseLanguage('english')).toBeNull();
    expect(parseLanguage('constructor')).toBeNull();
  });
});

describe('When I open an address', () => {
  test('without a language, I am sent to the same page in mine, with my query', () => {
    expect(visit('/', 'de')).toEqual(sentTo('/de'));
    expect(visit('/?invite=abc', null, 'fr')).toEqual(sentTo('/fr?invite=abc'));
    expect(visit('/discover?q=a%20b&sort=new', 'ja')).toEqual(sentTo('/ja/discover?q=a%20b&sort=new'));
    expect(visit('/tag/anime')).toEqual(sentTo('/en/tag/anime'));
    expect(visit('/character-info/abc')).toEqual(sentTo('/en/character-info/abc'));
    expect(visit('/blog/first-post')).toEqual(sentTo('/en/blog/first-post'));
  });

  test('with a language, the page is served in it whatever my cookie says', () => {
    expect(visit('/de', 'fr')).toEqual(served('de'));
    expect(visit('/zh/discover?q=x', 'fr', 'pl')).toEqual(served('zh'));
  });

  test('of a page that has no language in its address, it is served in mine', () => {
    for (const path of ['/login', '/character/abc', '/messages/abc', '/privacy', '/character/abc/report']) {
      expect(visit(path, 'it')).toEqual(served('it'));
    }
  });

  test('with a language in front of such a page, I lose the prefix and keep the language', () => {
    expect(visit('/de/login?next=%2Faccount')).toEqual(sentTo('/login?next=%2Faccount', 'de'));
    expect(visit('/PT-br/character/abc', 'en')).toEqual(sentTo('/character/abc', 'pt'));
  });

  test('with a language that is not offered, I get English', () => {
    expect(visit('/xx/discover', 'de')).toEqual(sentTo('/en/discover'));
    expect(visit('/foo/discover')).toEqual(sentTo('/en/discover'));
    expect(visit('/nl')).toEqual(sentTo('/en'));
    expect(visit('/sv-SE/tag/rpg')).toEqual(sentTo('/en/tag/rpg'));
  });

  test('with a language in another spelling, I get its known form', () => {
    expect(visit('/EN/discover')).toEqual(sentTo('/en/discover'));
    expect(visit('/pt-BR')).toEqual(sentTo('/pt'));
    expect(visit('/zh-CN/tag/anime?a=1')).toEqual(sentTo('/zh/tag/anime?a=1'));
  });

  test('with a slash at its end, I am sent to the one without, in one step', () => {
    expect(visit('/de/discover/')).toEqual(sentTo('/de/discover'));
    expect(visit('/discover/', 'de')).toEqual(sentTo('/de/discover'));
    expect(visit('/login/?next=/x')).toEqual(sentTo('/login?next=/x'));
  });

  test('with ?lng=, the language is switched and remembered', () => {
    expect(visit('/en/discover?q=x&lng=de')).toEqual(sentTo('/de/discover?q=x', 'de'));
    expect(visit('/de?lng=de')).toEqual(sentTo('/de', 'de'));
    expect(visit('/?lng=ja')).toEqual(sentTo('/ja', 'ja'));
    expect(visit('/privacy?lng=de', 'fr')).toEqual(served('de', 'de'));
  });

  test('with a ?lng= that is not offered, my own language stays', () => {
    expect(visit('/de/discover?lng=xx')).toEqual(served('de'));
    expect(visit('/privacy?lng=xx', 'fr')).toEqual(served('fr'));
    expect(visit('/discover?lng=xx&q=1', 'fr')).toEqual(sentTo('/fr/discover?q=1'));
  });

  test('of a file, a picture or a call, it is left alone', () => {
    for (const path of ['/favicon.svg', '/_astro/a.js', '/media/ab/', '/api/auth/status/', '/cdn-cgi/x/']) {
      expect(visit(path, 'de').kind).toBe('serve');
    }
  });

  test('that does not exist, I am told so in my language and not sent around', () => {
    expect(visit('/nothing/here', 'de')).toEqual(served('de'));
    expect(visit('/fr/nothing', 'de')).toEqual(served('fr'));
    expect(visit('/settings/discover')).toEqual(served('en'));
  });
});

describe('Nobody can use an address of ours to send me', () => {
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
  ])('to another site: %s', (path) => {
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

  test('around in circles, or off this site, with any path at all', () => {
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
            return; // No browser can ask for it.
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
