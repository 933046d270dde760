import type { ChatList } from '../../features/conversation/contract.ts';
import { buildChatLink } from '../../features/conversation/conversation-link.ts';
import { groupByAge } from '../../features/conversation/age-groups.ts';
import { $conversationList, refreshConversationList } from '../../islands/shared/conversation-list-state.ts';
import { $session } from '../../islands/shared/session-state.ts';
import { cloneTemplate, queryPart, getLabel } from './dom.ts';

type Chat = ChatList['chats'][number];

/** Whether a chat is open on this page; a chat page without a conversation in its address matches none. */
function isCurrentChat(chat: Chat): boolean {
  return (
    new URLSearchParams(location.search).get('conversation_id') === chat.id ||
    location.pathname === `/messages/${encodeURIComponent(chat.id)}`
  );
}

function renderChat(chat: Chat): HTMLElement {
  const item = cloneTemplate('chat');
  const link = item.querySelector('a') as HTMLAnchorElement;
  link.href = buildChatLink(chat);
  if (isCurrentChat(chat)) link.setAttribute('aria-current', 'page');
  (item.querySelector('img') as HTMLImageElement).src = chat.avatar_url;
  const [name, title] = item.querySelectorAll('[data-line]') as unknown as [HTMLElement, HTMLElement];
  name.textContent = chat.character_name;
  title.textContent = chat.title;
  title.hidden = !chat.title;
  return item;
}

function renderGroups(chats: Chat[]): HTMLElement[] {
  return groupByAge(chats, Date.now()).map(({ group, chats: groupChats }) => {
    const section = cloneTemplate('group');
    (section.querySelector('h3') as HTMLElement).textContent = getLabel(`group-${group}`);
    (section.querySelector('ul') as HTMLElement).replaceChildren(...groupChats.map(renderChat));
    return section;
  });
}

/** Shows the user's chat history. The known list stays while it is fetched again. */
export function setUpHistory(): void {
  queryPart('history-retry').addEventListener('click', () => void refreshConversationList());

  let owner: string | null = null;
  $session.subscribe(({ auth }) => {
    const user = auth?.user?.id ?? null;
    // Never show another user's chats, not even briefly or after a failed request.
    if (owner !== null && user !== owner) $conversationList.set({ status: 'idle', chats: [] });
    if (user !== null && user !== owner) void refreshConversationList();
    owner = user;
  });

  $conversationList.subscribe(({ status, chats }) => {
    queryPart('history-loading').hidden = status !== 'loading' || chats.length > 0;
    queryPart('history-failed').hidden = status !== 'failed';
    queryPart('history-empty').hidden = status !== 'ready' || chats.length > 0;
    queryPart('history-list').replaceChildren(...renderGroups(chats));
  });
}
