import { STALE_IF_ERROR } from './config.ts';

/** What shared caches go by and browsers do not; the platform takes both off. */
const FOR_CACHES = 'cloudflare-cdn-cache-control';
const TAGS = 'cache-tag';

/** Browsers ask again each time: nobody could tell them that a page has changed. */
const ASK_AGAIN = 'public, max-age=0';
export const NOBODY_KEEPS = 'private, no-store';

const isPublic = (header: string | null): boolean => /(?:^|[\s,])public(?:$|[\s,])/.test(header ?? '');

/**
 * Settles who may keep an answer of the pages: shared caches keep what `sharePage` gave to them, if it is a whole page
 * that sets no cookie; everything else is kept by nobody but, where it says so itself, by the browser that asked.
 * @param headers of the answer; changed in place
 */
export function settleSharing(
  headers: Headers,
  { method, status }: { method: string; status: number },
): void {
  const given = headers.get(FOR_CACHES);
  const own = headers.get('cache-control');
  const isWhole = status === 200 && (method === 'GET' || method === 'HEAD') && !headers.has('set-cookie');
  if (isPublic(given) && isWhole) {
    // How the site was is no answer to how it is: an old status page would say that all is well when nothing is.
    const isOfNow = (headers.get(TAGS) ?? '').split(',').includes('status');
    headers.set(FOR_CACHES, `${given}, stale-if-error=${isOfNow ? 0 : STALE_IF_ERROR}`);
    if (!isPublic(own)) headers.set('cache-control', ASK_AGAIN);
    return;
  }
  headers.delete(TAGS);
  headers.delete(FOR_CACHES);
  if (own === null) headers.set('cache-control', NOBODY_KEEPS);
  else if (isPublic(own)) headers.set(FOR_CACHES, NOBODY_KEEPS);
}

/** Has no shared cache keep an answer that one inside the Worker may keep. @param headers changed in place */
export function keepInside(headers: Headers): void {
  headers.delete(TAGS);
  headers.delete(FOR_CACHES);
  headers.set('cache-control', NOBODY_KEEPS);
}
