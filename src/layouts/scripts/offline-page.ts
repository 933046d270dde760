/** Script of the offline page: lists readable chats, retries, and continues automatically. */
import type { Conversation, ConversationPage } from '../../features/conversation/contract.ts';
import { buildChatHref } from '../../features/conversation/conversation-link.ts';
import { getConversationId } from '../../features/offline/offline-rules.ts';
import { DEVICE_SESSION_KEY } from '../../islands/shared/device-storage.ts';
import { sanitizeText } from '../../lib/sanitize-text.ts';
import { formatDayAndTime, isolateText } from '../../locales/format.ts';

/** Delay between checks of the server while the page is visible; browsers detect a network, but not a server. In ms. */
const POLL_INTERVAL_MS = 10_000;
/** A small file that always exists; if the server returns it, it returns pages too. */
const HEALTH_CHECK_PATH = '/favicon.svg';

const root = document.querySelector('[data-offline]') as HTMLElement;
const queryPart = (name: string) => root.querySelector(`[data-offline-${name}]`) as HTMLElement;
const { lang = 'en', home = '/', copies: cacheName = '' } = root.dataset;

/** Conversations stored with their page, newest first. */
async function listCachedConversations(): Promise<Conversation[]> {
  if (!(await caches.has(cacheName))) return [];
  const copiesCache = await caches.open(cacheName);
  const conversations: Conversation[] = [];
  for (const request of await copiesCache.keys()) {
    if (getConversationId(new URL(request.url)) === null) continue;
    const copy = await copiesCache.match(request);
    if (!copy) continue;
    const { conversation } = (await copy.json()) as ConversationPage;
    if (await copiesCache.match(buildChatHref(conversation))) conversations.push(conversation);
  }
  return conversations.toSorted((a, b) => b.last_message_time.localeCompare(a.last_message_time));
}

function renderConversation(conversation: Conversation): Node {
  const item = (queryPart('chat') as HTMLTemplateElement).content.cloneNode(true) as DocumentFragment;
  const queryItem = <E extends Element>(selector: string) => item.querySelector(selector) as E;
  queryItem<HTMLAnchorElement>('a').href = buildChatHref(conversation);
  queryItem<HTMLImageElement>('img').src = conversation.avatar_url;
  queryItem('.offline-kept-name').textContent = sanitizeText(conversation.character_name);
  queryItem('.offline-kept-line').textContent = [
    conversation.title && isolateText(sanitizeText(conversation.title)),
    formatDayAndTime(conversation.last_message_time, lang),
  ]
    .filter(Boolean)
    .join(' · ');
  return item;
}

/** Opens the requested page; the home page if the offline page was opened by its own address. */
function leaveOfflinePage(): void {
  if (location.pathname.endsWith('/offline')) location.replace(home);
  else location.reload();
}

async function isServerReachable(): Promise<boolean> {
  try {
    return (await fetch(HEALTH_CHECK_PATH, { method: 'HEAD', cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

const retryLink = queryPart('retry');
const stateElement = queryPart('state');
retryLink.addEventListener('click', async (event) => {
  event.preventDefault();
  stateElement.textContent = retryLink.dataset['trying'] ?? '';
  if (await isServerReachable()) leaveOfflinePage();
  else stateElement.textContent = retryLink.dataset['still'] ?? '';
});

// When opened by its own address with a network, the page has nothing to wait for.
const isFallback = !location.pathname.endsWith('/offline') || !navigator.onLine;
const pollServer = async () => {
  if (!document.hidden && (await isServerReachable())) leaveOfflinePage();
};
if (isFallback) {
  window.addEventListener('online', () => void pollServer());
  setInterval(() => void pollServer(), POLL_INTERVAL_MS);
}

function renderList(conversations: Conversation[]): void {
  queryPart('kept')
    .querySelector('ul')
    ?.replaceChildren(...conversations.map(renderConversation));
  queryPart('kept').hidden = conversations.length === 0;
  queryPart('none').hidden = conversations.length > 0;
}

const renderCached = async () => renderList(await listCachedConversations().catch(() => []));
await renderCached();
// A logout in another tab removes this first, and the copies after it.
window.addEventListener('storage', ({ key, newValue }) => {
  if (key === DEVICE_SESSION_KEY && newValue === null) renderList([]);
});
// A frozen page is not notified of a logout.
for (const [target, type] of [
  [window, 'pageshow'],
  [document, 'visibilitychange'],
] as const)
  target.addEventListener(type, () => void renderCached());
