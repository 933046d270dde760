import { api } from '../../../islands/shared/api.ts';
import { $session } from '../../../islands/shared/session-state.ts';
import { parseLanguage } from '../../../locales/detect.ts';
import { syncLanguage } from '../language.ts';

/** Session storage key of a language choice that is not saved to the account yet. */
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
 * Uses the account's language if this device has no choice of its own, and saves a choice made in the switcher to the
 * account. A page that was open before the login stays unchanged; the next one follows.
 * @param isFirstUpdate whether this page has had no known session yet
 */
export function syncAccountLanguage(isFirstUpdate: boolean): void {
  // One listener for all links, because an island may render some later.
  document.addEventListener('click', ({ target }) => {
    const link =
      target instanceof Element ? target.closest<HTMLAnchorElement>('.languages a[hreflang]') : null;
    if (link === null) return;
    try {
      sessionStorage.setItem(CHOSEN_LANGUAGE_KEY, link.hreflang);
    } catch {
      // Storage is blocked: the choice applies to this device only.
    }
  });
  let isFirst = isFirstUpdate;
  $session.subscribe(({ status, auth }) => {
    if (status === 'loading') return;
    const user = auth?.user ?? null;
    const chosen = user === null ? null : parseLanguage(takeChosenLanguage());
    if (chosen !== null && chosen !== user?.language) void api.changeAccount({ language: chosen });
    else if (user?.language) syncLanguage(user.language, isFirst);
    isFirst = false;
  });
}
