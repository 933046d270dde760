import { api } from '../../islands/shared/api.ts';
import { $session } from '../../islands/shared/session-state.ts';
import { knownLanguage } from '../../locales/detect.ts';
import { keepLanguage } from './language.ts';

/** In the tab's storage: a choice that the account has not been told yet. */
const CHOSEN_AS = 'language_chosen';

function takeChosen(): string | null {
  try {
    const chosen = sessionStorage.getItem(CHOSEN_AS);
    sessionStorage.removeItem(CHOSEN_AS);
    return chosen;
  } catch {
    return null;
  }
}

/**
 * The account's language stands in for a choice that this device does not have, and a choice made in the switcher
 * becomes the account's. A page that was opened before someone signed in is left as it is; the next one follows.
 */
export function followAccountLanguage(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.languages a[hreflang]')) {
    link.addEventListener('click', () => {
      try {
        sessionStorage.setItem(CHOSEN_AS, link.hreflang);
      } catch {
        // The choice then holds for this device alone.
      }
    });
  }
  let justOpened = true;
  $session.subscribe(({ status, auth }) => {
    if (status === 'loading') return;
    const user = auth?.user ?? null;
    const chosen = user === null ? null : knownLanguage(takeChosen());
    if (chosen !== null && chosen !== user?.language) void api.changeAccount({ language: chosen });
    else if (user?.language) keepLanguage(user.language, justOpened);
    justOpened = false;
  });
}
