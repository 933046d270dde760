/**
 * The service worker, which lets the product open without a network. It caches an offline page, the build's files and the
 * user's latest conversations, and answers from the network whenever there is one.
 */
import type { AuthStatus } from '../features/account/contract.ts';
import type { ChatList, ConversationPage } from '../features/conversation/contract.ts';
import { USER_CACHE, type PageMessage, type WorkerMessage } from '../features/offline/contract.ts';
import {
  ASSET_CACHE,
  parseChatUrl,
  getConversationId,
  getPathLanguage,
  PAGE_CACHE_PREFIX,
  classifyRequest,
  type RequestKind,
} from '../features/offline/offline-rules.ts';
import { DEFAULT_LANGUAGE, LANGUAGES } from '../config/languages.ts';
import { saveBuiltFile, savePage, findBuiltFile, trimBuiltFiles } from './built-files.ts';
import {
  findCopy,
  getEpoch,
  deleteCachedConversation,
  clearUserCache,
  saveChats,
  saveConversation,
  saveStatus,
  findConversationHref,
  findPage,
  findPortrait,
  refreshConversation,
  refreshUser,
  waitForWrites,
} from './user-cache.ts';
import { workerScope, cacheStorage, type WorkerFetchEvent } from './worker-scope.ts';

/** The build's id, inserted by integration.ts, so that every build is a new worker. */
declare const __BUILD__: string;

const PAGE_CACHE = PAGE_CACHE_PREFIX + __BUILD__;
const LANGUAGE_KEY = '/language';

const getOfflinePath = (language: string) => `/${language}/offline`;

/** The language that a page reported last. */
async function getLastLanguage(): Promise<string> {
  const stored = await (await cacheStorage.open(PAGE_CACHE)).match(LANGUAGE_KEY);
  return (await stored?.text()) ?? DEFAULT_LANGUAGE;
}

/** Caches the offline page of a language that is used on this device; others are cached when they are used. */
async function saveLanguage(language: string): Promise<void> {
  if (!(LANGUAGES as readonly string[]).includes(language)) return;
  const store = await cacheStorage.open(PAGE_CACHE);
  await store.put(LANGUAGE_KEY, new Response(language));
  if (!(await store.match(getOfflinePath(language))))
    await savePage(PAGE_CACHE, getOfflinePath(language), {});
  await trimBuiltFiles([PAGE_CACHE, USER_CACHE]);
}

async function install(): Promise<void> {
  const pages = await workerScope.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const read = pages.map(({ url }) => getPathLanguage(new URL(url).pathname)).find((one) => one !== null);
  await saveLanguage(read ?? DEFAULT_LANGUAGE);
  await workerScope.skipWaiting();
}

async function activate(): Promise<void> {
  const current = new Set([PAGE_CACHE, USER_CACHE, ASSET_CACHE]);
  for (const name of await cacheStorage.keys()) {
    if (name.startsWith('loreloom-') && !current.has(name)) await cacheStorage.delete(name);
  }
  await workerScope.registration.navigationPreload?.enable();
  await workerScope.clients.claim();
}

async function getOfflinePage(url: URL): Promise<Response> {
  const store = await cacheStorage.open(PAGE_CACHE);
  for (const language of [getPathLanguage(url.pathname), await getLastLanguage(), DEFAULT_LANGUAGE]) {
    const page = language === null ? undefined : await store.match(getOfflinePath(language));
    if (page) return page;
  }
  return Response.error();
}

/** The response to a navigation: the browser's navigation preload if supported, else a request. */
async function fetchNavigation(event: WorkerFetchEvent): Promise<Response> {
  return (await event.preloadResponse) ?? (await fetch(event.request));
}

/** A page from the network; offline, the page of a cached conversation or the offline page. */
async function page(event: WorkerFetchEvent): Promise<Response> {
  try {
    return await fetchNavigation(event);
  } catch {
    const url = new URL(event.request.url);
    const named = parseChatUrl(url);
    const href = named && (await findConversationHref(named));
    if (href === null) return getOfflinePage(url);
    if (href !== url.pathname + url.search)
      return Response.redirect(new URL(href, workerScope.location.origin).href);
    return (await findPage(href)) ?? getOfflinePage(url);
  }
}

/** Sent for every request, because the browser may have stopped the worker that sent the last state. */
async function notifyClient(event: WorkerFetchEvent, kind: WorkerMessage['kind']): Promise<void> {
  (await workerScope.clients.get(event.clientId))?.postMessage({ kind } satisfies WorkerMessage);
}

/**
 * The network's response, which `save` caches; offline, the copy.
 * @returns `kept` resolves when the copy was written or writing has failed
 */
async function fetchNetworkFirst(
  event: WorkerFetchEvent,
  copy: () => Promise<Response | null>,
  save: (answer: Response, asOf: number) => Promise<void>,
): Promise<{ answer: Response; kept: Promise<void> }> {
  const asOf = getEpoch();
  let answer: Response;
  try {
    answer = await fetch(event.request);
  } catch (error) {
    const cached = await copy();
    if (cached === null) throw error;
    event.waitUntil(notifyClient(event, 'copy'));
    return { answer: cached, kept: Promise.resolve() };
  }
  // A full device or an interrupted body must not fail the response.
  const kept = save(answer.clone(), asOf).catch(() => undefined);
  event.waitUntil(Promise.all([kept, notifyClient(event, 'live')]));
  return { answer, kept };
}

const getPageVersion = async () => `${__BUILD__} ${await getLastLanguage()}`;

async function conversation(event: WorkerFetchEvent): Promise<Response> {
  const id = decodeURIComponent(getConversationId(new URL(event.request.url)) ?? '');
  const { answer } = await fetchNetworkFirst(
    event,
    () => findCopy({ conversation: id }),
    async (answer, asOf) => {
      if (answer.status === 401) return clearUserCache();
      if (answer.status === 404) return deleteCachedConversation(asOf, id);
      if (!answer.ok) return;
      return saveConversation(asOf, (await answer.json()) as ConversationPage, await getPageVersion());
    },
  );
  return answer;
}

async function chats(event: WorkerFetchEvent): Promise<Response> {
  const { answer } = await fetchNetworkFirst(
    event,
    () => findCopy('chats'),
    async (answer, asOf) => {
      if (answer.status === 401) return clearUserCache();
      if (answer.ok) await saveChats(asOf, (await answer.json()) as ChatList);
    },
  );
  return answer;
}

async function status(event: WorkerFetchEvent): Promise<Response> {
  const { answer, kept } = await fetchNetworkFirst(
    event,
    () => findCopy('status'),
    async (answer, asOf) => {
      if (answer.ok) await saveStatus(asOf, (await answer.json()) as AuthStatus);
    },
  );
  // The page's next requests are for the new user, so the previous user's copies must be gone first.
  await kept;
  event.waitUntil(waitForWrites());
  return answer;
}

async function asset(event: WorkerFetchEvent): Promise<Response> {
  const { pathname } = new URL(event.request.url);
  const kept = await findBuiltFile(pathname).catch(() => null);
  if (kept) return kept;
  const answer = await fetch(event.request);
  // A full device still shows the page.
  if (answer.ok) event.waitUntil(saveBuiltFile(pathname, answer.clone()).catch(() => undefined));
  return answer;
}

async function portrait(event: WorkerFetchEvent): Promise<Response> {
  const { pathname } = new URL(event.request.url);
  return (await findPortrait(pathname).catch(() => null)) ?? fetch(event.request);
}

const HANDLERS: Record<NonNullable<RequestKind>, (event: WorkerFetchEvent) => Promise<Response>> = {
  page,
  asset,
  portrait,
  status,
  chats,
  conversation,
};

async function handleMessage(message: PageMessage): Promise<void> {
  if (message.kind === 'language') await saveLanguage(message.language);
  if (message.kind === 'keep') {
    await refreshUser();
    await refreshConversation(message, await getPageVersion());
  }
  if (message.kind === 'forget') await clearUserCache();
}

workerScope.addEventListener('install', (event) => event.waitUntil(install()));
workerScope.addEventListener('activate', (event) => event.waitUntil(activate()));
workerScope.addEventListener('message', (event) => event.waitUntil(handleMessage(event.data as PageMessage)));
workerScope.addEventListener('fetch', (event) => {
  const { method, url, mode, headers } = event.request;
  const route = classifyRequest(
    { method, url, mode, accept: headers.get('accept') },
    workerScope.location.origin,
  );
  if (route !== null) event.respondWith(HANDLERS[route](event));
  // Answer other navigations from the preload too; otherwise the browser would request them twice, and the code in
  // Google's sign-in redirect is valid only once.
  else if (mode === 'navigate' && method === 'GET') event.respondWith(fetchNavigation(event));
});
