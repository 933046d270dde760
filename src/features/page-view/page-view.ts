import { LANGUAGES, type Language } from '../../config/languages.ts';
import type { PageViewBody, VIEWPORTS } from './contract.ts';

/** Addresses without their language, and what is kept of them; `*` stands for one segment, which is not kept. */
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
  ['delete-account', 'delete-account'],
  ['unsubscribe', 'unsubscribe'],
  ['login', 'login'],
  ['test-login', 'login'],
  ['feedback', 'feedback'],
  ['admin-stats', 'admin-stats'],
  ['admin-reports', 'admin-reports'],
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

/** Where somebody came from, as roughly as it is kept. */
export const REFERRER_KINDS = ['own', 'search', 'social', 'other', 'none'] as const;
export type ReferrerKind = (typeof REFERRER_KINDS)[number];

/** All that is ever kept of one look at one page: nothing that tells who, or which character or chat. */
export interface PageView {
  page: PageKind;
  language: Language;
  device: (typeof VIEWPORTS)[number];
  referrer: ReferrerKind;
}

/** Names of search engines; their hosts end in one of many countries (`www.google.co.id`). */
const SEARCH_ENGINES = new Set([
  ...['google', 'bing', 'duckduckgo', 'ecosia', 'yahoo', 'yandex', 'baidu', 'startpage', 'qwant'],
  ...['kagi', 'naver', 'sogou', 'seznam', 'mojeek', 'presearch'],
]);

/** Names of places where people pass links to each other. */
const SOCIAL_SITES = new Set([
  ...['reddit', 'discord', 'discordapp', 'facebook', 'instagram', 'threads', 'twitter', 'tiktok', 'youtube'],
  ...['linkedin', 'pinterest', 'tumblr', 'telegram', 'whatsapp', 'bsky', 'vk', 'weibo', 'mastodon', 'line'],
]);

/** Short hosts of the same places, which carry no name. */
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
 * The kind of page that a path leads to. Ids, names, tags, query and fragment are gone from it; what is not an
 * address of the product is `other`.
 * @param path with or without a language in front, a query and a fragment
 */
export function getPageKind(path: string): PageKind {
  const [clean = ''] = path.split(/[?#]/, 1);
  const segments = clean.split('/').filter((segment) => segment !== '');
  if ((LANGUAGES as readonly string[]).includes(segments[0] ?? '')) segments.shift();
  return PAGE_PATTERNS.find(([pattern]) => isPatternMatch(pattern, segments))?.[1] ?? 'other';
}

/**
 * The sort of place that an address belongs to.
 * @param referrer an absolute address, or undefined where the browser gave none
 * @param ownOrigin the origin of the product itself
 */
export function getReferrerKind(referrer: string | undefined, ownOrigin: string): ReferrerKind {
  if (referrer === undefined) return 'none';
  if (!URL.canParse(referrer)) return 'other';
  const url = new URL(referrer);
  if (url.origin === ownOrigin) return 'own';
  const host = url.hostname.replace(/^(?:www|m|l|lm|out|old|amp)\./, '');
  const short = SHORT_HOSTS.get(host);
  if (short !== undefined) return short;
  // A country's own second level, as in `co.id`, is no name; a name stands before it.
  const labels = host.split('.');
  const suffix = /^(?:com?|net|org)$/.test(labels.at(-2) ?? '') && labels.length > 2 ? 2 : 1;
  const name = labels.at(-1 - suffix) ?? '';
  // An app names itself the other way round: `com.google.android.gm`.
  const names = url.protocol === 'android-app:' ? labels : [name];
  if (names.some((one) => SEARCH_ENGINES.has(one))) return 'search';
  if (names.some((one) => SOCIAL_SITES.has(one))) return 'social';
  return 'other';
}

/**
 * What is kept of a page view; everything else that was sent ends here.
 * @param hints `mobile` is the browser's own hint (`Sec-CH-UA-Mobile`) or null; `ownOrigin` the product's origin
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

/** Whether a browser asks, by «Do Not Track» or «Global Privacy Control», that nothing be kept of a visit. */
export function hasDoNotTrack(headers: { dnt: string | null; gpc: string | null }): boolean {
  return headers.dnt === '1' || headers.gpc === '1';
}
