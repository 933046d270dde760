import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { addressOf, changes, documentedOperations } from '../support/documented.ts';
import { shapeOf, textOf } from '../support/event-reader.ts';
import {
  begin,
  character,
  codeFor,
  conversation,
  expectBalancedLedger,
  freshEmail,
  guest,
  messages,
  newTurnId,
  ORIGIN,
  points,
  rejoin,
  send,
  signedIn,
  Visitor,
} from '../support/makers.ts';
import { scene } from '../support/scripted-model.ts';

/** A body that each route would take, were its caller allowed to. */
const BODIES: Record<string, () => object> = {
  'POST /conversations/{id}/messages': () => ({ content: 'I am not you', client_message_id: newTurnId() }),
  'POST /conversations/{id}/messages/{mid}/regenerate': () => ({ client_message_id: newTurnId() }),
  'PATCH /conversations/{id}': () => ({ title: 'Mine now' }),
};

async function callAll(
  visitor: Visitor,
  ids: { id: string; mid: string },
): Promise<{ route: string; response: Response }[]> {
  const answers: { route: string; response: Response }[] = [];
  for (const operation of await documentedOperations()) {
    if (!operation.path.startsWith('/conversations/{id}')) continue;
    const route = `${operation.method} ${operation.path}`;
    if (operation.body !== null && BODIES[route] === undefined)
      throw new Error(`no body is known for ${route}`);
    answers.push({
      route,
      response: await visitor.call(addressOf(operation, ids), {
        method: operation.method,
        ...(operation.body === null ? {} : { json: BODIES[route]?.() }),
      }),
    });
  }
  return answers;
}

async function everythingOf(me: Visitor, id: string): Promise<unknown[]> {
  return [await me.ask(`/api/conversations/${id}`), await me.ask('/api/chats'), await points(me)];
}

describe('My conversation', () => {
  test('cannot be read or changed by anybody else, by no route, with or without an account', async () => {
    const me = await guest();
    const id = await conversation(me);
    await send(me, id, 'Between us.');
    const mid = (await messages(me, id)).at(-1)?.id as string;
    const before = await everythingOf(me, id);
    const strangers = [await guest(), await signedIn()];
    for (const stranger of strangers) {
      const answers = await callAll(stranger, { id, mid });
      expect(answers.length).toBeGreaterThanOrEqual(7);
      for (const { route, response } of answers) {
        expect({ route, status: response.status, body: await response.json() }).toEqual({
          route,
          status: 404,
          body: { error: 'The requested resource was not found.', code: 'not_found' },
        });
      }
      expect(await points(stranger)).toMatchObject({ current_points: 50 });
    }
    for (const { route, response } of await callAll(new Visitor(), { id, mid })) {
      expect({ route, status: response.status }).toEqual({ route, status: 401 });
    }
    expect(await everythingOf(me, id)).toEqual(before);
  });

  test('cannot be read or stopped by anybody else while its reply is written', async () => {
    const me = await guest();
    const id = await conversation(me);
    const slow = scene('gate n=2');
    const reader = await begin(me, id, slow.marker);
    await slow.reached();
    for (const { route, response } of await callAll(await guest(), { id, mid: 'unknown' })) {
      expect({ route, status: response.status }).toEqual({ route, status: 404 });
    }
    await slow.open();
    expect(textOf(await reader.rest())).toBe('w0 w1 w2 w3');
  });

  test('is told apart from one that does not exist by nothing', async () => {
    const me = await guest();
    const stranger = await guest();
    const id = await conversation(me);
    const unknown = '0'.repeat(26);
    const answers = await Promise.all(
      [id, unknown].map((some) => stranger.call(`/api/conversations/${some}`)),
    );
    const [one, other] = await Promise.all(answers.map((answer) => answer.text()));
    expect(one).toBe(other);
  });

  test('is in my lists and in nobody else’s', async () => {
    const me = await guest();
    const other = await guest();
    const characterId = await character();
    const id = await conversation(me, characterId);
    expect(await me.ask('/api/chats')).toMatchObject({ chats: [{ id }] });
    expect(await other.ask('/api/chats')).toEqual({ chats: [] });
    const withIt = `/api/characters/${characterId}/conversations`;
    expect(await me.ask(withIt)).toMatchObject({ items: [{ id }] });
    expect(await other.ask(withIt)).toEqual({ items: [], next_cursor: null });
  });

  test('that I deleted is gone for me too', async () => {
    const me = await guest();
    const id = await conversation(me);
    await send(me, id);
    expect((await me.call(`/api/conversations/${id}`, { method: 'DELETE' })).status).toBe(204);
    for (const { route, response } of await callAll(me, { id, mid: 'unknown' })) {
      expect({ route, status: response.status }).toEqual({ route, status: 404 });
    }
    expect(await me.ask('/api/chats')).toEqual({ chats: [] });
    await expectBalancedLedger(me);
  });

  test('keeps the title that I gave it', async () => {
    const me = await guest();
    const id = await conversation(me);
    await me.ask(`/api/conversations/${id}`, { method: 'PATCH', json: { title: '  The lighthouse ' } });
    expect(await me.ask(`/api/conversations/${id}`)).toMatchObject({
      conversation: { title: 'The lighthouse' },
    });
  });
});

describe('When I, a guest, sign in', () => {
  test('with a new address, I am the same person with the same conversations and points', async () => {
    const me = await guest();
    const id = await conversation(me);
    await send(me, id, 'Remember me.');
    const before = await everythingOf(me, id);
    const { id: guestId, cookie } = me;
    await signedIn(freshEmail(), me);
    expect(me.id).toBe(guestId);
    expect(await everythingOf(me, id)).toEqual(before);
    expect(me.cookie).not.toBe(cookie);
    expect(await me.ask('/api/auth/status')).toMatchObject({
      is_authenticated: true,
      isAuthenticated: true,
      user: { id: guestId, email: me.email, is_anonymous: false, plan: 'free', role: 'user' },
    });
  });

  test('with an address that is known, my conversations join those of my account', async () => {
    const email = freshEmail();
    const account = await signedIn(email);
    const older = await conversation(account);
    await env.DB.prepare('delete from login_codes where email = ?').bind(email).run();
    const me = await guest();
    const guestId = me.id;
    const id = await conversation(me);
    await send(me, id, 'Said as a guest.');
    const said = await messages(me, id);
    await signedIn(email, me);
    expect(me.id).toBe(account.id);
    expect(me.id).not.toBe(guestId);
    const { chats } = await me.ask<{ chats: { id: string }[] }>('/api/chats');
    expect(chats.map((chat) => chat.id).toSorted()).toEqual([older, id].toSorted());
    expect(await messages(me, id)).toEqual(said);
    expect(shapeOf(await send(me, id, 'And now as myself.'))).toEqual(['accepted', 'delta', 'done']);
    expect(await messages(account, id)).toHaveLength(5);
    expect((await (await guest()).call(`/api/conversations/${id}`)).status).toBe(404);
    expect(await points(me)).toMatchObject({ current_points: 49 });
    await expectBalancedLedger(me);
  });

  test('in the middle of a reply, it is written on and I can read it', async () => {
    const email = freshEmail();
    await signedIn(email);
    const me = await guest();
    const id = await conversation(me);
    const slow = scene('gate n=3');
    const reader = await begin(me, id, slow.marker);
    await slow.reached();
    await signedIn(email, me);
    const back = await rejoin(me, id);
    await slow.open();
    expect(textOf(await back.rest())).toBe('w0 w1 w2 w3 w4 w5');
    expect(textOf(await reader.rest())).toBe('w0 w1 w2 w3 w4 w5');
    expect(await points(me)).toMatchObject({ current_points: 50 });
  });

  test('the cookie that I had before opens nothing any more', async () => {
    for (const email of [freshEmail(), (await signedIn()).email]) {
      const me = await guest();
      const before = new Visitor();
      before.cookie = me.cookie;
      await env.DB.prepare('delete from login_codes where email = ?').bind(email).run();
      await signedIn(email, me);
      expect(await before.ask('/api/auth/status')).toMatchObject({ is_authenticated: false, user: null });
      expect((await before.call('/api/points')).status).toBe(401);
      expect((await me.call('/api/points')).status).toBe(200);
    }
  });

  test('asking to be a guest again changes nothing', async () => {
    const me = await signedIn();
    const again = await me.ask<{ user_id: string }>('/api/auth/anonymous', { method: 'POST', status: 201 });
    expect(again.user_id).toBe(me.id);
    expect(await me.ask('/api/auth/status')).toMatchObject({ user: { is_anonymous: false } });
  });
});

describe('When I log out', () => {
  test('my cookie is dead at once, by every route, and my other devices stay signed in', async () => {
    const email = freshEmail();
    const phone = await signedIn(email);
    await env.DB.prepare('delete from login_codes where email = ?').bind(email).run();
    const laptop = await signedIn(email);
    const id = await conversation(phone);
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
    const me = await guest();
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
    const me = await guest();
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
    const me = await guest();
    const inDays = (days: number) =>
      env.DB.prepare('update sessions set expires_at = unixepoch() + ? where user_id = ?')
        .bind(days * 86_400, me.id)
        .run();
    await inDays(20);
    expect((await me.call('/api/chats')).headers.get('set-cookie')).toBeNull();
    await inDays(10);
    expect((await me.call('/api/chats')).headers.get('set-cookie')).toMatch(/Max-Age=2592000/);
    const row = await env.DB.prepare(
      'select expires_at - unixepoch() as left from sessions where user_id = ?',
    )
      .bind(me.id)
      .first<{ left: number }>();
    expect(row?.left).toBeGreaterThan(29 * 86_400);
    await inDays(-1);
    expect((await me.call('/api/chats')).status).toBe(401);
  });

  test('of an administrator is one by its address alone', async () => {
    await env.DB.prepare("delete from login_codes where email = 'admin@localhost.test'").run();
    expect(await codeFor('Admin@localhost.test')).toMatch(/^\d{6}$/);
    await env.DB.prepare("delete from login_codes where email = 'admin@localhost.test'").run();
    const admin = await signedIn('admin@localhost.test');
    expect(await admin.ask('/api/auth/status')).toMatchObject({ user: { role: 'admin' } });
  });
});

test('Every route that changes a conversation is among those that strangers were refused', async () => {
  const known = (await documentedOperations())
    .filter(changes)
    .filter(({ path }) => path.startsWith('/conversations/{id}'));
  expect(known.map(({ method, path }) => `${method} ${path}`)).toEqual(
    expect.arrayContaining([
      'POST /conversations/{id}/messages',
      'POST /conversations/{id}/stop',
      'DELETE /conversations/{id}',
    ]),
  );
});
