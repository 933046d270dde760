import { atom } from 'nanostores';
import type { AuthStatus } from '../../features/account/contract.ts';
import { api } from './api.ts';
import { getDeviceStorage } from './device-storage.ts';
import { clearOfflineCopies } from './offline-copies.ts';
import { clearUserStorage } from './user-storage.ts';

/**
 * The session. `loading` until the server has answered once. `isUnreachable`: it did not answer, so nothing is known; pages
 * work as signed out, but keep what the device remembers.
 */
export const $session = atom<{
  status: 'loading' | 'known';
  auth: AuthStatus | null;
  isUnreachable?: boolean;
}>({
  status: 'loading',
  auth: null,
});

const SIGNED_OUT: AuthStatus = { is_authenticated: false, isAuthenticated: false, user: null };

let lastRequest = 0;
let pending: Promise<AuthStatus> | null = null;

/**
 * Loads the session into `$session`; a failure counts as signed out. Of concurrent calls only the latest counts: an
 * answer requested before a sign-in does not know of it.
 */
export function refreshSession(): Promise<AuthStatus> {
  const request = (lastRequest += 1);
  const call = api.authStatus().then((answer) => {
    const auth = answer.ok ? answer.data : SIGNED_OUT;
    if (request !== lastRequest) return pending ?? $session.get().auth ?? auth;
    pending = null;
    const isUnreachable = !answer.ok && (answer.status === 0 || answer.status >= 500);
    $session.set({ status: 'known', auth, ...(isUnreachable && { isUnreachable }) });
    return auth;
  });
  pending = call;
  return call;
}

/** Returns the session; asks the server only if that has not been done yet. */
export function getSession(): Promise<AuthStatus> {
  const { status, auth } = $session.get();
  return status === 'known' && auth ? Promise.resolve(auth) : (pending ?? refreshSession());
}

/**
 * Ends the session, removes the user's data from this device, and opens the home page.
 * @returns false when the server could not be reached: the session is still valid, and the page stays
 */
export async function logout(): Promise<boolean> {
  const answer = await api.logout();
  if (!answer.ok && answer.status !== 401) return false;
  await clearSession();
  location.assign('/');
  return true;
}

/** Removes the user's data from this device and marks the page as signed out. */
export async function clearSession(): Promise<void> {
  // First, so that other tabs see the reason when the drafts disappear.
  $session.set({ status: 'known', auth: SIGNED_OUT });
  clearUserStorage(getDeviceStorage());
  await clearOfflineCopies();
}
