/**
 * Loads Google Analytics on sites whose operator enabled it. Sends the kind of page only, as our own count does: no
 * ids, names or queries, no cookies, no advertising, no full address.
 */
import { getPageKind } from '../../features/page-view/page-view.ts';

const GTAG_URL = 'https://www.googletagmanager.com/gtag/js';

function loadAnalytics(id: string): void {
  const page = window as unknown as { dataLayer?: unknown[] };
  const queue = (page.dataLayer ??= []);
  // Google's script accepts only the `arguments` object, not an array.
  function gtag(..._call: unknown[]): void {
    // oxlint-disable-next-line prefer-rest-params -- Google's script reads the arguments object itself, not an array
    queue.push(arguments);
  }
  const kind = getPageKind(location.pathname);
  gtag('consent', 'default', {
    analytics_storage: 'denied',
    ad_storage: 'denied',
    ad_user_data: 'denied',
    ad_personalization: 'denied',
  });
  gtag('js', new Date());
  gtag('config', id, {
    send_page_view: true,
    anonymize_ip: true,
    allow_google_signals: false,
    allow_ad_personalization_signals: false,
    page_location: `${location.origin}/${document.documentElement.lang}/${kind}`,
    page_title: kind,
    page_referrer: URL.canParse(document.referrer) ? new URL(document.referrer).origin : '',
  });
  const script = document.createElement('script');
  script.async = true;
  script.src = `${GTAG_URL}?id=${encodeURIComponent(id)}`;
  document.head.appendChild(script);
}

const id = document.querySelector<HTMLMetaElement>('meta[name="google-analytics"]')?.content;
// page-views.ts fires this when the page is viewed, unless the browser asks not to be tracked.
if (id) document.addEventListener('loreloom:looked-at', () => loadAnalytics(id), { once: true });
