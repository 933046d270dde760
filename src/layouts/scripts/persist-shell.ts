import type { AuthStatus } from '../../features/account/contract.ts';
import type { ChatList } from '../../features/conversation/contract.ts';
import { $chats } from '../../islands/shared/chats-state.ts';
import { $session } from '../../islands/shared/session-state.ts';
import { part } from './dom.ts';

/** What one page leaves to the next in the same tab: who is here, their chats, and how far the list was scrolled. */
interface Remembered {
  auth: AuthStatus;
  chats: ChatList['chats'];
  scroll: number;
}

/** In the tab's own storage, which ends with the tab. */
const KEY = 'shell';

function recall(): Remembered | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Remembered | null;
  } catch {
    return null;
  }
}

/**
 * Draws the sidebar as the last page left it while the server is asked again, and leaves it so to the next page. Who
 * logged out leaves nothing.
 */
export function keepShell(): void {
  const last = recall();
  const list = part('sidebar-middle');
  // Asking for a position has the browser lay the page out: neither a page that begins nor one that goes waits for that.
  let scroll = 0;
  list.addEventListener('scroll', () => (scroll = list.scrollTop), { passive: true });
  if (last && $session.get().status === 'loading') {
    $chats.set({ status: 'idle', chats: last.chats });
    $session.set({ status: 'loading', auth: last.auth });
    scroll = last.scroll;
    if (scroll > 0) list.scrollTop = scroll;
  }
  const keep = () => {
    const { status, auth } = $session.get();
    try {
      if (status === 'known' && auth?.user) {
        const kept: Remembered = { auth, chats: $chats.get().chats, scroll };
        sessionStorage.setItem(KEY, JSON.stringify(kept));
      } else if (status === 'known') {
        sessionStorage.removeItem(KEY);
      }
    } catch {
      // Without storage every page begins anew.
    }
  };
  window.addEventListener('pagehide', keep);
  $session.subscribe(({ status, auth }) => {
    if (status === 'known' && auth?.user == null) keep();
  });
}
