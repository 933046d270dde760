import { $conversationList, refreshConversationList } from '../../islands/shared/conversation-list-state.ts';
import { $session } from '../../islands/shared/session-state.ts';
import { queryPart } from './dom.ts';

/** How often the times are shown anew; a minute is the smallest step. */
const TIME_UPDATE_MS = 60_000;
let timer: ReturnType<typeof setInterval> | null = null;

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
    void renderList();
  });
}

/** Renders the known list. Its code is fetched with the first chats. */
async function renderList(): Promise<void> {
  const list = queryPart('history-list');
  if ($conversationList.get().chats.length === 0) return list.replaceChildren();
  const { renderGroups, showTimes } = await import('./history-list.ts');
  // The list may have changed meanwhile.
  list.replaceChildren(...renderGroups($conversationList.get().chats));
  timer ??= setInterval(() => showTimes(list), TIME_UPDATE_MS);
}
