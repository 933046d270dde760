// Over 400 lines: attacks on sessions, login codes and accounts in one list.
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { api } from '../../../../src/api/app.ts';
import { LOGIN_CODE } from '../../../../src/features/account/limits.ts';
import { openDatabase } from '../../../../src/db/open.ts';
import {
  saveLoginCode,
  verifyLoginCode,
} from '../../../../src/features/account/login-code/login-code-store.ts';
import { createGoogleUser, signInWithToken, type GoogleUser } from '../../../support/google.ts';
import {
  startTurn,
  requestLoginCode,
  startConversation,
  expectBalancedLedger,
  createEmail,
  signInGuest,
  getLastMessage,
  listLedger,
  ORIGIN,
  getPoints,
  sendMessage,
  createAccount,
  Visitor,
} from '../../../support/factories.ts';
import { createScene } from '../../../support/scripted-model.ts';
import { mailsTo, recordingMail } from '../../mailbox.ts';

afterEach(() => vi.useRealTimers());

const LIMIT_PER_MINUTE = 20;
const isLoggedIn = async (visitor: Visitor): Promise<boolean> =>
  (await visitor.call('/api/account')).status === 200;
const getWrongCode = (code: string, by = 1): string =>
  String((Number(code) + by) % 1_000_000).padStart(6, '0');

interface Raw {
  origin?: string;
  json?: unknown;
  headers?: Record<string, string>;
  /** Replaces bindings and variables of the tests. */
  env?: Record<string, unknown>;
}

/** Posts to any of the origins that the product may be served from. */
async function post(
  path: string,
  { origin = ORIGIN, json, headers = {}, env: changed = {} }: Raw,
): Promise<Response> {
  const waited: Promise<unknown>[] = [];
  const context = {
    waitUntil: (work: Promise<unknown>) => void waited.push(work),
    passThroughOnException: () => undefined,
    props: {},
  } as unknown as ExecutionContext;
  const request = new Request(origin + path, {
    method: 'POST',
    headers: { ...(json === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  const answer = await api.fetch(
    request,
    { ...env, EMAIL: recordingMail(env.EMAIL), ...changed } as Env,
    context,
  );
  await Promise.all(waited);
  return answer;
}

const from = (address: string, path: string, json: unknown): Promise<Response> =>
  post(path, { json, headers: { 'cf-connecting-ip': address }, env: { RATE_LIMITS: 'on' } });

describe('Code guessing', () => {
  const SEND = '/api/auth/send-login-code';
  const TRY = '/api/auth/login-with-code';

  test.each([
    ['one address', '198.51.100.20', () => '198.51.100.20'],
    [
      'a new address of one network for each call',
      '2001:db8:20::1',
      (n: number) => `2001:db8:20::${(n + 1).toString(16)}:1`,
    ],
  ])(
    'guessing codes for many users, or requesting codes for them, is limited from %s',
    async (_, __, address) => {
      // A new minute may begin in between and restart the count, so at most twice the limit passes.
      const calls = 2 * LIMIT_PER_MINUTE + 5;
      const countRefused = async (path: string, json: (email: string) => unknown) => {
        const emails = Array.from({ length: calls }, () => createEmail());
        const statuses: number[] = [];
        for (const [index, email] of emails.entries()) {
          statuses.push((await from(address(index), path, json(email))).status);
        }
        return { emails, refused: statuses.filter((status) => status === 429).length };
      };
      const guesses = await countRefused(TRY, (email) => ({ email, code: '000000' }));
      expect(guesses.refused).toBeGreaterThanOrEqual(5);
      const requests = await countRefused(SEND, (email) => ({ email }));
      expect(requests.refused).toBeGreaterThanOrEqual(5);
      expect(requests.emails.filter((email) => mailsTo(email).length === 0)).toHaveLength(requests.refused);
    },
  );

  test('guessed Google tokens from one network are limited', async () => {
    const calls = 2 * LIMIT_PER_MINUTE + 5;
    const statuses: number[] = [];
    for (let n = 0; n < calls; n += 1) {
      const address = `2001:db8:21::${(n + 1).toString(16)}:1`;
      const answer = await from(address, '/api/auth/google/callback', { token: `ya29.made-up-${n}` });
      statuses.push(answer.status);
    }
    expect(statuses.slice(0, LIMIT_PER_MINUTE)).toEqual(Array.from({ length: LIMIT_PER_MINUTE }, () => 400));
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(5);
  });

  test('five wrong guesses end a login code, even from a new network each time', async () => {
    const email = createEmail();
    const code = await requestLoginCode(email);
    const network = (n: number): string => `203.0.113.${100 + n}`;
    for (let n = 0; n < 25; n += 1) {
      expect((await from(network(n), TRY, { email, code: getWrongCode(code, n + 1) })).status).toBe(400);
    }
    expect((await from(network(26), TRY, { email, code })).status).toBe(400);
    // Its requester gets no new code for as long as the old one would have lived, and strangers only a limited number of their own.
    const again = await new Visitor().call(SEND, { json: { email } });
    expect(again.status).toBe(429);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => from(network(27 + n), SEND, { email })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(LOGIN_CODE.maxUnusedOfStrangers - 1);
    expect(mailsTo(email).filter(({ text }) => /^\d{6}$/m.test(text))).toHaveLength(
      LOGIN_CODE.maxUnusedOfStrangers,
    );
  });

  test('a limited network does not affect other networks', async () => {
    for (let n = 0; n < 2 * LIMIT_PER_MINUTE; n += 1)
      await from('2001:db8:66::1', TRY, { email: 'x@y.test', code: '000000' });
    const email = createEmail();
    const code = await requestLoginCode(email);
    expect((await from('2001:db8:67::1', TRY, { email, code })).status).toBe(201);
  });
});

describe('Account enumeration', () => {
  /** The answer, the statements and the mails of a call, with random codes replaced. */
  async function traceCall(path: string, json: unknown) {
    const statements: string[] = [];
    const mails: unknown[] = [];
    const db = {
      prepare: (sql: string) => {
        statements.push(sql);
        return env.DB.prepare(sql);
      },
      batch: (all: D1PreparedStatement[]) => {
        statements.push(`batch of ${all.length}`);
        return env.DB.batch(all);
      },
    };
    const send = (mail: { text: string }) => {
      mails.push(mail.text.replaceAll(/\d{6}/g, '000000'));
      return Promise.resolve();
    };
    const answer = await post(path, { json, env: { DB: db, EMAIL: { send } } });
    return {
      status: answer.status,
      body: await answer.text(),
      headers: [...answer.headers.keys()].toSorted(),
      statements,
      mails,
    };
  }

  test('requesting and guessing codes gives the same answers and mails for known and unknown addresses', async () => {
    const account = await createAccount();
    const addresses = [account.email, (await signInWithToken(await createGoogleUser())).email, createEmail()];
    const traces = [];
    for (const email of addresses) {
      const trace = [
        await traceCall('/api/auth/login-with-code', { email, code: '111111' }),
        await traceCall('/api/auth/send-login-code', { email }),
        await traceCall('/api/auth/send-login-code', { email }),
      ];
      // The stored hash is replaced, because one of the guesses could be the right code.
      await env.DB.prepare("update login_codes set code_hash = 'none' where email = ?").bind(email).run();
      for (let tries = 0; tries <= LOGIN_CODE.maxAttempts; tries += 1) {
        trace.push(await traceCall('/api/auth/login-with-code', { email, code: '111111' }));
      }
      traces.push(trace);
    }
    const [one, ...others] = traces;
    expect(one?.map(({ status }) => status)).toEqual([
      400,
      201,
      429,
      ...Array.from({ length: 6 }, () => 400),
    ]);
    expect(one?.map(({ mails }) => mails.length)).toEqual([0, 1, 0, 0, 0, 0, 0, 0, 0]);
    expect(one?.every(({ statements }) => statements.length > 0)).toBe(true);
    for (const other of others) expect(other).toEqual(one);
  });
});

describe('Session cookie', () => {
  const logins: [string, (origin: string) => Promise<Response>][] = [
    [
      'by a code',
      async (origin) => {
        const email = createEmail();
        return post('/api/auth/login-with-code', {
          origin,
          json: { email, code: await requestLoginCode(email) },
        });
      },
    ],
    [
      'by Google',
      async (origin) =>
        post('/api/auth/google/callback', { origin, json: { token: (await createGoogleUser()).token } }),
    ],
    ['as a guest', (origin) => post('/api/auth/anonymous', { origin })],
  ];
  const SECURE = /^__Host-session=[0-9a-f]{64}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/;
  const LOCAL = /^session=[0-9a-f]{64}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/;

  test.each(logins)(
    'the session cookie is for this host, https only and hidden from scripts: %s',
    async (_, enter) => {
      for (const origin of [
        ORIGIN,
        'https://localhost',
        'http://loreloom.test',
        'http://localhost.evil.example',
      ]) {
        expect((await enter(origin)).headers.getSetCookie()).toEqual([expect.stringMatching(SECURE)]);
      }
      // Browsers refuse secure cookies over http, and on this machine there is no network in between.
      for (const origin of ['http://localhost:8787', 'http://127.0.0.1:8787', 'http://[::1]:8787']) {
        expect((await enter(origin)).headers.getSetCookie()).toEqual([expect.stringMatching(LOCAL)]);
      }
    },
  );

  test('logging out deletes the session cookie with the attributes it was set with', async () => {
    const logOut = async (origin: string) => (await post('/api/logout', { origin })).headers.getSetCookie();
    expect(await logOut(ORIGIN)).toEqual([
      '__Host-session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax',
    ]);
    expect(await logOut('http://localhost:8787')).toEqual([
      'session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
    ]);
  });

  test('a session cookie of localhost is refused elsewhere, and the reverse', async () => {
    const me = await createAccount();
    const token = me.cookie.split('=')[1];
    const readStatus = async (origin: string, cookie: string) => {
      const answer = await api.fetch(new Request(`${origin}/api/account`, { headers: { cookie } }), env, {
        waitUntil: () => undefined,
      } as unknown as ExecutionContext);
      return answer.status;
    };
    expect(await readStatus(ORIGIN, `__Host-session=${token}`)).toBe(200);
    expect(await readStatus(ORIGIN, `session=${token}`)).toBe(401);
    expect(await readStatus('http://localhost:8787', `session=${token}`)).toBe(200);
    expect(await readStatus('http://localhost:8787', `__Host-session=${token}`)).toBe(401);
  });

  test('a guest session never uses a token that the client chose', async () => {
    const planted = `__Host-session=${'a'.repeat(64)}`;
    const me = new Visitor();
    me.cookie = planted;
    await me.ask('/api/auth/anonymous', { method: 'POST', status: 201 });
    expect(me.cookie).toMatch(/^__Host-session=[0-9a-f]{64}$/);
    expect(me.cookie).not.toBe(planted);
    const thief = new Visitor();
    thief.cookie = planted;
    expect(await isLoggedIn(thief)).toBe(false);
  });

  test('a guest session that ended at a login is never used again', async () => {
    const me = await signInGuest();
    const planted = me.cookie;
    await createAccount(createEmail(), me);
    const thief = new Visitor();
    thief.cookie = planted;
    const { user_id } = await thief.ask<{ user_id: string }>('/api/auth/anonymous', {
      method: 'POST',
      status: 201,
    });
    expect(user_id).not.toBe(me.id);
    expect(thief.cookie).not.toBe(planted);
  });
});

describe('Simultaneous logins', () => {
  /** Two tabs of one browser with a guest who has chatted. */
  async function openTwoTabs() {
    const me = await signInGuest();
    const id = await startConversation(me);
    await sendMessage(me, id, 'Said before.');
    await me.ask('/api/personas', { json: { name: 'Wren', description: 'Maps coasts.' }, status: 201 });
    const tabs = [new Visitor(), new Visitor()] as const;
    for (const tab of tabs) tab.cookie = me.cookie;
    return { me, id, tabs };
  }
  const byCode = (tab: Visitor, email: string, code: string) =>
    tab.ask<{ user_id: string }>('/api/auth/login-with-code', { json: { email, code }, status: 201 });

  test.each([
    ['an address that is new', false],
    ['the address of my account', true],
  ])(
    'simultaneous logins by code and by Google, with %s, give one user with the guest’s data',
    async (_, isKnown) => {
      const account = isKnown ? await createAccount() : null;
      const email = account?.email ?? createEmail();
      const { me, id, tabs } = await openTwoTabs();
      const [code, googler] = [await requestLoginCode(email), await createGoogleUser({ email })];
      const [first, second] = await Promise.all([
        byCode(tabs[0], email, code),
        signInWithToken(googler, tabs[1]),
      ]);
      expect(second.id).toBe(first.user_id);
      if (account !== null) expect(second.id).toBe(account.id);
      for (const tab of tabs) {
        tab.id = second.id;
        expect(await tab.ask('/api/account')).toMatchObject({ id: second.id, email, is_anonymous: false });
        expect(await getLastMessage(tab, id)).toMatchObject({ status: 'complete' });
        expect(await tab.ask('/api/personas')).toMatchObject({ items: [{ name: 'Wren' }] });
        await expectBalancedLedger(tab);
      }
      expect(await isLoggedIn(me)).toBe(false);
      const { results } = await env.DB.prepare('select id from users where email = ?').bind(email).all();
      expect(results).toHaveLength(1);
    },
  );

  test('two simultaneous Google logins of a guest lose no conversation', async () => {
    const { id, tabs } = await openTwoTabs();
    const googler = await createGoogleUser();
    const twice: GoogleUser[] = [
      googler,
      await createGoogleUser({ subject: googler.subject, email: googler.email }),
    ];
    const entered = await Promise.all(twice.map((one, index) => signInWithToken(one, tabs[index as 0 | 1])));
    expect(new Set(entered.map((tab) => tab.id)).size).toBe(1);
    for (const tab of entered) expect((await tab.call(`/api/conversations/${id}`)).status).toBe(200);
  });

  test('of two tabs that use the same code one is logged in, and the other is refused', async () => {
    const email = createEmail();
    const { id, tabs } = await openTwoTabs();
    const code = await requestLoginCode(email);
    const answers = await Promise.all(
      tabs.map((tab) => tab.call('/api/auth/login-with-code', { json: { email, code } })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400]);
    const tab = tabs[answers.findIndex(({ status }) => status === 201)];
    expect((await tab?.call(`/api/conversations/${id}`))?.status).toBe(200);
  });

  test('logging out in one tab logs out the other', async () => {
    const me = await createAccount();
    const other = new Visitor();
    other.cookie = me.cookie;
    await me.call('/api/logout', { method: 'POST' });
    expect(await isLoggedIn(other)).toBe(false);
  });
});

describe('Session end during a reply', () => {
  const sessionEnds: [string, (me: Visitor) => Promise<unknown>][] = [
    ['the user logs out', (me) => me.call('/api/logout', { method: 'POST' })],
    [
      'it expires',
      (me) =>
        env.DB.prepare('update sessions set expires_at = unixepoch() - 1 where user_id = ?')
          .bind(me.id)
          .run(),
    ],
    [
      'another device ends it',
      async (me) => (await createAccount(me.email)).call('/api/account/sessions', { method: 'DELETE' }),
    ],
  ];

  test.each(sessionEnds)(
    'a reply is stored and charged once when the session ends during it because %s',
    async (_, end) => {
      const me = await createAccount();
      const id = await startConversation(me);
      const slow = createScene('gate n=3');
      const reader = await startTurn(me, id, slow.marker);
      await slow.reached();
      await end(me);
      expect(await isLoggedIn(me)).toBe(false);
      await slow.open();
      await reader.readRest();
      const again = await createAccount(me.email);
      await vi.waitFor(async () => {
        expect(await getLastMessage(again, id)).toMatchObject({
          status: 'complete',
          content: 'w0 w1 w2 w3 w4 w5',
        });
      });
      expect(await getPoints(again)).toMatchObject({ current_points: 49, daily_messages_used: 1 });
      expect((await listLedger(again)).filter(({ kind }) => kind === 'message')).toHaveLength(1);
      await expectBalancedLedger(again);
    },
  );
});

describe('Clock differences', () => {
  const db = openDatabase(env.DB);

  const by = { requester: 'a network', isKnownBrowser: false };

  test('a login code is valid up to its last millisecond', async () => {
    const now = Date.now();
    for (const [late, works] of [
      [-1, true],
      [0, false],
      [1, false],
    ] as const) {
      const email = createEmail();
      await saveLoginCode(db, { email, codeHash: 'hash', by, now });
      expect(
        await verifyLoginCode(db, {
          email,
          codeHash: 'hash',
          by: [by.requester],
          now: now + LOGIN_CODE.lifetimeMs + late,
        }),
      ).toBe(works);
    }
  });

  test('a code sent by a server with a faster clock works, and the next one is not sent earlier', async () => {
    const [email, now] = [createEmail(), Date.now()];
    await saveLoginCode(db, { email, codeHash: 'hash', by, now: now + 5000 });
    expect(await saveLoginCode(db, { email, codeHash: 'other', by, now })).toEqual({
      code: 'code_recently_sent',
      retryAt: now + 5000 + LOGIN_CODE.resendAfterMs,
    });
    expect(await verifyLoginCode(db, { email, codeHash: 'hash', by: [by.requester], now })).toBe(true);
  });

  test('a session is valid up to its last second on every device', async () => {
    const end = Math.floor(Date.now() / 1000) + 3600;
    const me = await createAccount();
    const other = await createAccount(me.email);
    const endsAt = (visitor: Visitor) =>
      env.DB.prepare('update sessions set expires_at = ? where user_id = ?').bind(end, visitor.id).run();
    vi.useFakeTimers({ toFake: ['Date'] });
    for (const [late, holds] of [
      [-1, true],
      [0, false],
    ] as const) {
      await endsAt(me);
      vi.setSystemTime(end * 1000 + late);
      expect([await isLoggedIn(me), await isLoggedIn(other)]).toEqual([holds, holds]);
    }
  });

  test('a session started by a server with a faster clock is valid at once', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const now = Date.now();
    vi.setSystemTime(now + 60_000);
    const me = await createAccount();
    vi.setSystemTime(now);
    expect(await isLoggedIn(me)).toBe(true);
    const { items } = await me.ask<{ items: { current: boolean }[] }>('/api/account/sessions');
    expect(items).toMatchObject([{ current: true }]);
  });
});
