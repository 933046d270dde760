// Over 400 lines: what an attacker tries, in one list that can be held against the list of what must hold.
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { api } from '../../src/api/app.ts';
import { LOGIN_CODE } from '../../src/features/account/limits.ts';
import { openDatabase } from '../../src/db/open.ts';
import { saveLoginCode, verifyLoginCode } from '../../src/features/account/login-code-store.ts';
import { createGoogleUser, signInWithToken, type GoogleUser } from '../support/google.ts';
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
} from '../support/factories.ts';
import { createScene } from '../support/scripted-model.ts';
import { mailsTo, recordingMail } from './mailbox.ts';

afterEach(() => vi.useRealTimers());

const LIMIT_PER_MINUTE = 20;
const isIn = async (visitor: Visitor): Promise<boolean> =>
  (await visitor.call('/api/account')).status === 200;
const wrong = (code: string, by = 1): string => String((Number(code) + by) % 1_000_000).padStart(6, '0');

interface Raw {
  origin?: string;
  json?: unknown;
  headers?: Record<string, string>;
  /** In place of the tests' own bindings and variables. */
  env?: Record<string, unknown>;
}

/** Posts from anywhere, to any of the addresses that the product may stand at. */
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

describe('Who guesses codes', () => {
  const SEND = '/api/auth/send-login-code';
  const TRY = '/api/auth/login-with-code';

  test.each([
    ['one address', '198.51.100.20', () => '198.51.100.20'],
    [
      'a new address of their own network for each',
      '2001:db8:20::1',
      (n: number) => `2001:db8:20::${(n + 1).toString(16)}:1`,
    ],
  ])(
    'for many people, from %s, is stopped soon, and so is who makes us write to them',
    async (_, __, address) => {
      // A minute may end in the middle of it, and the count begins again: never more than twice.
      const many = 2 * LIMIT_PER_MINUTE + 5;
      const statusOf = async (path: string, json: (email: string) => unknown) => {
        const emails = Array.from({ length: many }, () => createEmail());
        const statuses: number[] = [];
        for (const [index, email] of emails.entries()) {
          statuses.push((await from(address(index), path, json(email))).status);
        }
        return { emails, refused: statuses.filter((status) => status === 429).length };
      };
      const guesses = await statusOf(TRY, (email) => ({ email, code: '000000' }));
      expect(guesses.refused).toBeGreaterThanOrEqual(5);
      const asked = await statusOf(SEND, (email) => ({ email }));
      expect(asked.refused).toBeGreaterThanOrEqual(5);
      expect(asked.emails.filter((email) => mailsTo(email).length === 0)).toHaveLength(asked.refused);
    },
  );

  test('or tokens of Google’s from one network is stopped as soon', async () => {
    const many = 2 * LIMIT_PER_MINUTE + 5;
    const statuses: number[] = [];
    for (let n = 0; n < many; n += 1) {
      const address = `2001:db8:21::${(n + 1).toString(16)}:1`;
      const answer = await from(address, '/api/auth/google/callback', { token: `ya29.made-up-${n}` });
      statuses.push(answer.status);
    }
    expect(statuses.slice(0, LIMIT_PER_MINUTE)).toEqual(Array.from({ length: LIMIT_PER_MINUTE }, () => 400));
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(5);
  });

  test('for one person, from a new network each time, has five guesses as everybody else', async () => {
    const email = createEmail();
    const code = await requestLoginCode(email);
    const network = (n: number): string => `203.0.113.${100 + n}`;
    for (let n = 0; n < 25; n += 1) {
      expect((await from(network(n), TRY, { email, code: wrong(code, n + 1) })).status).toBe(400);
    }
    expect((await from(network(26), TRY, { email, code })).status).toBe(400);
    // And there is no new code to guess at for as long as the old one would have lived.
    const again = await from(network(27), SEND, { email });
    expect(again.status).toBe(429);
    expect(mailsTo(email)).toHaveLength(1);
  });

  test('of one network keeps nobody else out', async () => {
    for (let n = 0; n < 2 * LIMIT_PER_MINUTE; n += 1)
      await from('2001:db8:66::1', TRY, { email: 'x@y.test', code: '000000' });
    const email = createEmail();
    const code = await requestLoginCode(email);
    expect((await from('2001:db8:67::1', TRY, { email, code })).status).toBe(201);
  });
});

describe('Nobody learns from us who has an account', () => {
  /** What a call does and says, but for what is made up anew each time. */
  async function traceOf(path: string, json: unknown) {
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

  test('by what is answered, or by what is done before: asking for a code, again too soon, and guessing until it is void', async () => {
    const known = await createAccount();
    const addresses = [known.email, (await signInWithToken(await createGoogleUser())).email, createEmail()];
    const traces = [];
    for (const email of addresses) {
      const trace = [
        await traceOf('/api/auth/login-with-code', { email, code: '111111' }),
        await traceOf('/api/auth/send-login-code', { email }),
        await traceOf('/api/auth/send-login-code', { email }),
      ];
      // One less than a code has tries: the sixth digit is random, and one of these may be the right one.
      await env.DB.prepare("update login_codes set code_hash = 'none' where email = ?").bind(email).run();
      for (let tries = 0; tries <= LOGIN_CODE.maxAttempts; tries += 1) {
        trace.push(await traceOf('/api/auth/login-with-code', { email, code: '111111' }));
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

describe('My session’s cookie', () => {
  const ways: [string, (origin: string) => Promise<Response>][] = [
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

  test.each(ways)(
    'is for this host, for https and for no script, whichever way I come in: %s',
    async (_, enter) => {
      for (const origin of [
        ORIGIN,
        'https://localhost',
        'http://loreloom.test',
        'http://localhost.evil.example',
      ]) {
        expect((await enter(origin)).headers.getSetCookie()).toEqual([expect.stringMatching(SECURE)]);
      }
      // Browsers take no secure cookie from http; on this machine there is no one in between.
      for (const origin of ['http://localhost:8787', 'http://127.0.0.1:8787', 'http://[::1]:8787']) {
        expect((await enter(origin)).headers.getSetCookie()).toEqual([expect.stringMatching(LOCAL)]);
      }
    },
  );

  test('goes as it came, or the browser would keep it', async () => {
    const gone = async (origin: string) => (await post('/api/logout', { origin })).headers.getSetCookie();
    expect(await gone(ORIGIN)).toEqual([
      '__Host-session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax',
    ]);
    expect(await gone('http://localhost:8787')).toEqual([
      'session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
    ]);
  });

  test('for this machine opens nothing elsewhere, and the other way round', async () => {
    const me = await createAccount();
    const token = me.cookie.split('=')[1];
    const asks = async (origin: string, cookie: string) => {
      const answer = await api.fetch(new Request(`${origin}/api/account`, { headers: { cookie } }), env, {
        waitUntil: () => undefined,
      } as unknown as ExecutionContext);
      return answer.status;
    };
    expect(await asks(ORIGIN, `__Host-session=${token}`)).toBe(200);
    expect(await asks(ORIGIN, `session=${token}`)).toBe(401);
    expect(await asks('http://localhost:8787', `session=${token}`)).toBe(200);
    expect(await asks('http://localhost:8787', `__Host-session=${token}`)).toBe(401);
  });

  test('that somebody made up never becomes a guest’s', async () => {
    const planted = `__Host-session=${'a'.repeat(64)}`;
    const me = new Visitor();
    me.cookie = planted;
    await me.ask('/api/auth/anonymous', { method: 'POST', status: 201 });
    expect(me.cookie).toMatch(/^__Host-session=[0-9a-f]{64}$/);
    expect(me.cookie).not.toBe(planted);
    const thief = new Visitor();
    thief.cookie = planted;
    expect(await isIn(thief)).toBe(false);
  });

  test('that was ended by a way in is no guest’s again, by that way or any other', async () => {
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

describe('When I sign in in two tabs at once', () => {
  /** Two tabs of one browser, in which somebody has chatted as a guest. */
  async function twoTabs() {
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
    'by a code and by Google, with %s, I am one person in both, and what I had is there once',
    async (_, isKnown) => {
      const known = isKnown ? await createAccount() : null;
      const email = known?.email ?? createEmail();
      const { me, id, tabs } = await twoTabs();
      const [code, googler] = [await requestLoginCode(email), await createGoogleUser({ email })];
      const [first, second] = await Promise.all([
        byCode(tabs[0], email, code),
        signInWithToken(googler, tabs[1]),
      ]);
      expect(second.id).toBe(first.user_id);
      if (known !== null) expect(second.id).toBe(known.id);
      for (const tab of tabs) {
        tab.id = second.id;
        expect(await tab.ask('/api/account')).toMatchObject({ id: second.id, email, is_anonymous: false });
        expect(await getLastMessage(tab, id)).toMatchObject({ status: 'complete' });
        expect(await tab.ask('/api/personas')).toMatchObject({ items: [{ name: 'Wren' }] });
        await expectBalancedLedger(tab);
      }
      expect(await isIn(me)).toBe(false);
      const { results } = await env.DB.prepare('select id from users where email = ?').bind(email).all();
      expect(results).toHaveLength(1);
    },
  );

  test('twice by Google as a guest, nothing is lost between the two', async () => {
    const { id, tabs } = await twoTabs();
    const googler = await createGoogleUser();
    const twice: GoogleUser[] = [
      googler,
      await createGoogleUser({ subject: googler.subject, email: googler.email }),
    ];
    const entered = await Promise.all(twice.map((one, index) => signInWithToken(one, tabs[index as 0 | 1])));
    expect(new Set(entered.map((tab) => tab.id)).size).toBe(1);
    for (const tab of entered) expect((await tab.call(`/api/conversations/${id}`)).status).toBe(200);
  });

  test('with the same code, one tab is in, and the other is told that the code is used', async () => {
    const email = createEmail();
    const { id, tabs } = await twoTabs();
    const code = await requestLoginCode(email);
    const answers = await Promise.all(
      tabs.map((tab) => tab.call('/api/auth/login-with-code', { json: { email, code } })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400]);
    const tab = tabs[answers.findIndex(({ status }) => status === 201)];
    expect((await tab?.call(`/api/conversations/${id}`))?.status).toBe(200);
  });

  test('and log out in one, the other is out as well', async () => {
    const me = await createAccount();
    const other = new Visitor();
    other.cookie = me.cookie;
    await me.call('/api/logout', { method: 'POST' });
    expect(await isIn(other)).toBe(false);
  });
});

describe('When my session ends while a reply is being written', () => {
  const ends: [string, (me: Visitor) => Promise<unknown>][] = [
    ['because I log out', (me) => me.call('/api/logout', { method: 'POST' })],
    [
      'because its time is over',
      (me) =>
        env.DB.prepare('update sessions set expires_at = unixepoch() - 1 where user_id = ?')
          .bind(me.id)
          .run(),
    ],
    [
      'because another device ends it',
      async (me) => (await createAccount(me.email)).call('/api/account/sessions', { method: 'DELETE' }),
    ],
  ];

  test.each(ends)('%s, the reply is kept and charged once', async (_, end) => {
    const me = await createAccount();
    const id = await startConversation(me);
    const slow = createScene('gate n=3');
    const reader = await startTurn(me, id, slow.marker);
    await slow.reached();
    await end(me);
    expect(await isIn(me)).toBe(false);
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
  });
});

describe('Where clocks differ', () => {
  const db = openDatabase(env.DB);

  const network = { own: 'a', wider: 'b' };

  test('a code counts to its last millisecond, and not one longer', async () => {
    const now = Date.now();
    for (const [late, works] of [
      [-1, true],
      [0, false],
      [1, false],
    ] as const) {
      const email = createEmail();
      await saveLoginCode(db, { email, codeHash: 'hash', network, now });
      expect(
        await verifyLoginCode(db, {
          email,
          codeHash: 'hash',
          network,
          now: now + LOGIN_CODE.lifetimeMs + late,
        }),
      ).toBe(works);
    }
  });

  test('a code that was sent by a clock ahead of this one works, and another is not had the sooner', async () => {
    const [email, now] = [createEmail(), Date.now()];
    await saveLoginCode(db, { email, codeHash: 'hash', network, now: now + 5000 });
    expect(await saveLoginCode(db, { email, codeHash: 'other', network, now })).toEqual({
      retryAt: now + 5000 + LOGIN_CODE.resendAfterMs,
    });
    expect(await verifyLoginCode(db, { email, codeHash: 'hash', network, now })).toBe(true);
  });

  test('a session holds to its last second, on every device', async () => {
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
      expect([await isIn(me), await isIn(other)]).toEqual([holds, holds]);
    }
  });

  test('a session that a clock ahead of this one began opens at once', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const now = Date.now();
    vi.setSystemTime(now + 60_000);
    const me = await createAccount();
    vi.setSystemTime(now);
    expect(await isIn(me)).toBe(true);
    const { items } = await me.ask<{ items: { current: boolean }[] }>('/api/account/sessions');
    expect(items).toMatchObject([{ current: true }]);
  });
});
