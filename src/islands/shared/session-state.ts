import { atom } from 'nanostores';
import type { AuthStatus } from '../../features/account/contract.ts';
import { api, type Result } from './api.ts';

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

export const SIGNED_OUT: AuthStatus = { is_authenticated: false, isAuthenticated: false, user: null };

let lastRequest = 0;
let pending: Promise<AuthStatus> | null = null;

let waitBeforeEnd: (() => Promise<void>) | null = null;

/**
 * Lets pages with a user believe the end of their session the second time: a login in another tab ends the session of the
 * whole browser, and its cookie may still be on its way.
 * @param wait waits between the two answers
 */
export function confirmEndAfter(wait: () => Promise<void>): void {
  waitBeforeEnd = wait;
}

async function askServer(isLatest: () => boolean): Promise<Result<AuthStatus>> {
  const answer = await api.authStatus();
  const { status, auth } = $session.get();
  const ends = status === 'known' && auth?.user && answer.ok && !answer.data.user && isLatest();
  if (!ends || waitBeforeEnd === null) return answer;
  await waitBeforeEnd();
  return api.authStatus();
}

/**
 * Loads the session into `$session`. A failure counts as signed out on a page that knows of no user yet; otherwise it changes
 * nothing. Of concurrent calls only the latest counts: an answer requested before a sign-in does not know of it.
 */
export function refreshSession(): Promise<AuthStatus> {
  const request = (lastRequest += 1);
  const call = askServer(() => request === lastRequest).then((answer) => {
    const auth = answer.ok ? answer.data : SIGNED_OUT;
    if (request !== lastRequest) return pending ?? $session.get().auth ?? auth;
    pending = null;
    const before = $session.get();
    if (!answer.ok && before.status === 'known' && before.auth?.user) return before.auth;
    const isUnreachable = !answer.ok;
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
