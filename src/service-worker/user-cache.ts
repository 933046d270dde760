import type { AuthStatus } from '../features/account/contract.ts';
import type { ChatList, ConversationPage } from '../features/conversation/contract.ts';
import { USER_CACHE } from '../features/offline/contract.ts';
import { buildChatHref } from '../features/conversation/conversation-link.ts';
import {
  isPortrait,
  MAX_CACHED_CONVERSATIONS,
  MAX_CACHED_MESSAGES,
} from '../features/offline/offline-rules.ts';
import { savePage } from './built-files.ts';
import { cacheStorage, type CacheStore } from './worker-scope.ts';

/** Copies of the signed-in user's data. Writes run one after another, and only for that user. */

const STATUS_PATH = '/api/auth/status';
const CHATS_PATH = '/api/chats';
const HEADERS = {
  character: 'x-character-id',
  time: 'x-last-message-time',
  portrait: 'x-portrait',
  made: 'x-made',
};

const getConversationKey = (id: string) => `/api/conversations/${encodeURIComponent(id)}`;

let epoch = 0;
let queue: Promise<unknown> = Promise.resolve();

/** Queues a write; skips it when the user has changed since the request. */
function enqueueWrite(asOf: number, write: (store: CacheStore) => Promise<unknown>): Promise<void> {
  const turn = queue.then(async () => {
    if (asOf !== epoch) return;
    await write(await cacheStorage.open(USER_CACHE));
    // The user signed out during the write: remove what it wrote.
    if (asOf !== epoch) await cacheStorage.delete(USER_CACHE);
  });
  queue = turn.catch(() => undefined);
  return turn.catch(() => undefined);
}

/** Identifies the current user's period. Read it before a request and pass it on with the response. */
export const getEpoch = (): number => epoch;

/** Removes all copies at once; pending writes for the previous user are dropped. */
export async function clearUserCache(): Promise<void> {
  epoch += 1;
  await cacheStorage.delete(USER_CACHE);
}

/** Resolves when all writes queued so far are done. */
export const waitForWrites = (): Promise<unknown> => queue;

export async function findCopy(
  resource: 'status' | 'chats' | { conversation: string },
): Promise<Response | null> {
  const key =
    resource === 'status'
      ? STATUS_PATH
      : resource === 'chats'
        ? CHATS_PATH
        : getConversationKey(resource.conversation);
  return (await (await cacheStorage.open(USER_CACHE)).match(key)) ?? null;
}

const buildJsonResponse = (body: unknown, extraHeaders: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), {
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...extraHeaders },
  });

/**
 * Caches the session. A signed-out session or a different user removes all earlier copies.
 * @returns resolves when those are removed; the new copy is written later
 */
export async function saveStatus(asOf: number, status: AuthStatus): Promise<void> {
  const before = (await (await findCopy('status'))?.json()) as AuthStatus | undefined;
  if (asOf !== epoch) return;
  const user = status.user?.id ?? null;
  if (user === null || (before !== undefined && before.user?.id !== user)) await clearUserCache();
  if (user !== null) void enqueueWrite(epoch, (store) => store.put(STATUS_PATH, buildJsonResponse(status)));
}

/** Caches the conversation list, and removes copies of conversations that it no longer contains. */
export function saveChats(asOf: number, list: ChatList): Promise<void> {
  return enqueueWrite(asOf, async (store) => {
    await store.put(CHATS_PATH, buildJsonResponse(list));
    const listed = new Set(list.chats.map(({ id }) => id));
    for (const kept of await listCachedConversations(store))
      if (!listed.has(kept.id)) await deleteCopies(store, kept);
  });
}

/** Removes the copies of a deleted conversation. */
export function deleteCachedConversation(asOf: number, id: string): Promise<void> {
  return enqueueWrite(asOf, async (store) => {
    const kept = (await listCachedConversations(store)).find((one) => one.id === id);
    if (kept) await deleteCopies(store, kept);
  });
}

/**
 * Caches the newest page of a conversation, its portrait and the HTML page that shows it.
 * @param made the build and language; an HTML page from another one is loaded again
 */
export function saveConversation(asOf: number, page: ConversationPage, made: string): Promise<void> {
  const { conversation } = page;
  const { id, character_id, avatar_url, last_message_time } = conversation;
  return enqueueWrite(asOf, async (store) => {
    await store.put(
      getConversationKey(id),
      buildJsonResponse(page, {
        [HEADERS.character]: encodeURIComponent(character_id),
        [HEADERS.time]: last_message_time,
        [HEADERS.portrait]: encodeURIComponent(avatar_url),
      }),
    );
    await savePortrait(store, avatar_url);
    const href = buildChatHref(conversation);
    if ((await store.match(href))?.headers.get(HEADERS.made) !== made) {
      await savePage(USER_CACHE, href, { [HEADERS.made]: made }, () => asOf === epoch);
    }
    const kept = await listCachedConversations(store);
    for (const old of kept.slice(MAX_CACHED_CONVERSATIONS)) await deleteCopies(store, old);
  });
}

/**
 * Loads the session and the conversation list if there are no copies: the page that installed this worker requested them
 * before the worker was active.
 */
export async function refreshUser(): Promise<void> {
  if (await findCopy('status')) return;
  const asOf = epoch;
  const [status, chats] = await Promise.all([fetch(STATUS_PATH), fetch(CHATS_PATH)]);
  if (!status.ok || !chats.ok) return;
  await saveStatus(asOf, (await status.json()) as AuthStatus);
  await saveChats(asOf, (await chats.json()) as ChatList);
}

/** Loads and caches a conversation's newest page, unless the copy is up to date. */
export async function refreshConversation(
  wanted: { id: string; lastMessageTime: string; changed: boolean },
  made: string,
): Promise<void> {
  const asOf = epoch;
  const kept = await findCopy({ conversation: wanted.id });
  if (!wanted.changed && kept?.headers.get(HEADERS.time) === wanted.lastMessageTime) return;
  const answer = await fetch(`${getConversationKey(wanted.id)}?limit=${MAX_CACHED_MESSAGES}`);
  if (answer.ok) await saveConversation(asOf, (await answer.json()) as ConversationPage, made);
}

/** A cached portrait; null if missing. */
export async function findPortrait(path: string): Promise<Response | null> {
  return (await (await cacheStorage.open(USER_CACHE)).match(path)) ?? null;
}

/** The address of the cached page for the conversation that a chat URL names; null when none is cached. */
export async function findConversationHref(named: {
  conversation: string | null;
  character: string | null;
}): Promise<string | null> {
  const store = await cacheStorage.open(USER_CACHE);
  const kept = (await listCachedConversations(store)).find(({ id, character_id }) =>
    named.conversation === null ? character_id === named.character : id === named.conversation,
  );
  return kept && (await store.match(buildChatHref(kept))) ? buildChatHref(kept) : null;
}

/** A cached page, by an address from `findConversationHref`. */
export async function findPage(href: string): Promise<Response | null> {
  return (await (await cacheStorage.open(USER_CACHE)).match(href)) ?? null;
}

interface CachedConversation {
  id: string;
  character_id: string;
  time: string;
  portrait: string;
}

/** The cached conversations, newest first. */
async function listCachedConversations(store: CacheStore): Promise<CachedConversation[]> {
  const found: CachedConversation[] = [];
  for (const { url } of await store.keys()) {
    const [, id] = /^\/api\/conversations\/([^/]+)$/.exec(new URL(url).pathname) ?? [];
    const copy = id === undefined ? undefined : await store.match(url);
    if (id === undefined || copy === undefined) continue;
    const mark = (name: string) => decodeURIComponent(copy.headers.get(name) ?? '');
    found.push({
      id: decodeURIComponent(id),
      character_id: mark(HEADERS.character),
      time: mark(HEADERS.time),
      portrait: mark(HEADERS.portrait),
    });
  }
  return found.toSorted((a, b) => b.time.localeCompare(a.time));
}

async function savePortrait(store: CacheStore, path: string): Promise<void> {
  if (!isPortrait(path) || (await store.match(path))) return;
  const answer = await fetch(path).catch(() => null);
  if (answer?.ok) await store.put(path, answer);
}

async function deleteCopies(store: CacheStore, kept: CachedConversation): Promise<void> {
  await store.delete(getConversationKey(kept.id));
  await store.delete(buildChatHref(kept));
  const remaining = await listCachedConversations(store);
  if (!remaining.some(({ portrait }) => portrait === kept.portrait)) await store.delete(kept.portrait);
}
