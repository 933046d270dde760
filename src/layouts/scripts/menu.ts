import { queryPart } from './dom.ts';

/** From this width on, the sidebar is next to the page (shell.css). */
const WIDE_SCREEN = '(width >= 48rem)';

/** The sidebar on small screens: closed, its contents are inert; open, the page behind it is. */
export function setUpMenu(): void {
  const sidebar = queryPart('sidebar');
  const page = queryPart('page');
  const openers = document.querySelectorAll<HTMLElement>('[data-menu-open]');
  const nav = queryPart('sidebar-nav');
  const chats = queryPart('sidebar-middle');
  const closer = queryPart<HTMLButtonElement>('menu-close');
  const wideScreen = window.matchMedia(WIDE_SCREEN);
  let opener: HTMLElement | undefined;
  let open = false;

  const setOpen = (shouldOpen: boolean) => {
    open = shouldOpen && !wideScreen.matches;
    sidebar.toggleAttribute('data-open', open);
    sidebar.inert = !open && !wideScreen.matches;
    page.inert = open;
    for (const button of openers) button.setAttribute('aria-expanded', String(open));
    document.documentElement.classList.toggle('menu-open', open);
    sidebar.setAttribute('role', open ? 'dialog' : 'complementary');
    if (open) sidebar.setAttribute('aria-modal', 'true');
    else sidebar.removeAttribute('aria-modal');
  };
  const closeMenu = () => {
    if (!open) return;
    setOpen(false);
    opener?.focus();
  };

  for (const button of openers) {
    button.addEventListener('click', () => {
      opener = button;
      setOpen(true);
      closer.focus();
    });
  }
  closer.addEventListener('click', closeMenu);
  queryPart('menu-overlay').addEventListener('click', closeMenu);
  document.addEventListener('keydown', (event) => {
    // A dialog above the menu closes first.
    if (event.key === 'Escape' && !document.querySelector('dialog[open]')) closeMenu();
  });
  // Close the menu after a link to the current page, and when «back» restores the page.
  sidebar.addEventListener('click', (event) => {
    if ((event.target as Element).closest('a[href]')) setOpen(false);
  });
  window.addEventListener('pageshow', (event) => event.persisted && setOpen(false));
  // On phones the chats come first, for the eye and for the focus: the bottom bar has the most important pages.
  const orderParts = () => {
    const [first, second] = wideScreen.matches ? [nav, chats] : [chats, nav];
    first.insertAdjacentElement('afterend', second);
  };
  wideScreen.addEventListener('change', () => {
    setOpen(false);
    orderParts();
  });
  setOpen(false);
  orderParts();
}
