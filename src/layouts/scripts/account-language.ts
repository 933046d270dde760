import { api } from '../../islands/shared/api.ts';
import { $session } from '../../islands/shared/session-state.ts';
import { parseLanguage } from '../../locales/detect.ts';
import { syncLanguage } from './language.ts';

/** In the tab's storage: a choice that the account has not been told yet. */
const CHOSEN_LANGUAGE_KEY = 'language_chosen';

function takeChosenLanguage(): string | null {
  try {
    const chosen = sessionStorage.getItem(CHOSEN_LANGUAGE_KEY);
    sessionStorage.removeItem(CHOSEN_LANGUAGE_KEY);
    return chosen;
  } catch {
    return null;
  }
}

/**
 * The account's language stands in for a choice that this device does not have, and a choice made in the switcher
 * becomes the account's. A page that was opened before someone signed in is left as it is; the next one follows.
 */
export function syncAccountLanguage(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.languages a[hreflang]')) {
    link.addEventListener('click', () => {
      try {
        sessionStorage.setItem(CHOSEN_LANGUAGE_KEY, link.hreflang);
      } catch {
        // The choice then holds for this device alone.
      }
    });
  }
  let isFirstUpdate = true;
  $session.subscribe(({ status, auth }) => {
    if (status === 'loading') return;
    const user = auth?.user ?? null;
    const chosen = user === null ? null : parseLanguage(takeChosenLanguage());
    if (chosen !== null && chosen !== user?.language) void api.changeAccount({ language: chosen });
    else if (user?.language) syncLanguage(user.language, isFirstUpdate);
    isFirstUpdate = false;
  });
}
