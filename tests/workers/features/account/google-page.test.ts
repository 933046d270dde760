import { env } from 'cloudflare:workers';
import { describe, expect, inject, test } from 'vitest';
import { api } from '../../../../src/api/app.ts';
import type { GoogleAccount } from '../../../support/google-server.ts';
import { issueToken, createGoogleUser, Browser, chooseAccount } from '../../../support/google.ts';
import {
  startConversation,
  signInGuest,
  ORIGIN,
  createAccount,
  Visitor,
} from '../../../support/factories.ts';
import { GOOGLE_CLIENT_ID } from '../../../support/test-environment.ts';

const isSignedIn = async (browser: Visitor): Promise<boolean> =>
  (await browser.ask<{ is_authenticated: boolean }>('/api/auth/status')).is_authenticated;

/** Expects a redirect to the login page with this error and no session. */
async function expectRefused(browser: Browser, back: string, code: string, next = '/'): Promise<void> {
  const to = await browser.returnTo(back);
  expect(to).toBe(`/login?${new URLSearchParams({ error: code, next })}`);
  expect(await isSignedIn(browser)).toBe(false);
}

describe("Sign-in on Google's page", () => {
  test('the sign-in redirect to Google has the required parameters and unguessable secrets', async () => {
    const browser = new Browser();
    const page = await browser.followRedirect('/account');
    const other = await new Browser().followRedirect('/account');
    expect(page.origin + page.pathname).toBe(`${inject('servers').googleUrl}/o/oauth2/v2/auth`);
    const params = Object.fromEntries(page.searchParams);
    expect(params).toEqual({
      response_type: 'code',
      client_id: GOOGLE_CLIENT_ID,
      redirect_uri: `${ORIGIN}/api/auth/google/callback`,
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      prompt: 'select_account',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(params['nonce']).not.toBe(params['state']);
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(other.searchParams.get(name)).not.toBe(params[name]);
    }
  });

  test('the state of a Google sign-in is in one HttpOnly cookie for ten minutes', async () => {
    const readCookies = async (origin: string) => {
      const context = { waitUntil: () => undefined } as unknown as ExecutionContext;
      const answer = await api.fetch(new Request(`${origin}/api/auth/google`), env, context);
      return answer.headers.getSetCookie();
    };
    expect(await readCookies(ORIGIN)).toEqual([
      expect.stringMatching(/^__Host-google=[^;]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    ]);
    expect(await readCookies('http://localhost:8787')).toEqual([
      expect.stringMatching(/^google=[^;]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
  });

  test('a Google sign-in returns to the previous page and shows the onboarding only the first time', async () => {
    const googler = await createGoogleUser();
    const browser = new Browser();
    const back = await chooseAccount(await browser.followRedirect('/messages/abc?m=4#end'), googler);
    expect(await browser.returnTo(back)).toBe('/messages/abc?m=4&onboarding=display#end');
    expect(await browser.ask('/api/account')).toMatchObject({ email: googler.email, is_anonymous: false });
    expect([...browser.jar.keys()]).toEqual(['__Host-session']);
    await browser.ask('/api/onboarding', { json: {} });
    const again = await chooseAccount(
      await browser.followRedirect('/messages/abc?m=4#end'),
      await issueToken(googler),
    );
    expect(await browser.returnTo(again)).toBe('/messages/abc?m=4#end');
  });

  test('a Google sign-in sets the same session cookie as other logins', async () => {
    const browser = new Browser();
    const answer = await browser.call(
      await chooseAccount(await browser.followRedirect(), await createGoogleUser()),
    );
    expect(answer.status).toBe(302);
    expect(answer.headers.getSetCookie().filter((cookie) => cookie.includes('session='))).toEqual([
      expect.stringMatching(
        /^__Host-session=[0-9a-f]{64}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
  });

  test('a Google sign-in with the address of an account opens that account', async () => {
    const owner = await createAccount();
    const browser = new Browser();
    await browser.returnTo(
      await chooseAccount(await browser.followRedirect(), await createGoogleUser({ email: owner.email })),
    );
    expect(await browser.ask('/api/account')).toMatchObject({ id: owner.id });
  });

  test('a guest who signs in with Google keeps the conversations, and the old cookie stops working', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const browser = new Browser();
    browser.jar.set('__Host-session', me.cookie.split('=')[1] as string);
    await browser.returnTo(await chooseAccount(await browser.followRedirect(), await createGoogleUser()));
    expect((await browser.call(`/api/conversations/${id}`)).status).toBe(200);
    expect(await browser.ask('/api/account')).toMatchObject({ id: me.id, is_anonymous: false });
    expect((await me.call('/api/points')).status).toBe(401);
  });

  test('Google sign-ins in two tabs return to their own pages', async () => {
    const browser = new Browser();
    const [first, second] = [
      await browser.followRedirect('/account'),
      await browser.followRedirect('/settings'),
    ];
    const googler = await createGoogleUser();
    await browser.returnTo(await chooseAccount(second, googler));
    await browser.ask('/api/onboarding', { json: {} });
    expect(await browser.returnTo(await chooseAccount(first, googler))).toBe('/account');
    expect(await isSignedIn(browser)).toBe(true);
  });

  test('after many abandoned sign-ins the latest still works and the cookie stays small', async () => {
    const browser = new Browser();
    const next = `/en/discover?q=${'x'.repeat(480)}`;
    const pages: URL[] = [];
    for (let tries = 0; tries < 6; tries += 1) pages.push(await browser.followRedirect(next));
    expect(browser.jar.get('__Host-google')?.length).toBeLessThan(3800);
    const googler = await createGoogleUser();
    await expectRefused(browser, await chooseAccount(pages[0] as URL, googler), 'oauth_state_expired');
    expect(await browser.returnTo(await chooseAccount(pages[5] as URL, googler))).toContain(
      '/en/discover?q=',
    );
  });

  test.each([
    ...[
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      '/.//evil.example',
      'javascript:alert(1)',
    ],
    ...['/api/auth/google', `/${'x'.repeat(600)}`, `/${'x'.repeat(5000)}`, ''],
  ])('a Google sign-in returns only to an address of this site: %s', async (next) => {
    const browser = new Browser();
    const back = await chooseAccount(await browser.followRedirect(next), await createGoogleUser());
    expect(await browser.returnTo(back)).toBe('/?onboarding=display');
  });
});

describe("Rejected answers of Google's page", () => {
  test('a Google answer opened in another browser is refused', async () => {
    const back = await chooseAccount(
      await new Browser().followRedirect('/account'),
      await createGoogleUser(),
    );
    await expectRefused(new Browser(), back, 'oauth_state_expired');
    const other = new Browser();
    await other.followRedirect('/account');
    await expectRefused(other, back, 'oauth_state_expired');
  });

  test('a Google answer opened again is refused', async () => {
    const browser = new Browser();
    const back = await chooseAccount(await browser.followRedirect('/account'), await createGoogleUser());
    const savedJar = new Map(browser.jar);
    await browser.returnTo(back);
    await browser.call('/api/logout', { method: 'POST' });
    await expectRefused(browser, back, 'oauth_state_expired');
    // Restoring the cookie does not help: Google accepts a code once.
    const thief = new Browser();
    for (const [name, value] of savedJar) thief.jar.set(name, value);
    await expectRefused(thief, back, 'invalid_google_token', '/account');
  });

  test.each([
    ['another state', (back: URL) => back.searchParams.set('state', 'x'.repeat(43))],
    ['an empty state', (back: URL) => back.searchParams.set('state', '')],
    ['no state', (back: URL) => back.searchParams.delete('state')],
    ['two states', (back: URL) => back.searchParams.append('state', 'x')],
  ])('a Google answer with %s is refused, and the sign-in under way can still finish', async (_, change) => {
    const browser = new Browser();
    const back = await chooseAccount(await browser.followRedirect('/account'), await createGoogleUser());
    const wrong = new URL(back, ORIGIN);
    change(wrong);
    await expectRefused(browser, wrong.pathname + wrong.search, 'oauth_state_expired');
    await browser.returnTo(back);
    expect(await isSignedIn(browser)).toBe(true);
  });

  test('a Google answer with an unknown code or without a code is refused', async () => {
    for (const code of ['made-up', null, '']) {
      const browser = new Browser();
      const back = new URL(
        await chooseAccount(await browser.followRedirect('/account'), await createGoogleUser()),
        ORIGIN,
      );
      if (code === null) back.searchParams.delete('code');
      else back.searchParams.set('code', code);
      await expectRefused(browser, back.pathname + back.search, 'invalid_google_token', '/account');
    }
  });

  test('a Google answer with the code of another sign-in is refused', async () => {
    const foreignBack = new URL(
      await chooseAccount(await new Browser().followRedirect(), await createGoogleUser()),
      ORIGIN,
    );
    const browser = new Browser();
    const ownBack = new URL(
      await chooseAccount(await browser.followRedirect(), await createGoogleUser()),
      ORIGIN,
    );
    ownBack.searchParams.set('code', foreignBack.searchParams.get('code') as string);
    await expectRefused(browser, ownBack.pathname + ownBack.search, 'invalid_google_token');
  });

  test('a sign-in that is cancelled at Google returns to the login page as cancelled', async () => {
    const browser = new Browser();
    const back = await chooseAccount(await browser.followRedirect('/account'), null);
    await expectRefused(browser, back, 'google_cancelled', '/account');
  });

  test('a Google answer after more than ten minutes is refused, even with the cookie kept', async () => {
    const browser = new Browser();
    const back = await chooseAccount(await browser.followRedirect('/account'), await createGoogleUser());
    const flows = JSON.parse(atob(decodeURIComponent(browser.jar.get('__Host-google') as string)));
    flows[0].startedAt -= 11 * 60_000;
    browser.jar.set('__Host-google', encodeURIComponent(btoa(JSON.stringify(flows))));
    await expectRefused(browser, back, 'oauth_state_expired');
  });

  test('a Google answer with an invalid cookie is refused', async () => {
    for (const cookie of [
      '',
      'x',
      '%00',
      btoa('{}'),
      btoa('[null]'),
      btoa('[{"state":""}]'),
      'x'.repeat(3000),
    ]) {
      const browser = new Browser();
      browser.jar.set('__Host-google', encodeURIComponent(cookie));
      await expectRefused(browser, '/api/auth/google/callback?state=&code=x', 'oauth_state_expired');
    }
  });

  const readSeconds = () => Math.floor(Date.now() / 1000);
  test.each<[string, () => Partial<GoogleAccount>, string]>([
    ['another site’s', () => ({ claims: { aud: 'another.apps.example' } }), 'invalid_google_token'],
    ['for several sites', () => ({ claims: { aud: [GOOGLE_CLIENT_ID, 'another'] } }), 'invalid_google_token'],
    ['given to another site', () => ({ claims: { azp: 'another.apps.example' } }), 'invalid_google_token'],
    [
      'another issuer’s',
      () => ({ claims: { iss: 'https://accounts.evil.example' } }),
      'invalid_google_token',
    ],
    ['over', () => ({ claims: { exp: readSeconds() - 90 } }), 'invalid_google_token'],
    ['without an end', () => ({ claims: { exp: null } }), 'invalid_google_token'],
    ['another sign-in’s', () => ({ claims: { nonce: 'x'.repeat(43) } }), 'invalid_google_token'],
    ['without a nonce', () => ({ claims: { nonce: null } }), 'invalid_google_token'],
    ['nobody’s', () => ({ claims: { sub: '' } }), 'invalid_google_token'],
    ['without an address', () => ({ claims: { email: null } }), 'invalid_google_token'],
    ['of an address that is not verified', () => ({ claims: { email_verified: false } }), 'email_unverified'],
    ['missing', () => ({ trouble: { at: 'token', body: '{"access_token":"x"}' } }), 'invalid_google_token'],
    ['no token', () => ({ trouble: { at: 'token', body: '{"id_token":"x.y.z"}' } }), 'invalid_google_token'],
    [
      'refused because our secret is wrong',
      () => ({ trouble: { at: 'token', status: 401, body: '{"error":"invalid_client"}' } }),
      'google_unavailable',
    ],
    ['not to be had', () => ({ trouble: { at: 'token', status: 503, body: '{}' } }), 'google_unavailable'],
  ])('a Google sign-in is refused when the id token is %s', async (_, fields, code) => {
    const browser = new Browser();
    const back = await chooseAccount(
      await browser.followRedirect('/account'),
      await createGoogleUser(fields()),
    );
    await expectRefused(browser, back, code, '/account');
  });

  test.each([
    ['in Google’s name', () => ({ iss: 'https://accounts.google.com' })],
    ['in Google’s short name', () => ({ iss: 'accounts.google.com' })],
    ['a little over by our clock', () => ({ exp: readSeconds() - 30 })],
    ['for one site, as a list', () => ({ aud: [GOOGLE_CLIENT_ID] })],
  ])('a Google sign-in succeeds when the id token is %s', async (_, claims) => {
    const browser = new Browser();
    await browser.returnTo(
      await chooseAccount(await browser.followRedirect(), await createGoogleUser({ claims: claims() })),
    );
    expect(await isSignedIn(browser)).toBe(true);
  });

  test('the Google sign-in routes answer 404 without a client id or secret', async () => {
    const context = { waitUntil: () => undefined } as unknown as ExecutionContext;
    for (const variable of ['GOOGLE_CLIENT_SECRET', 'GOOGLE_CLIENT_ID']) {
      for (const path of ['', '/callback?state=x&code=y']) {
        const request = new Request(`${ORIGIN}/api/auth/google${path}`);
        const answer = await api.fetch(request, { ...env, [variable]: '' }, context);
        expect({ variable, path, status: answer.status }).toEqual({ variable, path, status: 404 });
      }
    }
  });

  test('more than twenty Google sign-ins a minute from one address are redirected to an error page', async () => {
    const context = { waitUntil: () => undefined } as unknown as ExecutionContext;
    const limited = { ...env, RATE_LIMITS: 'on' };
    const ask = () =>
      api.fetch(
        new Request(`${ORIGIN}/api/auth/google?next=/account`, {
          headers: { 'cf-connecting-ip': '203.0.113.99' },
        }),
        limited,
        context,
      );
    const places: (string | null)[] = [];
    for (let index = 0; index < 21; index += 1) places.push((await ask()).headers.get('location'));
    expect(places.slice(0, 20).every((place) => place?.includes('/o/oauth2/v2/auth'))).toBe(true);
    expect(places[20]).toBe('/login?error=too_many_requests&next=%2Faccount');
  });
});
