/** Scrolls an opened language switcher into view and closes it with Escape. */
export function setUpLanguageMenu(): void {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('details.languages')) {
    menu.addEventListener('toggle', () => {
      if (menu.open) menu.scrollIntoView({ block: 'nearest' });
    });
    menu.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !menu.open) return;
      // Keep the shell's menu around it open.
      event.stopPropagation();
      menu.open = false;
      menu.querySelector('summary')?.focus();
    });
  }
}
