import { part } from './parts.ts';

/** The key in the browser's storage; theme-boot.js reads it before the first paint. */
const THEME_KEY = 'theme';

/** The dark-mode switch: remembered in this browser, and followed by its other tabs. */
export function wireTheme(): void {
  const button = part<HTMLButtonElement>('theme-switch');
  const root = document.documentElement;

  const show = (dark: boolean) => {
    if (dark) delete root.dataset['theme'];
    else root.dataset['theme'] = 'light';
    button.setAttribute('aria-checked', String(dark));
  };

  button.addEventListener('click', () => {
    const dark = root.dataset['theme'] === 'light';
    show(dark);
    try {
      localStorage.setItem(THEME_KEY, dark ? 'dark' : 'light');
    } catch {
      // Storage is closed: the choice holds for this page.
    }
  });
  window.addEventListener('storage', (event) => {
    if (event.key === THEME_KEY) show(event.newValue !== 'light');
  });
  show(root.dataset['theme'] !== 'light');
}
