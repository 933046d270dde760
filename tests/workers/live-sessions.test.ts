import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Chat, newChat } from '../support/chat.ts';
import { open, type Tab, upgrade } from '../support/live-tab.ts';
import { conversationStub, freshEmail, guest, signedIn, type Visitor } from '../support/makers.ts';

afterEach(() => vi.restoreAllMocks());

/** Signs in by mail again, without waiting until a new code may be sent. */
async function signedInAgain(email: string): Promise<Visitor> {
  await env.DB.prepare('delete from login_codes where email = ?').bind(email).run();
  return signedIn(email);
}

/** Somebody with two devices, and a chat that is open on both. */
async function twoDevices() {
  const email = freshEmail();
  const phone = await signedIn(email);
  const laptop = await signedInAgain(email);
  const { id } = await newChat(phone);
  return {
    id,
    phone: { me: phone, tab: await open(phone, id, 'page-on-the-phone') },
    laptop: { me: laptop, tab: await open(laptop, id, 'page-on-the-laptop') },
  };
}

/** What a tab was told of what happened in the conversation. */
const told = ({ heard }: Tab) => heard.filter((hint) => ['turn', 'changed', 'gone'].includes(hint));
const hears = (tab: Tab, ...hints: string[]) =>
  vi.waitFor(() => expect(told(tab)).toEqual(hints), { timeout: 5000, interval: 10 });

async function rename(me: Visitor, id: string): Promise<void> {
  await new Chat(me, id).ask('', { method: 'PATCH', json: { title: 'The lamp' } });
}

/** How many sockets the conversation holds. */
const held = (id: string) =>
  runInDurableObject(conversationStub(id), (_, state) => state.getWebSockets().length);

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
    expect((await upgrade(phone.me, id)).status).toBe(401);
  });

  test('by its time hears nothing more', async () => {
    const { id, phone, laptop } = await twoDevices();
    await rename(laptop.me, id);
    await Promise.all([hears(phone.tab, 'changed'), hears(laptop.tab, 'changed')]);
    await env.DB.prepare('update sessions set expires_at = 1 where user_id = ?').bind(phone.me.id).run();
    await conversationStub(id).putAway(phone.me.id);
    await Promise.all([phone.tab.closed, laptop.tab.closed]);
    expect([told(phone.tab), told(laptop.tab)]).toEqual([['changed'], ['changed']]);
  });

  test('because its account is no more hears nothing, not even that its chats are gone', async () => {
    const me = await guest();
    const { id } = await newChat(me);
    const tab = await open(me, id);
    await env.DB.prepare('delete from sessions where user_id = ?').bind(me.id).run();
    await conversationStub(id).erase(me.id);
    await tab.closed;
    expect(told(tab)).toEqual([]);
  });
});

test('While nobody can say whose session is over, tabs are let go, and come back to look for themselves', async () => {
  const me = await guest();
  const { id } = await newChat(me);
  const tab = await open(me, id);
  const prepare = env.DB.prepare.bind(env.DB);
  const asked = vi.spyOn(env.DB, 'prepare').mockImplementation((sql) => {
    if (/from "sessions" where .*"public_id" in/.test(sql)) throw new Error('out of reach');
    return prepare(sql);
  });
  await rename(me, id);
  await tab.closed;
  expect(told(tab)).toEqual([]);
  asked.mockRestore();
  const again = await open(me, id);
  await rename(me, id);
  await hears(again, 'changed');
});
