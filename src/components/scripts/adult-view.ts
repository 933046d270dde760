import { ADULT_VIEW, OWN_VIEW } from '../data/view-params.ts';

const PART = '[data-adult-view], [data-maker]';

/** Draws the part of a public page that holds characters once more, with those for adults. */
export const drawForAdults = (): Promise<void> => drawAs(ADULT_VIEW);

/** Draws a character's page once more, as its maker has it. */
export const drawForMaker = (): Promise<void> => drawAs(OWN_VIEW);

/** Draws the part as the server draws it for this session. What stands there stays where that does not come. */
async function drawAs(view: typeof ADULT_VIEW | typeof OWN_VIEW): Promise<void> {
  const part = document.querySelector(PART);
  if (part === null) return;
  const address = new URL(location.href);
  address.searchParams.set(view, '1');
  const answer = await fetch(address, { credentials: 'same-origin' }).catch(() => null);
  if (answer === null || !answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const drawn = page.querySelector(PART);
  if (drawn === null) return;
  const focused = part.contains(document.activeElement) ? document.activeElement : null;
  const href = focused?.getAttribute('href');
  part.replaceWith(document.adoptNode(drawn));
  document.title = page.title;
  document.dispatchEvent(new Event('loreloom:drawn'));
  // Whoever was at a link already is at the same one still.
  if (href) drawn.querySelector<HTMLElement>(`a[href="${CSS.escape(href)}"]`)?.focus();
}
