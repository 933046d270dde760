import type { Operator } from '../components/data/site-config.ts';

/** Addresses that a page may use beside the site itself, by the policy's directives. */
type Sources = Readonly<Record<string, readonly string[]>>;

const GOOGLE_REPORTS = [
  'https://www.googletagmanager.com',
  'https://*.google-analytics.com',
  'https://*.analytics.google.com',
];

/** What the operator's own choices let into the pages: of Google, its analytics and its sign-in. */
export function sourcesOf({
  googleAnalyticsId,
  googleSignIn,
}: Pick<Operator, 'googleAnalyticsId' | 'googleSignIn'>): Sources[] {
  const sources: Sources[] = [];
  if (googleAnalyticsId !== null) {
    sources.push({
      'script-src': ['https://www.googletagmanager.com'],
      'connect-src': GOOGLE_REPORTS,
      'img-src': GOOGLE_REPORTS,
    });
  }
  if (googleSignIn !== null) {
    const { script, userInfo } = googleSignIn;
    // Its own parts are where its script is.
    const parts = new URL('.', script).href;
    sources.push({ 'script-src': [script], 'connect-src': [parts, userInfo], 'frame-src': [parts] });
  }
  return sources;
}

/** Where PayPal's script draws its button from, the sandbox included; PayPal names no fewer. */
const PAYPAL = ['https://*.paypal.com', 'https://*.paypalobjects.com'];

/**
 * What the page needs on which people pay.
 * @param sdkBase where PayPal's script is; a stand-in for PayPal has all of it there
 * @param nonce by which the script may write its own styles into the page, this time alone
 */
export function paymentSources(sdkBase: string, nonce: string): Sources {
  const { origin, hostname } = new URL(sdkBase);
  const places = /(?:^|\.)paypal\.com$/.test(hostname) ? PAYPAL : [origin];
  const own = `'nonce-${nonce}'`;
  return {
    'script-src': [...places, own],
    'style-src': [own],
    'connect-src': places,
    'frame-src': places,
    'img-src': places,
  };
}

/**
 * A policy with more sources in it. One that names a directive not yet gets it with the site itself, as it was before by
 * `default-src`; what is there already is not added again.
 */
export function withSources(policy: string, sources: Sources): string {
  let result = policy;
  for (const [directive, wanted] of Object.entries(sources)) {
    const [found, start = '', known = ''] =
      new RegExp(`((?:^|;)\\s*${directive}(?=[ ;]|$))([^;]*)`).exec(result) ?? [];
    const missing = wanted.filter((source) => !known.split(' ').includes(source));
    if (missing.length === 0) continue;
    result =
      found === undefined
        ? `${result.replace(/;?\s*$/, '; ')}${directive} 'self' ${missing.join(' ')};`
        : result.replace(found, () => `${start}${known.trimEnd()} ${missing.join(' ')}`);
  }
  return result;
}
