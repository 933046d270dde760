import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LANGUAGES, type Language } from '../../../src/config/languages.ts';
import { resolveLanguage, type LanguageHints } from '../../../src/locales/resolve-language.ts';
import { buildLanguageHref } from '../../../src/locales/language-href.ts';
import { resolveRoute } from '../../../src/locales/routes.ts';

const NOTHING: LanguageHints = {
  page: 'en',
  hasPrefix: false,
  wasRedirected: false,
  cookie: null,
  visit: null,
  stored: null,
  account: null,
};
const resolve = (hints: Partial<LanguageHints>) => resolveLanguage({ ...NOTHING, ...hints });

describe('Chosen language', () => {
  test('a chosen language is stored on the device as well as in the cookie', () => {
    expect(resolve({ cookie: 'de', page: 'de' })).toEqual({ stored: 'de' });
    expect(resolve({ cookie: 'de', stored: 'fr' })).toEqual({ stored: 'de' });
    expect(resolve({ cookie: 'de', stored: 'de' })).toEqual({});
  });

  test('a stored language replaces a lost cookie and redirects an address without a language', () => {
    expect(resolve({ stored: 'de' })).toEqual({
      cookie: { language: 'de', isPersistent: true },
      stored: 'de',
      visit: null,
      redirectTo: 'de',
    });
  });

  test('a stored language redirects a page that was chosen automatically', () => {
    expect(resolve({ stored: 'de', hasPrefix: true, wasRedirected: true }).redirectTo).toBe('de');
  });

  test('a stored language does not change a page opened in another language, only later ones', () => {
    const result = resolve({ stored: 'de', page: 'fr', hasPrefix: true });
    expect(result.redirectTo).toBeUndefined();
    expect(result.cookie).toEqual({ language: 'de', isPersistent: true });
  });

  test('the language of the account applies to a new device, and not over a choice made there', () => {
    expect(resolve({ account: 'ja' })).toMatchObject({ cookie: { language: 'ja' }, redirectTo: 'ja' });
    expect(resolve({ account: 'ja', stored: 'de' }).redirectTo).toBe('de');
    expect(resolve({ account: 'ja', cookie: 'de', stored: 'de' })).toEqual({});
  });

  test('the language of a visited page lasts only for the visit, and that of the account wins over it', () => {
    const arrival = resolve({ page: 'fr', hasPrefix: true });
    expect(arrival).toEqual({ cookie: { language: 'fr', isPersistent: false }, visit: 'fr' });
    expect(resolve({ page: 'fr', cookie: 'fr', visit: 'fr' })).toEqual({});
    expect(resolve({ page: 'fr', cookie: 'fr', visit: 'fr', account: 'pl' })).toMatchObject({
      stored: 'pl',
      redirectTo: 'pl',
    });
  });

  test('malformed hints are ignored', () => {
    expect(resolve({ cookie: '<b>', stored: '../x', visit: 'zz', account: 'xx' })).toEqual({
      cookie: { language: 'en', isPersistent: false },
      visit: 'en',
    });
  });
});

describe('Language redirects', () => {
  const code = fc.constantFrom(null, 'nonsense', 'pt-BR', ...LANGUAGES);
  const hints = fc.record({
    page: fc.constantFrom(...LANGUAGES),
    hasPrefix: fc.boolean(),
    wasRedirected: fc.boolean(),
    cookie: code,
    visit: code,
    stored: code,
    account: code,
  });

  /** The device after a step, on the page that follows. */
  function next(
    before: LanguageHints,
    { cookie, stored, visit, redirectTo: show }: ReturnType<typeof resolveLanguage>,
  ): LanguageHints {
    return {
      ...before,
      cookie: cookie?.language ?? before.cookie,
      stored: stored ?? before.stored,
      visit: visit === undefined ? before.visit : visit,
      page: show ?? before.page,
      wasRedirected: false,
    };
  }

  test('a page is redirected at most once, and then nothing is left to change', () => {
    fc.assert(
      fc.property(hints, (before) => {
        const first = resolveLanguage(before);
        const after = next(before, first);
        const second = resolveLanguage(after);
        expect(second.redirectTo).toBeUndefined();
        expect(resolveLanguage(next(after, second))).toEqual({});
      }),
    );
  });
});

describe('Language menu', () => {
  const path = fc.constantFrom(
    ...[
      '',
      '/discover',
      '/tag/anime',
      '/character-info/abc',
      '/blog',
      '/blog/a-post',
      '/safety',
      '/create-character',
    ],
  );
  const unprefixed = fc.constantFrom(
    '/privacy',
    '/login',
    '/character/abc',
    '/settings',
    '/messages/abc',
    '/nothing/here',
  );
  const language = fc.constantFrom(...LANGUAGES);
  const search = fc.constantFrom('', '?q=a%20b', '?lng=pl', '?conversation_id=x&lng=zz');

  const follow = (from: URL, chosen: Language, cookie: Language) => {
    let url = new URL(buildLanguageHref(from, chosen), from);
    let stored = cookie;
    for (let hops = 0; hops < 3; hops += 1) {
      const route = resolveRoute(url, stored, 'fr');
      stored = route.setLang ?? stored;
      if (route.kind === 'serve') return { lang: route.lang, kept: stored, url };
      url = new URL(route.to, url);
    }
    throw new Error('sent in circles');
  };

  test('choosing a language shows the same page and later pages in it', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.tuple(language, path).map(([lang, rest]) => `/${lang}${rest}`),
          unprefixed,
        ),
        search,
        language,
        language,
        (at, query, cookie, chosen) => {
          const end = follow(new URL(`https://loreloom.example${at}${query}`), chosen, cookie);
          expect(end.lang).toBe(chosen);
          expect(end.kept).toBe(chosen);
          expect(end.url.pathname.replace(/^\/[a-z]{2}(?=\/|$)/, '')).toBe(
            at.replace(/^\/[a-z]{2}(?=\/|$)/, ''),
          );
        },
      ),
    );
  });
});
