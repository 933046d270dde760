/** Whether this site sells memberships, from an attribute of the page (layouts/Base.astro). Browser only. */
export const hasMemberships = (): boolean => document.documentElement.dataset['memberships'] !== undefined;
