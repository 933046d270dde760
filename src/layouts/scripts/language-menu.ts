/** The language switcher opens into view wherever it stands, and closes by Escape. */
export function setUpLanguageMenu(): void {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('details.languages')) {
    menu.addEventListener('toggle', () => {
      if (menu.open) menu.scrollIntoView({ block: 'nearest' });
    });
    menu.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !menu.open) return;
      // The menu of the shell around it stays open.
      event.stopPropagation();
      menu.open = false;
      menu.querySelector('summary')?.focus();
    });
  }
}
