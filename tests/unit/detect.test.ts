import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LANGUAGES, type Language } from '../../src/config/languages.ts';
import { resolveLanguage, type LanguageHints } from '../../src/locales/resolve-language.ts';
import { buildLanguageHref } from '../../src/locales/language-href.ts';
import { resolveRoute } from '../../src/locales/routes.ts';

const NOTHING: LanguageHints = {
  page: 'en',
  hasPrefix: false,
  wasRedirected: false,
  cookie: null,
  visit: null,
  stored: null,
  account: null,
};
const step = (signs: Partial<LanguageHints>) => resolveLanguage({ ...NOTHING, ...signs });

describe('The language I chose', () => {
  test('is kept on this device as well as in the cookie', () => {
    expect(step({ cookie: 'de', page: 'de' })).toEqual({ stored: 'de' });
    expect(step({ cookie: 'de', stored: 'fr' })).toEqual({ stored: 'de' });
    expect(step({ cookie: 'de', stored: 'de' })).toEqual({});
  });

  test('comes back when the cookie is lost, on a page whose address names no language', () => {
    expect(step({ stored: 'de' })).toEqual({
      cookie: { language: 'de', isPersistent: true },
      stored: 'de',
      visit: null,
      redirectTo: 'de',
    });
  });

  test('comes back when I ask for the site without naming a language and am sent to another', () => {
    expect(step({ stored: 'de', hasPrefix: true, wasRedirected: true }).redirectTo).toBe('de');
  });

  test('does not change a page that I opened in another language, only the way on from it', () => {
    const taken = step({ stored: 'de', page: 'fr', hasPrefix: true });
    expect(taken.redirectTo).toBeUndefined();
    expect(taken.cookie).toEqual({ language: 'de', isPersistent: true });
  });

  test('comes from my account on a device that knows none, and not over a choice made there', () => {
    expect(step({ account: 'ja' })).toMatchObject({ cookie: { language: 'ja' }, redirectTo: 'ja' });
    expect(step({ account: 'ja', stored: 'de' }).redirectTo).toBe('de');
    expect(step({ account: 'ja', cookie: 'de', stored: 'de' })).toEqual({});
  });

  test('is never taken from a page that I merely came across: that holds for the visit, and my account goes before it', () => {
    const arrival = step({ page: 'fr', hasPrefix: true });
    expect(arrival).toEqual({ cookie: { language: 'fr', isPersistent: false }, visit: 'fr' });
    expect(step({ page: 'fr', cookie: 'fr', visit: 'fr' })).toEqual({});
    expect(step({ page: 'fr', cookie: 'fr', visit: 'fr', account: 'pl' })).toMatchObject({
      stored: 'pl',
      redirectTo: 'pl',
    });
  });

  test('may be nonsense in any of these places without harm', () => {
    expect(step({ cookie: '<b>', stored: '../x', visit: 'zz', account: 'xx' })).toEqual({
      cookie: { language: 'en', isPersistent: false },
      visit: 'en',
    });
  });
});

describe('The page', () => {
  const code = fc.constantFrom(null, 'nonsense', 'pt-BR', ...LANGUAGES);
  const signs = fc.record({
    page: fc.constantFrom(...LANGUAGES),
    hasPrefix: fc.boolean(),
    wasRedirected: fc.boolean(),
    cookie: code,
    visit: code,
    stored: code,
    account: code,
  });

  /** The device after a step, on the page that comes next. */
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

  test('is shown again at most once, whatever this device holds, and then has nothing left to change', () => {
    fc.assert(
      fc.property(signs, (before) => {
        const first = resolveLanguage(before);
        const after = next(before, first);
        const second = resolveLanguage(after);
        expect(second.redirectTo).toBeUndefined();
        expect(resolveLanguage(next(after, second))).toEqual({});
      }),
    );
  });
});

describe('When I choose a language on any page', () => {
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
    let kept = cookie;
    for (let hops = 0; hops < 3; hops += 1) {
      const route = resolveRoute(url, kept, 'fr');
      kept = route.setLang ?? kept;
      if (route.kind === 'serve') return { lang: route.lang, kept, url };
      url = new URL(route.to, url);
    }
    throw new Error('sent in circles');
  };

  test('the same page comes in it, and every page after', () => {
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
