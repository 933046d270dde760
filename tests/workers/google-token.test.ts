import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { api } from '../../src/api/app.ts';
import { openDatabase } from '../../src/db/open.ts';
import { removeExpiredTokens } from '../../src/features/account/used-token-store.ts';
import { snapshotConversation } from '../support/conversation-client.ts';
import type { GoogleAccount } from '../support/google-server.ts';
import {
  issueToken,
  createGoogleUser,
  signInWithToken,
  type GoogleUser,
  postToken,
} from '../support/google.ts';
import {
  startConversation,
  expectBalancedLedger,
  createEmail,
  signInGuest,
  listMessages,
  ORIGIN,
  getPoints,
  sendMessage,
  createAccount,
  Visitor,
} from '../support/factories.ts';

const usersWith = async (email: string): Promise<string[]> =>
  (
    await env.DB.prepare('select id from users where email = ?').bind(email).all<{ id: string }>()
  ).results.map(({ id }) => id);

/** Expects that a token opens nothing: no account, no session, no cookie. */
async function expectRefused(googler: GoogleUser, status: number, code: string): Promise<void> {
  const visitor = new Visitor();
  const answer = await postToken(visitor, googler.token);
  expect({ status: answer.status, body: await answer.json() }).toMatchObject({ status, body: { code } });
  expect(answer.headers.get('set-cookie')).toBeNull();
  expect(await usersWith(googler.email)).toEqual([]);
  expect((await visitor.call('/api/account')).status).toBe(401);
}

describe('When I come in with Google', () => {
  test('I am somebody with an account of my own, and told who', async () => {
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

  test('again, I am the same person, also after my address there has changed', async () => {
    const googler = await createGoogleUser();
    const me = await signInWithToken(googler);
    const later = await signInWithToken(await issueToken(googler));
    const moved = await signInWithToken(await issueToken(googler, { email: createEmail() }));
    expect([later.id, moved.id]).toEqual([me.id, me.id]);
    expect(await moved.ask('/api/account')).toMatchObject({ email: googler.email });
  });

  test('with the address of my account, it is that account, and a code still opens it', async () => {
    const me = await createAccount();
    const id = await startConversation(me);
    const byGoogle = await signInWithToken(await createGoogleUser({ email: me.email.toUpperCase() }));
    expect(byGoogle.id).toBe(me.id);
    expect((await byGoogle.call(`/api/conversations/${id}`)).status).toBe(200);
    expect(await usersWith(me.email)).toEqual([me.id]);
    expect((await createAccount(me.email)).id).toBe(me.id);
  });

  test('first and with a code later, it is one account as well', async () => {
    const me = await signInWithToken(await createGoogleUser());
    expect((await createAccount(me.email)).id).toBe(me.id);
  });

  test('ten times at once, I have one account', async () => {
    const googler = await createGoogleUser();
    const tokens = await Promise.all(Array.from({ length: 10 }, () => issueToken(googler)));
    const ids = await Promise.all(tokens.map(async (one) => (await signInWithToken(one)).id));
    expect(new Set(ids).size).toBe(1);
    expect(await usersWith(googler.email)).toEqual([ids[0]]);
  });

  test('as two people at once who share an address, both are the one of that address', async () => {
    const email = createEmail();
    const both = await Promise.all([createGoogleUser({ email }), createGoogleUser({ email })]);
    const [one, other] = await Promise.all(both.map((googler) => signInWithToken(googler)));
    expect(other?.id).toBe(one?.id);
  });

  test('as a guest, I keep what I had', async () => {
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

  test('as a guest with an account, my conversations and personas join it and my points are not doubled', async () => {
    const googler = await createGoogleUser();
    const account = await signInWithToken(googler);
    await getPoints(account);
    const me = await signInGuest();
    const id = await startConversation(me);
    await sendMessage(me, id, 'Said as a guest.');
    await me.ask('/api/personas', { json: { name: 'Wren', description: 'Maps coasts.' }, status: 201 });
    const said = await listMessages(me, id);
    await signInWithToken(await issueToken(googler), me);
    expect(me.id).toBe(account.id);
    expect(await listMessages(me, id)).toEqual(said);
    expect(await me.ask('/api/personas')).toMatchObject({ items: [{ name: 'Wren' }] });
    expect(await getPoints(me)).toMatchObject({ current_points: 50 });
    await expectBalancedLedger(me);
  });

  test('in two tabs at once as two people, the first keeps the guest’s chats and the other takes nothing', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const tabs = [new Visitor(), new Visitor()] as const;
    for (const tab of tabs) tab.cookie = me.cookie;
    const [one, other] = await Promise.all([createGoogleUser(), createGoogleUser()]);
    const entered = await Promise.all([signInWithToken(one, tabs[0]), signInWithToken(other, tabs[1])]);
    const has = await Promise.all(
      entered.map(async (tab) => (await tab.call(`/api/conversations/${id}`)).status),
    );
    expect(has.toSorted()).toEqual([200, 404]);
    const owner = entered[has.indexOf(200)];
    expect(await owner?.ask('/api/account')).toMatchObject({ id: owner?.id, is_anonymous: false });
  });

  test('whatever my browser says of me, Google alone is believed', async () => {
    const me = await signInWithToken(await createGoogleUser());
    expect(await me.ask('/api/account')).toMatchObject({ email: me.email, role: 'user' });
    for (const userInfo of [undefined, null, 'x', [], { email: 'admin@localhost.test' }]) {
      const { token } = await createGoogleUser();
      const answer = await new Visitor().call('/api/auth/google/callback', { json: { token, userInfo } });
      expect(await answer.json()).toMatchObject({ user: { role: 'user' } });
    }
  });
});

describe('A token opens nothing', () => {
  test.each<[string, Partial<GoogleAccount>]>([
    ['was given to another site', { info: { aud: 'another.apps.example', azp: 'another.apps.example' } }],
    ['was given to another site for ours', { info: { azp: 'another.apps.example' } }],
    ['is over', { info: { expires_in: '0' } }],
    ['was over long ago', { info: { expires_in: -5 } }],
    ['does not say how long it lasts', { info: { expires_in: null } }],
    ['does not say whose it is', { info: { aud: null } }],
    [
      'may not tell the address',
      { info: { scope: 'openid https://www.googleapis.com/auth/userinfo.profile' } },
    ],
    ['may tell something that only sounds like it', { info: { scope: 'openid not-email' } }],
    ['is somebody else’s than its owner', { info: { sub: 'somebody-else' } }],
    ['has an owner without a name', { user: { sub: '' } }],
    ['has an owner without an address', { user: { email: null } }],
    ['has an owner with an address that is none', { user: { email: 'a@b' } }],
    ['is described as a list', { trouble: { at: 'tokeninfo', body: '[]' } }],
    [
      'has been taken back meanwhile',
      { trouble: { at: 'userinfo', status: 401, body: '{"error":"invalid_token"}' } },
    ],
  ])('that %s', async (_, fields) => {
    await expectRefused(await createGoogleUser(fields), 400, 'invalid_google_token');
  });

  test.each([false, 'false', null, 0, 1, '', 'TRUE'])(
    'of somebody whose address Google has not verified (%j)',
    async (email_verified) => {
      await expectRefused(await createGoogleUser({ user: { email_verified } }), 403, 'email_unverified');
    },
  );

  test('of an address that is an account’s, when it is not verified', async () => {
    const owner = await createAccount();
    const answer = await postToken(
      new Visitor(),
      (await createGoogleUser({ email: owner.email, user: { email_verified: false } })).token,
    );
    expect(answer.status).toBe(403);
    const linked = await env.DB.prepare('select count(*) as n from google_accounts where user_id = ?');
    expect(await linked.bind(owner.id).first('n')).toBe(0);
  });

  test('that Google does not know, however it looks', async () => {
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
  ])('that cannot be one: %s', async (_, token) => {
    const answer = await postToken(new Visitor(), token);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      code: 'invalid_input',
      fields: { token: [expect.any(String)] },
    });
  });

  test('twice, not even for the one it belongs to', async () => {
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

  test('ten times at once: it opens one session', async () => {
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

  test('that was taken is kept as a hash, and no longer than it is worth something', async () => {
    const { token } = await createGoogleUser({ info: { expires_in: 120 } });
    await postToken(new Visitor(), token);
    const rows = async () =>
      JSON.stringify((await env.DB.prepare('select * from used_tokens').all()).results);
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
    const hash = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
    expect(await rows()).toContain(hash);
    expect(await rows()).not.toContain(token);
    const db = openDatabase(env.DB);
    await removeExpiredTokens(db, Date.now() + 120_000);
    expect(await rows()).toContain(hash);
    await removeExpiredTokens(db, Date.now() + 120_000 + 3_600_000);
    expect(await rows()).not.toContain(hash);
  });
});

describe('When Google itself is in trouble', () => {
  test.each<[string, GoogleAccount['trouble']]>([
    ['has an error where tokens are described', { at: 'tokeninfo', status: 503, body: '{}' }],
    ['has an error where owners are described', { at: 'userinfo', status: 500, body: 'oops' }],
    ['says that it is asked too much', { at: 'tokeninfo', status: 429, body: '{}' }],
    ['answers with a page', { at: 'tokeninfo', body: '<!doctype html><title>Sorry</title>' }],
    ['answers with nothing', { at: 'userinfo', body: '' }],
    ['sends us elsewhere', { at: 'tokeninfo', status: 302, body: '{}' }],
    ['does not stop answering', { at: 'userinfo', body: `{"sub":"${'x'.repeat(200_000)}"}` }],
  ])('and %s, I am told that it is Google, and may try again with the same token', async (_, trouble) => {
    const taken = () => env.DB.prepare('select count(*) as n from used_tokens').first('n');
    const before = await taken();
    await expectRefused(await createGoogleUser({ trouble }), 502, 'google_unavailable');
    expect(await taken()).toBe(before);
  });

  const callWith = (variables: Record<string, unknown>, token: string) =>
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

  test('and cannot be reached at all, I am told the same', async () => {
    const { token } = await createGoogleUser();
    const closed = env.MODEL_DEEPSEEK_BASE_URL?.replace(/\/v1$/, '');
    const answer = await callWith({ GOOGLE_API_BASE: closed }, token);
    expect(answer.status).toBe(502);
    expect(await answer.json()).toMatchObject({ code: 'google_unavailable' });
  });

  test('or is not set up here, the way does not exist', async () => {
    const { token } = await createGoogleUser();
    const answer = await callWith({ GOOGLE_CLIENT_ID: '' }, token);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: 'not_found' });
  });
});
