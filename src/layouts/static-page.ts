import type { Language } from '../config/languages.ts';
import { memoizeLru } from '../lib/memoize-lru.ts';

/** Pages without data: they change only with a deployment, which starts new isolates. */
const STATIC_PAGES = /^\/(?:about|privacy|terms)$|^\/[A-Za-z-]+\/(?:blog|blog\/[^/]+|offline|safety)$/;

/** About 50 kB each. */
const MAX_PAGES_KEPT = 60;

interface RenderedPage {
  body: ArrayBuffer;
  headers: [string, string][];
}

/** The place of an address; null until its page is rendered. */
const getPlace = memoizeLru<{ page: RenderedPage | null }>(MAX_PAGES_KEPT, () => ({ page: null }));

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
  // The address has the origin, on which links and cache headers depend.
  const place = getPlace(`${lang} ${url}`);
  if (place.page === null) {
    const rendered = await render();
    if (rendered.status !== 200 || rendered.headers.has('set-cookie')) return rendered;
    place.page = { body: await rendered.arrayBuffer(), headers: [...rendered.headers] };
  }
  return new Response(place.page.body, { headers: place.page.headers });
}
