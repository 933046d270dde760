import { NSFW_VIEW } from '../data/view-params.ts';

/*
 * Infinite scrolling for the catalogue: loads the next page's cards from the address of the «Show more» link when the
 * end comes near. After a few pages the link becomes a button, so that the footer can be reached. Back and forward
 * return to the same position. Without this script, the link works as a link.
 */

/** Pages loaded automatically. */
const MAX_AUTOMATIC_PAGES = 3;
/** Pages with only hidden cards that are skipped automatically. */
const MAX_SKIPPED_PAGES = 10;
/** Distance below the viewport at which the next page loads. */
const LOAD_MARGIN = '800px 0px';
/** Delay before the position is saved, in milliseconds; browsers limit the rate of history updates. */
const SAVE_DELAY_MS = 300;
/** Most pages restored for one list. */
const MAX_RESTORED_PAGES = 20;

interface SavedPosition {
  /** Pages added to the first one. */
  pages: number;
  top: number;
}

/** An added page and its first visible card; null if all of its cards are hidden. */
type AddedPage = { first: HTMLElement | null } | null;

const catalogue = document.querySelector<HTMLElement>('.catalogue');
const liveRegion = document.querySelector<HTMLElement>('[data-list-status]');
if (catalogue !== null && liveRegion !== null) startInfiniteScroll(catalogue, liveRegion);

function startInfiniteScroll(container: HTMLElement, statusElement: HTMLElement): void {
  const findResults = (page: Document | HTMLElement) => page.querySelector<HTMLElement>('.found');
  const findGrid = (found: HTMLElement | null) => found?.querySelector<HTMLElement>('.card-grid') ?? null;
  const findNextLink = (found: HTMLElement | null) =>
    found?.querySelector<HTMLAnchorElement>('.pager a[rel="next"]') ?? null;

  let found = findResults(container);
  let pages = 0;
  /** Added pages whose cards are all hidden. */
  let hiddenPages = 0;
  let isAutomatic = true;
  /** The request in progress; null for none. */
  let pendingPage: Promise<AddedPage> | null = null;
  const canLoadAutomatically = () =>
    isAutomatic && pages - Math.min(hiddenPages, MAX_SKIPPED_PAGES) < MAX_AUTOMATIC_PAGES;

  /** Adds the next page's cards. @returns null if there was none */
  async function loadNextPage(): Promise<AddedPage> {
    const [here, link] = [found, findNextLink(found)];
    if (here === null || link === null) return null;
    const address = new URL(link.href);
    // In the adult view, the next page must be one too.
    if (here.dataset['view'] === NSFW_VIEW) address.searchParams.set(NSFW_VIEW, '1');
    link.setAttribute('aria-busy', 'true');
    const answer = await fetch(address, { credentials: 'same-origin' }).catch(() => null);
    const html = answer?.ok ? await answer.text().catch(() => null) : null;
    link.removeAttribute('aria-busy');
    // The list was replaced in the meantime.
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
    else statusElement.textContent = part.dataset['announcement'] ?? '';
    savePosition();
    return { first: (visibleCards[0] as HTMLElement | undefined) ?? null };
  }

  /** Runs one request at a time; further calls wait for it. */
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
  /** Observes the end again: the observer reports an end that stays visible only once. */
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

  /** Adds the saved number of pages and scrolls to the saved position. */
  async function restorePosition({ pages: wanted, top }: SavedPosition): Promise<void> {
    while (pages < wanted && (await loadPageOnce()) !== null) statusElement.textContent = '';
    statusElement.textContent = '';
    scrollTo({ top, behavior: 'instant' });
  }

  /** Adds pages until one has a visible card, and focuses it. */
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
    // Save the position before a card is opened, so that «back» returns to it.
    if (pages > 0 && link?.closest('.card-grid')) savePosition();
    if (link === null || link !== findNextLink(found)) return;
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void loadOnClick();
  });

  // The adult view replaces the whole list; add as many pages to the new one.
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
