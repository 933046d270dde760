/** Wakes the offline page: what can be read meanwhile, trying again, and going on by itself. */
import type { Conversation, ConversationPage } from '../../features/conversation/contract.ts';
import { chatHref } from '../../features/conversation/conversation-link.ts';
import { conversationIdOf } from '../../features/offline/offline-rules.ts';
import { sanitizeText } from '../../lib/visible-text.ts';
import { formatDayAndTime, isolated } from '../../locales/format.ts';

/** How often the server is looked for while the page is looked at: browsers notice a network, not a server. */
const LOOK_EVERY_MS = 10_000;
/** A small file that is always there; a server that gives it gives pages again. */
const SIGN_OF_LIFE = '/favicon.svg';

const root = document.querySelector('[data-offline]') as HTMLElement;
const part = (name: string) => root.querySelector(`[data-offline-${name}]`) as HTMLElement;
const { lang = 'en', home = '/', copies = '' } = root.dataset;

/** The conversations that are kept whole, their page included, newest first. */
async function keptConversations(): Promise<Conversation[]> {
  if (!(await caches.has(copies))) return [];
  const store = await caches.open(copies);
  const kept: Conversation[] = [];
  for (const request of await store.keys()) {
    if (conversationIdOf(new URL(request.url)) === null) continue;
    const copy = await store.match(request);
    if (!copy) continue;
    const { conversation } = (await copy.json()) as ConversationPage;
    if (await store.match(chatHref(conversation))) kept.push(conversation);
  }
  return kept.toSorted((a, b) => b.last_message_time.localeCompare(a.last_message_time));
}

function draw(conversation: Conversation): Node {
  const item = (part('chat') as HTMLTemplateElement).content.cloneNode(true) as DocumentFragment;
  const inside = <E extends Element>(selector: string) => item.querySelector(selector) as E;
  inside<HTMLAnchorElement>('a').href = chatHref(conversation);
  inside<HTMLImageElement>('img').src = conversation.avatar_url;
  inside('.offline-kept-name').textContent = sanitizeText(conversation.character_name);
  inside('.offline-kept-line').textContent = [
    conversation.title && isolated(sanitizeText(conversation.title)),
    formatDayAndTime(conversation.last_message_time, lang),
  ]
    .filter(Boolean)
    .join(' · ');
  return item;
}

/** To the page that was asked for; whoever opened this page by its own address goes home. */
function goOn(): void {
  if (location.pathname.endsWith('/offline')) location.replace(home);
  else location.reload();
}

async function serverAnswers(): Promise<boolean> {
  try {
    return (await fetch(SIGN_OF_LIFE, { method: 'HEAD', cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

const retry = part('retry');
const state = part('state');
retry.addEventListener('click', async (event) => {
  event.preventDefault();
  state.textContent = retry.dataset['trying'] ?? '';
  if (await serverAnswers()) goOn();
  else state.textContent = retry.dataset['still'] ?? '';
});

// Opened by its own address with a network, the page has nothing to wait for.
const standsIn = !location.pathname.endsWith('/offline') || !navigator.onLine;
const look = async () => {
  if (!document.hidden && (await serverAnswers())) goOn();
};
if (standsIn) {
  window.addEventListener('online', () => void look());
  setInterval(() => void look(), LOOK_EVERY_MS);
}

const kept = await keptConversations().catch(() => []);
part('kept')
  .querySelector('ul')
  ?.replaceChildren(...kept.map(draw));
part('kept').hidden = kept.length === 0;
part('none').hidden = kept.length > 0;
