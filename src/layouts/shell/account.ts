import { $session, logout } from '../../islands/shared/session-state.ts';
import type { SessionUser } from '../../features/account/contract.ts';
import { part, word } from './parts.ts';

/** What is shown to whom: `here` has a session, also a guest's; `not-signed-in` has none, or a guest's. */
function showFor(user: SessionUser | null): void {
  const shown = { here: user !== null, 'not-signed-in': user === null || user.is_anonymous };
  for (const element of document.querySelectorAll<HTMLElement>('[data-when]')) {
    element.hidden = !shown[element.dataset['when'] as keyof typeof shown];
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
    // A guest's chats end with the session: that is said before, not after.
    if ($session.get().auth?.user?.is_anonymous) leaveDialog.showModal();
    else void leave();
  });
  part('leave-stay').addEventListener('click', () => leaveDialog.close());
  part('leave-go').addEventListener('click', () => {
    leaveDialog.close();
    void leave();
  });

  $session.subscribe(({ status, auth }) => {
    if (status === 'loading') return;
    const user = auth?.is_authenticated ? auth.user : null;
    if (user) drawProfile(user);
    showFor(user);
  });
}
