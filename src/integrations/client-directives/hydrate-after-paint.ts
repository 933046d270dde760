import type { ClientDirective } from 'astro';

/**
 * Hydrates after the first frame, so that scripts do not compete for the network with what the first frame needs. Preloads
 * the modules that the directive's value names: without this, each level of imports costs a round trip. A page that is not
 * visible has no frames and hydrates at once.
 */
const hydrateAfterPaint: ClientDirective = (load, options) => {
  const hydrateIsland = async () => {
    for (const path of options.value as unknown as readonly string[]) {
      const link = document.createElement('link');
      link.rel = 'modulepreload';
      link.href = path;
      document.head.appendChild(link);
    }
    const hydrate = await load();
    await hydrate();
  };
  if (document.visibilityState !== 'visible') {
    void hydrateIsland();
    return;
  }
  // The frame is painted after its callbacks, so the task after them comes after the paint.
  requestAnimationFrame(() => setTimeout(() => void hydrateIsland()));
};

export default hydrateAfterPaint;
