import { api } from '../api.ts';
import { refreshSession } from '../session-state.ts';
import { readDeviceSession } from './device-session.ts';
import { clearDevice, leavePage } from './end-session.ts';
import { getLocks, LOCK_NAME } from './login-lock.ts';

/** How long others wait for a login, in ms. */
const MAX_LOGIN_MS = 10_000;
/** How long a login's cookie may take without a lock, in ms: Google's page logs in by a navigation. */
const COOKIE_MS = 1000;

/** Resolves when this browser has the cookie of a login that has ended its session, if there was one. */
export async function waitForLogins(): Promise<void> {
  const options = { mode: 'shared', signal: AbortSignal.timeout(MAX_LOGIN_MS) } as const;
  await getLocks()
    ?.request(LOCK_NAME, options, () => {})
    .catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, COOKIE_MS));
}

/**
 * Removes what the user before has left, on a page that was opened without a session. It asks the server once more: a login
 * in another tab may have taken the session at this moment.
 * @param isPrivate whether the page's HTML contains a user's messages; it is then left
 */
export async function removeLeftData(isPrivate: boolean): Promise<void> {
  const stored = readDeviceSession();
  await waitForLogins();
  const answer = await api.authStatus();
  if (!answer.ok) return;
  if (answer.data.user) return void refreshSession();
  const cleared = readDeviceSession()?.id === stored?.id ? clearDevice() : undefined;
  if (isPrivate) void leavePage(cleared);
}
