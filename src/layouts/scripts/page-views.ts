import type { PageViewBody } from '../../features/page-view/contract.ts';

/** From this width on, a view counts as desktop; the same width as the shell's sidebar. */
const DESKTOP_WIDTH = '(width >= 48rem)';

/** Whether the browser asks not to be tracked: «Do Not Track» or «Global Privacy Control». */
function honorsDoNotTrack(): boolean {
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean };
  return doNotTrack === '1' || globalPrivacyControl === true;
}

/** Runs now, or when a prerendered page is first viewed. */
export function runWhenVisible(run: () => void): void {
  if ((document as Document & { prerendering?: boolean }).prerendering) {
    document.addEventListener('prerenderingchange', run, { once: true });
  } else {
    run();
  }
}

/** The origin of the previous page; the full address would reveal more than is stored. */
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
    // A lost page view does not matter to the reader.
  });
}

/**
 * Reports a page view to the server, once per page and again when «back» restores it. The report contains no identity;
 * nothing is sent if the browser asks not to be tracked.
 */
export function trackPageViews(): void {
  if (honorsDoNotTrack()) return;
  runWhenVisible(() => {
    sendPageView(getReferrerOrigin());
    // For google-analytics.ts, which is only included if the operator enabled it.
    document.dispatchEvent(new Event('loreloom:looked-at'));
  });
  window.addEventListener('pageshow', (event) => event.persisted && sendPageView(location.origin));
}
