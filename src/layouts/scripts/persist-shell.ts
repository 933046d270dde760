import type { AuthStatus } from '../../features/account/contract.ts';
import type { ChatList } from '../../features/conversation/contract.ts';
import { $conversationList } from '../../islands/shared/conversation-list-state.ts';
import { $session } from '../../islands/shared/session-state.ts';
import { queryPart } from './dom.ts';

/** What one page leaves to the next in the same tab: who is here, their chats, and how far the list was scrolled. */
interface ShellSnapshot {
  auth: AuthStatus;
  chats: ChatList['chats'];
  scroll: number;
}

/** In the tab's own storage, which ends with the tab. */
const SHELL_KEY = 'shell';

function readSnapshot(): ShellSnapshot | null {
  try {
    return JSON.parse(sessionStorage.getItem(SHELL_KEY) ?? 'null') as ShellSnapshot | null;
  } catch {
    return null;
  }
}

/**
 * Draws the sidebar as the last page left it while the server is asked again, and leaves it so to the next page. Who
 * logged out leaves nothing.
 */
export function persistShell(): void {
  const snapshot = readSnapshot();
  const list = queryPart('sidebar-middle');
  // Asking for a position has the browser lay the page out: neither a page that begins nor one that goes waits for that.
  let scroll = 0;
  list.addEventListener('scroll', () => (scroll = list.scrollTop), { passive: true });
  if (snapshot && $session.get().status === 'loading') {
    $conversationList.set({ status: 'idle', chats: snapshot.chats });
    $session.set({ status: 'loading', auth: snapshot.auth });
    scroll = snapshot.scroll;
    if (scroll > 0) list.scrollTop = scroll;
  }
  const saveSnapshot = () => {
    const { status, auth } = $session.get();
    try {
      if (status === 'known' && auth?.user) {
        const nextSnapshot: ShellSnapshot = { auth, chats: $conversationList.get().chats, scroll };
        sessionStorage.setItem(SHELL_KEY, JSON.stringify(nextSnapshot));
      } else if (status === 'known') {
        sessionStorage.removeItem(SHELL_KEY);
      }
    } catch {
      // Without storage every page begins anew.
    }
  };
  window.addEventListener('pagehide', saveSnapshot);
  $session.subscribe(({ status, auth }) => {
    if (status === 'known' && auth?.user == null) saveSnapshot();
  });
}
