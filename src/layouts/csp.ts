import type { SiteConfig } from '../components/data/site-config.ts';

/** Sources that a page may use in addition to the site itself, by CSP directive. */
type CspSources = Readonly<Record<string, readonly string[]>>;

const GOOGLE_ANALYTICS_ORIGINS = [
  'https://www.googletagmanager.com',
  'https://*.google-analytics.com',
  'https://*.analytics.google.com',
];

/** Sources for the operator's options: Google Analytics and Google sign-in. */
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
    // The script loads its other parts from the same path.
    const scriptBase = new URL('.', script).href;
    sources.push({
      'script-src': [script],
      'connect-src': [scriptBase, userInfo],
      'frame-src': [scriptBase],
    });
  }
  return sources;
}

/** Origins of PayPal's button, including the sandbox; PayPal does not document a narrower list. */
const PAYPAL_ORIGINS = ['https://*.paypal.com', 'https://*.paypalobjects.com'];

/**
 * Sources for the payment page.
 * @param sdkBase address of PayPal's script; a stand-in for PayPal serves everything from there
 * @param nonce allows the script's inline styles on this response only
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
 * Adds sources to a policy. A directive that is missing is created with `'self'`, which `default-src` granted before;
 * existing sources are not repeated.
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
