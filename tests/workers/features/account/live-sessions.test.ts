import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ConversationClient, startConversationClient } from '../../../support/conversation-client.ts';
import { openLiveTab, type LiveTab, requestUpgrade } from '../../../support/live-tab.ts';
import {
  getConversationStub,
  createEmail,
  signInGuest,
  createAccount,
  type Visitor,
} from '../../../support/factories.ts';

afterEach(() => vi.restoreAllMocks());

/** Signs in by mail again, without waiting until a new code may be sent. */
async function signInAgain(email: string): Promise<Visitor> {
  await env.DB.prepare('delete from login_codes where email = ?').bind(email).run();
  return createAccount(email);
}

/** A user with two devices and a conversation that is open on both. */
async function createTwoDevices() {
  const email = createEmail();
  const phone = await createAccount(email);
  const laptop = await signInAgain(email);
  const { id } = await startConversationClient(phone);
  return {
    id,
    phone: { me: phone, tab: await openLiveTab(phone, id, 'page-on-the-phone') },
    laptop: { me: laptop, tab: await openLiveTab(laptop, id, 'page-on-the-laptop') },
  };
}

/** The hints about the conversation that a tab received. */
const getHints = ({ receivedHints: hints }: LiveTab) =>
  hints.filter((hint) => ['turn', 'changed', 'gone'].includes(hint));
const expectHints = (tab: LiveTab, ...hints: string[]) =>
  vi.waitFor(() => expect(getHints(tab)).toEqual(hints), { timeout: 5000, interval: 10 });

async function rename(me: Visitor, id: string): Promise<void> {
  await new ConversationClient(me, id).ask('', { method: 'PATCH', json: { title: 'The lamp' } });
}

/** Counts the WebSockets that the conversation has open. */
const countSockets = (id: string) =>
  runInDurableObject(getConversationStub(id), (_, state) => state.getWebSockets().length);

describe('Logout', () => {
  test('logging out closes the user’s tabs on this device and leaves the other devices connected', async () => {
    const { id, phone, laptop } = await createTwoDevices();
    expect((await phone.me.call('/api/logout', { method: 'POST' })).status).toBe(204);
    await phone.tab.closed;
    await rename(laptop.me, id);
    await expectHints(laptop.tab, 'changed');
    expect(getHints(phone.tab)).toEqual([]);
    await vi.waitFor(async () => expect(await countSockets(id)).toBe(1));
  });
});

describe('Ended sessions', () => {
  test('a tab whose session was ended elsewhere receives no hint and is closed at the next one', async () => {
    const { id, phone, laptop } = await createTwoDevices();
    await env.DB.prepare(
      'delete from sessions where id = (select id from sessions where user_id = ? order by created_at limit 1)',
    )
      .bind(phone.me.id)
      .run();
    await rename(laptop.me, id);
    await phone.tab.closed;
    await expectHints(laptop.tab, 'changed');
    expect(getHints(phone.tab)).toEqual([]);
    expect((await requestUpgrade(phone.me, id)).status).toBe(401);
  });

  test('a tab whose session has expired receives no further hint and is closed', async () => {
    const { id, phone, laptop } = await createTwoDevices();
    await rename(laptop.me, id);
    await Promise.all([expectHints(phone.tab, 'changed'), expectHints(laptop.tab, 'changed')]);
    await env.DB.prepare('update sessions set expires_at = 1 where user_id = ?').bind(phone.me.id).run();
    await getConversationStub(id).moveToTrash(phone.me.id);
    await Promise.all([phone.tab.closed, laptop.tab.closed]);
    expect([getHints(phone.tab), getHints(laptop.tab)]).toEqual([['changed'], ['changed']]);
  });

  test('a tab of a deleted account receives no hint about its erased conversations', async () => {
    const me = await signInGuest();
    const { id } = await startConversationClient(me);
    const tab = await openLiveTab(me, id);
    await env.DB.prepare('delete from sessions where user_id = ?').bind(me.id).run();
    await getConversationStub(id).erase(me.id);
    await tab.closed;
    expect(getHints(tab)).toEqual([]);
  });
});

test('tabs are closed without a hint while sessions cannot be checked, and can reconnect', async () => {
  const me = await signInGuest();
  const { id } = await startConversationClient(me);
  const tab = await openLiveTab(me, id);
  const prepare = env.DB.prepare.bind(env.DB);
  const asked = vi.spyOn(env.DB, 'prepare').mockImplementation((sql) => {
    if (/from "sessions" where .*"public_id" in/.test(sql)) throw new Error('out of reach');
    return prepare(sql);
  });
  await rename(me, id);
  await tab.closed;
  expect(getHints(tab)).toEqual([]);
  asked.mockRestore();
  const again = await openLiveTab(me, id);
  await rename(me, id);
  await expectHints(again, 'changed');
});
