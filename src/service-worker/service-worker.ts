/**
 * What a device keeps so that the product opens without a network: a page that says so, the files of the build,
 * and the last conversations of whoever is here. It answers from the network wherever there is one.
 */
import type { AuthStatus } from '../features/account/contract.ts';
import type { ChatList, ConversationPage } from '../features/conversation/contract.ts';
import { PERSON_CACHE, type PageMessage, type WorkerMessage } from '../features/offline/contract.ts';
import {
  ASSET_CACHE,
  chatNamedBy,
  conversationIdOf,
  languageInPath,
  PAGE_CACHE_PREFIX,
  wayOf,
  type Way,
} from '../features/offline/offline-rules.ts';
import { DEFAULT_LANGUAGE, LANGUAGES } from '../config/languages.ts';
import { keepFile, keepPage, keptFile, trimBuiltFiles } from './built-files.ts';
import {
  copyOf,
  currentEpoch,
  dropConversation,
  forget,
  keepChats,
  keepConversation,
  keepStatus,
  keptHref,
  keptPage,
  keptPortrait,
  refreshConversation,
  refreshPerson,
  written,
} from './person-copies.ts';
import { scope, stores, type ReadEvent } from './worker-scope.ts';

/** Names the build; put in by integration.ts, so that every build is a new worker. */
declare const __BUILD__: string;

const PAGE_CACHE = PAGE_CACHE_PREFIX + __BUILD__;
const LANGUAGE_KEY = '/language';

const offlinePath = (language: string) => `/${language}/offline`;

/** The language that a page told last. */
async function toldLanguage(): Promise<string> {
  const told = await (await stores.open(PAGE_CACHE)).match(LANGUAGE_KEY);
  return (await told?.text()) ?? DEFAULT_LANGUAGE;
}

/** Keeps the offline page of a language that somebody reads here; the other languages wait until they are read. */
async function keepLanguage(language: string): Promise<void> {
  if (!(LANGUAGES as readonly string[]).includes(language)) return;
  const store = await stores.open(PAGE_CACHE);
  await store.put(LANGUAGE_KEY, new Response(language));
  if (!(await store.match(offlinePath(language)))) await keepPage(PAGE_CACHE, offlinePath(language), {});
  await trimBuiltFiles([PAGE_CACHE, PERSON_CACHE]);
}

async function install(): Promise<void> {
  const pages = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const read = pages.map(({ url }) => languageInPath(new URL(url).pathname)).find((one) => one !== null);
  await keepLanguage(read ?? DEFAULT_LANGUAGE);
  await scope.skipWaiting();
}

async function activate(): Promise<void> {
  const current = new Set([PAGE_CACHE, PERSON_CACHE, ASSET_CACHE]);
  for (const name of await stores.keys()) {
    if (name.startsWith('loreloom-') && !current.has(name)) await stores.delete(name);
  }
  await scope.registration.navigationPreload?.enable();
  await scope.clients.claim();
}

async function offlinePage(url: URL): Promise<Response> {
  const store = await stores.open(PAGE_CACHE);
  for (const language of [languageInPath(url.pathname), await toldLanguage(), DEFAULT_LANGUAGE]) {
    const page = language === null ? undefined : await store.match(offlinePath(language));
    if (page) return page;
  }
  return Response.error();
}

/** A navigation's answer. The browser asked for it already while this worker woke, where it can do so. */
async function fromNetwork(event: ReadEvent): Promise<Response> {
  return (await event.preloadResponse) ?? (await fetch(event.request));
}

/** A page from the network; without one a kept conversation's page, or the page that says what happened. */
async function page(event: ReadEvent): Promise<Response> {
  try {
    return await fromNetwork(event);
  } catch {
    const url = new URL(event.request.url);
    const named = chatNamedBy(url);
    const href = named && (await keptHref(named));
    if (href === null) return offlinePage(url);
    if (href !== url.pathname + url.search)
      return Response.redirect(new URL(href, scope.location.origin).href);
    return (await keptPage(href)) ?? offlinePage(url);
  }
}

/** Each time: who was told last of a copy may have been told by a worker that the browser has ended since. */
async function tell(event: ReadEvent, kind: WorkerMessage['kind']): Promise<void> {
  (await scope.clients.get(event.clientId))?.postMessage({ kind } satisfies WorkerMessage);
}

/**
 * The network's answer, of which `keep` keeps a copy; where there is no network, the copy.
 * @returns with `kept`: settled when the copy is written, or was not to be had
 */
async function networkFirst(
  event: ReadEvent,
  copy: () => Promise<Response | null>,
  keep: (answer: Response, asOf: number) => Promise<void>,
): Promise<{ answer: Response; kept: Promise<void> }> {
  const asOf = currentEpoch();
  let answer: Response;
  try {
    answer = await fetch(event.request);
  } catch (error) {
    const known = await copy();
    if (known === null) throw error;
    event.waitUntil(tell(event, 'copy'));
    return { answer: known, kept: Promise.resolve() };
  }
  // Nobody waits for a device that is full or a body that breaks off: the answer itself is there.
  const kept = keep(answer.clone(), asOf).catch(() => undefined);
  event.waitUntil(Promise.all([kept, tell(event, 'live')]));
  return { answer, kept };
}

const made = async () => `${__BUILD__} ${await toldLanguage()}`;

async function conversation(event: ReadEvent): Promise<Response> {
  const id = decodeURIComponent(conversationIdOf(new URL(event.request.url)) ?? '');
  const { answer } = await networkFirst(
    event,
    () => copyOf({ conversation: id }),
    async (answer, asOf) => {
      if (answer.status === 401) return forget();
      if (answer.status === 404) return dropConversation(asOf, id);
      if (!answer.ok) return;
      return keepConversation(asOf, (await answer.json()) as ConversationPage, await made());
    },
  );
  return answer;
}

async function chats(event: ReadEvent): Promise<Response> {
  const { answer } = await networkFirst(
    event,
    () => copyOf('chats'),
    async (answer, asOf) => {
      if (answer.status === 401) return forget();
      if (answer.ok) await keepChats(asOf, (await answer.json()) as ChatList);
    },
  );
  return answer;
}

async function status(event: ReadEvent): Promise<Response> {
  const { answer, kept } = await networkFirst(
    event,
    () => copyOf('status'),
    async (answer, asOf) => {
      if (answer.ok) await keepStatus(asOf, (await answer.json()) as AuthStatus);
    },
  );
  // What the page asks next is the new person's: by then the copies of the one before must be gone.
  await kept;
  event.waitUntil(written());
  return answer;
}

async function asset(event: ReadEvent): Promise<Response> {
  const { pathname } = new URL(event.request.url);
  const kept = await keptFile(pathname).catch(() => null);
  if (kept) return kept;
  const answer = await fetch(event.request);
  // A device that is full still shows the page.
  if (answer.ok) event.waitUntil(keepFile(pathname, answer.clone()).catch(() => undefined));
  return answer;
}

async function portrait(event: ReadEvent): Promise<Response> {
  const { pathname } = new URL(event.request.url);
  return (await keptPortrait(pathname).catch(() => null)) ?? fetch(event.request);
}

const WAYS: Record<NonNullable<Way>, (event: ReadEvent) => Promise<Response>> = {
  page,
  asset,
  portrait,
  status,
  chats,
  conversation,
};

async function hear(message: PageMessage): Promise<void> {
  if (message.kind === 'language') await keepLanguage(message.language);
  if (message.kind === 'keep') {
    await refreshPerson();
    await refreshConversation(message, await made());
  }
  if (message.kind === 'forget') await forget();
}

scope.addEventListener('install', (event) => event.waitUntil(install()));
scope.addEventListener('activate', (event) => event.waitUntil(activate()));
scope.addEventListener('message', (event) => event.waitUntil(hear(event.data as PageMessage)));
scope.addEventListener('fetch', (event) => {
  const { method, url, mode, headers } = event.request;
  const way = wayOf({ method, url, mode, accept: headers.get('accept') }, scope.location.origin);
  if (way !== null) event.respondWith(WAYS[way](event));
  // Left alone, it would be asked for a second time: what Google's page sends people back with counts once.
  else if (mode === 'navigate' && method === 'GET') event.respondWith(fromNetwork(event));
});
