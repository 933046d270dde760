import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { snapshotConversation } from '../../../support/conversation-client.ts';
import { summarizeKinds, joinDeltas } from '../../../support/event-reader.ts';
import { issueToken, createGoogleUser, signInWithToken, postToken } from '../../../support/google.ts';
import {
  startTurn,
  requestLoginCode,
  startConversation,
  expectBalancedLedger,
  createEmail,
  signInGuest,
  listMessages,
  getPoints,
  rejoinReply,
  sendMessage,
  createAccount,
  Visitor,
  startListedConversation,
} from '../../../support/factories.ts';
import { createScene } from '../../../support/scripted-model.ts';

describe('Guest login', () => {
  test('a guest who logs in with a new address keeps the user id, the conversations and the points', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await sendMessage(me, id, 'Remember me.');
    const before = await snapshotConversation(me, id);
    const { id: guestId, cookie } = me;
    await createAccount(createEmail(), me);
    expect(me.id).toBe(guestId);
    expect(await snapshotConversation(me, id)).toEqual(before);
    expect(me.cookie).not.toBe(cookie);
    expect(await me.ask('/api/auth/status')).toMatchObject({
      is_authenticated: true,
      isAuthenticated: true,
      user: { id: guestId, email: me.email, is_anonymous: false, plan: 'free', role: 'user' },
    });
  });

  test('a guest who logs in with a known address adds the conversations to that account', async () => {
    const email = createEmail();
    const account = await createAccount(email);
    const older = await startListedConversation(account);
    await env.DB.prepare('delete from login_codes where email = ?').bind(email).run();
    const me = await signInGuest();
    const guestId = me.id;
    const id = await startConversation(me);
    await sendMessage(me, id, 'Said as a guest.');
    const before = await listMessages(me, id);
    await createAccount(email, me);
    expect(me.id).toBe(account.id);
    expect(me.id).not.toBe(guestId);
    const { chats } = await me.ask<{ chats: { id: string }[] }>('/api/chats');
    expect(chats.map((chat) => chat.id).toSorted()).toEqual([older, id].toSorted());
    expect(await listMessages(me, id)).toEqual(before);
    expect(summarizeKinds(await sendMessage(me, id, 'And now as myself.'))).toEqual([
      'accepted',
      'delta',
      'done',
    ]);
    expect(await listMessages(account, id)).toHaveLength(5);
    expect((await (await signInGuest()).call(`/api/conversations/${id}`)).status).toBe(404);
    expect(await getPoints(me)).toMatchObject({ current_points: 49 });
    await expectBalancedLedger(me);
  });

  test('a reply continues and can be read when the guest logs in during it', async () => {
    const email = createEmail();
    await createAccount(email);
    const me = await signInGuest();
    const id = await startConversation(me);
    const slow = createScene('gate n=3');
    const reader = await startTurn(me, id, slow.marker);
    await slow.reached();
    await createAccount(email, me);
    const rejoined = await rejoinReply(me, id);
    await slow.open();
    expect(joinDeltas(await rejoined.readRest())).toBe('w0 w1 w2 w3 w4 w5');
    expect(joinDeltas(await reader.readRest())).toBe('w0 w1 w2 w3 w4 w5');
    expect(await getPoints(me)).toMatchObject({ current_points: 50 });
  });

  test('the guest’s cookie is invalid after the login', async () => {
    for (const email of [createEmail(), (await createAccount()).email]) {
      const me = await signInGuest();
      const before = new Visitor();
      before.cookie = me.cookie;
      await env.DB.prepare('delete from login_codes where email = ?').bind(email).run();
      await createAccount(email, me);
      expect(await before.ask('/api/auth/status')).toMatchObject({ is_authenticated: false, user: null });
      expect((await before.call('/api/points')).status).toBe(401);
      expect((await me.call('/api/points')).status).toBe(200);
    }
  });

  test('simultaneous logins by Google and by code make one account with the guest’s data', async () => {
    const me = await signInGuest();
    const { id: guestId, cookie } = me;
    const id = await startConversation(me);
    await sendMessage(me, id, 'Said as a guest.');
    const { email, token } = await createGoogleUser();
    const code = await requestLoginCode(email, me);
    const tabs = [new Visitor(), new Visitor()] as const;
    for (const tab of tabs) tab.cookie = cookie;
    const answers = await Promise.all([
      tabs[0].call('/api/auth/login-with-code', { json: { email, code } }),
      postToken(tabs[1], token),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([201, 200]);
    for (const answer of answers) expect(await answer.json()).toMatchObject({ user_id: guestId });
    for (const tab of tabs) {
      expect(await tab.ask('/api/chats')).toMatchObject({ chats: [{ id }] });
      expect(await getPoints(tab)).toMatchObject({ current_points: 49 });
      await expectBalancedLedger(tab);
    }
  });

  test('two guests who log in to one account bring their conversations and personas, and no points', async () => {
    const googler = await createGoogleUser();
    const account = await signInWithToken(googler);
    const guests = [await signInGuest(), await signInGuest()] as const;
    const ids: string[] = [];
    for (const [index, one] of guests.entries()) {
      ids.push(await startListedConversation(one));
      await one.ask('/api/personas', {
        json: { name: `Wren ${index}`, description: 'Maps coasts.', is_default: true },
        status: 201,
      });
    }
    const tokens = [await issueToken(googler), await issueToken(googler)] as const;
    await Promise.all([signInWithToken(tokens[0], guests[0]), signInWithToken(tokens[1], guests[1])]);
    expect(guests.map(({ id }) => id)).toEqual([account.id, account.id]);
    const { chats } = await account.ask<{ chats: { id: string }[] }>('/api/chats');
    expect(chats.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    const { items } = await account.ask<{ items: { name: string; is_default: boolean }[] }>('/api/personas');
    expect(items.map(({ name }) => name).toSorted()).toEqual(['Wren 0', 'Wren 1']);
    expect(items.filter((persona) => persona.is_default)).toHaveLength(1);
    expect(await getPoints(account)).toMatchObject({ current_points: 50 });
  });

  test('a login in two tabs moves the guest’s conversations once, including those in the trash', async () => {
    const googler = await createGoogleUser();
    const account = await signInWithToken(googler);
    const me = await signInGuest();
    const [kept, trashed] = [await startConversation(me), await startListedConversation(me)];
    await sendMessage(me, kept, 'Said as a guest.');
    expect((await me.call(`/api/conversations/${trashed}`, { method: 'DELETE' })).ok).toBe(true);
    const tabs = [new Visitor(), new Visitor()] as const;
    for (const tab of tabs) tab.cookie = me.cookie;
    const tokens = [await issueToken(googler), await issueToken(googler)] as const;
    await Promise.all([signInWithToken(tokens[0], tabs[0]), signInWithToken(tokens[1], tabs[1])]);
    for (const tab of tabs) {
      expect(tab.id).toBe(account.id);
      expect(await tab.ask('/api/chats')).toMatchObject({ chats: [{ id: kept }] });
    }
    await account.ask(`/api/conversations/${trashed}/restore`, { method: 'POST' });
    const { chats } = await account.ask<{ chats: { id: string }[] }>('/api/chats');
    expect(chats.map(({ id }) => id).toSorted()).toEqual([kept, trashed].toSorted());
    expect(await getPoints(account)).toMatchObject({ current_points: 50 });
  });

  test('asking for a guest session while logged in changes nothing', async () => {
    const me = await createAccount();
    const again = await me.ask<{ user_id: string }>('/api/auth/anonymous', { method: 'POST', status: 201 });
    expect(again.user_id).toBe(me.id);
    expect(await me.ask('/api/auth/status')).toMatchObject({ user: { is_anonymous: false } });
  });
});
