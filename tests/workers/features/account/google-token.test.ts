import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { api } from '../../../../src/api/app.ts';
import { openDatabase } from '../../../../src/db/open.ts';
import { removeExpiredTokens } from '../../../../src/features/account/used-token-store.ts';
import { snapshotConversation } from '../../../support/conversation-client.ts';
import type { GoogleAccount } from '../../../support/google-server.ts';
import {
  Browser,
  issueToken,
  createGoogleUser,
  signInWithToken,
  type GoogleUser,
  postToken,
} from '../../../support/google.ts';
import {
  startConversation,
  expectBalancedLedger,
  createEmail,
  requestLoginCode,
  signInGuest,
  listMessages,
  ORIGIN,
  getPoints,
  sendMessage,
  createAccount,
  Visitor,
} from '../../../support/factories.ts';

const findUserIds = async (email: string): Promise<string[]> =>
  (
    await env.DB.prepare('select id from users where email = ?').bind(email).all<{ id: string }>()
  ).results.map(({ id }) => id);

/** Expects that a token creates no account, session or cookie. */
async function expectRefused(googler: GoogleUser, status: number, code: string): Promise<void> {
  const visitor = new Visitor();
  const answer = await postToken(visitor, googler.token);
  expect({ status: answer.status, body: await answer.json() }).toMatchObject({ status, body: { code } });
  expect(answer.headers.get('set-cookie')).toBeNull();
  expect(await findUserIds(googler.email)).toEqual([]);
  expect((await visitor.call('/api/account')).status).toBe(401);
}

describe('Sign-in with a Google token', () => {
  test('a Google token signs in a new user with an account and a session', async () => {
    const googler = await createGoogleUser();
    const me = new Visitor();
    const answer = await postToken(me, googler.token);
    expect(answer.status).toBe(200);
    const { user_id, user } = await answer.json<{ user_id: string; user: { id: string } }>();
    expect(user).toMatchObject({
      id: user_id,
      email: googler.email,
      is_anonymous: false,
      onboarding_completed: false,
      role: 'user',
      plan: 'free',
    });
    expect(answer.headers.get('set-cookie')).toMatch(
      /^__Host-session=[0-9a-f]{64}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(await me.ask('/api/auth/status')).toMatchObject({ is_authenticated: true, user });
  });

  test('a returning Google user is the same user, also with a changed Google address', async () => {
    const googler = await createGoogleUser();
    const me = await signInWithToken(googler);
    const later = await signInWithToken(await issueToken(googler));
    const moved = await signInWithToken(await issueToken(googler, { email: createEmail() }));
    expect([later.id, moved.id]).toEqual([me.id, me.id]);
    expect(await moved.ask('/api/account')).toMatchObject({ email: googler.email });
  });

  test('a Google token with the address of an account opens it, and a login code still works', async () => {
    const me = await createAccount();
    const id = await startConversation(me);
    const byGoogle = await signInWithToken(await createGoogleUser({ email: me.email.toUpperCase() }));
    expect(byGoogle.id).toBe(me.id);
    expect((await byGoogle.call(`/api/conversations/${id}`)).status).toBe(200);
    expect(await findUserIds(me.email)).toEqual([me.id]);
    expect((await createAccount(me.email)).id).toBe(me.id);
  });

  test('an address that Google does not host needs a code once, in the same browser', async () => {
    const owner = await createAccount();
    const unhosted = { email: owner.email, user: { hd: '' } };
    const googler = await createGoogleUser(unhosted);
    const [me, stranger] = [new Browser(), new Browser()];
    for (const visitor of [me, stranger]) {
      const answer = await postToken(visitor, (await issueToken(googler, unhosted)).token);
      expect({ status: answer.status, body: await answer.json() }).toMatchObject({
        status: 403,
        body: { code: 'email_code_required' },
      });
      expect((await visitor.call('/api/account')).status).toBe(401);
    }
    const code = await requestLoginCode(owner.email, me);
    await me.ask('/api/auth/login-with-code', { json: { email: owner.email, code }, status: 201 });
    expect((await me.ask<{ id: string }>('/api/account')).id).toBe(owner.id);
    const later = await signInWithToken(await issueToken(googler, unhosted));
    expect(later.id).toBe(owner.id);
  });

  test('a code for one address does not connect a Google account with another address', async () => {
    const googler = await createGoogleUser({ user: { hd: '' } });
    const [me, other] = [new Browser(), await createAccount()];
    expect((await postToken(me, googler.token)).status).toBe(403);
    const code = await requestLoginCode(other.email, me);
    await me.ask('/api/auth/login-with-code', { json: { email: other.email, code }, status: 201 });
    const again = await issueToken(googler, { user: { hd: '' } });
    expect((await postToken(new Visitor(), again.token)).status).toBe(403);
  });

  test('a Gmail address needs no code', async () => {
    const email = createEmail().replace(/@.*/, '@gmail.com');
    await signInWithToken(await createGoogleUser({ email, user: { hd: '' } }));
  });

  test('an account created with Google can also be opened with a login code', async () => {
    const me = await signInWithToken(await createGoogleUser());
    expect((await createAccount(me.email)).id).toBe(me.id);
  });

  test('ten simultaneous Google sign-ins create one account', async () => {
    const googler = await createGoogleUser();
    const tokens = await Promise.all(Array.from({ length: 10 }, () => issueToken(googler)));
    const ids = await Promise.all(tokens.map(async (one) => (await signInWithToken(one)).id));
    expect(new Set(ids).size).toBe(1);
    expect(await findUserIds(googler.email)).toEqual([ids[0]]);
  });

  test('two Google users with one address sign in to one account at the same time', async () => {
    const email = createEmail();
    const both = await Promise.all([createGoogleUser({ email }), createGoogleUser({ email })]);
    const [one, other] = await Promise.all(both.map((googler) => signInWithToken(googler)));
    expect(other?.id).toBe(one?.id);
  });

  test('a guest who signs in with a Google token keeps the conversation, and the old cookie fails', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await sendMessage(me, id, 'Remember me.');
    const before = await snapshotConversation(me, id);
    const { id: guestId, cookie } = me;
    await signInWithToken(await createGoogleUser(), me);
    expect(me.id).toBe(guestId);
    expect(await snapshotConversation(me, id)).toEqual(before);
    const thief = new Visitor();
    thief.cookie = cookie;
    expect((await thief.call('/api/points')).status).toBe(401);
  });

  test("a guest's conversations and personas join the account, and the points are not added", async () => {
    const googler = await createGoogleUser();
    const account = await signInWithToken(googler);
    await getPoints(account);
    const me = await signInGuest();
    const id = await startConversation(me);
    await sendMessage(me, id, 'Said as a guest.');
    await me.ask('/api/personas', { json: { name: 'Wren', description: 'Maps coasts.' }, status: 201 });
    const messages = await listMessages(me, id);
    await signInWithToken(await issueToken(googler), me);
    expect(me.id).toBe(account.id);
    expect(await listMessages(me, id)).toEqual(messages);
    expect(await me.ask('/api/personas')).toMatchObject({ items: [{ name: 'Wren' }] });
    expect(await getPoints(me)).toMatchObject({ current_points: 50 });
    await expectBalancedLedger(me);
  });

  test('with two simultaneous sign-ins of one guest, one account gets the conversation', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const tabs = [new Visitor(), new Visitor()] as const;
    for (const tab of tabs) tab.cookie = me.cookie;
    const [one, other] = await Promise.all([createGoogleUser(), createGoogleUser()]);
    const entered = await Promise.all([signInWithToken(one, tabs[0]), signInWithToken(other, tabs[1])]);
    const statuses = await Promise.all(
      entered.map(async (tab) => (await tab.call(`/api/conversations/${id}`)).status),
    );
    expect(statuses.toSorted()).toEqual([200, 404]);
    const owner = entered[statuses.indexOf(200)];
    expect(await owner?.ask('/api/account')).toMatchObject({ id: owner?.id, is_anonymous: false });
  });

  test('identity data that the browser sends with a token is ignored', async () => {
    const me = await signInWithToken(await createGoogleUser());
    expect(await me.ask('/api/account')).toMatchObject({ email: me.email, role: 'user' });
    for (const userInfo of [undefined, null, 'x', [], { email: 'admin@localhost.test' }]) {
      const { token } = await createGoogleUser();
      const answer = await new Visitor().call('/api/auth/google/callback', { json: { token, userInfo } });
      expect(await answer.json()).toMatchObject({ user: { role: 'user' } });
    }
  });
});

describe('Rejected Google tokens', () => {
  test.each<[string, Partial<GoogleAccount>]>([
    ['was issued to another site', { info: { aud: 'another.apps.example', azp: 'another.apps.example' } }],
    ['was issued to another site for this one', { info: { azp: 'another.apps.example' } }],
    ['is over', { info: { expires_in: '0' } }],
    ['was over long ago', { info: { expires_in: -5 } }],
    ['does not say how long it lasts', { info: { expires_in: null } }],
    ['does not say whose it is', { info: { aud: null } }],
    ['has no email scope', { info: { scope: 'openid https://www.googleapis.com/auth/userinfo.profile' } }],
    ['has a scope that only resembles email', { info: { scope: 'openid not-email' } }],
    ['belongs to another user than the profile', { info: { sub: 'somebody-else' } }],
    ['has an owner without a name', { user: { sub: '' } }],
    ['has an owner without an address', { user: { email: null } }],
    ['has an owner with an address that is none', { user: { email: 'a@b' } }],
    ['is described as a list', { trouble: { at: 'tokeninfo', body: '[]' } }],
    ['was revoked', { trouble: { at: 'userinfo', status: 401, body: '{"error":"invalid_token"}' } }],
  ])('a Google token that %s is refused', async (_, fields) => {
    await expectRefused(await createGoogleUser(fields), 400, 'invalid_google_token');
  });

  test.each([false, 'false', null, 0, 1, '', 'TRUE'])(
    'a Google token is refused when Google has not verified the address (%j)',
    async (email_verified) => {
      await expectRefused(await createGoogleUser({ user: { email_verified } }), 403, 'email_unverified');
    },
  );

  test('a Google token with the unverified address of an account is not linked to it', async () => {
    const owner = await createAccount();
    const answer = await postToken(
      new Visitor(),
      (await createGoogleUser({ email: owner.email, user: { email_verified: false } })).token,
    );
    expect(answer.status).toBe(403);
    const linked = await env.DB.prepare('select count(*) as n from google_accounts where user_id = ?');
    expect(await linked.bind(owner.id).first('n')).toBe(0);
  });

  test('a Google token that Google does not know is refused', async () => {
    const { token } = await createGoogleUser();
    const [head = '', body = '', signature = ''] = token.split('.');
    const forged = [
      `${head}.${btoa(JSON.stringify({ ...JSON.parse(atob(body)), jti: 'x' })).replaceAll('=', '')}.${signature}`,
      `${btoa('{"alg":"none"}').replaceAll('=', '')}.${body}.`,
      'ya29.made-up',
      `${token}x`,
      '&aud=loreloom-tests.apps.example',
      '../../token',
    ];
    for (const one of forged) {
      const answer = await postToken(new Visitor(), one);
      expect({ one, status: answer.status, body: await answer.json() }).toMatchObject({
        status: 400,
        body: { code: 'invalid_google_token' },
      });
    }
  });

  test.each([
    ['empty', ''],
    ['blank', ' '],
    ['two words', 'a b'],
    ['two lines', 'a\r\nx: y'],
    ['not plain', 'é'],
    ['longer than any', 'x'.repeat(4097)],
  ])('a malformed Google token is refused: %s', async (_, token) => {
    const answer = await postToken(new Visitor(), token);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      code: 'invalid_input',
      fields: { token: [expect.any(String)] },
    });
  });

  test('a Google token cannot be used twice, not even by the same user', async () => {
    const googler = await createGoogleUser();
    const me = await signInWithToken(googler);
    await me.call('/api/logout', { method: 'POST' });
    const answer = await postToken(me, googler.token);
    expect({ status: answer.status, body: await answer.json() }).toMatchObject({
      status: 400,
      body: { code: 'invalid_google_token' },
    });
    expect(answer.headers.get('set-cookie')).toBeNull();
  });

  test('a Google token used ten times at once opens one session', async () => {
    const googler = await createGoogleUser();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => postToken(new Visitor(), googler.token)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 400),
    ]);
    const { id } = (await env.DB.prepare('select id from users where email = ?')
      .bind(googler.email)
      .first<{ id: string }>()) as { id: string };
    const sessions = env.DB.prepare('select count(*) as n from sessions where user_id = ?').bind(id);
    expect(await sessions.first('n')).toBe(1);
  });

  test('a used Google token is stored as a hash until it expires', async () => {
    const { token } = await createGoogleUser({ info: { expires_in: 120 } });
    await postToken(new Visitor(), token);
    const dumpUsedTokens = async () =>
      JSON.stringify((await env.DB.prepare('select * from used_tokens').all()).results);
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
    const hash = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
    expect(await dumpUsedTokens()).toContain(hash);
    expect(await dumpUsedTokens()).not.toContain(token);
    const db = openDatabase(env.DB);
    await removeExpiredTokens(db, Date.now() + 120_000);
    expect(await dumpUsedTokens()).toContain(hash);
    await removeExpiredTokens(db, Date.now() + 120_000 + 3_600_000);
    expect(await dumpUsedTokens()).not.toContain(hash);
  });
});

describe('Google failures', () => {
  test.each<[string, GoogleAccount['trouble']]>([
    ['has an error where tokens are described', { at: 'tokeninfo', status: 503, body: '{}' }],
    ['has an error where owners are described', { at: 'userinfo', status: 500, body: 'oops' }],
    ['says that it is asked too much', { at: 'tokeninfo', status: 429, body: '{}' }],
    ['answers with a page', { at: 'tokeninfo', body: '<!doctype html><title>Sorry</title>' }],
    ['answers with nothing', { at: 'userinfo', body: '' }],
    ['sends us elsewhere', { at: 'tokeninfo', status: 302, body: '{}' }],
    ['does not stop answering', { at: 'userinfo', body: `{"sub":"${'x'.repeat(200_000)}"}` }],
  ])('a Google sign-in answers 502 and leaves the token usable when Google %s', async (_, trouble) => {
    const countUsedTokens = () => env.DB.prepare('select count(*) as n from used_tokens').first('n');
    const before = await countUsedTokens();
    await expectRefused(await createGoogleUser({ trouble }), 502, 'google_unavailable');
    expect(await countUsedTokens()).toBe(before);
  });

  const callWithEnv = (variables: Record<string, unknown>, token: string) =>
    api.fetch(
      new Request(`${ORIGIN}/api/auth/google/callback`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token, userInfo: {} }),
      }),
      { ...env, ...variables },
      {
        waitUntil: () => undefined,
        passThroughOnException: () => undefined,
        props: {},
      } as unknown as ExecutionContext,
    );

  test('a Google sign-in answers 502 when Google is unreachable', async () => {
    const { token } = await createGoogleUser();
    const closed = env.MODEL_DEEPSEEK_BASE_URL?.replace(/\/v1$/, '');
    const answer = await callWithEnv({ GOOGLE_API_BASE: closed }, token);
    expect(answer.status).toBe(502);
    expect(await answer.json()).toMatchObject({ code: 'google_unavailable' });
  });

  test('the Google token route answers 404 without a client id', async () => {
    const { token } = await createGoogleUser();
    const answer = await callWithEnv({ GOOGLE_CLIENT_ID: '' }, token);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: 'not_found' });
  });
});
