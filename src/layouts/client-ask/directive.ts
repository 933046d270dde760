import type { ClientDirective } from 'astro';

/** The event that wakes an island; its detail is the island's name. */
const ASK_EVENT = 'loreloom:ask';

/**
 * Hydrates the first time that someone asks for the island by name, or at once when that happened
 * before this code ran: who asks leaves the name in the root element's `data-ask`.
 */
const ask: ClientDirective = (load, options) => {
  const wake = async () => {
    const hydrate = await load();
    await hydrate();
  };
  if (document.documentElement.dataset['ask'] === options.value) {
    void wake();
    return;
  }
  const listen = (event: Event) => {
    if ((event as CustomEvent<string>).detail !== options.value) return;
    window.removeEventListener(ASK_EVENT, listen);
    void wake();
  };
  window.addEventListener(ASK_EVENT, listen);
};

export default ask;
