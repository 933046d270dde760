/** Name of the lock that a tab holds while it logs in. */
export const LOCK_NAME = 'login';
export const getLocks = () => globalThis.navigator?.locks as LockManager | undefined;

/** Runs a login. It may end a session whose successor's cookie this browser gets a moment later. */
export function acquireLoginLock<T>(login: () => Promise<T>): Promise<T> {
  return (getLocks()?.request(LOCK_NAME, login) as Promise<T> | undefined) ?? login();
}
