import { ADULT_VIEW } from '../data/view-params.ts';

/*
 * The catalogue goes on by itself when its end comes near: the next page's cards are taken from the address that «Show
 * more» leads to. After a few pages that link is a button, so that the foot of the page can be reached. Back and
 * forward lead to the same place in the same list. Without this script the link is a link.
 */

/** Pages that come by themselves. */
const PAGES_BY_THEMSELVES = 3;
/** Pages of which their reader hides every card, and which are no pages to them; so many are passed over by themselves. */
const PAGES_PASSED_OVER = 10;
/** The end is near when it is so far below the screen. */
const NEAR = '800px 0px';
/** The place is kept when a reader rests: browsers bound how often it may be. */
const REST_MS = 300;
/** Of one list: who reads on for so long does not find the way back by scrolling. */
const PAGES_KEPT = 20;

interface Kept {
  /** Pages that were added to the first. */
  pages: number;
  top: number;
}

/** A page that was added, with the first card of it that is to be seen; null for none at all. */
type Added = { first: HTMLElement | null } | null;

const catalogue = document.querySelector<HTMLElement>('.catalogue');
const told = document.querySelector<HTMLElement>('[data-list-told]');
if (catalogue !== null && told !== null) goOn(catalogue, told);

function goOn(around: HTMLElement, live: HTMLElement): void {
  const foundIn = (page: Document | HTMLElement) => page.querySelector<HTMLElement>('.found');
  const gridIn = (found: HTMLElement | null) => found?.querySelector<HTMLElement>('.card-grid') ?? null;
  const nextIn = (found: HTMLElement | null) =>
    found?.querySelector<HTMLAnchorElement>('.pager a[rel="next"]') ?? null;

  let found = foundIn(around);
  let pages = 0;
  /** Those among them of which everything is hidden. */
  let passed = 0;
  let byItself = true;
  /** What is being fetched; null while nothing is. */
  let coming: Promise<Added> | null = null;
  const mayComeByItself = () => byItself && pages - Math.min(passed, PAGES_PASSED_OVER) < PAGES_BY_THEMSELVES;

  /** Adds the next page's cards. @returns null when there was none to be had */
  async function add(): Promise<Added> {
    const [here, link] = [found, nextIn(found)];
    if (here === null || link === null) return null;
    const address = new URL(link.href);
    // The part of the page that holds what is for adults goes on with more of it.
    if (here.dataset['view'] === ADULT_VIEW) address.searchParams.set(ADULT_VIEW, '1');
    link.setAttribute('aria-busy', 'true');
    const answer = await fetch(address, { credentials: 'same-origin' }).catch(() => null);
    const html = answer?.ok ? await answer.text().catch(() => null) : null;
    link.removeAttribute('aria-busy');
    // Another list stands there now.
    if (here !== found) return null;
    const part = html === null ? null : foundIn(new DOMParser().parseFromString(html, 'text/html'));
    const [grid, cards] = [gridIn(here), gridIn(part)];
    if (part === null || grid === null) {
      byItself = false;
      return null;
    }
    const known = new Set(Array.from(grid.querySelectorAll('a'), (card) => card.href));
    const fresh = Array.from(cards?.children ?? []).filter(
      (item) => !known.has(item.querySelector('a')?.href ?? ''),
    );
    for (const item of fresh) grid.appendChild(document.adoptNode(item));
    window.hideCards?.mark();
    const seen = grid.matches('[data-shown]') ? fresh : fresh.filter((item) => !item.matches('[data-away]'));
    const next = nextIn(part);
    if (next === null) link.remove();
    else link.href = next.getAttribute('href') ?? '';
    pages += 1;
    if (seen.length === 0) passed += 1;
    else live.textContent = part.dataset['told'] ?? '';
    keep();
    return { first: (seen[0] as HTMLElement | undefined) ?? null };
  }

  /** One at a time; who comes while one is fetched waits for that. */
  function addOne(): Promise<Added> {
    coming ??= add().finally(() => {
      coming = null;
      watch();
    });
    return coming;
  }

  const end = new IntersectionObserver(
    (entries) => {
      if (mayComeByItself() && entries.some(({ isIntersecting }) => isIntersecting)) void addOne();
    },
    { rootMargin: NEAR },
  );
  /** Looks anew: an end that stays in sight is told of only once. */
  function watch(): void {
    end.disconnect();
    const link = nextIn(found);
    if (link !== null) end.observe(link);
  }

  function keep(): void {
    const kept: Kept = { pages: Math.min(pages, PAGES_KEPT), top: Math.round(scrollY) };
    history.replaceState({ ...(history.state as object | null), list: kept }, '');
  }
  let rest: ReturnType<typeof setTimeout> | undefined;
  addEventListener(
    'scroll',
    () => {
      clearTimeout(rest);
      if (pages > 0) rest = setTimeout(keep, REST_MS);
    },
    { passive: true },
  );

  /** Adds as many pages as there were, and goes where the reader was. */
  async function comeBack({ pages: wanted, top }: Kept): Promise<void> {
    while (pages < wanted && (await addOne()) !== null) live.textContent = '';
    live.textContent = '';
    scrollTo({ top, behavior: 'instant' });
  }

  /** Adds pages until there is something to see, and goes to it. */
  async function addOnAsking(): Promise<void> {
    for (let tries = 0; tries < PAGES_PASSED_OVER; tries += 1) {
      const added = await addOne();
      if (added === null && !navigator.onLine) dispatchEvent(new Event('loreloom:network-trouble'));
      added?.first?.querySelector('a')?.focus({ preventScroll: true });
      if (added === null || added.first !== null) return;
    }
  }

  around.addEventListener('click', (event) => {
    const link = (event.target as Element).closest('a');
    // Whoever leaves by a card comes back to it.
    if (pages > 0 && link?.closest('.card-grid')) keep();
    if (link === null || link !== nextIn(found)) return;
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void addOnAsking();
  });

  // For those who see what is for adults the whole list is drawn once more: it has the same way on.
  new MutationObserver(() => {
    const now = foundIn(around);
    if (now === found) return;
    found = now;
    const before = pages;
    [pages, passed] = [0, 0];
    watch();
    if (before > 0) void comeBack({ pages: before, top: scrollY });
  }).observe(around, { childList: true });

  const kept = (history.state as { list?: Kept } | null)?.list;
  if (kept !== undefined && kept.pages > 0) void comeBack(kept);
  else watch();
}
