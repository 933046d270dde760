import { getDeviceStorage } from '../../islands/shared/device-storage.ts';
import { CHARACTER_DRAFT_PREFIX, listUserStorageKeys } from '../../islands/shared/user-storage.ts';
import { $session, logout, refreshSession } from '../../islands/shared/session-state.ts';
import type { SessionUser } from '../../features/account/contract.ts';
import { queryPart, getLabel } from './dom.ts';

/**
 * What is shown to whom is the stylesheet's, by the root element's `data-who`: `data-when="here"` for whoever has a
 * session, `signed-in` for accounts, `not-signed-in` for all others. The next page knows it before it is drawn
 * (theme-boot.js).
 */
function setAudience(user: SessionUser | null): void {
  const audience = user === null ? 'visitor' : user.is_anonymous ? 'guest' : 'account';
  document.documentElement.dataset['who'] = audience;
  try {
    getDeviceStorage()?.setItem('who', audience);
  } catch {
    // Storage is full or closed: the next page finds out by itself.
  }
}

/** A picture, or the first letter of the name where there is none. */
function renderAvatar(user: SessionUser, name: string): void {
  const avatarElement = queryPart('profile-avatar');
  if (user.avatar_url) {
    const picture = new Image(36, 36);
    picture.alt = '';
    picture.src = user.avatar_url;
    avatarElement.replaceChildren(picture);
  } else {
    avatarElement.textContent = [...name][0]?.toUpperCase() ?? '';
  }
}

function renderProfile(user: SessionUser): void {
  const name = user.is_anonymous ? getLabel('guest') : user.username;
  renderAvatar(user, name);
  queryPart('profile-name').textContent = name;
  queryPart('profile-line').textContent = user.email ?? getLabel(`plan-${user.plan}`);
}

/**
 * What would be lost by logging out, which is said before, not after: a guest's chats end with the session, and a
 * character that is being written goes from the device.
 */
export function getLogoutLoss(
  user: Pick<SessionUser, 'is_anonymous'> | null | undefined,
  storage: Pick<Storage, 'key' | 'length'> | null,
): 'chats' | 'draft' | null {
  if (user?.is_anonymous) return 'chats';
  return listUserStorageKeys(storage, [CHARACTER_DRAFT_PREFIX]).length > 0 ? 'draft' : null;
}

/** The profile card, logging out, and everything that depends on whether someone is here. */
export function setUpAccount(): void {
  const logoutDialog = queryPart<HTMLDialogElement>('leave');
  const failed = queryPart('logout-failed');
  const button = queryPart<HTMLButtonElement>('logout');

  const handleLogout = async () => {
    failed.hidden = true;
    button.disabled = true;
    const isLoggedOut = await logout();
    button.disabled = false;
    failed.hidden = isLoggedOut;
  };

  button.addEventListener('click', () => {
    const loss = getLogoutLoss($session.get().auth?.user, getDeviceStorage());
    if (loss === null) return void handleLogout();
    // The dialog speaks of a guest's chats by itself. Whoever logs out is led to another page: it need not again.
    if (loss === 'draft')
      for (const name of ['title', 'text', 'go'])
        queryPart(`leave-${name}`).textContent = getLabel(`draft-${name}`);
    logoutDialog.showModal();
  });
  queryPart('leave-stay').addEventListener('click', () => logoutDialog.close());
  queryPart('leave-go').addEventListener('click', () => {
    logoutDialog.close();
    void handleLogout();
  });

  $session.subscribe(({ status, auth }) => {
    // What the last page knew is drawn at once; the server's answer corrects it.
    if (status === 'loading' && auth === null) return;
    const user = auth?.is_authenticated ? auth.user : null;
    if (user) renderProfile(user);
    setAudience(user);
  });

  // Back on a page, a browser may show it as it was left.
  window.addEventListener('pageshow', ({ persisted }) => persisted && void refreshSession());
  // Somebody came in, in another tab: this one's cookie is theirs already.
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === 'who' && newValue === 'account' && document.documentElement.dataset['who'] !== newValue) {
      void refreshSession();
    }
  });
}
