import type { ClientDirective } from 'astro';

/** The event that wakes an island; its detail is the island's name. */
const DEMAND_EVENT = 'loreloom:ask';

/**
 * Says that an island could not be fetched; its detail is the island's name. This code is put into pages by itself and
 * can call nothing of theirs.
 */
const NETWORK_ERROR_EVENT = 'loreloom:network-trouble';

/** How Astro tells that an island did not come, after a second attempt of its own: its `load` never rejects. */
const FAILURE_EVENT = 'astro:hydration-error';

/**
 * Hydrates the first time that someone asks for the island by name, or at once when that happened
 * before this code ran: who asks leaves the name in the root element's `data-ask`. While it is being fetched the root
 * element has `data-asking`.
 */
const hydrateOnDemand: ClientDirective = (load, options, island) => {
  const { dataset } = document.documentElement;
  const hydrateIsland = async () => {
    let isLoaded = true;
    const onFailure = () => {
      isLoaded = false;
    };
    island.addEventListener(FAILURE_EVENT, onFailure);
    dataset['asking'] = '';
    try {
      const hydrate = await load();
      await hydrate();
    } catch {
      isLoaded = false;
    }
    delete dataset['asking'];
    island.removeEventListener(FAILURE_EVENT, onFailure);
    if (isLoaded) return;
    // Its code did not come, as without a network: the next one who asks tries again.
    window.addEventListener(DEMAND_EVENT, onDemand);
    window.dispatchEvent(new CustomEvent(NETWORK_ERROR_EVENT, { detail: options.value }));
  };
  const onDemand = (event: Event) => {
    if ((event as CustomEvent<string>).detail !== options.value) return;
    window.removeEventListener(DEMAND_EVENT, onDemand);
    void hydrateIsland();
  };
  if (dataset['ask'] === options.value) {
    void hydrateIsland();
    return;
  }
  window.addEventListener(DEMAND_EVENT, onDemand);
};

export default hydrateOnDemand;
