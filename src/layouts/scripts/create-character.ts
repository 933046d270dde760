/**
 * Runs the check for every link to the create page, including later ones (check-create-permission.ts), one at a time.
 */
export function setUpCreateCharacter(): void {
  const path = `/${document.documentElement.lang}/create-character`;
  let pendingLink: Element | null = null;
  const endCheck = () => {
    pendingLink?.removeAttribute('aria-busy');
    pendingLink = null;
  };
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest('[data-create-character]');
    // A click that opens a new tab goes to the page, which checks for itself.
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (pendingLink !== null) return;
    pendingLink = link;
    link.setAttribute('aria-busy', 'true');
    import('./check-create-permission.ts')
      .then(({ checkCreateOnPage: askOnPage }) => askOnPage(path))
      .then(
        (isLeaving) => isLeaving || endCheck(),
        () => {
          endCheck();
          window.dispatchEvent(new Event('loreloom:network-trouble'));
        },
      );
  });
  window.addEventListener('pageshow', (event) => event.persisted && endCheck());
}
