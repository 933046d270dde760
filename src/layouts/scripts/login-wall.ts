import { getSession } from '../../islands/shared/session-state.ts';
import { openSignIn } from '../../islands/sign-in/sign-in-state.ts';

/**
 * Pages that need somebody ask for them: refusing leads home, logging in leads back here (SPEC section 2). Where it
 * says `account`, coming in as a guest is not enough.
 */
export async function setUpLoginWall(): Promise<void> {
  const wall = document.querySelector<HTMLElement>('[data-needs-login]');
  if (wall === null) return;
  const { user } = await getSession();
  if (user !== null && (!user.is_anonymous || wall.dataset['needsLogin'] === 'session')) return;
  const next = location.pathname + location.search + location.hash;
  openSignIn({ next, onCancel: 'home', reason: 'required' });
}
