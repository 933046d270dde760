import { PENDING_ACTION_KEY } from '../../islands/saved-lists/pending-action.ts';
import { getDeviceStorage } from '../../islands/shared/device-storage.ts';
import { isCachedHiddenEmpty } from '../../islands/saved-lists/cached-hidden.ts';
import { $session } from '../../islands/shared/session-state.ts';

/** Buttons of saved lists. */
const SAVED_LIST_BUTTONS = '[data-choice], [data-hide-choice] button';

/** Whether an action from before the login is stored in this tab (islands/saved-lists/pending-action.ts). */
function hasPendingAction(): boolean {
  try {
    return sessionStorage.getItem(PENDING_ACTION_KEY) !== null;
  } catch {
    return false;
  }
}

/**
 * Loads saved-list-page.ts when the user has saved items, may have some, presses a button, or pressed one before
 * logging in. Most readers of public pages never need it. Only on pages with components/SavedLists.astro.
 */
export function setUpSavedListButtons(): void {
  if (document.querySelector('[data-choice-words]') === null) return;
  let page: Promise<(target: Element) => void> | null = null;
  const loadPageScript = () => {
    page ??= import('./saved-list-page.ts').then(({ setUpSavedLists: followPage }) => followPage());
    // Retry a failed load on the next request.
    page.catch(() => (page = null));
    return page;
  };

  document.addEventListener('click', ({ target }) => {
    if (
      !(target instanceof Element) ||
      target.closest(`${SAVED_LIST_BUTTONS}, [data-hidden-note] button`) === null
    )
      return;
    const { dataset } = document.documentElement;
    dataset['asking'] = '';
    loadPageScript()
      .then(
        (handlePress) => handlePress(target),
        () => dispatchEvent(new Event('loreloom:network-trouble')),
      )
      .finally(() => delete dataset['asking']);
  });
  $session.subscribe(({ status, auth }) => {
    if (status !== 'known') return;
    const user = auth?.user ?? null;
    const account = user !== null && !user.is_anonymous ? user : null;
    if (account === null) window.hideCards?.use(null);
    const hasSavedItems = () =>
      account !== null &&
      (document.querySelector(SAVED_LIST_BUTTONS) !== null ||
        !isCachedHiddenEmpty(getDeviceStorage(), account.id, Date.now()));
    if (hasSavedItems() || hasPendingAction()) loadPageScript().catch(() => undefined);
  });
}
