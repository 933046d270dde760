import { ADULT_VIEW, OWN_VIEW } from '../components/data/view-params.ts';

const MAKERS = /^\/creator\/[^/]+$/;

/** Whether an address is that of somebody who makes characters, as everybody sees them. */
export function isMakersPage({ pathname, searchParams }: URL): boolean {
  return MAKERS.test(pathname) && ![ADULT_VIEW, OWN_VIEW].some((view) => searchParams.has(view));
}

/**
 * The request for such a page in a language, with the language in its address and with nothing of whoever asks: no
 * cookie, and no header at all.
 */
export function toMakersPage({ method, url }: Request, lang: string): Request {
  const address = new URL(url);
  address.pathname = `/${lang}${address.pathname}`;
  return new Request(address, { method: method === 'HEAD' ? 'HEAD' : 'GET' });
}

/** The same as the pages know it: the language is what a visitor without any cookie reads. */
export function fromMakersPage({ method, url }: Request): Request {
  const address = new URL(url);
  const [, lang = '', ...page] = address.pathname.split('/');
  address.pathname = `/${page.join('/')}`;
  return new Request(address, { method, headers: { 'accept-language': lang } });
}
