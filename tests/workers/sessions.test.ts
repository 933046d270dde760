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
} from '../support/factories.ts';

describe('When I log out', () => {
  test('my cookie is dead at once, by every route, and my other devices stay signed in', async () => {
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

  test('twice, or without being signed in, nothing happens', async () => {
    const me = await signInGuest();
    expect((await me.call('/api/logout', { method: 'POST' })).status).toBe(204);
    expect((await me.call('/api/logout', { method: 'POST' })).status).toBe(204);
    expect((await new Visitor().call('/api/logout', { method: 'POST' })).status).toBe(204);
  });
});

describe('My session', () => {
  const setCookie = async (origin: string): Promise<string> => {
    const { exports } = await import('cloudflare:workers');
    const answer = await exports.default.fetch(`${origin}/api/auth/anonymous`, { method: 'POST' });
    return answer.headers.get('set-cookie') ?? '';
  };

  test('is a cookie that no script reads, that other sites do not send, and that is for this host only', async () => {
    expect(await setCookie(ORIGIN)).toMatch(
      /^__Host-session=[0-9a-f]{64}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  test('works on this machine without https, and there only', async () => {
    expect(await setCookie('http://localhost:8787')).toMatch(
      /^session=[0-9a-f]{64}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(await setCookie('http://192.168.1.7:8787')).toMatch(/^__Host-session=.*; Secure/);
  });

  test('cannot be read out of the database', async () => {
    const me = await signInGuest();
    const token = me.cookie.split('=')[1] as string;
    const { results } = await env.DB.prepare('select * from sessions').all();
    expect(results.length).toBeGreaterThan(0);
    expect(JSON.stringify(results)).not.toContain(token);
  });

  test('that is made up opens nothing, and is no error', async () => {
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

  test('ends by itself, and is prolonged while I come back', async () => {
    const me = await signInGuest();
    const inDays = (days: number) =>
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
    await inDays(29.1);
    expect((await me.call('/api/chats')).headers.get('set-cookie')).toBeNull();
    expect(await daysLeft()).toBeLessThan(29.2);
    // In its first half too: who comes back after two weeks has a month again, and each day moves it once.
    for (const left of [28.9, 20, 10, 0.1]) {
      await inDays(left);
      expect((await me.call('/api/chats')).headers.get('set-cookie')).toMatch(/Max-Age=2592000/);
      await vi.waitFor(async () => expect(await daysLeft()).toBeGreaterThan(29.9));
      expect((await me.call('/api/chats')).headers.get('set-cookie')).toBeNull();
    }
    await inDays(-1);
    expect((await me.call('/api/chats')).status).toBe(401);
  });

  test('of an administrator is one by its address alone', async () => {
    await env.DB.prepare("delete from login_codes where email = 'admin@localhost.test'").run();
    expect(await requestLoginCode('Admin@localhost.test')).toMatch(/^\d{6}$/);
    await env.DB.prepare("delete from login_codes where email = 'admin@localhost.test'").run();
    const admin = await createAccount('admin@localhost.test');
    expect(await admin.ask('/api/auth/status')).toMatchObject({ user: { role: 'admin' } });
  });
});
