import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import type { SessionList } from '../../../../src/features/account/contract.ts';
import { createGoogleUser, Browser, chooseAccount, signInWithToken } from '../../../support/google.ts';
import { openLiveTab } from '../../../support/live-tab.ts';
import {
  startTurn,
  requestLoginCode,
  startConversation,
  createEmail,
  signInGuest,
  getLastMessage,
  createAccount,
  Visitor,
} from '../../../support/factories.ts';
import { createScene } from '../../../support/scripted-model.ts';

const HOUR_MS = 3_600_000;

async function signInOn(email: string, userAgent: string): Promise<Visitor> {
  const device = new Visitor();
  const code = await requestLoginCode(email);
  const { user_id } = await device.ask<{ user_id: string }>('/api/auth/login-with-code', {
    json: { email, code },
    headers: { 'user-agent': userAgent },
    status: 201,
  });
  device.id = user_id;
  return device;
}

async function createTwoDevices() {
  const email = createEmail();
  return { phone: await signInOn(email, 'Phone'), laptop: await signInOn(email, 'Laptop') };
}

const listSessions = async (device: Visitor) =>
  (await device.ask<SessionList>('/api/account/sessions')).items;
const end = (device: Visitor, id: string) => device.call(`/api/account/sessions/${id}`, { method: 'DELETE' });
const isLoggedIn = async (device: Visitor): Promise<boolean> =>
  (await device.call('/api/account')).status === 200;

/** Moves all times of a user’s sessions into the past. */
const backdateSessions = (visitor: Visitor, ms: number) =>
  env.DB.batch([
    env.DB.prepare('update sessions set last_seen_at = last_seen_at - ?1 where user_id = ?2').bind(
      ms,
      visitor.id,
    ),
    env.DB.prepare('update users set last_seen_at = last_seen_at - ?1 where id = ?2').bind(ms, visitor.id),
  ]);
const readLastSeen = (visitor: Visitor) =>
  env.DB.prepare(
    'select sessions.last_seen_at as session, users.last_seen_at as user from sessions join users on users.id = user_id where user_id = ? limit 1',
  )
    .bind(visitor.id)
    .first<{ session: number; user: number }>();

describe('Session list', () => {
  test('the session list has all devices of the user only, with the current one first', async () => {
    const { phone, laptop } = await createTwoDevices();
    await createAccount();
    const phoneSessions = await listSessions(phone);
    expect(phoneSessions).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-z]{26}$/),
        current: true,
        created_at: expect.stringMatching(/Z$/),
        last_seen_at: expect.stringMatching(/Z$/),
        user_agent: 'Phone',
      },
      expect.objectContaining({ current: false, user_agent: 'Laptop' }),
    ]);
    expect((await listSessions(laptop)).map(({ current, user_agent }) => [current, user_agent])).toEqual([
      [true, 'Laptop'],
      [false, 'Phone'],
    ]);
  });

  test('the session list contains nothing that opens a session', async () => {
    const { phone } = await createTwoDevices();
    const listed = JSON.stringify(await listSessions(phone));
    const { results } = await env.DB.prepare('select id from sessions where user_id = ?')
      .bind(phone.id)
      .all();
    for (const { id } of results) expect(listed).not.toContain(id);
    const [own] = await listSessions(phone);
    const thief = new Visitor();
    thief.cookie = `__Host-session=${own?.id}`;
    expect(await isLoggedIn(thief)).toBe(false);
  });

  test('the session list leaves out expired sessions', async () => {
    const { phone, laptop } = await createTwoDevices();
    const other = (await listSessions(phone)).find(({ current }) => !current);
    await env.DB.prepare('update sessions set expires_at = unixepoch() - 1 where public_id = ?')
      .bind(other?.id)
      .run();
    expect(await listSessions(phone)).toHaveLength(1);
    expect(await isLoggedIn(laptop)).toBe(false);
  });

  test('the session list shows the last use of a device to the hour, and stores it at most hourly', async () => {
    const me = await signInGuest();
    const first = await readLastSeen(me);
    expect(Date.now() - Number(first?.session)).toBeLessThan(60_000);
    expect(first?.user).toBeGreaterThan(Date.now() - 60_000);
    await backdateSessions(me, HOUR_MS / 2);
    const halfAnHourAgo = await readLastSeen(me);
    await me.call('/api/account');
    expect(await readLastSeen(me)).toEqual(halfAnHourAgo);
    await backdateSessions(me, HOUR_MS);
    await Promise.all(Array.from({ length: 5 }, () => me.call('/api/account')));
    await vi.waitFor(async () => {
      const now = await readLastSeen(me);
      expect(Number(now?.session)).toBeGreaterThan(Date.now() - 60_000);
      expect(Number(now?.user)).toBeGreaterThan(Date.now() - 60_000);
    });
    // Using one device does not change the last use of another.
    const { phone, laptop } = await createTwoDevices();
    await backdateSessions(phone, 3 * HOUR_MS);
    await laptop.call('/api/account');
    await vi.waitFor(async () => {
      const [own, other] = await listSessions(laptop);
      expect(Date.parse(own?.last_seen_at ?? '')).toBeGreaterThan(Date.now() - 60_000);
      expect(Date.parse(other?.last_seen_at ?? '')).toBeLessThan(Date.now() - 2 * HOUR_MS);
    });
  });

  test('the session list requires a session', async () => {
    const anonymous = new Visitor();
    expect((await anonymous.call('/api/account/sessions')).status).toBe(401);
    expect((await anonymous.call('/api/account/sessions', { method: 'DELETE' })).status).toBe(401);
    expect((await end(anonymous, '0'.repeat(26))).status).toBe(401);
  });
});

describe('Ended sessions', () => {
  test('ending another session logs that device out and keeps the current one', async () => {
    const { phone, laptop } = await createTwoDevices();
    const other = (await listSessions(phone)).find(({ current }) => !current);
    expect((await end(phone, other?.id ?? '')).status).toBe(204);
    expect([await isLoggedIn(phone), await isLoggedIn(laptop)]).toEqual([true, false]);
    expect((await end(phone, other?.id ?? '')).status).toBe(404);
  });

  test('ending a session closes its open tabs at once, for one device or for all others', async () => {
    for (const all of [false, true]) {
      const { phone, laptop } = await createTwoDevices();
      const id = await startConversation(laptop);
      const [phoneSessions, ofLaptop] = [
        await openLiveTab(phone, id, 'on-the-phone'),
        await openLiveTab(laptop, id, 'on-the-laptop'),
      ];
      const other = (await listSessions(phone)).find(({ current }) => !current);
      const path = all ? '' : `/${other?.id}`;
      await phone.call(`/api/account/sessions${path}`, { method: 'DELETE' });
      await ofLaptop.closed;
      expect(phoneSessions.socket.readyState).toBe(WebSocket.OPEN);
    }
  });

  test('a reply is completed and stored when its session is ended during it', async () => {
    const { phone, laptop } = await createTwoDevices();
    const id = await startConversation(laptop);
    const slow = createScene('gate n=3');
    const reader = await startTurn(laptop, id, slow.marker);
    await slow.reached();
    await phone.call('/api/account/sessions', { method: 'DELETE' });
    expect(await isLoggedIn(laptop)).toBe(false);
    await slow.open();
    await reader.readRest();
    await vi.waitFor(async () => {
      expect(await getLastMessage(phone, id)).toMatchObject({
        status: 'complete',
        content: 'w0 w1 w2 w3 w4 w5',
      });
    });
  });

  test('ending the current session logs this device out', async () => {
    const { phone, laptop } = await createTwoDevices();
    const [own] = await listSessions(phone);
    const answer = await end(phone, own?.id ?? '');
    expect(answer.status).toBe(204);
    expect(answer.headers.get('set-cookie')).toMatch(/^__Host-session=; .*Max-Age=0/);
    expect(await isLoggedIn(laptop)).toBe(true);
  });

  test('ending an unknown or another user’s session is answered with 404 and ends nothing', async () => {
    const [me, other] = [await createAccount(), await createAccount()];
    const [foreign] = await listSessions(other);
    for (const id of [foreign?.id ?? '', '0'.repeat(26), 'x', '%00', "' or 1=1 --"]) {
      expect((await end(me, encodeURIComponent(id))).status).toBe(404);
    }
    expect([await isLoggedIn(me), await isLoggedIn(other)]).toEqual([true, true]);
  });

  test('ending a session by the hash of its cookie is answered with 404', async () => {
    const me = await createAccount();
    const { id } = (await env.DB.prepare('select id from sessions where user_id = ?')
      .bind(me.id)
      .first()) as {
      id: string;
    };
    expect((await end(me, id)).status).toBe(404);
    expect(await isLoggedIn(me)).toBe(true);
  });

  test('ending all other sessions logs out the user’s other devices only', async () => {
    const { phone, laptop } = await createTwoDevices();
    const tablet = await signInWithToken(
      await createGoogleUser({ email: (await phone.ask<{ email: string }>('/api/account')).email }),
    );
    const stranger = await createAccount();
    expect((await phone.call('/api/account/sessions', { method: 'DELETE' })).status).toBe(204);
    expect(await Promise.all([phone, laptop, tablet, stranger].map(isLoggedIn))).toEqual([
      true,
      false,
      false,
      true,
    ]);
    expect(await listSessions(phone)).toHaveLength(1);
  });

  test('a request from another site ends no session', async () => {
    const { phone, laptop } = await createTwoDevices();
    const answer = await phone.call('/api/account/sessions', {
      method: 'DELETE',
      headers: { origin: 'https://evil.example' },
    });
    expect(answer.status).toBe(403);
    expect(await isLoggedIn(laptop)).toBe(true);
  });
});

describe('Session fixation', () => {
  test('logging in replaces a planted session cookie, which opens nothing afterwards', async () => {
    const attacker = await signInGuest();
    const logins = [
      (me: Visitor) => createAccount(createEmail(), me),
      async (me: Visitor) => signInWithToken(await createGoogleUser(), me),
      async (me: Visitor) =>
        signInWithToken(await createGoogleUser({ email: (await createAccount()).email }), me),
      async (me: Visitor) => {
        const browser = new Browser();
        browser.jar.set('__Host-session', me.cookie.split('=')[1] ?? '');
        await browser.returnTo(await chooseAccount(await browser.followRedirect(), await createGoogleUser()));
        me.cookie = `__Host-session=${browser.jar.get('__Host-session')}`;
      },
    ];
    for (const planted of [attacker.cookie, `__Host-session=${'a'.repeat(64)}`]) {
      for (const logIn of logins) {
        const me = new Visitor();
        me.cookie = planted;
        await logIn(me);
        expect(me.cookie).toMatch(/^__Host-session=[0-9a-f]{64}$/);
        expect(me.cookie).not.toBe(planted);
        const thief = new Visitor();
        thief.cookie = planted;
        expect(await isLoggedIn(thief)).toBe(false);
        expect(await isLoggedIn(me)).toBe(true);
      }
    }
  });

  test('logging in ends a planted session of another account and keeps that account’s data separate', async () => {
    const logins = [
      async (me: Visitor) => signInWithToken(await createGoogleUser(), me),
      (me: Visitor) => createAccount(createEmail(), me),
    ];
    for (const logIn of logins) {
      const foreign = await createAccount();
      const id = await startConversation(foreign);
      const me = new Visitor();
      me.cookie = foreign.cookie;
      await logIn(me);
      expect(me.id).not.toBe(foreign.id);
      expect(await isLoggedIn(foreign)).toBe(false);
      expect((await me.call(`/api/conversations/${id}`)).status).toBe(404);
      const again = await createAccount(foreign.email);
      expect((await again.call(`/api/conversations/${id}`)).status).toBe(200);
    }
  });
});
