import {
  $conversationList,
  refreshConversationList,
} from '../../../islands/shared/conversation-list-state.ts';
import { getDeviceStorage } from '../../../islands/shared/device-storage.ts';
import { $session } from '../../../islands/shared/session-state.ts';
import { isCopyForeign } from './device-copy.ts';
import { queryPart } from '../dom.ts';
import { renderGroups, showTimes } from './history-list.ts';

/** How often the times are updated; a minute is the smallest step. */
const TIME_UPDATE_MS = 60_000;

/** Replaces the contents, unless they look the same: new pictures would flicker, and the focus would be lost. */
function replaceIfChanged(list: HTMLElement, groups: HTMLElement[]): void {
  showTimes(list);
  const isSame =
    list.childElementCount === groups.length &&
    groups.every((group, place) => group.isEqualNode(list.children[place] ?? null));
  if (!isSame) return list.replaceChildren(...groups);
  // Buttons from before the first paint do nothing yet.
  const buttons = groups.flatMap((group) => [...group.querySelectorAll('button')]);
  for (const button of list.querySelectorAll('button')) button.replaceWith(buttons.shift() ?? '');
}

/** Shows the user's chat history. The known list stays while it is fetched again. */
export function setUpHistory(): void {
  const list = queryPart('history-list');
  queryPart('history-retry').addEventListener('click', () => void refreshConversationList());
  setInterval(() => showTimes(list), TIME_UPDATE_MS);

  let owner: string | null = null;
  $session.subscribe(({ status, auth, isUnreachable }) => {
    if (isUnreachable) return;
    const user = auth?.user?.id ?? null;
    // Never show another user's chats, not even briefly or after a failed request. Those from before the first paint may be
    // of another user, too.
    const isOther = owner !== null && user !== owner;
    if (isOther || (status === 'known' && isCopyForeign(getDeviceStorage(), user))) list.replaceChildren();
    if (isOther) $conversationList.set({ status: 'idle', chats: [] });
    if (user !== null && user !== owner) void refreshConversationList();
    owner = user;
  });

  $conversationList.subscribe(({ status, chats }) => {
    // Until the list is known, the rows from before the first paint stay (sidebar-boot.js).
    if (status === 'ready' || chats.length > 0) replaceIfChanged(list, renderGroups(chats));
    queryPart('history-loading').hidden = status !== 'loading' || list.childElementCount > 0;
    queryPart('history-failed').hidden = status !== 'failed';
    queryPart('history-empty').hidden = status !== 'ready' || chats.length > 0;
  });
}
