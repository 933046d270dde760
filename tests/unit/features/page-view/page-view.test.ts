import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../../../src/config/languages.ts';
import { pageViewBody } from '../../../../src/features/page-view/contract.ts';
import {
  hasDoNotTrack,
  getPageKind,
  toPageView,
  REFERRER_KINDS,
  getReferrerKind,
} from '../../../../src/features/page-view/page-view.ts';

const OWN = 'https://loreloom.example';

/** Every page kind that is ever stored; no more is known about a visit. */
const PAGE_KINDS = [
  'home',
  'discover',
  'tag',
  'character-info',
  'chat',
  'chat-search',
  'report',
  'create-character',
  'move-in',
  'creator',
  'creator-center',
  'edit-character',
  'creator-competition',
  'user-persona',
  'favourites',
  'membership',
  'settings',
  'account',
  'delete-account',
  'unsubscribe',
  'login',
  'feedback',
  'admin-stats',
  'admin-reports',
  'admin-competition',
  'error-page',
  'offline',
  'blog',
  'blog-post',
  'safety',
  'about',
  'privacy',
  'terms',
  'other',
];

describe('Stored page view', () => {
  test.each([
    ['/', 'home'],
    ['/de', 'home'],
    ['/en/discover?q=pirate&tag=rpg', 'discover'],
    ['/ja/tag/fantasy', 'tag'],
    ['/en/character-info/01JABCDEF', 'character-info'],
    ['/character/01JABCDEF?conversation_id=01JXYZ', 'chat'],
    ['/messages/01JXYZ#end', 'chat'],
    ['/character/01JABCDEF/report', 'report'],
    ['/pl/blog', 'blog'],
    ['/pl/blog/no-reply-is-lost', 'blog-post'],
    ['/creator/somebody', 'creator'],
    ['/de/favourites', 'favourites'],
    ['/creator-center/edit/01JABCDEF', 'edit-character'],
    ['/terms/', 'terms'],
  ])('a page view stores the kind of the page: %s is «%s»', (path, kind) => {
    expect(getPageKind(path)).toBe(kind);
  });

  test.each([
    '/nowhere',
    '/en/en/discover',
    '/discover/01JABCDEF',
    '/constructor',
    '/__proto__',
    '//evil.example',
  ])('a page view stores «other» for an unknown page: %s', (path) => {
    expect(getPageKind(path)).toBe('other');
  });

  test('a page view stores only known words, so no id, name, tag or query survives', () => {
    const segment = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.constantFrom('en', 'de', 'character', 'messages', 'tag', 'blog', 'creator', 'report', '..', '%2e'),
    );
    const path = fc
      .tuple(fc.array(segment, { maxLength: 6 }), fc.string())
      .map(([segments, query]) => `/${segments.join('/')}?${query}`);
    fc.assert(
      fc.property(path, fc.webUrl(), fc.constantFrom(...LANGUAGES), (path, referrer, language) => {
        const view = toPageView({ path, referrer, language }, { mobile: null, ownOrigin: OWN });
        expect(PAGE_KINDS).toContain(view.page);
        expect(REFERRER_KINDS).toContain(view.referrer);
        expect(Object.keys(view).toSorted()).toEqual(['device', 'language', 'page', 'referrer']);
        expect(view.language).toBe(language);
        expect(view.device).toBe('desk');
      }),
    );
  });

  test("the device of a page view comes from the window size or else from the browser's hint", () => {
    const device = (viewport: 'phone' | 'desk' | undefined, mobile: string | null) =>
      toPageView({ path: '/', language: 'en', viewport }, { mobile, ownOrigin: OWN }).device;
    expect(device('desk', '?1')).toBe('desk');
    expect(device('phone', '?0')).toBe('phone');
    expect(device(undefined, '?1')).toBe('phone');
    expect(device(undefined, '?0')).toBe('desk');
    expect(device(undefined, 'nonsense')).toBe('desk');
  });
});

describe('Referrer kind', () => {
  test.each([
    ['https://loreloom.example/character/1?conversation_id=2', 'own'],
    ['https://www.google.com/', 'search'],
    ['https://www.google.co.id/search?q=secret', 'search'],
    ['https://duckduckgo.com/', 'search'],
    ['https://yandex.ru', 'search'],
    ['android-app://com.google.android.googlequicksearchbox/', 'search'],
    ['https://old.reddit.com/r/stories', 'social'],
    ['https://t.co/abc', 'social'],
    ['https://l.facebook.com/', 'social'],
    ['https://google.evil.example/', 'other'],
    ['https://notgoogle.com/', 'other'],
    ['http://loreloom.example/', 'other'],
    ['https://[bad', 'other'],
  ])('a referrer is stored as a kind: %s is «%s»', (referrer, kind) => {
    expect(getReferrerKind(referrer, OWN)).toBe(kind);
  });

  test('the referrer kind is «none» when the browser sends none', () => {
    expect(getReferrerKind(undefined, OWN)).toBe('none');
  });
});

test('a visit is not counted when the browser asks for that in either way', () => {
  expect(hasDoNotTrack({ dnt: '1', gpc: null })).toBe(true);
  expect(hasDoNotTrack({ dnt: null, gpc: '1' })).toBe(true);
  expect(hasDoNotTrack({ dnt: '0', gpc: null })).toBe(false);
  expect(hasDoNotTrack({ dnt: null, gpc: null })).toBe(false);
});

test.each([
  ['no path', { language: 'en' }],
  ['a path that is an address', { path: 'https://loreloom.example/', language: 'en' }],
  ['a path with a blank', { path: '/a b', language: 'en' }],
  ['a language that is not offered', { path: '/', language: 'nl' }],
  ['a referrer that is no address', { path: '/', language: 'en', referrer: 'google' }],
  ['a window of another size', { path: '/', language: 'en', viewport: 'tablet' }],
  ['a field more, such as who I am', { path: '/', language: 'en', user_id: '1' }],
])('a page view with %s is refused', (_, body) => {
  expect(pageViewBody.safeParse(body).success).toBe(false);
});
