import { part } from './dom.ts';

/** From here on the sidebar stands beside the page (shell.css). */
const STANDING = '(width >= 48rem)';

/**
 * The sidebar on small screens: while it is shut nothing in it can be reached, while it is open nothing
 * behind it can.
 */
export function wireMenu(): void {
  const sidebar = part('sidebar');
  const page = part('page');
  const opener = part<HTMLButtonElement>('menu-open');
  const closer = part<HTMLButtonElement>('menu-close');
  const standing = window.matchMedia(STANDING);
  let open = false;

  const show = (next: boolean) => {
    open = next && !standing.matches;
    sidebar.toggleAttribute('data-open', open);
    sidebar.inert = !open && !standing.matches;
    page.inert = open;
    opener.setAttribute('aria-expanded', String(open));
    document.documentElement.classList.toggle('menu-open', open);
    sidebar.setAttribute('role', open ? 'dialog' : 'complementary');
    if (open) sidebar.setAttribute('aria-modal', 'true');
    else sidebar.removeAttribute('aria-modal');
  };
  const close = () => {
    if (!open) return;
    show(false);
    opener.focus();
  };

  opener.addEventListener('click', () => {
    show(true);
    closer.focus();
  });
  closer.addEventListener('click', close);
  part('menu-overlay').addEventListener('click', close);
  document.addEventListener('keydown', (event) => {
    // A dialog above the menu closes itself first.
    if (event.key === 'Escape' && !document.querySelector('dialog[open]')) close();
  });
  // A link to the page that is open already must not leave the menu over it, nor a page restored by «back».
  sidebar.addEventListener('click', (event) => {
    if ((event.target as Element).closest('a[href]')) show(false);
  });
  window.addEventListener('pageshow', (event) => event.persisted && show(false));
  standing.addEventListener('change', () => show(false));
  show(false);
}
