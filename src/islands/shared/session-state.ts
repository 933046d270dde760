import { atom } from 'nanostores';
import type { AuthStatus } from '../../features/account/contract.ts';
import { api } from './api.ts';
import { getDeviceStorage } from './device-storage.ts';
import { clearOfflineCopies } from './offline-copies.ts';
import { clearUserStorage } from './user-storage.ts';

/** Who is here. `loading` until the server was asked once. */
export const $session = atom<{ status: 'loading' | 'known'; auth: AuthStatus | null }>({
  status: 'loading',
  auth: null,
});

const SIGNED_OUT: AuthStatus = { is_authenticated: false, isAuthenticated: false, user: null };

let lastRequest = 0;
let pending: Promise<AuthStatus> | null = null;

/**
 * Asks the server who is here and remembers the answer in `$session`. Any failure counts as nobody. Of several calls the
 * last one counts: what was asked before somebody came in knows nothing of them, however late it is answered.
 */
export function refreshSession(): Promise<AuthStatus> {
  const request = (lastRequest += 1);
  const call = api.authStatus().then((answer) => {
    const auth = answer.ok ? answer.data : SIGNED_OUT;
    if (request !== lastRequest) return pending ?? $session.get().auth ?? auth;
    pending = null;
    $session.set({ status: 'known', auth });
    return auth;
  });
  pending = call;
  return call;
}

/** Who is here, asking the server only when nobody has yet. */
export function getSession(): Promise<AuthStatus> {
  const { status, auth } = $session.get();
  return status === 'known' && auth ? Promise.resolve(auth) : (pending ?? refreshSession());
}

/**
 * Ends the session, takes what was written off this device, and goes home.
 * @returns false when the server could not be told: the session then still stands, and the page stays
 */
export async function logout(): Promise<boolean> {
  const answer = await api.logout();
  if (!answer.ok && answer.status !== 401) return false;
  await clearSession();
  location.assign('/');
  return true;
}

/** Nobody is here any more: what this device keeps of the person goes, and the page knows. */
export async function clearSession(): Promise<void> {
  // First, so that other tabs know why what was written goes.
  $session.set({ status: 'known', auth: SIGNED_OUT });
  clearUserStorage(getDeviceStorage());
  await clearOfflineCopies();
}
