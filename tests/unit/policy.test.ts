import { describe, expect, test } from 'vitest';
import { getPaymentSources, getCspSources, extendCsp } from '../../src/layouts/csp.ts';

const POLICY =
  "default-src 'self';img-src 'self' data: blob:;connect-src 'self';frame-ancestors 'none'; script-src 'self' 'sha256-a/b+c='; style-src 'self' ;";
const SIGN_IN = {
  clientId: 'c1',
  script: 'https://accounts.google.com/gsi/client',
  userInfo: 'https://www.googleapis.com/oauth2/v3/userinfo',
  page: true,
};
const policyOf = (operator: Parameters<typeof getCspSources>[0]) =>
  getCspSources(operator).reduce(extendCsp, POLICY);

describe('What a page may load from elsewhere', () => {
  test('is nothing at all where the operator chose nothing: not one byte of the policy changes', () => {
    expect(policyOf({ googleAnalyticsId: null, googleSignIn: null })).toBe(POLICY);
  });

  test('is with Google’s sign-in its script, its parts, and whose token it gave', () => {
    expect(policyOf({ googleAnalyticsId: null, googleSignIn: SIGN_IN })).toBe(
      "default-src 'self';img-src 'self' data: blob:;" +
        "connect-src 'self' https://accounts.google.com/gsi/ https://www.googleapis.com/oauth2/v3/userinfo;" +
        "frame-ancestors 'none'; script-src 'self' 'sha256-a/b+c=' https://accounts.google.com/gsi/client; " +
        "style-src 'self' ; frame-src 'self' https://accounts.google.com/gsi/;",
    );
  });

  test('is with its analytics as well both, each source once, however often it is asked', () => {
    const operator = { googleAnalyticsId: 'G-TEST12345', googleSignIn: SIGN_IN };
    const policy = policyOf(operator);
    expect(getCspSources(operator).reduce(extendCsp, policy)).toBe(policy);
    expect(policy.match(/googletagmanager/g)).toHaveLength(3);
    expect(policy.match(/gsi\/client/g)).toHaveLength(1);
    expect(policy).toContain("frame-ancestors 'none'");
  });

  test('is on the page on which I pay PayPal’s script, its frames and its own styles, and nothing more', () => {
    expect(extendCsp(POLICY, getPaymentSources('https://www.paypal.com', 'n-1'))).toBe(
      "default-src 'self';img-src 'self' data: blob: https://*.paypal.com https://*.paypalobjects.com;" +
        "connect-src 'self' https://*.paypal.com https://*.paypalobjects.com;frame-ancestors 'none'; " +
        "script-src 'self' 'sha256-a/b+c=' https://*.paypal.com https://*.paypalobjects.com 'nonce-n-1'; " +
        "style-src 'self' 'nonce-n-1'; frame-src 'self' https://*.paypal.com https://*.paypalobjects.com;",
    );
  });

  test('is with a stand-in for PayPal that server alone, and a name that only looks like PayPal’s is one', () => {
    for (const base of ['http://127.0.0.1:4000', 'https://paypal.com.example'])
      expect(getPaymentSources(base, 'n')['frame-src']).toEqual([base]);
    expect(getPaymentSources('https://www.sandbox.paypal.com', 'n')['frame-src']).toContain(
      'https://*.paypal.com',
    );
  });
});
