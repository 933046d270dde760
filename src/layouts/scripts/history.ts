import type { ChatList } from '../../features/conversation/contract.ts';
import { linkToChat } from '../../features/conversation/conversation-link.ts';
import { groupByAge } from '../../features/conversation/recency.ts';
import { $chats, refreshChats } from '../../islands/shared/chats-state.ts';
import { $session } from '../../islands/shared/session-state.ts';
import { fresh, part, word } from './dom.ts';

type Chat = ChatList['chats'][number];

/** Whether a chat is the one on this page; without a conversation in the address, none is certain to be. */
function isOpenHere(chat: Chat): boolean {
  return (
    new URLSearchParams(location.search).get('conversation_id') === chat.id ||
    location.pathname === `/messages/${encodeURIComponent(chat.id)}`
  );
}

function drawChat(chat: Chat): HTMLElement {
  const item = fresh('chat');
  const link = item.querySelector('a') as HTMLAnchorElement;
  link.href = linkToChat(chat);
  if (isOpenHere(chat)) link.setAttribute('aria-current', 'page');
  (item.querySelector('img') as HTMLImageElement).src = chat.avatar_url;
  const [name, title] = item.querySelectorAll('[data-line]') as unknown as [HTMLElement, HTMLElement];
  name.textContent = chat.character_name;
  title.textContent = chat.title;
  title.hidden = !chat.title;
  return item;
}

function drawGroups(chats: Chat[]): HTMLElement[] {
  return groupByAge(chats, Date.now()).map(({ group, chats: held }) => {
    const section = fresh('group');
    (section.querySelector('h3') as HTMLElement).textContent = word(`group-${group}`);
    (section.querySelector('ul') as HTMLElement).replaceChildren(...held.map(drawChat));
    return section;
  });
}

/** The chat history of whoever is here. While it is fetched again, what was drawn stays. */
export function wireHistory(): void {
  part('history-retry').addEventListener('click', () => void refreshChats());

  let owner: string | null = null;
  $session.subscribe(({ auth }) => {
    const user = auth?.user?.id ?? null;
    // Another person's chats are not drawn for a moment, nor when theirs cannot be fetched.
    if (owner !== null && user !== owner) $chats.set({ status: 'idle', chats: [] });
    if (user !== null && user !== owner) void refreshChats();
    owner = user;
  });

  $chats.subscribe(({ status, chats }) => {
    part('history-loading').hidden = status !== 'loading' || chats.length > 0;
    part('history-failed').hidden = status !== 'failed';
    part('history-empty').hidden = status !== 'ready' || chats.length > 0;
    part('history-list').replaceChildren(...drawGroups(chats));
  });
}
