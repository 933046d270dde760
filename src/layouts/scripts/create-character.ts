/** Every way to the create page, also one that is drawn later, asks first (ask-to-create.ts); one question at a time. */
export function wireCreateCharacter(): void {
  const path = `/${document.documentElement.lang}/create-character`;
  let asking: Element | null = null;
  const rest = () => {
    asking?.removeAttribute('aria-busy');
    asking = null;
  };
  document.addEventListener('click', (event) => {
    const way = (event.target as Element).closest('[data-create-character]');
    // A click for a new tab goes to the page, which asks for itself.
    if (way === null || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (asking !== null) return;
    asking = way;
    way.setAttribute('aria-busy', 'true');
    import('./ask-to-create.ts')
      .then(({ askOnPage }) => askOnPage(path))
      .then(
        (leaving) => leaving || rest(),
        () => {
          rest();
          window.dispatchEvent(new Event('loreloom:network-trouble'));
        },
      );
  });
  window.addEventListener('pageshow', (event) => event.persisted && rest());
}
