import { describe, expect, test } from 'vitest';
import { sourcesOf, withSources } from '../../src/layouts/policy.ts';

const POLICY =
  "default-src 'self';img-src 'self' data: blob:;connect-src 'self';frame-ancestors 'none'; script-src 'self' 'sha256-a/b+c='; style-src 'self' ;";
const SIGN_IN = {
  clientId: 'c1',
  script: 'https://accounts.google.com/gsi/client',
  userInfo: 'https://www.googleapis.com/oauth2/v3/userinfo',
  page: true,
};
const policyOf = (operator: Parameters<typeof sourcesOf>[0]) =>
  sourcesOf(operator).reduce(withSources, POLICY);

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
    expect(sourcesOf(operator).reduce(withSources, policy)).toBe(policy);
    expect(policy.match(/googletagmanager/g)).toHaveLength(3);
    expect(policy.match(/gsi\/client/g)).toHaveLength(1);
    expect(policy).toContain("frame-ancestors 'none'");
  });
});
