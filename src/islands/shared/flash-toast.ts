/** In the tab's own storage, for the page that comes next in it. */
const KEY = 'toast';

/** Has the next page of this tab show a toast: what was done here is told where it led to. */
export function showToastNext(text: string): void {
  try {
    sessionStorage.setItem(KEY, text);
  } catch {
    // Without storage the next page shows by itself what was done.
  }
}

/** What the last page left to be told here; null when it left nothing. It is given once. */
export function toldByLastPage(): string | null {
  try {
    const text = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return text;
  } catch {
    return null;
  }
}
