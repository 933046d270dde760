import { NSFW_VIEW, OWNER_VIEW } from '../components/data/view-params.ts';

const CREATOR_PATH = /^\/creator\/[^/]+$/;

/** Whether an address is that of somebody who makes characters, as everybody sees them. */
export function isCreatorPage({ pathname, searchParams }: URL): boolean {
  return CREATOR_PATH.test(pathname) && ![NSFW_VIEW, OWNER_VIEW].some((view) => searchParams.has(view));
}

/**
 * The request for such a page in a language, with the language in its address and with nothing of whoever asks: no
 * cookie, and no header at all.
 */
export function toCacheableRequest({ method, url }: Request, lang: string): Request {
  const target = new URL(url);
  target.pathname = `/${lang}${target.pathname}`;
  return new Request(target, { method: method === 'HEAD' ? 'HEAD' : 'GET' });
}

/** The same as the pages know it: the language is what a visitor without any cookie reads. */
export function fromCacheableRequest({ method, url }: Request): Request {
  const target = new URL(url);
  const [, lang = '', ...page] = target.pathname.split('/');
  target.pathname = `/${page.join('/')}`;
  return new Request(target, { method, headers: { 'accept-language': lang } });
}
