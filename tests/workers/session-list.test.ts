import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import type { SessionList } from '../../src/features/account/contract.ts';
import { createGoogleUser, Browser, chooseAccount, signInWithToken } from '../support/google.ts';
import { openLiveTab } from '../support/live-tab.ts';
import {
  startTurn,
  requestLoginCode,
  startConversation,
  createEmail,
  signInGuest,
  getLastMessage,
  createAccount,
  Visitor,
} from '../support/factories.ts';
import { createScene } from '../support/scripted-model.ts';

const HOUR_MS = 3_600_000;

async function on(email: string, userAgent: string): Promise<Visitor> {
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

async function twoDevices() {
  const email = createEmail();
  return { phone: await on(email, 'Phone'), laptop: await on(email, 'Laptop') };
}

const listOf = async (device: Visitor) => (await device.ask<SessionList>('/api/account/sessions')).items;
const end = (device: Visitor, id: string) => device.call(`/api/account/sessions/${id}`, { method: 'DELETE' });
const isIn = async (device: Visitor): Promise<boolean> => (await device.call('/api/account')).status === 200;

/** Makes everything of somebody's sessions so much older. */
const aged = (visitor: Visitor, ms: number) =>
  env.DB.batch([
    env.DB.prepare('update sessions set last_seen_at = last_seen_at - ?1 where user_id = ?2').bind(
      ms,
      visitor.id,
    ),
    env.DB.prepare('update users set seen_at = seen_at - ?1 where id = ?2').bind(ms, visitor.id),
  ]);
const seen = (visitor: Visitor) =>
  env.DB.prepare(
    'select last_seen_at, seen_at from sessions join users on users.id = user_id where user_id = ? limit 1',
  )
    .bind(visitor.id)
    .first<{ last_seen_at: number; seen_at: number }>();

describe('The list of where I am signed in', () => {
  test('holds all my devices and nobody else’s, this one first', async () => {
    const { phone, laptop } = await twoDevices();
    await createAccount();
    const ofPhone = await listOf(phone);
    expect(ofPhone).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-z]{26}$/),
        current: true,
        created_at: expect.stringMatching(/Z$/),
        last_seen_at: expect.stringMatching(/Z$/),
        user_agent: 'Phone',
      },
      expect.objectContaining({ current: false, user_agent: 'Laptop' }),
    ]);
    expect((await listOf(laptop)).map(({ current, user_agent }) => [current, user_agent])).toEqual([
      [true, 'Laptop'],
      [false, 'Phone'],
    ]);
  });

  test('tells nothing that opens a session', async () => {
    const { phone } = await twoDevices();
    const listed = JSON.stringify(await listOf(phone));
    const { results } = await env.DB.prepare('select id from sessions where user_id = ?')
      .bind(phone.id)
      .all();
    for (const { id } of results) expect(listed).not.toContain(id);
    const [own] = await listOf(phone);
    const thief = new Visitor();
    thief.cookie = `__Host-session=${own?.id}`;
    expect(await isIn(thief)).toBe(false);
  });

  test('leaves out those whose time is over', async () => {
    const { phone, laptop } = await twoDevices();
    const other = (await listOf(phone)).find(({ current }) => !current);
    await env.DB.prepare('update sessions set expires_at = unixepoch() - 1 where public_id = ?')
      .bind(other?.id)
      .run();
    expect(await listOf(phone)).toHaveLength(1);
    expect(await isIn(laptop)).toBe(false);
  });

  test('says when a device was last used, to the hour, and writes no oftener', async () => {
    const me = await signInGuest();
    const first = await seen(me);
    expect(Date.now() - Number(first?.last_seen_at)).toBeLessThan(60_000);
    expect(first?.seen_at).toBeGreaterThan(Date.now() - 60_000);
    await aged(me, HOUR_MS / 2);
    const halfAnHourAgo = await seen(me);
    await me.call('/api/account');
    expect(await seen(me)).toEqual(halfAnHourAgo);
    await aged(me, HOUR_MS);
    await Promise.all(Array.from({ length: 5 }, () => me.call('/api/account')));
    await vi.waitFor(async () => {
      const now = await seen(me);
      expect(Number(now?.last_seen_at)).toBeGreaterThan(Date.now() - 60_000);
      expect(Number(now?.seen_at)).toBeGreaterThan(Date.now() - 60_000);
    });
    // A device that is used does not look as if another one were.
    const { phone, laptop } = await twoDevices();
    await aged(phone, 3 * HOUR_MS);
    await laptop.call('/api/account');
    await vi.waitFor(async () => {
      const [own, other] = await listOf(laptop);
      expect(Date.parse(own?.last_seen_at ?? '')).toBeGreaterThan(Date.now() - 60_000);
      expect(Date.parse(other?.last_seen_at ?? '')).toBeLessThan(Date.now() - 2 * HOUR_MS);
    });
  });

  test('needs a session', async () => {
    const nobody = new Visitor();
    expect((await nobody.call('/api/account/sessions')).status).toBe(401);
    expect((await nobody.call('/api/account/sessions', { method: 'DELETE' })).status).toBe(401);
    expect((await end(nobody, '0'.repeat(26))).status).toBe(401);
  });
});

describe('When I end a session', () => {
  test('that device is out at once, and this one stays', async () => {
    const { phone, laptop } = await twoDevices();
    const other = (await listOf(phone)).find(({ current }) => !current);
    expect((await end(phone, other?.id ?? '')).status).toBe(204);
    expect([await isIn(phone), await isIn(laptop)]).toEqual([true, false]);
    expect((await end(phone, other?.id ?? '')).status).toBe(404);
  });

  test('its open tabs are let go at once, one by one or all together', async () => {
    for (const all of [false, true]) {
      const { phone, laptop } = await twoDevices();
      const id = await startConversation(laptop);
      const [ofPhone, ofLaptop] = [
        await openLiveTab(phone, id, 'on-the-phone'),
        await openLiveTab(laptop, id, 'on-the-laptop'),
      ];
      const other = (await listOf(phone)).find(({ current }) => !current);
      const path = all ? '' : `/${other?.id}`;
      await phone.call(`/api/account/sessions${path}`, { method: 'DELETE' });
      await ofLaptop.closed;
      expect(ofPhone.socket.readyState).toBe(WebSocket.OPEN);
    }
  });

  test('that waits for a reply, the reply is written to its end and kept', async () => {
    const { phone, laptop } = await twoDevices();
    const id = await startConversation(laptop);
    const slow = createScene('gate n=3');
    const reader = await startTurn(laptop, id, slow.marker);
    await slow.reached();
    await phone.call('/api/account/sessions', { method: 'DELETE' });
    expect(await isIn(laptop)).toBe(false);
    await slow.open();
    await reader.readRest();
    await vi.waitFor(async () => {
      expect(await getLastMessage(phone, id)).toMatchObject({
        status: 'complete',
        content: 'w0 w1 w2 w3 w4 w5',
      });
    });
  });

  test('that is this one, I am signed out here', async () => {
    const { phone, laptop } = await twoDevices();
    const [own] = await listOf(phone);
    const answer = await end(phone, own?.id ?? '');
    expect(answer.status).toBe(204);
    expect(answer.headers.get('set-cookie')).toMatch(/^__Host-session=; .*Max-Age=0/);
    expect(await isIn(laptop)).toBe(true);
  });

  test('of somebody else, or none, it is not found and nothing ends', async () => {
    const [me, other] = [await createAccount(), await createAccount()];
    const [theirs] = await listOf(other);
    for (const id of [theirs?.id ?? '', '0'.repeat(26), 'x', '%00', "' or 1=1 --"]) {
      expect((await end(me, encodeURIComponent(id))).status).toBe(404);
    }
    expect([await isIn(me), await isIn(other)]).toEqual([true, true]);
  });

  test('by the cookie’s own hash, it is not found: that name is nobody’s to say', async () => {
    const me = await createAccount();
    const { id } = (await env.DB.prepare('select id from sessions where user_id = ?')
      .bind(me.id)
      .first()) as {
      id: string;
    };
    expect((await end(me, id)).status).toBe(404);
    expect(await isIn(me)).toBe(true);
  });

  test('everywhere else, all others are out, and people who are not me stay in', async () => {
    const { phone, laptop } = await twoDevices();
    const tablet = await signInWithToken(
      await createGoogleUser({ email: (await phone.ask<{ email: string }>('/api/account')).email }),
    );
    const stranger = await createAccount();
    expect((await phone.call('/api/account/sessions', { method: 'DELETE' })).status).toBe(204);
    expect(await Promise.all([phone, laptop, tablet, stranger].map(isIn))).toEqual([
      true,
      false,
      false,
      true,
    ]);
    expect(await listOf(phone)).toHaveLength(1);
  });

  test('from another site’s page, nothing ends', async () => {
    const { phone, laptop } = await twoDevices();
    const answer = await phone.call('/api/account/sessions', {
      method: 'DELETE',
      headers: { origin: 'https://evil.example' },
    });
    expect(answer.status).toBe(403);
    expect(await isIn(laptop)).toBe(true);
  });
});

describe('A cookie that somebody else put into my browser', () => {
  test('never becomes mine: signing in gives a new one and the old one opens nothing', async () => {
    const attacker = await signInGuest();
    const entrances = [
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
      for (const entrance of entrances) {
        const me = new Visitor();
        me.cookie = planted;
        await entrance(me);
        expect(me.cookie).toMatch(/^__Host-session=[0-9a-f]{64}$/);
        expect(me.cookie).not.toBe(planted);
        const thief = new Visitor();
        thief.cookie = planted;
        expect(await isIn(thief)).toBe(false);
        expect(await isIn(me)).toBe(true);
      }
    }
  });

  test('of another account ends when I come in as myself, and what is theirs stays theirs', async () => {
    const entrances = [
      async (me: Visitor) => signInWithToken(await createGoogleUser(), me),
      (me: Visitor) => createAccount(createEmail(), me),
    ];
    for (const entrance of entrances) {
      const theirs = await createAccount();
      const id = await startConversation(theirs);
      const me = new Visitor();
      me.cookie = theirs.cookie;
      await entrance(me);
      expect(me.id).not.toBe(theirs.id);
      expect(await isIn(theirs)).toBe(false);
      expect((await me.call(`/api/conversations/${id}`)).status).toBe(404);
      const again = await createAccount(theirs.email);
      expect((await again.call(`/api/conversations/${id}`)).status).toBe(200);
    }
  });
});
