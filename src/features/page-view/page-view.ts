import { LANGUAGES, type Language } from '../../config/languages.ts';
import type { PageViewBody, VIEWPORTS } from './contract.ts';

/**
 * Paths without their language prefix, and the page kind stored for them. `*` matches one segment, which is not stored.
 */
const PAGE_PATTERNS = [
  ['', 'home'],
  ['discover', 'discover'],
  ['tag/*', 'tag'],
  ['character-info/*', 'character-info'],
  ['character/*', 'chat'],
  ['messages/*', 'chat'],
  ['chats/search', 'chat-search'],
  ['character/*/report', 'report'],
  ['create-character', 'create-character'],
  ['move-in', 'move-in'],
  ['creator/*', 'creator'],
  ['creator/*/report', 'report'],
  ['creator-center', 'creator-center'],
  ['creator-center/edit/*', 'edit-character'],
  ['creator-competition', 'creator-competition'],
  ['user-persona', 'user-persona'],
  ['favourites', 'favourites'],
  ['membership', 'membership'],
  ['settings', 'settings'],
  ['account', 'account'],
  ['account/points', 'account-points'],
  ['delete-account', 'delete-account'],
  ['unsubscribe', 'unsubscribe'],
  ['login', 'login'],
  ['test-login', 'login'],
  ['feedback', 'feedback'],
  ['admin-stats', 'admin-stats'],
  ['admin-reports', 'admin-reports'],
  ['admin-people', 'admin-people'],
  ['admin-feedback', 'admin-feedback'],
  ['admin-competition', 'admin-competition'],
  ['error-page', 'error-page'],
  ['offline', 'offline'],
  ['blog', 'blog'],
  ['blog/*', 'blog-post'],
  ['safety', 'safety'],
  ['about', 'about'],
  ['privacy', 'privacy'],
  ['terms', 'terms'],
] as const;

export type PageKind = (typeof PAGE_PATTERNS)[number][1] | 'other';

/** The kinds of referrer that are stored. */
export const REFERRER_KINDS = ['own', 'search', 'social', 'other', 'none'] as const;
export type ReferrerKind = (typeof REFERRER_KINDS)[number];

/** Everything stored about one page view: nothing that identifies a user, character or chat. */
export interface PageView {
  page: PageKind;
  language: Language;
  device: (typeof VIEWPORTS)[number];
  referrer: ReferrerKind;
}

/** Names of search engines. The top-level domain is ignored because it varies by country (`www.google.co.id`). */
const SEARCH_ENGINES = new Set([
  ...['google', 'bing', 'duckduckgo', 'ecosia', 'yahoo', 'yandex', 'baidu', 'startpage', 'qwant'],
  ...['kagi', 'naver', 'sogou', 'seznam', 'mojeek', 'presearch'],
]);

/** Names of sites where people share links. */
const SOCIAL_SITES = new Set([
  ...['reddit', 'discord', 'discordapp', 'facebook', 'instagram', 'threads', 'twitter', 'tiktok', 'youtube'],
  ...['linkedin', 'pinterest', 'tumblr', 'telegram', 'whatsapp', 'bsky', 'vk', 'weibo', 'mastodon', 'line'],
]);

/** Short hosts of the same sites, which do not contain the name. */
const SHORT_HOSTS = new Map<string, ReferrerKind>([
  ['t.co', 'social'],
  ['x.com', 'social'],
  ['t.me', 'social'],
  ['wa.me', 'social'],
  ['youtu.be', 'social'],
  ['redd.it', 'social'],
  ['fb.me', 'social'],
  ['lnkd.in', 'social'],
  ['search.brave.com', 'search'],
]);

function isPatternMatch(pattern: string, segments: readonly string[]): boolean {
  const parts = pattern === '' ? [] : pattern.split('/');
  return (
    parts.length === segments.length && parts.every((part, index) => part === '*' || part === segments[index])
  );
}

/**
 * Returns the kind of page that a path leads to, without ids, names, tags, query or fragment; `other` when the path is
 * not one of the product's.
 * @param path with or without a language prefix, query and fragment
 */
export function getPageKind(path: string): PageKind {
  const [clean = ''] = path.split(/[?#]/, 1);
  const segments = clean.split('/').filter((segment) => segment !== '');
  if ((LANGUAGES as readonly string[]).includes(segments[0] ?? '')) segments.shift();
  return PAGE_PATTERNS.find(([pattern]) => isPatternMatch(pattern, segments))?.[1] ?? 'other';
}

/**
 * Classifies a referrer.
 * @param referrer an absolute URL, or undefined when the browser sent none
 * @param ownOrigin the product's origin
 */
export function getReferrerKind(referrer: string | undefined, ownOrigin: string): ReferrerKind {
  if (referrer === undefined) return 'none';
  if (!URL.canParse(referrer)) return 'other';
  const url = new URL(referrer);
  if (url.origin === ownOrigin) return 'own';
  const host = url.hostname.replace(/^(?:www|m|l|lm|out|old|amp)\./, '');
  const short = SHORT_HOSTS.get(host);
  if (short !== undefined) return short;
  // Skip a country's second level, as in `co.id`; the site's name is the label before it.
  const labels = host.split('.');
  const suffix = /^(?:com?|net|org)$/.test(labels.at(-2) ?? '') && labels.length > 2 ? 2 : 1;
  const name = labels.at(-1 - suffix) ?? '';
  // Android app ids have the reverse order: `com.google.android.gm`.
  const names = url.protocol === 'android-app:' ? labels : [name];
  if (names.some((one) => SEARCH_ENGINES.has(one))) return 'search';
  if (names.some((one) => SOCIAL_SITES.has(one))) return 'social';
  return 'other';
}

/**
 * Reduces a page view to its stored fields and drops everything else that was sent.
 * @param hints `mobile` is the `Sec-CH-UA-Mobile` header or null; `ownOrigin` is the product's origin
 */
export function toPageView(
  body: PageViewBody,
  hints: { mobile: string | null; ownOrigin: string },
): PageView {
  return {
    page: getPageKind(body.path),
    language: body.language,
    device: body.viewport ?? (hints.mobile === '?1' ? 'phone' : 'desk'),
    referrer: getReferrerKind(body.referrer, hints.ownOrigin),
  };
}

/** Whether the browser opts out of tracking by Do Not Track or Global Privacy Control. */
export function hasDoNotTrack(headers: { dnt: string | null; gpc: string | null }): boolean {
  return headers.dnt === '1' || headers.gpc === '1';
}
