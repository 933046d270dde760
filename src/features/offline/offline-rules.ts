import { LANGUAGES, type Language } from '../../config/languages.ts';

/** What the service worker caches on a device, and how much. */

/** Build files, named by content hash; the same for every user. */
export const ASSET_CACHE = 'loreloom-assets-1';
/** Offline pages of one build. The next build deletes them when it takes over. */
export const PAGE_CACHE_PREFIX = 'loreloom-pages-';

/** Conversations readable offline: the ones opened last on this device. */
export const MAX_CACHED_CONVERSATIONS = 10;
/** Messages cached per conversation: one page of history, as a chat loads it. */
export const MAX_CACHED_MESSAGES = 50;
/** About four builds. Files that cached pages need are never evicted. */
export const MAX_CACHED_ASSETS = 200;

/** How the service worker handles a request; null to leave it alone. */
export type RequestKind = 'page' | 'asset' | 'portrait' | 'status' | 'chats' | 'conversation' | null;

const NON_PAGE_PATH = /^\/(?:api|media|cdn-cgi|_astro)(?:\/|$)/;
const CONVERSATION = /^\/api\/conversations\/([^/]+)$/;
/** API paths in the place of a conversation id. */
const NOT_CONVERSATIONS = new Set(['search', 'import']);

/** The conversation id in an API URL, or null. */
export function getConversationId(url: URL): string | null {
  const id = CONVERSATION.exec(url.pathname)?.[1];
  return id === undefined || NOT_CONVERSATIONS.has(id) ? null : id;
}

/**
 * Classifies a request. Only same-origin GET requests are handled: writes, event streams and other sites pass through.
 */
export function classifyRequest(
  request: { method: string; url: string; mode: string; accept: string | null },
  origin: string,
): RequestKind {
  if (request.method !== 'GET') return null;
  const url = new URL(request.url);
  if (url.origin !== origin) return null;
  const { pathname } = url;
  if (request.mode === 'navigate') {
    const file = pathname.split('/').at(-1)?.includes('.') ?? false;
    return NON_PAGE_PATH.test(pathname) || file ? null : 'page';
  }
  if (pathname.startsWith('/_astro/')) return 'asset';
  if (isPortrait(pathname)) return 'portrait';
  if (request.accept?.includes('text/event-stream')) return null;
  if (pathname === '/api/auth/status') return 'status';
  if (pathname === '/api/chats') return 'chats';
  // Older history pages are not cached; offline, the chat shows them as unavailable.
  if (getConversationId(url) !== null && !url.searchParams.has('before')) return 'conversation';
  return null;
}

/** Whether this path is a character's picture or its placeholder. */
export function isPortrait(pathname: string): boolean {
  return /^\/(?:media\/|icons\/(?:nobody|veiled)\.svg$)/.test(pathname);
}

/** The language prefix of a path, or null. */
export function getPathLanguage(pathname: string): Language | null {
  const first = pathname.split('/')[1];
  return LANGUAGES.find((language) => language === first) ?? null;
}

/** Parses the URL of a chat into its conversation, or at least its character; null for other pages. */
export function parseChatUrl(url: URL): { conversation: string | null; character: string | null } | null {
  const [, first, id, ...rest] = url.pathname.split('/');
  if (id === undefined || id === '' || rest.length > 0) return null;
  if (first === 'messages') return { conversation: decodeURIComponent(id), character: null };
  if (first !== 'character') return null;
  return { conversation: url.searchParams.get('conversation_id'), character: decodeURIComponent(id) };
}

/** A build file as pages, scripts and styles reference it: by absolute path, or relative to the referencing file. */
const ASSET_NAME = /(?<=["'`(=])(?:\/?_astro\/|\.\/)([\w.@~-]+\.(?:js|css))(?=["'`\s)>&])/g;

/** Finds the paths of built scripts and styles that a page or build file references. */
export function findAssets(text: string): string[] {
  const names = [...text.matchAll(ASSET_NAME)].map(([, name]) => `/_astro/${name}`);
  return [...new Set(names)];
}
