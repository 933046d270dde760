import { atom } from 'nanostores';

/** Storage key; theme-boot.js reads it before the first paint. */
const THEME_KEY = 'theme';

const $dark = atom(document.documentElement.dataset['theme'] !== 'light');

/** Applies the chosen theme, also after a change in another tab, including the browser's own colours. */
export function syncTheme(): void {
  const root = document.documentElement;
  window.addEventListener('storage', (event) => {
    if (event.key === THEME_KEY) $dark.set(event.newValue !== 'light');
  });
  $dark.subscribe((dark) => {
    if (dark) delete root.dataset['theme'];
    else root.dataset['theme'] = 'light';
    const background = getComputedStyle(root).getPropertyValue('--bg').trim();
    document.querySelector('meta[name="theme-color"]')?.setAttribute('content', background);
  });
}

/** Sets up the dark mode switches; the choice is stored in this browser. */
export function setUpThemeSwitches(): void {
  for (const button of document.querySelectorAll<HTMLElement>('[data-theme-switch]')) bindThemeSwitch(button);
}

function bindThemeSwitch(button: HTMLElement): void {
  $dark.subscribe((dark) => button.setAttribute('aria-checked', String(dark)));
  button.addEventListener('click', () => {
    const dark = !$dark.get();
    $dark.set(dark);
    try {
      localStorage.setItem(THEME_KEY, dark ? 'dark' : 'light');
    } catch {
      // Storage is blocked: the choice applies to this page only.
    }
  });
}
