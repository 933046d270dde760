import type { SiteConfig } from '../components/data/site-config.ts';

/** Addresses that a page may use beside the site itself, by the policy's directives. */
type CspSources = Readonly<Record<string, readonly string[]>>;

const GOOGLE_ANALYTICS_ORIGINS = [
  'https://www.googletagmanager.com',
  'https://*.google-analytics.com',
  'https://*.analytics.google.com',
];

/** What the operator's own choices let into the pages: of Google, its analytics and its sign-in. */
export function getCspSources({
  googleAnalyticsId,
  googleSignIn,
}: Pick<SiteConfig, 'googleAnalyticsId' | 'googleSignIn'>): CspSources[] {
  const sources: CspSources[] = [];
  if (googleAnalyticsId !== null) {
    sources.push({
      'script-src': ['https://www.googletagmanager.com'],
      'connect-src': GOOGLE_ANALYTICS_ORIGINS,
      'img-src': GOOGLE_ANALYTICS_ORIGINS,
    });
  }
  if (googleSignIn !== null) {
    const { script, userInfo } = googleSignIn;
    // Its own parts are where its script is.
    const scriptBase = new URL('.', script).href;
    sources.push({
      'script-src': [script],
      'connect-src': [scriptBase, userInfo],
      'frame-src': [scriptBase],
    });
  }
  return sources;
}

/** Where PayPal's script draws its button from, the sandbox included; PayPal names no fewer. */
const PAYPAL_ORIGINS = ['https://*.paypal.com', 'https://*.paypalobjects.com'];

/**
 * What the page needs on which people pay.
 * @param sdkBase where PayPal's script is; a stand-in for PayPal has all of it there
 * @param nonce by which the script may write its own styles into the page, this time alone
 */
export function getPaymentSources(sdkBase: string, nonce: string): CspSources {
  const { origin, hostname } = new URL(sdkBase);
  const origins = /(?:^|\.)paypal\.com$/.test(hostname) ? PAYPAL_ORIGINS : [origin];
  const nonceSource = `'nonce-${nonce}'`;
  return {
    'script-src': [...origins, nonceSource],
    'style-src': [nonceSource],
    'connect-src': origins,
    'frame-src': origins,
    'img-src': origins,
  };
}

/**
 * A policy with more sources in it. One that names a directive not yet gets it with the site itself, as it was before by
 * `default-src`; what is there already is not added again.
 */
export function extendCsp(policy: string, sources: CspSources): string {
  let result = policy;
  for (const [directive, addedSources] of Object.entries(sources)) {
    const [found, start = '', currentSources = ''] =
      new RegExp(`((?:^|;)\\s*${directive}(?=[ ;]|$))([^;]*)`).exec(result) ?? [];
    const missing = addedSources.filter((source) => !currentSources.split(' ').includes(source));
    if (missing.length === 0) continue;
    result =
      found === undefined
        ? `${result.replace(/;?\s*$/, '; ')}${directive} 'self' ${missing.join(' ')};`
        : result.replace(found, () => `${start}${currentSources.trimEnd()} ${missing.join(' ')}`);
  }
  return result;
}
