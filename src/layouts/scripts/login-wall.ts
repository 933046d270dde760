import { getSession } from '../../islands/shared/session-state.ts';
import { openSignIn } from '../../islands/sign-in/sign-in-state.ts';

/**
 * Opens the sign-in modal on pages that require a login: refusing leads home, logging in returns here
 * (docs/product.md). For `account`, a guest's session is not enough.
 */
export async function setUpLoginWall(): Promise<void> {
  const wall = document.querySelector<HTMLElement>('[data-needs-login]');
  if (wall === null) return;
  const { user } = await getSession();
  if (user !== null && (!user.is_anonymous || wall.dataset['needsLogin'] === 'session')) return;
  const next = location.pathname + location.search + location.hash;
  openSignIn({ next, onCancel: 'home', reason: 'required' });
}
