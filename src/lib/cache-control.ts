/**
 * How long caches may serve a stale page while rendering a new one fails. Without a limit the platform serves it for
 * ever.
 */
const STALE_IF_ERROR_SECONDS = 3600;

/** Headers for shared caches only; the platform removes them before browsers see them. */
const CDN_CACHE_CONTROL = 'cloudflare-cdn-cache-control';
const CACHE_TAG = 'cache-tag';

/** Browsers revalidate each time: they cannot be purged when a page changes. */
const REVALIDATE = 'public, max-age=0';
export const NO_STORE = 'private, no-store';

const isPublic = (header: string | null): boolean => /(?:^|[\s,])public(?:$|[\s,])/.test(header ?? '');

/**
 * Sets the cache headers of a page's response. Shared caches may store a complete page without a cookie if
 * `cachePublicly` allowed it. Browsers may store what the response allows; nothing else is stored.
 * @param headers headers of the response, changed in place
 */
export function applyCachePolicy(
  headers: Headers,
  { method, status }: { method: string; status: number },
): void {
  const cdnPolicy = headers.get(CDN_CACHE_CONTROL);
  const browserPolicy = headers.get('cache-control');
  const isWhole = status === 200 && (method === 'GET' || method === 'HEAD') && !headers.has('set-cookie');
  if (isPublic(cdnPolicy) && isWhole) {
    // A stale status page would report an old state as the current one.
    const isStatusPage = (headers.get(CACHE_TAG) ?? '').split(',').includes('status');
    headers.set(
      CDN_CACHE_CONTROL,
      `${cdnPolicy}, stale-if-error=${isStatusPage ? 0 : STALE_IF_ERROR_SECONDS}`,
    );
    if (!isPublic(browserPolicy)) headers.set('cache-control', REVALIDATE);
    return;
  }
  headers.delete(CACHE_TAG);
  headers.delete(CDN_CACHE_CONTROL);
  if (browserPolicy === null) headers.set('cache-control', NO_STORE);
  else if (isPublic(browserPolicy)) headers.set(CDN_CACHE_CONTROL, NO_STORE);
}

/**
 * Keeps a response out of shared caches; a cache inside the Worker may still store it.
 * @param headers changed in place
 */
export function disableSharedCaching(headers: Headers): void {
  headers.delete(CACHE_TAG);
  headers.delete(CDN_CACHE_CONTROL);
  headers.set('cache-control', NO_STORE);
}
