import type { SessionUser } from '../../../features/account/contract.ts';
import { getDeviceStorage } from '../../../islands/shared/device-storage.ts';
import { logout } from '../../../islands/shared/device-session/end-session.ts';
import { $session } from '../../../islands/shared/session-state.ts';
import { CHARACTER_DRAFT_PREFIX, listUserStorageKeys } from '../../../islands/shared/user-storage.ts';
import { queryPart, getLabel } from '../dom.ts';

/** Shows the picture, or the first letter of the name. */
function renderAvatar(user: SessionUser, name: string): void {
  const avatarElement = queryPart('profile-avatar');
  if (user.avatar_url) {
    // The same picture would flicker (sidebar-boot.js).
    if (avatarElement.querySelector('img')?.getAttribute('src') === user.avatar_url) return;
    const picture = new Image(36, 36);
    picture.alt = '';
    picture.src = user.avatar_url;
    avatarElement.replaceChildren(picture);
  } else {
    avatarElement.textContent = [...name][0]?.toUpperCase() ?? '';
  }
}

/** Adds the link to the admin pages above an administrator's profile. No page contains it for anyone. */
function renderAdminLink(isAdmin: boolean): void {
  const link = document.querySelector<HTMLElement>('.admin-link');
  if (isAdmin === (link !== null)) return;
  link?.remove();
  if (!isAdmin) return;
  const created = document.createElement('a');
  created.className = 'admin-link';
  created.href = '/admin-reports';
  created.textContent = getLabel('admin');
  queryPart('profile').insertAdjacentElement('beforebegin', created);
}

function renderProfile(user: SessionUser): void {
  const name = user.is_anonymous ? getLabel('guest') : user.username;
  renderAvatar(user, name);
  queryPart('profile-name').textContent = name;
  queryPart('profile-line').textContent = user.email ?? getLabel(`plan-${user.plan}`);
}

/**
 * Data that a logout would destroy, to warn about before: a guest's chats end with the session, and a character draft
 * is removed from the device.
 */
export function getLogoutLoss(
  user: Pick<SessionUser, 'is_anonymous'> | null | undefined,
  storage: Pick<Storage, 'key' | 'length'> | null,
): 'chats' | 'draft' | null {
  if (user?.is_anonymous) return 'chats';
  return listUserStorageKeys(storage, [CHARACTER_DRAFT_PREFIX]).length > 0 ? 'draft' : null;
}

/** Sets up the profile card and logging out. */
export function setUpProfile(): void {
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
    // The dialog's default text is about a guest's chats. It need not be restored, since logging out leaves the page.
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

  $session.subscribe(({ auth }) => {
    const user = auth?.is_authenticated ? auth.user : null;
    if (user) renderProfile(user);
    renderAdminLink(user?.role === 'admin');
  });
}
