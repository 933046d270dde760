/** Local storage key of the record of whose data this device holds (device-session.ts). Its removal notifies other tabs of a logout. */
export const DEVICE_SESSION_KEY = 'device-session';

/** The browser's local storage; null when it is blocked or there is no browser. */
export function getDeviceStorage(): Storage | null {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}
