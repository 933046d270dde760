import type { ClientDirective } from 'astro';

/** The event that requests an island; its detail is the island's name. */
const DEMAND_EVENT = 'loreloom:ask';

/**
 * Reports an island that could not be loaded; its detail is the island's name. The directive is inlined into pages and
 * cannot import this constant from elsewhere.
 */
const NETWORK_ERROR_EVENT = 'loreloom:network-trouble';

/** Astro's event for an island that failed to load after its own retry; its `load` never rejects. */
const FAILURE_EVENT = 'astro:hydration-error';

/**
 * Hydrates on the first request for the island, or at once if the request came before this code ran: callers also set
 * the root element's `data-ask` to the name. While the island loads, the root element has `data-asking`.
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
    // Loading failed, for example without a network; the next request tries again.
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
