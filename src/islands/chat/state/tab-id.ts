import { TAB_ID } from '../../shared/api.ts';

/** Session storage key: a closing page passes the tab's id to the next page in the tab. */
const STORAGE_KEY = 'tab-name';

let tabId: string | null = null;

/**
 * This tab's id, the same after a reload; null without session storage. Duplicating a tab copies its session storage, so
 * the id is stored only between two pages, and the duplicate gets its own.
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
    // The tab's next page gets a new id and collects the drafts stored under this one.
  }
}
