/** The browser's storage, or null where it is forbidden or there is no browser. */
export function getDeviceStorage(): Storage | null {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}
