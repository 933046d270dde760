import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import { createCharacterBody } from '../../src/features/character/contract.ts';
import {
  startCreation,
  insertCharacter,
  findMissingRequirement,
} from '../../src/features/character/creation-store.ts';
import { NO_CARD_EXTRAS } from '../../src/features/character/definition.ts';
import type { OwnModerationActionList } from '../../src/features/moderation/moderation-action-contract.ts';
import { startConversationClient } from '../support/conversation-client.ts';
import { uploadTestPicture, buildForm } from '../support/character-actions.ts';
import { buildOperationPath, listOperations, isWebhook } from '../support/openapi-operations.ts';
import { getAmountDue, createInvitedUser, sendPayout } from '../support/referrals.ts';
import {
  addCharacter,
  startConversation,
  signInGuest,
  createAccount,
  Visitor,
} from '../support/factories.ts';
import { createMember, deliverEvents } from '../support/memberships.ts';
import { formatOperation } from '../support/fuzz-bodies.ts';
import { pay } from '../support/paypal.ts';
import { createUniquePicture } from '../support/pictures.ts';
import { createCreator, applyModerationAction, createStaffUser } from '../support/staff.ts';

const suspended = (operator: Visitor, id: string) =>
  applyModerationAction(operator, {
    kind: 'account_suspended',
    subject_id: id,
    reason: 'Spam, again and again.',
  });

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
  'POST /account/delete-confirm',
  'POST /account/delete-request',
  'POST /appeals',
  'POST /subscription/downgrade',
];

describe('When my account is suspended', () => {
  test('I may read why, appeal, take everything along and leave; every other route of my own refuses me', async () => {
    const [operator, me] = [await createStaffUser(), await createAccount()];
    const id = await startConversation(me);
    await suspended(operator, me.id);
    const allowed: string[] = [];
    for (const operation of await listOperations()) {
      if (isWebhook(operation)) continue;
      const nobody = await new Visitor().call(buildOperationPath(operation, { id }), {
        method: operation.method,
      });
      await nobody.body?.cancel();
      if (nobody.status !== 401) continue;
      // Another browser of theirs each time: some of these end sessions.
      const browser = new Visitor();
      browser.cookie = me.cookie;
      const answer = await browser.call(buildOperationPath(operation, { id }), {
        method: operation.method,
        ...(operation.body === null ? {} : { json: {} }),
      });
      const code = answer.headers.get('content-type')?.includes('json')
        ? (await answer.json<{ code?: string }>()).code
        : await answer.body?.cancel();
      // Of staff's routes they learn no more than anybody else.
      if (operation.path.startsWith('/admin/')) expect([answer.status, code]).toEqual([404, 'not_found']);
      else if (code === 'account_suspended') expect(answer.status).toBe(403);
      else allowed.push(formatOperation(operation));
    }
    expect(allowed.toSorted()).toEqual(OPEN);
  });

  test('I can sign in, and am told of it with the reason; an appeal that is granted opens everything again', async () => {
    const operator = await createStaffUser();
    const { maker: me, id } = await createCreator();
    const { id: measure } = await suspended(operator, me.id);
    await createAccount(me.email, me);
    expect(await me.ask('/api/auth/status')).toMatchObject({
      is_authenticated: true,
      user: { id: me.id, suspended_at: expect.stringMatching(/Z$/) },
    });
    expect(await me.ask('/api/account')).toMatchObject({ suspended_at: expect.stringMatching(/Z$/) });
    expect((await me.ask<OwnModerationActionList>('/api/me/measures')).items).toMatchObject([
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
    const [operator, me] = [await createStaffUser(), await createAccount()];
    await suspended(operator, me.id);
    const { id } = await createCreator();
    expect((await me.call(`/api/characters/${id}`)).status).toBe(200);
    expect((await me.call('/api/characters')).status).toBe(200);
  });

  test('my characters and my page are gone at once, and come back with me', async () => {
    const operator = await createStaffUser();
    const [reader, visitor] = [await createAccount(), new Visitor()];
    const { maker: me, id } = await createCreator({ name: 'Vesper', featured: true, chatCount: 8_000_000 });
    const { maker: _, id: hers } = await createCreator();
    const chat = await startConversationClient(reader, id);
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

  test('my face is nobody’s to see but mine, and comes back with me', async () => {
    const operator = await createStaffUser();
    const me = await createAccount();
    const key = await uploadTestPicture(me);
    await me.ask('/api/account', { method: 'PATCH', json: { avatar_id: key } });
    // Brought long ago: whoever has its address sees no preview of it any more.
    await env.DB.prepare('update pictures set created_at = 1 where key = ?').bind(key).run();
    const seen = async (who: Visitor) => (await who.call(`/media/${key}`)).status;
    expect(await seen(new Visitor())).toBe(200);
    const { id: measure } = await suspended(operator, me.id);
    expect([await seen(new Visitor()), await seen(me)]).toEqual([404, 200]);
    await operator.ask(`/api/admin/measures/${measure}`, { method: 'DELETE' });
    expect(await seen(new Visitor())).toBe(200);
  });

  test('a character that was hidden for itself stays hidden when I come back, and the other way round', async () => {
    const operator = await createStaffUser();
    const { maker: me, id } = await createCreator();
    const status = async () => (await new Visitor().call(`/api/characters/${id}`)).status;
    const own = await applyModerationAction(operator, { kind: 'character_hidden', subject_id: id });
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

  test('what was hidden before any measure was written down stays hidden when I come back, unless staff shows it', async () => {
    const operator = await createStaffUser();
    const { maker: me, id: shown } = await createCreator();
    const old = await addCharacter({ creatorId: me.id, moderation: 'hidden' });
    const older = await addCharacter({ creatorId: me.id, moderation: 'hidden' });
    const status = async (id: string) => (await new Visitor().call(`/api/characters/${id}`)).status;
    await suspended(operator, me.id);
    // A second one takes the first one's place, with what that hid.
    const { id: measure } = await suspended(operator, me.id);
    await operator.ask(`/api/admin/characters/${older}/moderation`, {
      method: 'PUT',
      json: { moderation: 'shown' },
    });
    expect([await status(shown), await status(old), await status(older)]).toEqual([404, 404, 404]);
    await operator.ask(`/api/admin/measures/${measure}`, { method: 'DELETE' });
    expect([await status(shown), await status(old), await status(older)]).toEqual([200, 404, 200]);
  });

  test('a character that I was making in that moment does not come, and costs nothing', async () => {
    const operator = await createStaffUser();
    const me = await createAccount();
    const key = await uploadTestPicture(me, createUniquePicture(55));
    const db = openDatabase(env.DB);
    const now = Date.now();
    const fields = createCharacterBody.parse(await buildForm(me, { avatar_id: key }));
    const wish = { ownerId: me.id, key: 'once', bodyHash: 'x', avatarKey: key, importId: undefined, now };
    const creation = await startCreation(db, wish);
    if (creation === null) throw new Error('it was not set down');
    await suspended(operator, me.id);
    const input = { fields, ofCard: NO_CARD_EXTRAS, language: 'en', now } as const;
    expect(await insertCharacter(db, creation, input)).toBe(false);
    expect(await findMissingRequirement(db, wish)).toBe('account');
    const made = await env.DB.prepare('select count(*) as n from characters where creator_id = ?')
      .bind(me.id)
      .first('n');
    expect(made).toBe(0);
  });

  test('nobody takes my invite code any more, until it ends', async () => {
    const [operator, me] = [await createStaffUser(), await createAccount()];
    const { code } = await me.ask<{ code: string }>('/api/invites', { method: 'POST' });
    const take = async () => {
      const answer = await (await createAccount()).call('/api/onboarding', { json: { invite_code: code } });
      return [answer.status, (await answer.json<{ code?: string }>()).code];
    };
    const { id: measure } = await suspended(operator, me.id);
    expect(await take()).toEqual([409, 'invite_code_invalid']);
    await operator.ask(`/api/admin/measures/${measure}`, { method: 'DELETE' });
    expect(await take()).toEqual([200, undefined]);
  });

  test('my commission waits, and is paid once it ends', async () => {
    const operator = await createStaffUser();
    const { inviter, me } = await createInvitedUser();
    await deliverEvents((await pay((await createMember(me)).id)).event);
    const due = await getAmountDue(inviter, operator);
    expect(due).toBeGreaterThan(0);
    const { id: measure } = await suspended(operator, inviter.id);
    expect(await getAmountDue(inviter, operator)).toBe(0);
    const held = await sendPayout(inviter, { by: operator, cents: due });
    expect([held.status, await held.json()]).toMatchObject([409, { code: 'nothing_due' }]);
    await operator.ask(`/api/admin/measures/${measure}`, { method: 'DELETE' });
    expect((await sendPayout(inviter, { by: operator, cents: due })).status).toBe(201);
  });

  test('as a guest, it goes with me into the account that I log in to, with what I said to it', async () => {
    const operator = await createStaffUser();
    const { maker: account, id } = await createCreator();
    const me = await signInGuest();
    const { id: guestId } = me;
    const { id: measure } = await suspended(operator, guestId);
    await operator.ask(`/api/admin/accounts/${guestId}`);
    const { id: appeal } = await me.ask<{ id: string }>('/api/appeals', {
      json: { measure_id: measure, message: 'It was not me.' },
      status: 201,
    });
    await createAccount(account.email, me);
    expect(me.id).toBe(account.id);
    expect(await (await me.call('/api/chats')).json()).toMatchObject({ code: 'account_suspended' });
    const status = async () => (await new Visitor().call(`/api/characters/${id}`)).status;
    expect(await status()).toBe(404);
    expect((await me.ask<OwnModerationActionList>('/api/me/measures')).items).toMatchObject([
      { id: measure, subject_id: account.id, ended_at: null, appeal: { id: appeal, status: 'open' } },
    ]);
    expect((await me.ask<{ items: object[] }>('/api/me/staff-views')).items).toMatchObject([
      { what: 'account', subject_id: account.id },
    ]);
    await operator.ask(`/api/admin/measures/${measure}`, { method: 'DELETE' });
    expect([(await me.call('/api/chats')).status, await status()]).toEqual([200, 200]);
  });

  test('of both a guest and the account that they log in to, it holds until both have ended', async () => {
    const operator = await createStaffUser();
    const { maker: account, id } = await createCreator();
    const me = await signInGuest();
    const ofGuest = await suspended(operator, me.id);
    const ofAccount = await suspended(operator, account.id);
    await createAccount(account.email, me);
    const seen = async () => [
      (await me.call('/api/chats')).status,
      (await new Visitor().call(`/api/characters/${id}`)).status,
    ];
    for (const { id: measure } of [ofAccount, ofGuest]) {
      expect(await seen()).toEqual([403, 404]);
      await operator.ask(`/api/admin/measures/${measure}`, { method: 'DELETE' });
    }
    expect(await seen()).toEqual([200, 200]);
  });

  test('my open tabs are let go, and hear nothing any more', async () => {
    const operator = await createStaffUser();
    const me = await createAccount();
    const chat = await startConversationClient(me);
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
    const [operator, me] = [await createStaffUser(), await signInGuest()];
    await suspended(operator, me.id);
    expect((await me.call('/api/chats')).status).toBe(403);
    expect((await (await signInGuest()).call('/api/chats')).status).toBe(200);
  });
});
