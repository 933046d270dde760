import { atom } from 'nanostores';
import type { AuthStatus } from '../../features/account/contract.ts';
import { api } from './api.ts';
import { deviceStorage } from './device-storage.ts';
import { forgetOfflineCopies } from './offline-copies.ts';
import { forgetWritings } from './user-storage.ts';

/** Who is here. `loading` until the server was asked once. */
export const $session = atom<{ status: 'loading' | 'known'; auth: AuthStatus | null }>({
  status: 'loading',
  auth: null,
});

const NOBODY: AuthStatus = { is_authenticated: false, isAuthenticated: false, user: null };

let asked = 0;
let underWay: Promise<AuthStatus> | null = null;

/**
 * Asks the server who is here and remembers the answer in `$session`. Any failure counts as nobody. Of several calls the
 * last one counts: what was asked before somebody came in knows nothing of them, however late it is answered.
 */
export function refreshSession(): Promise<AuthStatus> {
  const own = (asked += 1);
  const asking = api.authStatus().then((answer) => {
    const auth = answer.ok ? answer.data : NOBODY;
    if (own !== asked) return underWay ?? $session.get().auth ?? auth;
    underWay = null;
    $session.set({ status: 'known', auth });
    return auth;
  });
  underWay = asking;
  return asking;
}

/** Who is here, asking the server only when nobody has yet. */
export function knownSession(): Promise<AuthStatus> {
  const { status, auth } = $session.get();
  return status === 'known' && auth ? Promise.resolve(auth) : (underWay ?? refreshSession());
}

/**
 * Ends the session, takes what was written off this device, and goes home.
 * @returns false when the server could not be told: the session then still stands, and the page stays
 */
export async function logout(): Promise<boolean> {
  const answer = await api.logout();
  if (!answer.ok && answer.status !== 401) return false;
  await forgetPerson();
  location.assign('/');
  return true;
}

/** Nobody is here any more: what this device keeps of the person goes, and the page knows. */
export async function forgetPerson(): Promise<void> {
  // First, so that other tabs know why what was written goes.
  $session.set({ status: 'known', auth: NOBODY });
  forgetWritings(deviceStorage());
  await forgetOfflineCopies();
}
