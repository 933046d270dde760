/** Returns whether memberships are sold on this site, as the page says (layouts/Base.astro). For the browser only. */
export const hasMemberships = (): boolean => document.documentElement.dataset['sells'] !== undefined;
