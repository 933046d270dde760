/** In the tab's own storage, for the page that comes next in it. */
const STORAGE_KEY = 'toast';

/** Has the next page of this tab show a toast: what was done here is told where it led to. */
export function queueFlashToast(text: string): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, text);
  } catch {
    // Without storage the next page shows by itself what was done.
  }
}

/** What the last page left to be told here; null when it left nothing. It is given once. */
export function dequeueFlashToast(): string | null {
  try {
    const text = sessionStorage.getItem(STORAGE_KEY);
    sessionStorage.removeItem(STORAGE_KEY);
    return text;
  } catch {
    return null;
  }
}
