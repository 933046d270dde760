import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { isVerifiedByConversation } from '../../../../src/api/middleware/access-policy.ts';
import { openDatabase } from '../../../../src/db/open.ts';
import { createCharacterBody } from '../../../../src/features/character/contract.ts';
import {
  startCreation,
  insertCharacter,
  findMissingRequirement,
} from '../../../../src/features/character/creation-store.ts';
import { NO_CARD_EXTRAS } from '../../../../src/features/character/definition.ts';
import type { OwnModerationActionList } from '../../../../src/features/moderation/moderation-action-contract.ts';
import { startConversationClient } from '../../../support/conversation-client.ts';
import { uploadTestPicture, buildForm } from '../../../support/character-actions.ts';
import {
  buildOperationPath,
  isWebhook,
  listOperations,
  type Operation,
} from '../../../support/openapi-operations.ts';
import { Browser } from '../../../support/google.ts';
import { getAmountDue, createInvitedUser, sendPayout } from '../../../support/referrals.ts';
import {
  addCharacter,
  startConversation,
  signInGuest,
  createAccount,
  createTurnId,
  Visitor,
} from '../../../support/factories.ts';
import { createMember, deliverEvents } from '../../../support/memberships.ts';
import { formatOperation } from '../../../support/fuzz-bodies.ts';
import { pay } from '../../../support/paypal.ts';
import { createUniquePicture } from '../../../support/pictures.ts';
import { createCreator, applyModerationAction, createStaffUser } from '../../../support/staff.ts';

const suspend = (operator: Visitor, id: string) =>
  applyModerationAction(operator, {
    kind: 'account_suspended',
    subject_id: id,
    reason: 'Spam, again and again.',
  });

/** The session routes that a suspended user can still use. */
const ALLOWED_ROUTES = [
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

/** The conversation verifies the session of these routes, after their body. */
const isTurn = ({ method, path }: Operation): boolean =>
  isVerifiedByConversation(`${method} /api${path.replaceAll(/\{(\w+)\}/g, ':$1')}`);

const buildTurnBody = ({ path }: Operation): object => ({
  client_message_id: createTurnId(),
  ...(path.endsWith('/messages') ? { content: 'Hello' } : {}),
});

describe('Suspended accounts', () => {
  test('a suspended user can read the reason, appeal, export and delete the account, and nothing else', async () => {
    const [operator, me] = [await createStaffUser(), await createAccount()];
    const id = await startConversation(me);
    await suspend(operator, me.id);
    const allowed: string[] = [];
    for (const operation of await listOperations()) {
      if (isWebhook(operation)) continue;
      const anonymous = await new Visitor().call(buildOperationPath(operation, { id }), {
        method: operation.method,
      });
      await anonymous.body?.cancel();
      if (anonymous.status !== 401) continue;
      // A new client each time, because some of these routes end sessions.
      const browser = new Visitor();
      browser.cookie = me.cookie;
      const answer = await browser.call(buildOperationPath(operation, { id }), {
        method: operation.method,
        ...(operation.body === null ? {} : { json: isTurn(operation) ? buildTurnBody(operation) : {} }),
      });
      const code = answer.headers.get('content-type')?.includes('json')
        ? (await answer.json<{ code?: string }>()).code
        : await answer.body?.cancel();
      // Staff routes answer like for any other user.
      if (operation.path.startsWith('/admin/')) expect([answer.status, code]).toEqual([404, 'not_found']);
      else if (code === 'account_suspended') expect(answer.status).toBe(403);
      else allowed.push(formatOperation(operation));
    }
    expect(allowed.toSorted()).toEqual(ALLOWED_ROUTES);
  });

  test('a suspended user can log in and see the reason, and a granted appeal lifts the suspension', async () => {
    const operator = await createStaffUser();
    const { maker: me, id } = await createCreator();
    const { id: measure } = await suspend(operator, me.id);
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

  test('a suspended user sees public content as everyone does', async () => {
    const [operator, me] = [await createStaffUser(), await createAccount()];
    await suspend(operator, me.id);
    const { id } = await createCreator();
    expect((await me.call(`/api/characters/${id}`)).status).toBe(200);
    expect((await me.call('/api/characters')).status).toBe(200);
  });

  test('a suspension hides the user’s characters and profile, and lifting it shows them again', async () => {
    const operator = await createStaffUser();
    const [reader, visitor] = [await createAccount(), new Visitor()];
    const { maker: me, id } = await createCreator({ name: 'Vesper', featured: true, chatCount: 8_000_000 });
    const { maker: _, id: otherCharacterId } = await createCreator();
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
    const { id: measure } = await suspend(operator, me.id);
    expect(await seen()).toEqual([false, 404, 404, 'hidden', 0]);
    expect((await visitor.call(`/api/characters/${otherCharacterId}`)).status).toBe(200);
    await operator.ask(`/api/admin/measures/${measure}`, { method: 'DELETE' });
    expect(await seen()).toEqual([true, 200, 200, 'shown', 1]);
  });

  test('a suspension hides the user’s profile picture from others until it is lifted', async () => {
    const operator = await createStaffUser();
    const me = await createAccount();
    const key = await uploadTestPicture(me);
    await me.ask('/api/account', { method: 'PATCH', json: { avatar_id: key } });
    // The picture is old, so that it has no preview for everyone any more.
    await env.DB.prepare('update pictures set created_at = 1 where key = ?').bind(key).run();
    const seen = async (who: Visitor) => (await who.call(`/media/${key}`)).status;
    expect(await seen(new Visitor())).toBe(200);
    const { id: measure } = await suspend(operator, me.id);
    expect([await seen(new Visitor()), await seen(me)]).toEqual([404, 200]);
    await operator.ask(`/api/admin/measures/${measure}`, { method: 'DELETE' });
    expect(await seen(new Visitor())).toBe(200);
  });

  test('a character hidden on its own stays hidden after a suspension, and the reverse', async () => {
    const operator = await createStaffUser();
    const { maker: me, id } = await createCreator();
    const status = async () => (await new Visitor().call(`/api/characters/${id}`)).status;
    const own = await applyModerationAction(operator, { kind: 'character_hidden', subject_id: id });
    const { id: measure } = await suspend(operator, me.id);
    await operator.ask(`/api/admin/measures/${measure}`, { method: 'DELETE' });
    expect(await status()).toBe(404);
    const { id: again } = await suspend(operator, me.id);
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

  test('lifting a suspension does not show characters that were hidden before it', async () => {
    const operator = await createStaffUser();
    const { maker: me, id: shown } = await createCreator();
    const old = await addCharacter({ creatorId: me.id, moderation: 'hidden' });
    const older = await addCharacter({ creatorId: me.id, moderation: 'hidden' });
    const status = async (id: string) => (await new Visitor().call(`/api/characters/${id}`)).status;
    await suspend(operator, me.id);
    // A second suspension replaces the first one, including the list of what it hid.
    const { id: measure } = await suspend(operator, me.id);
    await operator.ask(`/api/admin/characters/${older}/moderation`, {
      method: 'PUT',
      json: { moderation: 'shown' },
    });
    expect([await status(shown), await status(old), await status(older)]).toEqual([404, 404, 404]);
    await operator.ask(`/api/admin/measures/${measure}`, { method: 'DELETE' });
    expect([await status(shown), await status(old), await status(older)]).toEqual([200, 404, 200]);
  });

  test('a character created during the suspension is not stored and costs nothing', async () => {
    const operator = await createStaffUser();
    const me = await createAccount();
    const key = await uploadTestPicture(me, createUniquePicture(55));
    const db = openDatabase(env.DB);
    const now = Date.now();
    const fields = createCharacterBody.parse(await buildForm(me, { avatar_id: key }));
    const creationRequest = {
      ownerId: me.id,
      key: 'once',
      bodyHash: 'x',
      avatarKey: key,
      importId: undefined,
      now,
    };
    const creation = await startCreation(db, creationRequest);
    if (creation === null) throw new Error('it was not set down');
    await suspend(operator, me.id);
    const input = { fields, ofCard: NO_CARD_EXTRAS, language: 'en', now } as const;
    expect(await insertCharacter(db, creation, input)).toBe(false);
    expect(await findMissingRequirement(db, creationRequest)).toBe('account');
    const made = await env.DB.prepare('select count(*) as n from characters where creator_id = ?')
      .bind(me.id)
      .first('n');
    expect(made).toBe(0);
  });

  test('a suspended user’s invite code is invalid until the suspension is lifted', async () => {
    const [operator, me] = [await createStaffUser(), await createAccount()];
    const { code } = await me.ask<{ code: string }>('/api/invites', { method: 'POST' });
    const take = async () => {
      const answer = await (await createAccount()).call('/api/onboarding', { json: { invite_code: code } });
      return [answer.status, (await answer.json<{ code?: string }>()).code];
    };
    const { id: measure } = await suspend(operator, me.id);
    expect(await take()).toEqual([409, 'invite_code_invalid']);
    await operator.ask(`/api/admin/measures/${measure}`, { method: 'DELETE' });
    expect(await take()).toEqual([200, undefined]);
  });

  test('a suspended user’s commission is paid out after the suspension is lifted', async () => {
    const operator = await createStaffUser();
    const { inviter, me } = await createInvitedUser();
    await deliverEvents((await pay((await createMember(me)).id)).event);
    const due = await getAmountDue(inviter, operator);
    expect(due).toBeGreaterThan(0);
    const { id: measure } = await suspend(operator, inviter.id);
    expect(await getAmountDue(inviter, operator)).toBe(0);
    const refused = await sendPayout(inviter, { by: operator, cents: due });
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'no_balance_due' }]);
    await operator.ask(`/api/admin/measures/${measure}`, { method: 'DELETE' });
    expect((await sendPayout(inviter, { by: operator, cents: due })).status).toBe(201);
  });

  test('a suspended guest’s moderation action, appeal and staff views move to the account at login', async () => {
    const operator = await createStaffUser();
    const { maker: account, id } = await createCreator();
    const me = await signInGuest();
    const { id: guestId } = me;
    const { id: measure } = await suspend(operator, guestId);
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

  test('an account stays suspended until the guest’s and its own suspension are both lifted', async () => {
    const operator = await createStaffUser();
    const { maker: account, id } = await createCreator();
    const me = await signInGuest();
    const ofGuest = await suspend(operator, me.id);
    const ofAccount = await suspend(operator, account.id);
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

  test('a suspension closes the user’s open tabs and refuses new ones', async () => {
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
    await suspend(operator, me.id);
    expect(await closed).toBe(1008);
    const again = await me.call(`/api/conversations/${chat.id}/live?tab=${'t'.repeat(12)}`, {
      headers: { upgrade: 'websocket' },
    });
    expect(again.status).toBe(403);
  });

  test('a suspended guest is refused, and a new guest is not', async () => {
    const [operator, me] = [await createStaffUser(), await signInGuest()];
    await suspend(operator, me.id);
    expect((await me.call('/api/chats')).status).toBe(403);
    expect((await (await signInGuest()).call('/api/chats')).status).toBe(200);
  });

  test('a suspended user cannot start again as a guest in the same browser until the suspension is lifted', async () => {
    const operator = await createStaffUser();
    for (const person of [await createAccount(), await signInGuest()]) {
      const me = new Browser();
      const [name = '', value = ''] = person.cookie.split('=');
      me.jar.set(name, value);
      const startAsGuest = () => me.call('/api/auth/anonymous', { method: 'POST' });
      const { id: measure } = await suspend(operator, person.id);
      expect((await startAsGuest()).status).toBe(403);
      await me.call('/api/logout', { method: 'POST' });
      const answer = await startAsGuest();
      expect(answer.status).toBe(403);
      expect(await answer.json()).toMatchObject({ code: 'account_suspended' });
      await operator.ask(`/api/admin/measures/${measure}`, { method: 'DELETE' });
      expect((await startAsGuest()).status).toBe(201);
      expect([...me.jar.keys()]).toEqual(['__Host-session']);
    }
  });

  test('a browser’s marker of a suspension cannot be made up or changed', async () => {
    const other = await createAccount();
    for (const forged of [other.id, `${btoa(other.id)}.${'0'.repeat(64)}`, `x.${'a'.repeat(64)}`]) {
      const guest = new Visitor();
      guest.cookie = `__Host-suspended=${forged}`;
      expect((await guest.call('/api/auth/anonymous', { method: 'POST' })).status).toBe(201);
    }
  });
});
