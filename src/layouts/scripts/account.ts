import { getDeviceStorage } from '../../islands/shared/device-storage.ts';
import { CHARACTER_DRAFT_PREFIX, listUserStorageKeys } from '../../islands/shared/user-storage.ts';
import { $session, logout, refreshSession } from '../../islands/shared/session-state.ts';
import type { SessionUser } from '../../features/account/contract.ts';
import { api } from '../../islands/shared/api.ts';
import { START_REFUSAL_KEY } from '../../islands/sign-in/start-refusal.ts';
import { queryPart, getLabel } from './dom.ts';

type Audience = 'visitor' | 'guest' | 'account';

/**
 * Sets the root element's `data-who`, which selects the elements to show in CSS: `data-when="here"` for any session,
 * `signed-in` for accounts, `not-signed-in` for everyone else, `visitor` without a session. theme-boot.js restores it before
 * the next page renders.
 */
function setAudience(audience: Audience): void {
  document.documentElement.dataset['who'] = audience;
  store('who', audience);
}

function store(key: string, value: string): void {
  try {
    getDeviceStorage()?.setItem(key, value);
  } catch {
    // Storage is full or blocked: the next page waits for the session, and does not know of a refusal.
  }
}

const getAudience = (user: SessionUser | null): Audience =>
  user === null ? 'visitor' : user.is_anonymous ? 'guest' : 'account';

/** Shows the picture, or the first letter of the name. */
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

/** Sets up the profile card, logging out, and everything that depends on the session. */
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

  $session.subscribe(({ status, auth }) => {
    // Render the previous page's session at once; the server's response corrects it.
    if (status === 'loading' && auth === null) return;
    const user = auth?.is_authenticated ? auth.user : null;
    if (user) renderProfile(user);
    renderAdminLink(user?.role === 'admin');
    setAudience(getAudience(user));
  });

  // The back/forward cache may restore the page with an old session.
  window.addEventListener('pageshow', ({ persisted }) => persisted && void refreshSession());
  // The user logged in in another tab; the cookie is shared.
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === 'who' && newValue === 'account' && document.documentElement.dataset['who'] !== newValue) {
      void refreshSession();
    }
  });
}

/** Makes the visitor a guest, then follows the link. When that fails, the chat page asks to log in and says why. */
async function startAsGuest(link: HTMLAnchorElement): Promise<void> {
  link.ariaBusy = 'true';
  const answer = await api.enterAnonymously();
  if (answer.ok) setAudience('guest');
  else store(START_REFUSAL_KEY, answer.code);
  location.assign(link.href);
  // The back/forward cache restores the page as it was left.
  link.ariaBusy = null;
}

/**
 * Starts chats in one press: a link with `data-start-chat` makes a visitor a guest; the age sentence is under it. A link that
 * is pressed before this script runs, or opened in a new tab, leads to a page that asks to log in.
 */
export function setUpStartChat(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-start-chat]')) {
    link.addEventListener('click', (event) => {
      const opensElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
      if (opensElsewhere || document.documentElement.dataset['who'] !== 'visitor') return;
      event.preventDefault();
      if (link.ariaBusy !== 'true') void startAsGuest(link);
    });
  }
}
