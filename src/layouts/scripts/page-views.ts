import type { PageViewBody } from '../../features/page-view/contract.ts';

/** From here on a window counts as a desk; the shell's sidebar stands from the same width. */
const DESKTOP_WIDTH = '(width >= 48rem)';

/** Whether this browser asks that nothing be kept of its visits: «Do Not Track» or «Global Privacy Control». */
function honorsDoNotTrack(): boolean {
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean };
  return doNotTrack === '1' || globalPrivacyControl === true;
}

/** Runs now, or when a page that the browser prepared in advance is really looked at. */
export function runWhenVisible(run: () => void): void {
  if ((document as Document & { prerendering?: boolean }).prerendering) {
    document.addEventListener('prerenderingchange', run, { once: true });
  } else {
    run();
  }
}

/** The page before, no further than its site: a full address would say more than is kept. */
function getReferrerOrigin(): string | undefined {
  if (!URL.canParse(document.referrer)) return undefined;
  const { origin, protocol, host } = new URL(document.referrer);
  return origin === 'null' ? `${protocol}//${host}` : origin;
}

function sendPageView(referrer: string | undefined): void {
  const body: PageViewBody = {
    path: location.pathname,
    language: document.documentElement.lang as PageViewBody['language'],
    viewport: matchMedia(DESKTOP_WIDTH).matches ? 'desk' : 'phone',
    ...(referrer === undefined ? {} : { referrer }),
  };
  fetch('/api/page-views', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    credentials: 'omit',
    keepalive: true,
  }).catch(() => {
    // A page that nobody counted is as good to read.
  });
}

/**
 * Tells the server that this page was looked at: once for each page, again when «back» brings it back. What is sent
 * names nobody; where the browser asks for it, nothing is, to nobody.
 */
export function trackPageViews(): void {
  if (honorsDoNotTrack()) return;
  runWhenVisible(() => {
    sendPageView(getReferrerOrigin());
    // For google-analytics.ts, which is in the page only where the operator wants it.
    document.dispatchEvent(new Event('loreloom:looked-at'));
  });
  window.addEventListener('pageshow', (event) => event.persisted && sendPageView(location.origin));
}
