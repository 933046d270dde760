/** Stands for our own origin: whatever resolves to another one leads away. */
const ORIGIN = 'https://own.invalid';

/** Far above any address of ours; what is longer was not made by us. */
const MAX_PATH_CHARS = 2000;

/** Control characters and backslashes: browsers drop the former and read the latter as slashes. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const UNSAFE_CHARACTERS = /[\u0000-\u001f\u007f\\]/;

/**
 * A page of this site to go on to, or null for anything that would lead elsewhere. What is given back is written as
 * browsers write it (one slash, ASCII only), so that it means the same as a link, a script's assignment and a header.
 * @param next as it came in options, an address or a cookie
 */
export function getSafeRedirectPath(next: string | null | undefined): string | null {
  if (!next?.startsWith('/') || UNSAFE_CHARACTERS.test(next)) return null;
  const url = resolveUrl(next);
  if (url === null) return null;
  const path = url.pathname + url.search + url.hash;
  // «/.//elsewhere.example» is a path of ours until its dot is taken out.
  if (resolveUrl(path)?.pathname !== url.pathname) return null;
  return path.length > MAX_PATH_CHARS || isApiPath(url.pathname) ? null : path;
}

function resolveUrl(path: string): URL | null {
  try {
    const url = new URL(path, ORIGIN);
    return url.origin === ORIGIN ? url : null;
  } catch {
    return null;
  }
}

/** Calls are no pages: nobody wants to end in an answer for programs, or in the next sign-in. */
function isApiPath(pathname: string): boolean {
  return pathname === '/api' || pathname.startsWith('/api/');
}
