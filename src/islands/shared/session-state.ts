import { atom } from 'nanostores';
import type { AuthStatus } from '../../features/account/contract.ts';
import { api } from './api.ts';
import { deviceStorage } from './device-storage.ts';
import { forgetWritings } from './private-storage.ts';

/** Who is here. `loading` until the server was asked once. */
export const $session = atom<{ status: 'loading' | 'known'; auth: AuthStatus | null }>({
  status: 'loading',
  auth: null,
});

const NOBODY: AuthStatus = { is_authenticated: false, isAuthenticated: false, user: null };

let underWay: Promise<AuthStatus> | null = null;

/**
 * Asks the server who is here and remembers the answer in `$session`. Any failure counts as nobody; calls made while
 * one is under way share its answer.
 */
export function refreshSession(): Promise<AuthStatus> {
  underWay ??= api.authStatus().then((answer) => {
    const auth = answer.ok ? answer.data : NOBODY;
    underWay = null;
    $session.set({ status: 'known', auth });
    return auth;
  });
  return underWay;
}

/** Who is here, asking the server only when nobody has yet. */
export function knownSession(): Promise<AuthStatus> {
  const { status, auth } = $session.get();
  return status === 'known' && auth ? Promise.resolve(auth) : refreshSession();
}

/**
 * Ends the session, takes what was written off this device, and goes home.
 * @returns false when the server could not be told: the session then still stands, and the page stays
 */
export async function logout(): Promise<boolean> {
  const answer = await api.logout();
  if (!answer.ok && answer.status !== 401) return false;
  forgetWritings(deviceStorage());
  $session.set({ status: 'known', auth: NOBODY });
  location.assign('/');
  return true;
}
