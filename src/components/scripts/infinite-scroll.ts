import { NSFW_VIEW } from '../data/view-params.ts';

/*
 * The catalogue goes on by itself when its end comes near: the next page's cards are taken from the address that «Show
 * more» leads to. After a few pages that link is a button, so that the foot of the page can be reached. Back and
 * forward lead to the same place in the same list. Without this script the link is a link.
 */

/** Pages that come by themselves. */
const MAX_AUTOMATIC_PAGES = 3;
/** Pages of which their reader hides every card, and which are no pages to them; so many are passed over by themselves. */
const MAX_SKIPPED_PAGES = 10;
/** The end is near when it is so far below the screen. */
const LOAD_MARGIN = '800px 0px';
/** The place is kept when a reader rests: browsers bound how often it may be. */
const SAVE_DELAY_MS = 300;
/** Of one list: who reads on for so long does not find the way back by scrolling. */
const MAX_RESTORED_PAGES = 20;

interface SavedPosition {
  /** Pages that were added to the first. */
  pages: number;
  top: number;
}

/** A page that was added, with the first card of it that is to be seen; null for none at all. */
type AddedPage = { first: HTMLElement | null } | null;

const catalogue = document.querySelector<HTMLElement>('.catalogue');
const liveRegion = document.querySelector<HTMLElement>('[data-list-told]');
if (catalogue !== null && liveRegion !== null) startInfiniteScroll(catalogue, liveRegion);

function startInfiniteScroll(container: HTMLElement, statusElement: HTMLElement): void {
  const findResults = (page: Document | HTMLElement) => page.querySelector<HTMLElement>('.found');
  const findGrid = (found: HTMLElement | null) => found?.querySelector<HTMLElement>('.card-grid') ?? null;
  const findNextLink = (found: HTMLElement | null) =>
    found?.querySelector<HTMLAnchorElement>('.pager a[rel="next"]') ?? null;

  let found = findResults(container);
  let pages = 0;
  /** Those among them of which everything is hidden. */
  let hiddenPages = 0;
  let isAutomatic = true;
  /** What is being fetched; null while nothing is. */
  let pendingPage: Promise<AddedPage> | null = null;
  const canLoadAutomatically = () =>
    isAutomatic && pages - Math.min(hiddenPages, MAX_SKIPPED_PAGES) < MAX_AUTOMATIC_PAGES;

  /** Adds the next page's cards. @returns null when there was none to be had */
  async function loadNextPage(): Promise<AddedPage> {
    const [here, link] = [found, findNextLink(found)];
    if (here === null || link === null) return null;
    const address = new URL(link.href);
    // The part of the page that holds what is for adults goes on with more of it.
    if (here.dataset['view'] === NSFW_VIEW) address.searchParams.set(NSFW_VIEW, '1');
    link.setAttribute('aria-busy', 'true');
    const answer = await fetch(address, { credentials: 'same-origin' }).catch(() => null);
    const html = answer?.ok ? await answer.text().catch(() => null) : null;
    link.removeAttribute('aria-busy');
    // Another list stands there now.
    if (here !== found) return null;
    const part = html === null ? null : findResults(new DOMParser().parseFromString(html, 'text/html'));
    const [grid, cards] = [findGrid(here), findGrid(part)];
    if (part === null || grid === null) {
      isAutomatic = false;
      return null;
    }
    const knownHrefs = new Set(Array.from(grid.querySelectorAll('a'), (card) => card.href));
    const newCards = Array.from(cards?.children ?? []).filter(
      (item) => !knownHrefs.has(item.querySelector('a')?.href ?? ''),
    );
    for (const item of newCards) grid.appendChild(document.adoptNode(item));
    window.hideCards?.mark();
    const visibleCards = grid.matches('[data-shown]')
      ? newCards
      : newCards.filter((item) => !item.matches('[data-away]'));
    const next = findNextLink(part);
    if (next === null) link.remove();
    else link.href = next.getAttribute('href') ?? '';
    pages += 1;
    if (visibleCards.length === 0) hiddenPages += 1;
    else statusElement.textContent = part.dataset['told'] ?? '';
    savePosition();
    return { first: (visibleCards[0] as HTMLElement | undefined) ?? null };
  }

  /** One at a time; who comes while one is fetched waits for that. */
  function loadPageOnce(): Promise<AddedPage> {
    pendingPage ??= loadNextPage().finally(() => {
      pendingPage = null;
      observeEnd();
    });
    return pendingPage;
  }

  const endObserver = new IntersectionObserver(
    (entries) => {
      if (canLoadAutomatically() && entries.some(({ isIntersecting }) => isIntersecting)) void loadPageOnce();
    },
    { rootMargin: LOAD_MARGIN },
  );
  /** Looks anew: an end that stays in sight is told of only once. */
  function observeEnd(): void {
    endObserver.disconnect();
    const link = findNextLink(found);
    if (link !== null) endObserver.observe(link);
  }

  function savePosition(): void {
    const savedPosition: SavedPosition = {
      pages: Math.min(pages, MAX_RESTORED_PAGES),
      top: Math.round(scrollY),
    };
    history.replaceState({ ...(history.state as object | null), list: savedPosition }, '');
  }
  let saveTimer: ReturnType<typeof setTimeout> | undefined;
  addEventListener(
    'scroll',
    () => {
      clearTimeout(saveTimer);
      if (pages > 0) saveTimer = setTimeout(savePosition, SAVE_DELAY_MS);
    },
    { passive: true },
  );

  /** Adds as many pages as there were, and goes where the reader was. */
  async function restorePosition({ pages: wanted, top }: SavedPosition): Promise<void> {
    while (pages < wanted && (await loadPageOnce()) !== null) statusElement.textContent = '';
    statusElement.textContent = '';
    scrollTo({ top, behavior: 'instant' });
  }

  /** Adds pages until there is something to see, and goes to it. */
  async function loadOnClick(): Promise<void> {
    for (let attempts = 0; attempts < MAX_SKIPPED_PAGES; attempts += 1) {
      const added = await loadPageOnce();
      if (added === null && !navigator.onLine) dispatchEvent(new Event('loreloom:network-trouble'));
      added?.first?.querySelector('a')?.focus({ preventScroll: true });
      if (added === null || added.first !== null) return;
    }
  }

  container.addEventListener('click', (event) => {
    const link = (event.target as Element).closest('a');
    // Whoever leaves by a card comes back to it.
    if (pages > 0 && link?.closest('.card-grid')) savePosition();
    if (link === null || link !== findNextLink(found)) return;
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void loadOnClick();
  });

  // For those who see what is for adults the whole list is drawn once more: it has the same way on.
  new MutationObserver(() => {
    const now = findResults(container);
    if (now === found) return;
    found = now;
    const before = pages;
    [pages, hiddenPages] = [0, 0];
    observeEnd();
    if (before > 0) void restorePosition({ pages: before, top: scrollY });
  }).observe(container, { childList: true });

  const savedPosition = (history.state as { list?: SavedPosition } | null)?.list;
  if (savedPosition !== undefined && savedPosition.pages > 0) void restorePosition(savedPosition);
  else observeEnd();
}
