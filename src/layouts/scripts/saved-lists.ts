import { WISH_KEY } from '../../islands/saved-lists/pending-action.ts';
import { deviceStorage } from '../../islands/shared/device-storage.ts';
import { hidesNothing } from '../../islands/saved-lists/cached-hidden.ts';
import { $session } from '../../islands/shared/session-state.ts';

/** Buttons that say what somebody chose. */
const BUTTONS = '[data-choice], [data-hide-choice] button';

/** What was pressed before logging in waits in the tab (choice-wish.ts). */
function isWaiting(): boolean {
  try {
    return sessionStorage.getItem(WISH_KEY) !== null;
  } catch {
    return false;
  }
}

/**
 * Fetches what somebody's choices need (choice-page.ts) when they have some or may have, press one, or pressed one before
 * they logged in: most readers of a public page never do. Only where a page has choices (components/SavedLists.astro).
 */
export function wireChoices(): void {
  if (document.querySelector('[data-choice-words]') === null) return;
  let page: Promise<(target: Element) => void> | null = null;
  const wake = () => {
    page ??= import('./saved-list-page.ts').then(({ followPage }) => followPage());
    // What did not come is fetched when it is asked for again.
    page.catch(() => (page = null));
    return page;
  };

  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element) || target.closest(`${BUTTONS}, [data-hidden-note] button`) === null)
      return;
    const { dataset } = document.documentElement;
    dataset['asking'] = '';
    wake()
      .then(
        (press) => press(target),
        () => dispatchEvent(new Event('loreloom:network-trouble')),
      )
      .finally(() => delete dataset['asking']);
  });
  $session.subscribe(({ status, auth }) => {
    if (status !== 'known') return;
    const user = auth?.user ?? null;
    const account = user !== null && !user.is_anonymous ? user : null;
    if (account === null) window.hideCards?.use(null);
    const isMarked = () =>
      account !== null &&
      (document.querySelector(BUTTONS) !== null || !hidesNothing(deviceStorage(), account.id, Date.now()));
    if (isMarked() || isWaiting()) wake().catch(() => undefined);
  });
}
