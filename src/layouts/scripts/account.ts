import { deviceStorage } from '../../islands/shared/device-storage.ts';
import { CHARACTER_DRAFTS, writings } from '../../islands/shared/user-storage.ts';
import { $session, logout, refreshSession } from '../../islands/shared/session-state.ts';
import type { SessionUser } from '../../features/account/contract.ts';
import { part, word } from './dom.ts';

/**
 * What is shown to whom is the stylesheet's, by the root element's `data-who`: `data-when="here"` for whoever has a
 * session, `signed-in` for accounts, `not-signed-in` for all others. The next page knows it before it is drawn
 * (theme-boot.js).
 */
function showFor(user: SessionUser | null): void {
  const who = user === null ? 'visitor' : user.is_anonymous ? 'guest' : 'account';
  document.documentElement.dataset['who'] = who;
  try {
    deviceStorage()?.setItem('who', who);
  } catch {
    // Storage is full or closed: the next page finds out by itself.
  }
}

/** A picture, or the first letter of the name where there is none. */
function drawAvatar(user: SessionUser, name: string): void {
  const place = part('profile-avatar');
  if (user.avatar_url) {
    const picture = new Image(36, 36);
    picture.alt = '';
    picture.src = user.avatar_url;
    place.replaceChildren(picture);
  } else {
    place.textContent = [...name][0]?.toUpperCase() ?? '';
  }
}

function drawProfile(user: SessionUser): void {
  const name = user.is_anonymous ? word('guest') : user.username;
  drawAvatar(user, name);
  part('profile-name').textContent = name;
  part('profile-line').textContent = user.email ?? word(`plan-${user.plan}`);
}

/**
 * What would be lost by logging out, which is said before, not after: a guest's chats end with the session, and a
 * character that is being written goes from the device.
 */
export function lostByLeaving(
  user: Pick<SessionUser, 'is_anonymous'> | null | undefined,
  storage: Pick<Storage, 'key' | 'length'> | null,
): 'chats' | 'draft' | null {
  if (user?.is_anonymous) return 'chats';
  return writings(storage, [CHARACTER_DRAFTS]).length > 0 ? 'draft' : null;
}

/** The profile card, logging out, and everything that depends on whether someone is here. */
export function wireAccount(): void {
  const leaveDialog = part<HTMLDialogElement>('leave');
  const failed = part('logout-failed');
  const button = part<HTMLButtonElement>('logout');

  const leave = async () => {
    failed.hidden = true;
    button.disabled = true;
    const left = await logout();
    button.disabled = false;
    failed.hidden = left;
  };

  button.addEventListener('click', () => {
    const lost = lostByLeaving($session.get().auth?.user, deviceStorage());
    if (lost === null) return void leave();
    // The dialog speaks of a guest's chats by itself. Whoever logs out is led to another page: it need not again.
    if (lost === 'draft')
      for (const name of ['title', 'text', 'go']) part(`leave-${name}`).textContent = word(`draft-${name}`);
    leaveDialog.showModal();
  });
  part('leave-stay').addEventListener('click', () => leaveDialog.close());
  part('leave-go').addEventListener('click', () => {
    leaveDialog.close();
    void leave();
  });

  $session.subscribe(({ status, auth }) => {
    // What the last page knew is drawn at once; the server's answer corrects it.
    if (status === 'loading' && auth === null) return;
    const user = auth?.is_authenticated ? auth.user : null;
    if (user) drawProfile(user);
    showFor(user);
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
