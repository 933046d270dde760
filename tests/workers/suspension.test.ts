import { describe, expect, test } from 'vitest';
import type { OwnMeasureList } from '../../src/features/safety/measure-contract.ts';
import { newChat } from '../support/chat.ts';
import { addressOf, documentedOperations, fromOtherServers } from '../support/documented.ts';
import { conversation, guest, signedIn, Visitor } from '../support/makers.ts';
import { nameOf } from '../support/nonsense.ts';
import { maker, measured, staff } from '../support/staff.ts';

const suspended = (operator: Visitor, id: string) =>
  measured(operator, { kind: 'account_suspended', subject_id: id, reason: 'Spam, again and again.' });

/** What somebody suspended may do still; and what is everybody's, they may as nobody. */
const OPEN = [
  'DELETE /account/sessions',
  'DELETE /account/sessions/{id}',
  'GET /account',
  'GET /account/export',
  'GET /account/sessions',
  'GET /me/appeals',
  'GET /me/measures',
  'GET /me/reports',
  'GET /me/staff-views',
  'GET /subscription',
  'POST /account/delete-request',
  'POST /appeals',
  'POST /subscription/downgrade',
];

describe('When my account is suspended', () => {
  test('I may read why, appeal, take everything along and leave; every other route of my own refuses me', async () => {
    const [operator, me] = [await staff(), await signedIn()];
    const id = await conversation(me);
    await suspended(operator, me.id);
    const allowed: string[] = [];
    for (const operation of await documentedOperations()) {
      if (fromOtherServers(operation)) continue;
      const nobody = await new Visitor().call(addressOf(operation, { id }), { method: operation.method });
      await nobody.body?.cancel();
      if (nobody.status !== 401) continue;
      // Another browser of theirs each time: some of these end sessions.
      const browser = new Visitor();
      browser.cookie = me.cookie;
      const answer = await browser.call(addressOf(operation, { id }), {
        method: operation.method,
        ...(operation.body === null ? {} : { json: {} }),
      });
      const code = answer.headers.get('content-type')?.includes('json')
        ? (await answer.json<{ code?: string }>()).code
        : await answer.body?.cancel();
      if (code === 'account_suspended') expect(answer.status).toBe(403);
      else allowed.push(nameOf(operation));
    }
    expect(allowed.toSorted()).toEqual(OPEN);
  });

  test('I can sign in, and am told of it with the reason; an appeal that is granted opens everything again', async () => {
    const operator = await staff();
    const { maker: me, id } = await maker();
    const { id: measure } = await suspended(operator, me.id);
    await signedIn(me.email, me);
    expect(await me.ask('/api/auth/status')).toMatchObject({
      is_authenticated: true,
      user: { id: me.id, suspended_at: expect.stringMatching(/Z$/) },
    });
    expect(await me.ask('/api/account')).toMatchObject({ suspended_at: expect.stringMatching(/Z$/) });
    expect((await me.ask<OwnMeasureList>('/api/me/measures')).items).toMatchObject([
      { id: measure, kind: 'account_suspended', reason: 'Spam, again and again.' },
    ]);
    expect((await me.call('/api/chats')).status).toBe(403);
    const appeal = await me.ask<{ id: string }>('/api/appeals', {
      json: { measure_id: measure, message: 'It was my little brother.' },
      status: 201,
    });
    await operator.ask(`/api/admin/appeals/${appeal.id}`, {
      method: 'PATCH',
      json: { status: 'granted', answer: 'Keep your door shut.' },
    });
    expect((await me.call('/api/chats')).status).toBe(200);
    const { user } = await me.ask<{ user: object }>('/api/auth/status');
    expect(user).not.toHaveProperty('suspended_at');
    expect((await new Visitor().call(`/api/characters/${id}`)).status).toBe(200);
  });

  test('what is public I see as everybody does', async () => {
    const [operator, me] = [await staff(), await signedIn()];
    await suspended(operator, me.id);
    const { id } = await maker();
    expect((await me.call(`/api/characters/${id}`)).status).toBe(200);
    expect((await me.call('/api/characters')).status).toBe(200);
  });

  test('my characters and my page are gone at once, and come back with me', async () => {
    const operator = await staff();
    const [reader, visitor] = [await signedIn(), new Visitor()];
    const { maker: me, id } = await maker({ name: 'Vesper', featured: true, chatCount: 8_000_000 });
    const { maker: _, id: hers } = await maker();
    const chat = await newChat(reader, id);
    await reader.call(`/api/me/following/${me.id}`, { method: 'PUT' });
    const seen = async () => {
      const listed = await visitor.ask<{ items: { id: string }[] }>('/api/characters?limit=100');
      const followed = await reader.ask<{ items: object[] }>('/api/me/following');
      return [
        listed.items.some((item) => item.id === id),
        (await visitor.call(`/api/characters/${id}`)).status,
        (await visitor.call(`/api/creators/${me.id}`)).status,
        (await chat.page()).conversation.character_state,
        followed.items.length,
      ];
    };
    expect(await seen()).toEqual([true, 200, 200, 'shown', 1]);
    const { id: measure } = await suspended(operator, me.id);
    expect(await seen()).toEqual([false, 404, 404, 'hidden', 0]);
    expect((await visitor.call(`/api/characters/${hers}`)).status).toBe(200);
    await operator.ask(`/api/admin/measures/${measure}`, { method: 'DELETE' });
    expect(await seen()).toEqual([true, 200, 200, 'shown', 1]);
  });

  test('a character that was hidden for itself stays hidden when I come back, and the other way round', async () => {
    const operator = await staff();
    const { maker: me, id } = await maker();
    const status = async () => (await new Visitor().call(`/api/characters/${id}`)).status;
    const own = await measured(operator, { kind: 'character_hidden', subject_id: id });
    const { id: measure } = await suspended(operator, me.id);
    await operator.ask(`/api/admin/measures/${measure}`, { method: 'DELETE' });
    expect(await status()).toBe(404);
    const { id: again } = await suspended(operator, me.id);
    await operator.ask(`/api/admin/measures/${own.id}`, { method: 'DELETE' });
    expect(await status()).toBe(404);
    await operator.ask(`/api/admin/characters/${id}/moderation`, {
      method: 'PUT',
      json: { moderation: 'shown' },
    });
    expect(await status()).toBe(404);
    await operator.ask(`/api/admin/measures/${again}`, { method: 'DELETE' });
    expect(await status()).toBe(200);
  });

  test('my open tabs are let go, and hear nothing any more', async () => {
    const operator = await staff();
    const me = await signedIn();
    const chat = await newChat(me);
    const answer = await me.call(`/api/conversations/${chat.id}/live?tab=${'t'.repeat(12)}`, {
      headers: { upgrade: 'websocket' },
    });
    const socket = answer.webSocket as WebSocket;
    socket.accept();
    const closed = new Promise<number>((resolve) => {
      socket.addEventListener('close', ({ code }) => resolve(code));
    });
    await suspended(operator, me.id);
    expect(await closed).toBe(1008);
    const again = await me.call(`/api/conversations/${chat.id}/live?tab=${'t'.repeat(12)}`, {
      headers: { upgrade: 'websocket' },
    });
    expect(again.status).toBe(403);
  });

  test('as a guest, too: but whoever else begins is let in', async () => {
    const [operator, me] = [await staff(), await guest()];
    await suspended(operator, me.id);
    expect((await me.call('/api/chats')).status).toBe(403);
    expect((await (await guest()).call('/api/chats')).status).toBe(200);
  });
});
