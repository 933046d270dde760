import type { AuthStatus } from '../../../features/account/contract.ts';
import type { ChatList } from '../../../features/conversation/contract.ts';
import { $conversationList } from '../../../islands/shared/conversation-list-state.ts';
import { readDeviceSession } from '../../../islands/shared/device-session/device-session.ts';
import { $session } from '../../../islands/shared/session-state.ts';
import { queryPart } from '../dom.ts';

/** State passed to the next page in the same tab: the session, the chats and the list's scroll position. */
interface ShellSnapshot {
  /** The id of the device session; null when the device cannot store one. */
  device: string | null;
  auth: AuthStatus;
  chats: ChatList['chats'];
  scroll: number;
}

/** Session storage key. */
const SHELL_KEY = 'shell';

const getDeviceId = (): string | null => readDeviceSession()?.id ?? null;

function readSnapshot(): ShellSnapshot | null {
  try {
    const snapshot = JSON.parse(sessionStorage.getItem(SHELL_KEY) ?? 'null') as ShellSnapshot | null;
    // A closed tab that is opened again may bring what another user has left.
    return snapshot?.device === getDeviceId() ? snapshot : null;
  } catch {
    return null;
  }
}

/**
 * Renders the sidebar from the previous page's state while the server is asked, and saves it for the next page.
 * Saves nothing after a logout.
 */
export function persistShell(): void {
  const snapshot = readSnapshot();
  const list = queryPart('sidebar-middle');
  // Reading the scroll position forces layout, so track it instead of reading it at page start and end.
  let scroll = 0;
  list.addEventListener('scroll', () => (scroll = list.scrollTop), { passive: true });
  if (snapshot && $session.get().status === 'loading') {
    $conversationList.set({ status: 'idle', chats: snapshot.chats });
    $session.set({ status: 'loading', auth: snapshot.auth });
  }
  scroll = snapshot?.scroll ?? 0;
  if (scroll > 0) list.scrollTop = scroll;
  const saveSnapshot = () => {
    const { status, auth, isUnreachable } = $session.get();
    if (isUnreachable) return;
    try {
      if (status === 'known' && auth?.user) {
        const { chats } = $conversationList.get();
        const nextSnapshot: ShellSnapshot = { device: getDeviceId(), auth, chats, scroll };
        sessionStorage.setItem(SHELL_KEY, JSON.stringify(nextSnapshot));
      } else if (status === 'known') {
        sessionStorage.removeItem(SHELL_KEY);
      }
    } catch {
      // Storage is blocked: every page starts without saved state.
    }
  };
  window.addEventListener('pagehide', saveSnapshot);
  $session.subscribe(({ status, auth }) => {
    if (status === 'known' && auth?.user == null) saveSnapshot();
  });
}
