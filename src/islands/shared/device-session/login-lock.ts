/** Name of the lock that a tab holds while it logs in. */
const LOCK_NAME = 'login';
/** How long others wait for a login, in ms. */
const MAX_LOGIN_MS = 10_000;
/** How long a login's cookie may take without a lock, in ms: Google's page logs in by a navigation. */
const COOKIE_MS = 1000;

const getLocks = () => globalThis.navigator?.locks as LockManager | undefined;

/** Runs a login. It may end a session whose successor's cookie this browser gets a moment later. */
export function holdLoginLock<T>(login: () => Promise<T>): Promise<T> {
  return (getLocks()?.request(LOCK_NAME, login) as Promise<T> | undefined) ?? login();
}

/** Resolves when this browser has the cookie of a login that has ended its session, if there was one. */
export async function waitForLogins(): Promise<void> {
  const options = { mode: 'shared', signal: AbortSignal.timeout(MAX_LOGIN_MS) } as const;
  await getLocks()
    ?.request(LOCK_NAME, options, () => {})
    .catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, COOKIE_MS));
}
