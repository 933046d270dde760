import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import {
  requestLoginCode,
  startConversation,
  createEmail,
  signInGuest,
  ORIGIN,
  createAccount,
  Visitor,
} from '../../../support/factories.ts';

describe('Logout', () => {
  test('logging out ends the session for every route and leaves other devices logged in', async () => {
    const email = createEmail();
    const phone = await createAccount(email);
    await env.DB.prepare('delete from login_codes where email = ?').bind(email).run();
    const laptop = await createAccount(email);
    const id = await startConversation(phone);
    const { cookie } = phone;
    const answer = await phone.call('/api/logout', { method: 'POST' });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('set-cookie')).toMatch(/^__Host-session=; .*Max-Age=0/);
    const thief = new Visitor();
    thief.cookie = cookie;
    expect(await thief.ask('/api/auth/status')).toMatchObject({ is_authenticated: false });
    for (const path of ['/api/points', '/api/points/ledger', '/api/chats', `/api/conversations/${id}`]) {
      expect((await thief.call(path)).status).toBe(401);
    }
    expect((await laptop.call(`/api/conversations/${id}`)).status).toBe(200);
  });

  test('logging out twice or without a session does nothing', async () => {
    const me = await signInGuest();
    expect((await me.call('/api/logout', { method: 'POST' })).status).toBe(204);
    expect((await me.call('/api/logout', { method: 'POST' })).status).toBe(204);
    expect((await new Visitor().call('/api/logout', { method: 'POST' })).status).toBe(204);
  });
});

describe('Session', () => {
  const setCookie = async (origin: string): Promise<string> => {
    const { exports } = await import('cloudflare:workers');
    const answer = await exports.default.fetch(`${origin}/api/auth/anonymous`, { method: 'POST' });
    return answer.headers.get('set-cookie') ?? '';
  };

  test('the session cookie is hidden from scripts and other sites, and valid for this host only', async () => {
    expect(await setCookie(ORIGIN)).toMatch(
      /^__Host-session=[0-9a-f]{64}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  test('the session cookie works without https on localhost only', async () => {
    expect(await setCookie('http://localhost:8787')).toMatch(
      /^session=[0-9a-f]{64}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(await setCookie('http://192.168.1.7:8787')).toMatch(/^__Host-session=.*; Secure/);
  });

  test('the session token is not stored in the database', async () => {
    const me = await signInGuest();
    const token = me.cookie.split('=')[1] as string;
    const { results } = await env.DB.prepare('select * from sessions').all();
    expect(results.length).toBeGreaterThan(0);
    expect(JSON.stringify(results)).not.toContain(token);
  });

  test('an invalid session cookie gives no access and no error', async () => {
    for (const cookie of [
      '__Host-session=',
      `__Host-session=${'a'.repeat(64)}`,
      '__Host-session=x%00',
      `session=${'0'.repeat(5000)}`,
    ]) {
      const visitor = new Visitor();
      visitor.cookie = cookie;
      expect(await visitor.ask('/api/auth/status')).toEqual({
        is_authenticated: false,
        isAuthenticated: false,
        user: null,
      });
      expect((await visitor.call('/api/chats')).status).toBe(401);
    }
  });

  test('a session that cannot be read is an error, which no page takes for a logout', async () => {
    const me = await signInGuest();
    const prepare = env.DB.prepare.bind(env.DB);
    const asked = vi.spyOn(env.DB, 'prepare').mockImplementation((sql) => {
      if (/from "sessions"/.test(sql)) throw new Error('out of reach');
      return prepare(sql);
    });
    const answer = await me.call('/api/auth/status');
    asked.mockRestore();
    expect([answer.status, await answer.json()]).toMatchObject([500, { code: 'server_error' }]);
    expect(await me.ask('/api/auth/status')).toMatchObject({ is_authenticated: true });
  });

  test('a session expires after 30 days and is renewed at most once a day while it is used', async () => {
    const me = await signInGuest();
    const setExpiry = (days: number) =>
      env.DB.prepare('update sessions set expires_at = unixepoch() + ? where user_id = ?')
        .bind(days * 86_400, me.id)
        .run();
    const daysLeft = async () =>
      Number(
        await env.DB.prepare(
          'select (expires_at - unixepoch()) / 86400.0 as days from sessions where user_id = ?',
        )
          .bind(me.id)
          .first('days'),
      );
    await setExpiry(29.1);
    expect((await me.call('/api/chats')).headers.get('set-cookie')).toBeNull();
    expect(await daysLeft()).toBeLessThan(29.2);
    // A session is renewed in its first half too, so a user who returns after two weeks has a month again.
    for (const left of [28.9, 20, 10, 0.1]) {
      await setExpiry(left);
      expect((await me.call('/api/chats')).headers.get('set-cookie')).toMatch(/Max-Age=2592000/);
      await vi.waitFor(async () => expect(await daysLeft()).toBeGreaterThan(29.9));
      expect((await me.call('/api/chats')).headers.get('set-cookie')).toBeNull();
    }
    await setExpiry(-1);
    expect((await me.call('/api/chats')).status).toBe(401);
  });

  test('an admin’s session gets its role from the email address', async () => {
    await env.DB.prepare("delete from login_codes where email = 'admin@localhost.test'").run();
    expect(await requestLoginCode('Admin@localhost.test')).toMatch(/^\d{6}$/);
    await env.DB.prepare("delete from login_codes where email = 'admin@localhost.test'").run();
    const admin = await createAccount('admin@localhost.test');
    expect(await admin.ask('/api/auth/status')).toMatchObject({ user: { role: 'admin' } });
  });
});
