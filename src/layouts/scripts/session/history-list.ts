import type { ChatList } from '../../../features/conversation/contract.ts';
import { buildChatLink } from '../../../features/conversation/conversation-link.ts';
import { groupChats, selectShownChats } from '../../../features/conversation/age-groups.ts';
import { formatRelativeTime, isolateText } from '../../../locales/format.ts';
import { cloneTemplate, getLabel } from '../dom.ts';

type Chat = ChatList['chats'][number];

/** Whether a chat is open on this page; a chat page without a conversation in its address matches none. */
function isCurrentChat(chat: Chat): boolean {
  return (
    new URLSearchParams(location.search).get('conversation_id') === chat.id ||
    location.pathname === `/messages/${encodeURIComponent(chat.id)}`
  );
}

/** A label with a name or title in it. */
const fillLabel = (label: string, text: string): string =>
  getLabel(label).replace('{}', () => isolateText(text));

function showTime(time: HTMLTimeElement): void {
  time.textContent = formatRelativeTime(time.dateTime, document.documentElement.lang);
}

/** Updates the times of the rows. */
export function showTimes(list: HTMLElement): void {
  for (const time of list.querySelectorAll('time')) showTime(time);
}

/** @param chats all chats, to name the one that it was branched from */
function renderChat(chat: Chat, chats: Chat[]): HTMLElement {
  const item = cloneTemplate('chat');
  const find = <E extends HTMLElement>(selector: string) => item.querySelector(selector) as E;
  const link = find<HTMLAnchorElement>('a');
  link.href = buildChatLink(chat);
  if (isCurrentChat(chat)) link.setAttribute('aria-current', 'page');
  find<HTMLImageElement>('img').src = chat.avatar_url;
  find('[data-name]').textContent = chat.character_name;
  find('[data-title]').textContent = chat.title;
  find('[data-line]').textContent = chat.last_line;
  find('[data-unread]').hidden = !chat.unread;
  const time = find<HTMLTimeElement>('time');
  time.dateTime = chat.last_message_time;
  showTime(time);
  const source = chats.find(({ id }) => id === chat.branch_of);
  find('[data-branch]').hidden = chat.branch_of === null;
  const branch = source?.title ? fillLabel('history-branch-of', source.title) : getLabel('history-branch');
  find('bdi').textContent = chat.branch_of === null ? '' : branch;
  return item;
}

/** Characters of which all chats are shown. */
const expandedCharacters = new Set<string>();

/** The chats with one character: the newest few, and all of them after a click. */
function renderCharacter(held: [Chat, ...Chat[]], chats: Chat[]): HTMLElement {
  const section = cloneTemplate('character');
  const { character_id: id, character_name: name } = held[0];
  const list = section.querySelector('ul') as HTMLElement;
  const more = section.querySelector('button') as HTMLButtonElement;
  const isExpanded = expandedCharacters.has(id);
  const shown = isExpanded ? held : selectShownChats(held, held.find(isCurrentChat)?.id ?? null);
  list.replaceChildren(...shown.map((chat) => renderChat(chat, chats)));
  more.hidden = shown.length === held.length;
  more.textContent = more.hidden ? '' : fillLabel('history-more', name);
  more.addEventListener('click', () => {
    expandedCharacters.add(id);
    more.hidden = true;
    // The button may have moved to a list from before the first paint.
    const shownList = more.previousElementSibling as HTMLElement;
    shownList.replaceChildren(...held.map((chat) => renderChat(chat, chats)));
    shownList.children[shown.length]?.querySelector('a')?.focus();
  });
  return section;
}

/** Renders the chat list: grouped by age, and by character within. */
export function renderGroups(chats: Chat[]): HTMLElement[] {
  return groupChats(chats, Date.now()).map(({ group, characters }) => {
    const section = cloneTemplate('group');
    const heading = section.querySelector('h3') as HTMLElement;
    heading.textContent = getLabel(`group-${group}`);
    section.replaceChildren(heading, ...characters.map((held) => renderCharacter(held, chats)));
    return section;
  });
}
