/** Session storage key, read by the next page in the tab. */
const STORAGE_KEY = 'toast';

/** Makes the next page of this tab show a toast, for actions that end with a navigation. */
export function queueFlashToast(text: string): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, text);
  } catch {
    // Without storage there is no toast; the next page itself shows the result.
  }
}

/** Returns the toast that the last page left and removes it; null for none. */
export function dequeueFlashToast(): string | null {
  try {
    const text = sessionStorage.getItem(STORAGE_KEY);
    sessionStorage.removeItem(STORAGE_KEY);
    return text;
  } catch {
    return null;
  }
}
