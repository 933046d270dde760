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

/** Copies of what belongs to whoever is here. They are written one after another, and for one person only. */

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

/** Writes in turn, unless the person changed since the request was made. */
function enqueueWrite(asOf: number, write: (store: CacheStore) => Promise<unknown>): Promise<void> {
  const turn = queue.then(async () => {
    if (asOf !== epoch) return;
    await write(await cacheStorage.open(USER_CACHE));
    // Whoever left while this was being written leaves nothing behind.
    if (asOf !== epoch) await cacheStorage.delete(USER_CACHE);
  });
  queue = turn.catch(() => undefined);
  return turn.catch(() => undefined);
}

/** The person of this moment: to be asked for before a request, and handed over with what came of it. */
export const getEpoch = (): number => epoch;

/** Removes every copy at once; what is still under way for the person before is not written any more. */
export async function clearUserCache(): Promise<void> {
  epoch += 1;
  await cacheStorage.delete(USER_CACHE);
}

/** Settled when everything is written that is to be written by now. */
export const waitForWrites = (): Promise<unknown> => queue;

/** A copy, or null. */
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
 * Keeps who is here; nobody, or somebody else than before, ends all earlier copies.
 * @returns settled when those are gone; the new copy is written in its turn
 */
export async function saveStatus(asOf: number, status: AuthStatus): Promise<void> {
  const before = (await (await findCopy('status'))?.json()) as AuthStatus | undefined;
  if (asOf !== epoch) return;
  const user = status.user?.id ?? null;
  if (user === null || (before !== undefined && before.user?.id !== user)) await clearUserCache();
  if (user !== null) void enqueueWrite(epoch, (store) => store.put(STATUS_PATH, buildJsonResponse(status)));
}

/** Keeps the chat history, and drops conversations that are in it no longer. */
export function saveChats(asOf: number, list: ChatList): Promise<void> {
  return enqueueWrite(asOf, async (store) => {
    await store.put(CHATS_PATH, buildJsonResponse(list));
    const listed = new Set(list.chats.map(({ id }) => id));
    for (const kept of await listCachedConversations(store))
      if (!listed.has(kept.id)) await deleteCopies(store, kept);
  });
}

/** Forgets one conversation: it is gone. */
export function deleteCachedConversation(asOf: number, id: string): Promise<void> {
  return enqueueWrite(asOf, async (store) => {
    const kept = (await listCachedConversations(store)).find((one) => one.id === id);
    if (kept) await deleteCopies(store, kept);
  });
}

/**
 * Keeps the newest page of a conversation, with its portrait and the page that it is read in.
 * @param made names the build and the language: a page made otherwise is fetched anew
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

/** Fetches who is here and their chats where no copy is: the page that brought this worker asked before it stood. */
export async function refreshUser(): Promise<void> {
  if (await findCopy('status')) return;
  const asOf = epoch;
  const [status, chats] = await Promise.all([fetch(STATUS_PATH), fetch(CHATS_PATH)]);
  if (!status.ok || !chats.ok) return;
  await saveStatus(asOf, (await status.json()) as AuthStatus);
  await saveChats(asOf, (await chats.json()) as ChatList);
}

/** Fetches a conversation's newest page and keeps it, unless it is kept as of this time already. */
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

/** A portrait that is kept, or null. */
export async function findPortrait(path: string): Promise<Response | null> {
  return (await (await cacheStorage.open(USER_CACHE)).match(path)) ?? null;
}

/** The page of a kept conversation that a chat's address names, as the address to go to; null when none is kept. */
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

/** A kept page by the address that `findConversationHref` gave. */
export async function findPage(href: string): Promise<Response | null> {
  return (await (await cacheStorage.open(USER_CACHE)).match(href)) ?? null;
}

interface CachedConversation {
  id: string;
  character_id: string;
  time: string;
  portrait: string;
}

/** What is kept, newest first. */
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
