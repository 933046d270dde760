import { TAB } from '../../shared/api.ts';

/** Where a page that goes leaves the name of its tab for the page that comes in its place. */
const LEFT_NAME = 'tab-name';

let name: string | null = null;

/**
 * The name of this tab, the same after a reload; null where the browser keeps nothing for a tab. Whoever copies a tab
 * copies what is kept for it: so the name is kept only from one page to the next, and the copy gets its own.
 */
export function tabName(): string | null {
  if (name !== null) return name;
  try {
    name = sessionStorage.getItem(LEFT_NAME) ?? TAB;
    sessionStorage.removeItem(LEFT_NAME);
  } catch {
    return null;
  }
  window.addEventListener('pagehide', () => keep(name));
  window.addEventListener('pageshow', () => keep(null));
  return name;
}

function keep(left: string | null): void {
  try {
    if (left === null) sessionStorage.removeItem(LEFT_NAME);
    else sessionStorage.setItem(LEFT_NAME, left);
  } catch {
    // The next page of this tab has a new name, and takes up what was written under this one.
  }
}
