import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ConversationClient, startConversationClient } from '../support/conversation-client.ts';
import { openLiveTab, type LiveTab, requestUpgrade } from '../support/live-tab.ts';
import {
  getConversationStub,
  createEmail,
  signInGuest,
  createAccount,
  type Visitor,
} from '../support/factories.ts';

afterEach(() => vi.restoreAllMocks());

/** Signs in by mail again, without waiting until a new code may be sent. */
async function signedInAgain(email: string): Promise<Visitor> {
  await env.DB.prepare('delete from login_codes where email = ?').bind(email).run();
  return createAccount(email);
}

/** Somebody with two devices, and a chat that is open on both. */
async function twoDevices() {
  const email = createEmail();
  const phone = await createAccount(email);
  const laptop = await signedInAgain(email);
  const { id } = await startConversationClient(phone);
  return {
    id,
    phone: { me: phone, tab: await openLiveTab(phone, id, 'page-on-the-phone') },
    laptop: { me: laptop, tab: await openLiveTab(laptop, id, 'page-on-the-laptop') },
  };
}

/** What a tab was told of what happened in the conversation. */
const told = ({ receivedHints: heard }: LiveTab) =>
  heard.filter((hint) => ['turn', 'changed', 'gone'].includes(hint));
const hears = (tab: LiveTab, ...hints: string[]) =>
  vi.waitFor(() => expect(told(tab)).toEqual(hints), { timeout: 5000, interval: 10 });

async function rename(me: Visitor, id: string): Promise<void> {
  await new ConversationClient(me, id).ask('', { method: 'PATCH', json: { title: 'The lamp' } });
}

/** How many sockets the conversation holds. */
const held = (id: string) =>
  runInDurableObject(getConversationStub(id), (_, state) => state.getWebSockets().length);

describe('When I log out', () => {
  test('my open tabs are let go at once, and those of my other devices go on to hear', async () => {
    const { id, phone, laptop } = await twoDevices();
    expect((await phone.me.call('/api/logout', { method: 'POST' })).status).toBe(204);
    await phone.tab.closed;
    await rename(laptop.me, id);
    await hears(laptop.tab, 'changed');
    expect(told(phone.tab)).toEqual([]);
    await vi.waitFor(async () => expect(await held(id)).toBe(1));
  });
});

describe('A tab whose session is over', () => {
  test('hears nothing more wherever it is, and is let go with the next thing that it would hear', async () => {
    const { id, phone, laptop } = await twoDevices();
    await env.DB.prepare(
      'delete from sessions where id = (select id from sessions where user_id = ? order by created_at limit 1)',
    )
      .bind(phone.me.id)
      .run();
    await rename(laptop.me, id);
    await phone.tab.closed;
    await hears(laptop.tab, 'changed');
    expect(told(phone.tab)).toEqual([]);
    expect((await requestUpgrade(phone.me, id)).status).toBe(401);
  });

  test('by its time hears nothing more', async () => {
    const { id, phone, laptop } = await twoDevices();
    await rename(laptop.me, id);
    await Promise.all([hears(phone.tab, 'changed'), hears(laptop.tab, 'changed')]);
    await env.DB.prepare('update sessions set expires_at = 1 where user_id = ?').bind(phone.me.id).run();
    await getConversationStub(id).moveToTrash(phone.me.id);
    await Promise.all([phone.tab.closed, laptop.tab.closed]);
    expect([told(phone.tab), told(laptop.tab)]).toEqual([['changed'], ['changed']]);
  });

  test('because its account is no more hears nothing, not even that its chats are gone', async () => {
    const me = await signInGuest();
    const { id } = await startConversationClient(me);
    const tab = await openLiveTab(me, id);
    await env.DB.prepare('delete from sessions where user_id = ?').bind(me.id).run();
    await getConversationStub(id).erase(me.id);
    await tab.closed;
    expect(told(tab)).toEqual([]);
  });
});

test('While nobody can say whose session is over, tabs are let go, and come back to look for themselves', async () => {
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
  expect(told(tab)).toEqual([]);
  asked.mockRestore();
  const again = await openLiveTab(me, id);
  await rename(me, id);
  await hears(again, 'changed');
});
