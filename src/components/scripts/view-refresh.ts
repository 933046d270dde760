import { NSFW_VIEW, OWNER_VIEW } from '../data/view-params.ts';

const VIEW_SELECTOR = '[data-adult-view], [data-maker]';

/** Draws the part of a public page that holds characters once more, with those for adults. */
export const renderNsfwView = (): Promise<void> => renderView(NSFW_VIEW);

/** Draws a character's page once more, as its maker has it. */
export const renderOwnerView = (): Promise<void> => renderView(OWNER_VIEW);

/** Draws the part as the server draws it for this session. What stands there stays where that does not come. */
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
  // Whoever was at a link already is at the same one still.
  if (href) freshView.querySelector<HTMLElement>(`a[href="${CSS.escape(href)}"]`)?.focus();
}
