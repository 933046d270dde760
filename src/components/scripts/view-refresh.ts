import { NSFW_VIEW, OWNER_VIEW } from '../data/view-params.ts';

const VIEW_SELECTOR = '[data-adult-view], [data-maker]';

/** Replaces a public page's characters with the adult view. */
export const renderNsfwView = (): Promise<void> => renderView(NSFW_VIEW);

/** Replaces a character page with its creator's view. */
export const renderOwnerView = (): Promise<void> => renderView(OWNER_VIEW);

/** Fetches the view for the current session and replaces the content; keeps the current content on failure. */
async function renderView(view: typeof NSFW_VIEW | typeof OWNER_VIEW): Promise<void> {
  const currentView = document.querySelector(VIEW_SELECTOR);
  if (currentView === null) return;
  const address = new URL(location.href);
  address.searchParams.set(view, '1');
  const answer = await fetch(address, { credentials: 'same-origin' }).catch(() => null);
  if (answer === null || !answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const freshView = page.querySelector(VIEW_SELECTOR);
  if (freshView === null) return;
  const focused = currentView.contains(document.activeElement) ? document.activeElement : null;
  const href = focused?.getAttribute('href');
  currentView.replaceWith(document.adoptNode(freshView));
  document.title = page.title;
  document.dispatchEvent(new Event('loreloom:drawn'));
  // Keep the focus on the same link.
  if (href) freshView.querySelector<HTMLElement>(`a[href="${CSS.escape(href)}"]`)?.focus();
}
