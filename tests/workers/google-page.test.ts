import { env } from 'cloudflare:workers';
import { describe, expect, inject, test } from 'vitest';
import { api } from '../../src/api/app.ts';
import type { GoogleAccount } from '../support/google-server.ts';
import { issueToken, createGoogleUser, Browser, chooseAccount } from '../support/google.ts';
import { startConversation, signInGuest, ORIGIN, createAccount, Visitor } from '../support/factories.ts';
import { GOOGLE_CLIENT_ID } from '../support/test-environment.ts';

const isSignedIn = async (browser: Visitor): Promise<boolean> =>
  (await browser.ask<{ is_authenticated: boolean }>('/api/auth/status')).is_authenticated;

/** Expects that somebody was sent to the page that says why they are not signed in. */
async function expectRefused(browser: Browser, back: string, code: string, next = '/'): Promise<void> {
  const to = await browser.returnTo(back);
  expect(to).toBe(`/login?${new URLSearchParams({ error: code, next })}`);
  expect(await isSignedIn(browser)).toBe(false);
}

describe('When I sign in on Google’s own page', () => {
  test('I am sent there with what Google needs to know, and nothing of it can be guessed', async () => {
    const browser = new Browser();
    const page = await browser.followRedirect('/account');
    const other = await new Browser().followRedirect('/account');
    expect(page.origin + page.pathname).toBe(`${inject('servers').googleUrl}/o/oauth2/v2/auth`);
    const asked = Object.fromEntries(page.searchParams);
    expect(asked).toEqual({
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
    expect(asked['nonce']).not.toBe(asked['state']);
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(other.searchParams.get(name)).not.toBe(asked[name]);
    }
  });

  test('what belongs to it stays in one cookie of my browser, for ten minutes, and no script reads it', async () => {
    const cookies = async (origin: string) => {
      const context = { waitUntil: () => undefined } as unknown as ExecutionContext;
      const answer = await api.fetch(new Request(`${origin}/api/auth/google`), env, context);
      return answer.headers.getSetCookie();
    };
    expect(await cookies(ORIGIN)).toEqual([
      expect.stringMatching(/^__Host-google=[^;]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    ]);
    expect(await cookies('http://localhost:8787')).toEqual([
      expect.stringMatching(/^google=[^;]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
  });

  test('I come back signed in, to the page where I was, and am welcomed the first time only', async () => {
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

  test('with a cookie like that of any other way in', async () => {
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

  test('and am the one who I am by the button and by a code', async () => {
    const owner = await createAccount();
    const browser = new Browser();
    await browser.returnTo(
      await chooseAccount(await browser.followRedirect(), await createGoogleUser({ email: owner.email })),
    );
    expect(await browser.ask('/api/account')).toMatchObject({ id: owner.id });
  });

  test('as a guest, I keep my chats, and my old cookie opens nothing', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const browser = new Browser();
    browser.jar.set('__Host-session', me.cookie.split('=')[1] as string);
    await browser.returnTo(await chooseAccount(await browser.followRedirect(), await createGoogleUser()));
    expect((await browser.call(`/api/conversations/${id}`)).status).toBe(200);
    expect(await browser.ask('/api/account')).toMatchObject({ id: me.id, is_anonymous: false });
    expect((await me.call('/api/points')).status).toBe(401);
  });

  test('in two tabs, each comes back to its own page', async () => {
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

  test('after many tries that I left, the last ones still count and my cookie stays small', async () => {
    const browser = new Browser();
    const next = `/en/discover?q=${'x'.repeat(480)}`;
    const pages: URL[] = [];
    for (let tries = 0; tries < 6; tries += 1) pages.push(await browser.followRedirect(next));
    expect(browser.jar.get('__Host-google')?.length).toBeLessThan(3800);
    const googler = await createGoogleUser();
    await expectRefused(browser, await chooseAccount(pages[0] as URL, googler), 'google_sign_in_lost');
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
  ])('I come back to this site alone: %s', async (next) => {
    const browser = new Browser();
    const back = await chooseAccount(await browser.followRedirect(next), await createGoogleUser());
    expect(await browser.returnTo(back)).toBe('/?onboarding=display');
  });
});

describe('An answer of Google’s page signs nobody in', () => {
  test('when it is opened in another browser', async () => {
    const back = await chooseAccount(
      await new Browser().followRedirect('/account'),
      await createGoogleUser(),
    );
    await expectRefused(new Browser(), back, 'google_sign_in_lost');
    const other = new Browser();
    await other.followRedirect('/account');
    await expectRefused(other, back, 'google_sign_in_lost');
  });

  test('when it is opened again', async () => {
    const browser = new Browser();
    const back = await chooseAccount(await browser.followRedirect('/account'), await createGoogleUser());
    const kept = new Map(browser.jar);
    await browser.returnTo(back);
    await browser.call('/api/logout', { method: 'POST' });
    await expectRefused(browser, back, 'google_sign_in_lost');
    // Nor with the cookie put back: Google gives a person for a code once.
    const thief = new Browser();
    for (const [name, value] of kept) thief.jar.set(name, value);
    await expectRefused(thief, back, 'invalid_google_token', '/account');
  });

  test.each([
    ['another state', (back: URL) => back.searchParams.set('state', 'x'.repeat(43))],
    ['an empty state', (back: URL) => back.searchParams.set('state', '')],
    ['no state', (back: URL) => back.searchParams.delete('state')],
    ['two states', (back: URL) => back.searchParams.append('state', 'x')],
  ])('when it comes with %s; the sign-in under way is not lost by it', async (_, change) => {
    const browser = new Browser();
    const back = await chooseAccount(await browser.followRedirect('/account'), await createGoogleUser());
    const wrong = new URL(back, ORIGIN);
    change(wrong);
    await expectRefused(browser, wrong.pathname + wrong.search, 'google_sign_in_lost');
    await browser.returnTo(back);
    expect(await isSignedIn(browser)).toBe(true);
  });

  test('when it comes with a code that Google does not know, or none', async () => {
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

  test('with the code of somebody else’s sign-in', async () => {
    const theirs = new URL(
      await chooseAccount(await new Browser().followRedirect(), await createGoogleUser()),
      ORIGIN,
    );
    const browser = new Browser();
    const mine = new URL(
      await chooseAccount(await browser.followRedirect(), await createGoogleUser()),
      ORIGIN,
    );
    mine.searchParams.set('code', theirs.searchParams.get('code') as string);
    await expectRefused(browser, mine.pathname + mine.search, 'invalid_google_token');
  });

  test('when I choose nobody there, and I am not blamed for it', async () => {
    const browser = new Browser();
    const back = await chooseAccount(await browser.followRedirect('/account'), null);
    await expectRefused(browser, back, 'google_cancelled', '/account');
  });

  test('after more than ten minutes, whatever the browser kept', async () => {
    const browser = new Browser();
    const back = await chooseAccount(await browser.followRedirect('/account'), await createGoogleUser());
    const flows = JSON.parse(atob(decodeURIComponent(browser.jar.get('__Host-google') as string)));
    flows[0].begunAt -= 11 * 60_000;
    browser.jar.set('__Host-google', encodeURIComponent(btoa(JSON.stringify(flows))));
    await expectRefused(browser, back, 'google_sign_in_lost');
  });

  test('with a cookie that makes no sense', async () => {
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
      await expectRefused(browser, '/api/auth/google/callback?state=&code=x', 'google_sign_in_lost');
    }
  });

  const now = () => Math.floor(Date.now() / 1000);
  test.each<[string, () => Partial<GoogleAccount>, string]>([
    ['another site’s', () => ({ claims: { aud: 'another.apps.example' } }), 'invalid_google_token'],
    ['for several sites', () => ({ claims: { aud: [GOOGLE_CLIENT_ID, 'another'] } }), 'invalid_google_token'],
    ['given to another site', () => ({ claims: { azp: 'another.apps.example' } }), 'invalid_google_token'],
    [
      'another issuer’s',
      () => ({ claims: { iss: 'https://accounts.evil.example' } }),
      'invalid_google_token',
    ],
    ['over', () => ({ claims: { exp: now() - 90 } }), 'invalid_google_token'],
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
  ])('when the id token is %s', async (_, fields, code) => {
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
    ['a little over by our clock', () => ({ exp: now() - 30 })],
    ['for one site, as a list', () => ({ aud: [GOOGLE_CLIENT_ID] })],
  ])('but one that is %s does', async (_, claims) => {
    const browser = new Browser();
    await browser.returnTo(
      await chooseAccount(await browser.followRedirect(), await createGoogleUser({ claims: claims() })),
    );
    expect(await isSignedIn(browser)).toBe(true);
  });

  test('where this deployment has no secret, or no client id: the way does not exist', async () => {
    const context = { waitUntil: () => undefined } as unknown as ExecutionContext;
    for (const variable of ['GOOGLE_CLIENT_SECRET', 'GOOGLE_CLIENT_ID']) {
      for (const path of ['', '/callback?state=x&code=y']) {
        const request = new Request(`${ORIGIN}/api/auth/google${path}`);
        const answer = await api.fetch(request, { ...env, [variable]: '' }, context);
        expect({ variable, path, status: answer.status }).toEqual({ variable, path, status: 404 });
      }
    }
  });

  test('more than twenty times a minute from one address: I am told to wait, on a page', async () => {
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
