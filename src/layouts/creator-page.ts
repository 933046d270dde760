import { NSFW_VIEW, OWNER_VIEW } from '../components/data/view-params.ts';

const CREATOR_PATH = /^\/creator\/[^/]+$/;

/** Whether an address is a creator's public page. */
export function isCreatorPage({ pathname, searchParams }: URL): boolean {
  return CREATOR_PATH.test(pathname) && ![NSFW_VIEW, OWNER_VIEW].some((view) => searchParams.has(view));
}

/**
 * The request for such a page in one language: the language is in the address, and all cookies and headers are removed.
 */
export function toCacheableRequest({ method, url }: Request, lang: string): Request {
  const target = new URL(url);
  target.pathname = `/${lang}${target.pathname}`;
  return new Request(target, { method: method === 'HEAD' ? 'HEAD' : 'GET' });
}

/** The inverse, for the page itself: the language becomes `Accept-Language`, as for a visitor without cookies. */
export function fromCacheableRequest({ method, url }: Request): Request {
  const target = new URL(url);
  const [, lang = '', ...page] = target.pathname.split('/');
  target.pathname = `/${page.join('/')}`;
  return new Request(target, { method, headers: { 'accept-language': lang } });
}
