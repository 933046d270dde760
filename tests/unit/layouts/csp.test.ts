import { describe, expect, test } from 'vitest';
import { getPaymentSources, getCspSources, extendCsp } from '../../../src/layouts/csp.ts';

const POLICY =
  "default-src 'self';img-src 'self' data: blob:;connect-src 'self';frame-ancestors 'none'; script-src 'self' 'sha256-a/b+c='; style-src 'self' ;";
const SIGN_IN = {
  clientId: 'c1',
  script: 'https://accounts.google.com/gsi/client',
  userInfo: 'https://www.googleapis.com/oauth2/v3/userinfo',
  page: true,
};
const buildPolicy = (operator: Parameters<typeof getCspSources>[0]) =>
  getCspSources(operator).reduce(extendCsp, POLICY);

describe('Content security policy', () => {
  test('the policy stays unchanged when the operator configured nothing', () => {
    expect(buildPolicy({ googleAnalyticsId: null, googleSignIn: null })).toBe(POLICY);
  });

  test('Google sign-in adds its script, frame and user info address', () => {
    expect(buildPolicy({ googleAnalyticsId: null, googleSignIn: SIGN_IN })).toBe(
      "default-src 'self';img-src 'self' data: blob:;" +
        "connect-src 'self' https://accounts.google.com/gsi/ https://www.googleapis.com/oauth2/v3/userinfo;" +
        "frame-ancestors 'none'; script-src 'self' 'sha256-a/b+c=' https://accounts.google.com/gsi/client; " +
        "style-src 'self' ; frame-src 'self' https://accounts.google.com/gsi/;",
    );
  });

  test('analytics and sign-in add each source once, even when added twice', () => {
    const operator = { googleAnalyticsId: 'G-TEST12345', googleSignIn: SIGN_IN };
    const policy = buildPolicy(operator);
    expect(getCspSources(operator).reduce(extendCsp, policy)).toBe(policy);
    expect(policy.match(/googletagmanager/g)).toHaveLength(3);
    expect(policy.match(/gsi\/client/g)).toHaveLength(1);
    expect(policy).toContain("frame-ancestors 'none'");
  });

  test("the membership page adds PayPal's scripts, frames and styles and nothing more", () => {
    expect(extendCsp(POLICY, getPaymentSources('https://www.paypal.com', 'n-1'))).toBe(
      "default-src 'self';img-src 'self' data: blob: https://*.paypal.com https://*.paypalobjects.com;" +
        "connect-src 'self' https://*.paypal.com https://*.paypalobjects.com;frame-ancestors 'none'; " +
        "script-src 'self' 'sha256-a/b+c=' https://*.paypal.com https://*.paypalobjects.com 'nonce-n-1'; " +
        "style-src 'self' 'nonce-n-1'; frame-src 'self' https://*.paypal.com https://*.paypalobjects.com;",
    );
  });

  test('a stand-in for PayPal adds only its own server, as does a lookalike domain', () => {
    for (const base of ['http://127.0.0.1:4000', 'https://paypal.com.example'])
      expect(getPaymentSources(base, 'n')['frame-src']).toEqual([base]);
    expect(getPaymentSources('https://www.sandbox.paypal.com', 'n')['frame-src']).toContain(
      'https://*.paypal.com',
    );
  });
});
