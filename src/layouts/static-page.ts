import type { Language } from '../config/languages.ts';
import { findKeptPage, getPagePlace, keepPage } from './kept-pages.ts';

/** Pages without data: they change only with a deployment, which starts new isolates. */
const STATIC_PAGES = /^\/(?:about|privacy|terms)$|^\/[A-Za-z-]+\/(?:blog|blog\/[^/]+|offline|safety)$/;

/**
 * Renders a page, or returns the same bytes as last time if the page is static. Pages with a query are always rendered, and
 * only complete pages without a cookie are kept.
 * @param lang the language that the page is served in, which not all addresses contain
 */
export async function renderOnce(
  { method, url }: Pick<Request, 'method' | 'url'>,
  lang: Language,
  render: () => Promise<Response>,
): Promise<Response> {
  const { pathname, search } = new URL(url);
  if (method !== 'GET' || search !== '' || !STATIC_PAGES.test(pathname)) return render();
  const place = getPagePlace(`${lang} ${url}`);
  return findKeptPage(place, '') ?? keepPage(place, '', await render());
}
