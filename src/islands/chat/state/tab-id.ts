import { TAB_ID } from '../../shared/api.ts';

/** Where a page that goes leaves the name of its tab for the page that comes in its place. */
const STORAGE_KEY = 'tab-name';

let tabId: string | null = null;

/**
 * The name of this tab, the same after a reload; null where the browser keeps nothing for a tab. Whoever copies a tab
 * copies what is kept for it: so the name is kept only from one page to the next, and the copy gets its own.
 */
export function getTabId(): string | null {
  if (tabId !== null) return tabId;
  try {
    tabId = sessionStorage.getItem(STORAGE_KEY) ?? TAB_ID;
    sessionStorage.removeItem(STORAGE_KEY);
  } catch {
    return null;
  }
  window.addEventListener('pagehide', () => saveTabId(tabId));
  window.addEventListener('pageshow', () => saveTabId(null));
  return tabId;
}

function saveTabId(savedId: string | null): void {
  try {
    if (savedId === null) sessionStorage.removeItem(STORAGE_KEY);
    else sessionStorage.setItem(STORAGE_KEY, savedId);
  } catch {
    // The next page of this tab has a new name, and takes up what was written under this one.
  }
}
