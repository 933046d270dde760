/** Placeholder for our own origin: a path that resolves to another origin leads away from the site. */
const ORIGIN = 'https://own.invalid';

/** Far above any URL of ours. */
const MAX_PATH_CHARS = 2000;

/** Control characters and backslashes: browsers drop the former and read the latter as slashes. */
// oxlint-disable-next-line no-control-regex -- the pattern must match them
const UNSAFE_CHARACTERS = /[\u0000-\u001f\u007f\\]/;

/**
 * Returns the path of this site to redirect to, or null for anything that would lead elsewhere. The path is written as
 * browsers write it (one slash, ASCII only), so that it means the same in a link, a script and a header.
 * @param next the raw value from options, a URL or a cookie
 */
export function getSafeRedirectPath(next: string | null | undefined): string | null {
  if (!next?.startsWith('/') || UNSAFE_CHARACTERS.test(next)) return null;
  const url = resolveUrl(next);
  if (url === null) return null;
  const path = url.pathname + url.search + url.hash;
  // `/.//elsewhere.example` is a path of ours until the browser removes its dot.
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

/** A user must not end on a JSON response or start another sign-in. */
function isApiPath(pathname: string): boolean {
  return pathname === '/api' || pathname.startsWith('/api/');
}
