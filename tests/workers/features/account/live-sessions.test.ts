import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ConversationClient, startConversationClient } from '../../../support/conversation-client.ts';
import { openLiveTab, type LiveTab, requestUpgrade } from '../../../support/live-tab.ts';
import { joinDeltas } from '../../../support/event-reader.ts';
import {
  expectBalancedLedger,
  getConversationStub,
  createEmail,
  getLastMessage,
  getPoints,
  rejoinReply,
  signInGuest,
  startTurn,
  createAccount,
  type Visitor,
} from '../../../support/factories.ts';
import { createScene } from '../../../support/scripted-model.ts';

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

/** The words of a reply that waits at its gate after the first, and of the whole reply. */
const [BEGUN, WHOLE] = ['w0 w1 w2', 'w0 w1 w2 w3 w4 w5'];

/** A reply in progress that the phone, which sent the message, and the laptop read. */
async function startReply({ id, phone, laptop }: Awaited<ReturnType<typeof createTwoDevices>>) {
  const gate = createScene('gate n=3');
  const points = (await getPoints(laptop.me)).current_points;
  const sent = await startTurn(phone.me, id, gate.marker);
  await gate.reached();
  const followed = await rejoinReply(laptop.me, id);
  for (const reader of [sent, followed]) await reader.readUntilText((text) => text === BEGUN);
  return { gate, points, sent, followed };
}

/** Expects that the whole reply was stored, and charged with one message. */
async function expectCharged(me: Visitor, id: string, pointsBefore: number): Promise<void> {
  expect(await getLastMessage(me, id)).toMatchObject({ content: WHOLE, status: 'complete' });
  const { current_points: points, message_cost: cost } = await getPoints(me);
  expect(points).toBe(pointsBefore - cost);
  await expectBalancedLedger(me);
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

describe('Reply streams', () => {
  const ways = {
    'logging out': ({ phone }) => phone.me.call('/api/logout', { method: 'POST' }),
    'ending the session elsewhere': async ({ phone, laptop }) => {
      const { items } = await phone.me.ask<{ items: { id: string; current: boolean }[] }>(
        '/api/account/sessions',
      );
      const own = items.find(({ current }) => current);
      return laptop.me.call(`/api/account/sessions/${own?.id}`, { method: 'DELETE' });
    },
    'ending all other sessions': ({ laptop }) =>
      laptop.me.call('/api/account/sessions', { method: 'DELETE' }),
  } satisfies Record<string, (devices: Awaited<ReturnType<typeof createTwoDevices>>) => Promise<Response>>;

  test.for(Object.entries(ways))(
    '%s ends the stream of a reply on that device, and the reply goes on, is stored and charged',
    async ([, end]) => {
      const devices = await createTwoDevices();
      const { gate, points, sent, followed } = await startReply(devices);
      expect((await end(devices)).status).toBe(204);
      expect(joinDeltas(await sent.readRest())).toBe(BEGUN);
      expect(sent.receivedEvents.map(({ event }) => event)).not.toContain('done');
      expect((await devices.phone.me.call(`/api/conversations/${devices.id}/stream`)).status).toBe(401);
      await gate.open();
      expect(joinDeltas(await followed.readRest())).toBe(WHOLE);
      expect(followed.receivedEvents.at(-1)?.event).toBe('done');
      await expectCharged(devices.laptop.me, devices.id, points);
    },
  );

  test('logging out with the only reader lets the reply go on, and it is there after the next login', async () => {
    const email = createEmail();
    const me = await createAccount(email);
    const { id } = await startConversationClient(me);
    const points = (await getPoints(me)).current_points;
    const gate = createScene('gate n=3');
    const reader = await startTurn(me, id, gate.marker);
    await reader.readUntilText((text) => text === BEGUN);
    await me.call('/api/logout', { method: 'POST' });
    expect(joinDeltas(await reader.readRest())).toBe(BEGUN);
    await gate.open();
    const again = await signInAgain(email);
    await vi.waitFor(async () => expect((await getLastMessage(again, id)).status).toBe('complete'));
    await expectCharged(again, id, points);
  });

  test('a repeated login in the same browser ends the stream of the old session, and the new one rejoins it', async () => {
    const email = createEmail();
    const me = await createAccount(email);
    const { id } = await startConversationClient(me);
    const gate = createScene('gate n=3');
    const reader = await startTurn(me, id, gate.marker);
    await reader.readUntilText((text) => text === BEGUN);
    await env.DB.prepare('delete from login_codes where email = ?').bind(email).run();
    await createAccount(email, me);
    expect(joinDeltas(await reader.readRest())).toBe(BEGUN);
    const rejoined = await rejoinReply(me, id, reader.receivedEvents.at(-1)?.id);
    await gate.open();
    expect(BEGUN + joinDeltas(await rejoined.readRest())).toBe(WHOLE);
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
