import type { AuthStatus } from '../features/account/contract.ts';
import type { ChatList, ConversationPage } from '../features/conversation/contract.ts';
import { PERSON_CACHE } from '../features/offline/contract.ts';
import { chatHref } from '../features/conversation/conversation-link.ts';
import { isPortrait, KEPT_CONVERSATIONS, KEPT_MESSAGES } from '../features/offline/offline-rules.ts';
import { keepPage } from './built-files.ts';
import { stores, type Store } from './worker-scope.ts';

/** Copies of what belongs to whoever is here. They are written one after another, and for one person only. */

const STATUS = '/api/auth/status';
const CHATS = '/api/chats';
const MARK = {
  character: 'x-character-id',
  time: 'x-last-message-time',
  portrait: 'x-portrait',
  made: 'x-made',
};

const conversationKey = (id: string) => `/api/conversations/${encodeURIComponent(id)}`;

let epoch = 0;
let queue: Promise<unknown> = Promise.resolve();

/** Writes in turn, unless the person changed since the request was made. */
function inTurn(asOf: number, write: (store: Store) => Promise<unknown>): Promise<void> {
  const turn = queue.then(async () => {
    if (asOf !== epoch) return;
    await write(await stores.open(PERSON_CACHE));
    // Whoever left while this was being written leaves nothing behind.
    if (asOf !== epoch) await stores.delete(PERSON_CACHE);
  });
  queue = turn.catch(() => undefined);
  return turn.catch(() => undefined);
}

/** The person of this moment: to be asked for before a request, and handed over with what came of it. */
export const currentEpoch = (): number => epoch;

/** Removes every copy at once; what is still under way for the person before is not written any more. */
export async function forget(): Promise<void> {
  epoch += 1;
  await stores.delete(PERSON_CACHE);
}

/** Settled when everything is written that is to be written by now. */
export const written = (): Promise<unknown> => queue;

/** A copy, or null. */
export async function copyOf(what: 'status' | 'chats' | { conversation: string }): Promise<Response | null> {
  const key = what === 'status' ? STATUS : what === 'chats' ? CHATS : conversationKey(what.conversation);
  return (await (await stores.open(PERSON_CACHE)).match(key)) ?? null;
}

const json = (body: unknown, marks: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), {
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...marks },
  });

/**
 * Keeps who is here; nobody, or somebody else than before, ends all earlier copies.
 * @returns settled when those are gone; the new copy is written in its turn
 */
export async function keepStatus(asOf: number, status: AuthStatus): Promise<void> {
  const before = (await (await copyOf('status'))?.json()) as AuthStatus | undefined;
  if (asOf !== epoch) return;
  const user = status.user?.id ?? null;
  if (user === null || (before !== undefined && before.user?.id !== user)) await forget();
  if (user !== null) void inTurn(epoch, (store) => store.put(STATUS, json(status)));
}

/** Keeps the chat history, and drops conversations that are in it no longer. */
export function keepChats(asOf: number, list: ChatList): Promise<void> {
  return inTurn(asOf, async (store) => {
    await store.put(CHATS, json(list));
    const listed = new Set(list.chats.map(({ id }) => id));
    for (const kept of await keptConversations(store)) if (!listed.has(kept.id)) await drop(store, kept);
  });
}

/** Forgets one conversation: it is gone. */
export function dropConversation(asOf: number, id: string): Promise<void> {
  return inTurn(asOf, async (store) => {
    const kept = (await keptConversations(store)).find((one) => one.id === id);
    if (kept) await drop(store, kept);
  });
}

/**
 * Keeps the newest page of a conversation, with its portrait and the page that it is read in.
 * @param made names the build and the language: a page made otherwise is fetched anew
 */
export function keepConversation(asOf: number, page: ConversationPage, made: string): Promise<void> {
  const { conversation } = page;
  const { id, character_id, avatar_url, last_message_time } = conversation;
  return inTurn(asOf, async (store) => {
    await store.put(
      conversationKey(id),
      json(page, {
        [MARK.character]: encodeURIComponent(character_id),
        [MARK.time]: last_message_time,
        [MARK.portrait]: encodeURIComponent(avatar_url),
      }),
    );
    await keepPortrait(store, avatar_url);
    const href = chatHref(conversation);
    if ((await store.match(href))?.headers.get(MARK.made) !== made) {
      await keepPage(PERSON_CACHE, href, { [MARK.made]: made }, () => asOf === epoch);
    }
    const kept = await keptConversations(store);
    for (const old of kept.slice(KEPT_CONVERSATIONS)) await drop(store, old);
  });
}

/** Fetches who is here and their chats where no copy is: the page that brought this worker asked before it stood. */
export async function refreshPerson(): Promise<void> {
  if (await copyOf('status')) return;
  const asOf = epoch;
  const [status, chats] = await Promise.all([fetch(STATUS), fetch(CHATS)]);
  if (!status.ok || !chats.ok) return;
  await keepStatus(asOf, (await status.json()) as AuthStatus);
  await keepChats(asOf, (await chats.json()) as ChatList);
}

/** Fetches a conversation's newest page and keeps it, unless it is kept as of this time already. */
export async function refreshConversation(
  wanted: { id: string; lastMessageTime: string; changed: boolean },
  made: string,
): Promise<void> {
  const asOf = epoch;
  const kept = await copyOf({ conversation: wanted.id });
  if (!wanted.changed && kept?.headers.get(MARK.time) === wanted.lastMessageTime) return;
  const answer = await fetch(`${conversationKey(wanted.id)}?limit=${KEPT_MESSAGES}`);
  if (answer.ok) await keepConversation(asOf, (await answer.json()) as ConversationPage, made);
}

/** A portrait that is kept, or null. */
export async function keptPortrait(path: string): Promise<Response | null> {
  return (await (await stores.open(PERSON_CACHE)).match(path)) ?? null;
}

/** The page of a kept conversation that a chat's address names, as the address to go to; null when none is kept. */
export async function keptHref(named: {
  conversation: string | null;
  character: string | null;
}): Promise<string | null> {
  const store = await stores.open(PERSON_CACHE);
  const kept = (await keptConversations(store)).find(({ id, character_id }) =>
    named.conversation === null ? character_id === named.character : id === named.conversation,
  );
  return kept && (await store.match(chatHref(kept))) ? chatHref(kept) : null;
}

/** A kept page by the address that `keptHref` gave. */
export async function keptPage(href: string): Promise<Response | null> {
  return (await (await stores.open(PERSON_CACHE)).match(href)) ?? null;
}

interface Kept {
  id: string;
  character_id: string;
  time: string;
  portrait: string;
}

/** What is kept, newest first. */
async function keptConversations(store: Store): Promise<Kept[]> {
  const found: Kept[] = [];
  for (const { url } of await store.keys()) {
    const [, id] = /^\/api\/conversations\/([^/]+)$/.exec(new URL(url).pathname) ?? [];
    const copy = id === undefined ? undefined : await store.match(url);
    if (id === undefined || copy === undefined) continue;
    const mark = (name: string) => decodeURIComponent(copy.headers.get(name) ?? '');
    found.push({
      id: decodeURIComponent(id),
      character_id: mark(MARK.character),
      time: mark(MARK.time),
      portrait: mark(MARK.portrait),
    });
  }
  return found.toSorted((a, b) => b.time.localeCompare(a.time));
}

async function keepPortrait(store: Store, path: string): Promise<void> {
  if (!isPortrait(path) || (await store.match(path))) return;
  const answer = await fetch(path).catch(() => null);
  if (answer?.ok) await store.put(path, answer);
}

async function drop(store: Store, kept: Kept): Promise<void> {
  await store.delete(conversationKey(kept.id));
  await store.delete(chatHref(kept));
  const left = await keptConversations(store);
  if (!left.some(({ portrait }) => portrait === kept.portrait)) await store.delete(kept.portrait);
}
