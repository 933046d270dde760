import { LANGUAGES, type Language } from '../../config/languages.ts';

/** What the service worker keeps on a device, and how much of it. */

/** Files of builds, named by their content: the same for everybody. */
export const ASSET_CACHE = 'loreloom-assets-1';
/** Offline pages of one build; those of earlier builds go when the next one takes over. */
export const PAGE_CACHE_PREFIX = 'loreloom-pages-';

/** Conversations that can be read without a network: the newest that were opened on this device. */
export const MAX_CACHED_CONVERSATIONS = 10;
/** Messages kept of each: one page of the history, as a chat opens it. */
export const MAX_CACHED_MESSAGES = 50;
/** About four builds of the product; what kept pages need is never counted out. */
export const MAX_CACHED_ASSETS = 200;

/** How a request is answered; null when the service worker leaves it alone. */
export type RequestKind = 'page' | 'asset' | 'portrait' | 'status' | 'chats' | 'conversation' | null;

const NON_PAGE_PATH = /^\/(?:api|media|cdn-cgi|_astro)(?:\/|$)/;
const CONVERSATION = /^\/api\/conversations\/([^/]+)$/;
/** Calls that stand where a conversation's id would. */
const NOT_CONVERSATIONS = new Set(['search', 'import']);

/** The conversation that an address of the API names, or null. */
export function getConversationId(url: URL): string | null {
  const id = CONVERSATION.exec(url.pathname)?.[1];
  return id === undefined || NOT_CONVERSATIONS.has(id) ? null : id;
}

/**
 * Sorts a request. Only reading from the own origin is ever touched: what changes something, what streams, and
 * what is another site's goes its way untouched.
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
  // Earlier pages of a history are not kept: without a network they are said to be missing.
  if (getConversationId(url) !== null && !url.searchParams.has('before')) return 'conversation';
  return null;
}

/** Whether this is a character's picture, or what stands in its place. */
export function isPortrait(pathname: string): boolean {
  return /^\/(?:media\/|icons\/(?:nobody|veiled)\.svg$)/.test(pathname);
}

/** The language in front of a path, or null. */
export function getPathLanguage(pathname: string): Language | null {
  const first = pathname.split('/')[1];
  return LANGUAGES.find((language) => language === first) ?? null;
}

/** What a chat's address names: the conversation, or at least the character; null for any other page. */
export function parseChatUrl(url: URL): { conversation: string | null; character: string | null } | null {
  const [, first, id, ...rest] = url.pathname.split('/');
  if (id === undefined || id === '' || rest.length > 0) return null;
  if (first === 'messages') return { conversation: decodeURIComponent(id), character: null };
  if (first !== 'character') return null;
  return { conversation: url.searchParams.get('conversation_id'), character: decodeURIComponent(id) };
}

/** A built file as pages, scripts and styles name it: whole, or beside themselves. */
const ASSET_NAME = /(?<=["'`(=])(?:\/?_astro\/|\.\/)([\w.@~-]+\.(?:js|css))(?=["'`\s)>&])/g;

/** Paths of the built scripts and styles that a page, or a file of the build itself, names. */
export function findAssets(text: string): string[] {
  const names = [...text.matchAll(ASSET_NAME)].map(([, name]) => `/_astro/${name}`);
  return [...new Set(names)];
}
