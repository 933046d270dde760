/** The browser's local storage; null when it is blocked or there is no browser. */
export function getDeviceStorage(): Storage | null {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}
