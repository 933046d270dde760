import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { describe, expect, test, vi } from 'vitest';
import type { Message } from '../../src/features/conversation/contract.ts';
import { ConversationClient, startConversationClient } from '../support/conversation-client.ts';
import { openLiveTab, readReceivedHints, type LiveTab, requestUpgrade } from '../support/live-tab.ts';
import { startTurn, getConversationStub, signInGuest, ORIGIN, Visitor } from '../support/factories.ts';
import { createScene } from '../support/scripted-model.ts';

const UNKNOWN = '0'.repeat(26);
const WRITING = 'page-that-writes';

/** A conversation that is open in two tabs; what is done is done in the first. */
async function twoTabs() {
  const me = await signInGuest();
  const { id } = await startConversationClient(me);
  const chat = new ConversationClient(me, id, WRITING);
  return {
    me,
    chat,
    writing: await openLiveTab(me, id, WRITING),
    reading: await openLiveTab(me, id, 'page-that-reads'),
  };
}

describe('A second open tab of a conversation', () => {
  test('learns at once that a message was sent, and can read the reply as it is written', async () => {
    const { me, chat, writing, reading } = await twoTabs();
    const slow = createScene('gate n=2');
    const sent = await chat.call('/messages', {
      json: { content: slow.marker, client_message_id: 'turn-of-the-first-tab' },
    });
    await reading.hears('turn');
    const stream = await me.call(`/api/conversations/${chat.id}/stream`);
    await slow.open();
    const [first, second] = await Promise.all([sent.text(), stream.text()]);
    expect(second).toBe(first);
    expect(first).toContain('event: done');
    expect(await readReceivedHints(writing)).toEqual([]);
    expect(await readReceivedHints(reading)).toEqual(['turn']);
  });

  test('learns of every change, and the tab that made it hears nothing of its own doing', async () => {
    const { chat, writing, reading } = await twoTabs();
    await chat.insertMessages('Mine.', 'Hers.');
    const [opening, mine, hers] = (await chat.ids()) as [string, string, string];
    const edited = await chat.edit(mine, 'Mine, mended.');
    await reading.hears('changed');
    await chat.select(mine, edited.versions[0]?.id as string);
    await chat.pin(opening);
    await chat.regenerate(hers);
    await chat.continueReply(hers);
    const { id } = await chat.discard(mine);
    await chat.restore(id);
    await reading.hears('changed', 'changed', 'changed', 'turn', 'turn', 'changed', 'changed');
    expect(await readReceivedHints(writing)).toEqual([]);
  });

  test('is told of what any other client does, which has no tab', async () => {
    const { me, chat, writing, reading } = await twoTabs();
    const [opening] = (await chat.ids()) as [string];
    await new ConversationClient(me, chat.id).edit(opening, 'From a program.');
    await Promise.all([writing.hears('changed'), reading.hears('changed')]);
  });

  test('is told nothing of what was refused, and never a word of what was said', async () => {
    const { chat, reading } = await twoTabs();
    const raw: string[] = [];
    reading.socket.addEventListener('message', ({ data }) => {
      raw.push(String(data));
    });
    await chat.edit(UNKNOWN, 'Lost words.', 404);
    await chat.discard(UNKNOWN, 404);
    expect(await readReceivedHints(reading)).toEqual([]);
    const [opening] = (await chat.ids()) as [string];
    await chat.edit(opening, 'Secret words.');
    await chat.send('More secret words.');
    await vi.waitFor(async () => expect(await readReceivedHints(reading)).toEqual(['changed', 'turn']));
    expect(raw.filter((text) => text !== 'pong').map((text) => JSON.parse(text) as object)).toEqual([
      { type: 'changed', message_ids: [opening] },
      { type: 'turn', reply_id: (await chat.ids()).at(-1) },
    ]);
  });

  test('that opens learns whether anything happened since its page was fetched, and nothing is stored for that', async () => {
    const { me, chat, writing } = await twoTabs();
    const { revision, messages } = await chat.page();
    expect(writing.revision).toBe(revision);
    expect((await openLiveTab(me, chat.id)).revision).toBe(revision);
    await chat.edit(messages[0]?.id as string, 'Between page and socket.');
    const late = await openLiveTab(me, chat.id);
    expect(late.revision).not.toBe(revision);
    expect((await chat.page()).revision).toBe(late.revision);
    // Whoever cannot know whether something happened says that something may have.
    await evictDurableObject(getConversationStub(chat.id));
    expect((await openLiveTab(me, chat.id)).revision).not.toBe(late.revision);
  });

  test('learns of a reply that is written anew whether it is the newest of all', async () => {
    const { chat, reading } = await twoTabs();
    await chat.insertMessages('Mine.', 'Hers.', 'Mine again.', 'Hers again.');
    const ids = await chat.ids();
    const [first, last] = [ids[2] as string, ids[4] as string];
    const hints: object[] = [];
    reading.socket.addEventListener('message', ({ data }) => {
      if (String(data) !== 'pong') hints.push(JSON.parse(String(data)) as object);
    });
    expect((await chat.regenerate(first))[0]).toMatchObject({ event: 'accepted', data: { newest: false } });
    expect((await chat.regenerate(last))[0]).toMatchObject({ event: 'accepted', data: { newest: true } });
    await readReceivedHints(reading);
    expect(hints).toEqual([
      { type: 'turn', reply_id: first },
      { type: 'turn', reply_id: last },
    ]);
  });

  test('learns that the conversation was deleted', async () => {
    const { chat, writing, reading } = await twoTabs();
    expect((await chat.call('', { method: 'DELETE' })).status).toBe(204);
    await Promise.all([writing.hears('gone'), reading.hears('gone')]);
  });

  test('learns that it was taken back, and what is said in it from then on', async () => {
    const { chat, writing, reading } = await twoTabs();
    await chat.call('', { method: 'DELETE' });
    await chat.ask('/restore', { method: 'POST' });
    const [opening] = (await chat.ids()) as [string];
    await chat.edit(opening, 'There again.');
    await reading.hears('gone', 'changed', 'changed');
    expect(await readReceivedHints(writing)).toEqual(['gone']);
  });

  test('learns that what was deleted is gone for good', async () => {
    const { chat, writing, reading } = await twoTabs();
    await chat.insertMessages('Mine.');
    const { id } = await chat.discard((await chat.ids()).at(-1) as string);
    expect((await chat.call(`/trash/${id}`, { method: 'DELETE' })).status).toBe(204);
    await reading.hears('changed', 'changed');
    expect(await readReceivedHints(writing)).toEqual([]);
  });

  test('stays connected while the conversation sleeps, and hears what wakes it', async () => {
    const { chat, reading } = await twoTabs();
    const [opening] = (await chat.ids()) as [string];
    await evictDurableObject(getConversationStub(chat.id));
    await chat.edit(opening, 'Said after a sleep.');
    await reading.hears('changed');
    await evictDurableObject(getConversationStub(chat.id));
    expect(await readReceivedHints(reading)).toEqual(['changed']);
  });

  test('wakes nobody by looking whether its connection lives', async () => {
    const { chat, reading } = await twoTabs();
    const asked = await runInDurableObject(getConversationStub(chat.id), (instance) => {
      const heard = vi.fn<() => void>();
      Object.assign(instance, { webSocketMessage: heard });
      return heard;
    });
    for (let time = 0; time < 3; time += 1) await readReceivedHints(reading);
    expect(reading.receivedHints).toEqual(['pong', 'pong', 'pong']);
    expect(asked).not.toHaveBeenCalled();
    const [at] = await runInDurableObject(getConversationStub(chat.id), (_, state) =>
      state.getWebSockets('page-that-reads').map((socket) => state.getWebSocketAutoResponseTimestamp(socket)),
    );
    expect(at).toBeInstanceOf(Date);
  });

  test('may say anything without disturbing the conversation', async () => {
    const { chat, writing, reading } = await twoTabs();
    for (const said of ['', 'hello', '{"type":"changed"}', 'x'.repeat(100_000)]) reading.socket.send(said);
    reading.socket.send(new Uint8Array(1000));
    const [opening] = (await chat.ids()) as [string];
    await chat.edit(opening, 'Undisturbed.');
    expect((await chat.messages())[0]).toMatchObject({ content: 'Undisturbed.' });
    expect(await readReceivedHints(writing)).toEqual([]);
  });

  test('that is closed is no longer told anything', async () => {
    const { chat, reading } = await twoTabs();
    reading.socket.close(1000, 'bye');
    await vi.waitFor(() =>
      runInDurableObject(getConversationStub(chat.id), (_, state) => {
        expect(state.getWebSockets('page-that-reads')).toEqual([]);
      }),
    );
    const [opening] = (await chat.ids()) as [string];
    await chat.edit(opening, 'To an empty room.');
    expect(reading.receivedHints).toEqual([]);
  });

  test('is one of at most 32; the oldest gives way', async () => {
    const me = await signInGuest();
    const { id } = await startConversationClient(me);
    const tabs: LiveTab[] = [];
    for (let index = 0; index < 33; index += 1) tabs.push(await openLiveTab(me, id, `page-number-${index}`));
    await tabs[0]?.closed;
    await new ConversationClient(me, id).pin((await new ConversationClient(me, id).ids())[0] as string);
    await tabs[32]?.hears('changed');
    await tabs[1]?.hears('changed');
    expect(tabs[0]?.receivedHints).toEqual([]);
  });
});

describe('The socket of a tab', () => {
  test('is for the owner alone', async () => {
    const me = await signInGuest();
    const { id } = await startConversationClient(me);
    expect((await requestUpgrade(await signInGuest(), id)).status).toBe(404);
    expect((await requestUpgrade(me, UNKNOWN)).status).toBe(404);
    expect((await requestUpgrade(me, 'no-id')).status).toBe(404);
    expect((await requestUpgrade(new Visitor(), id)).status).toBe(401);
    await runInDurableObject(getConversationStub(id), (_, state) =>
      expect(state.getWebSockets()).toEqual([]),
    );
  });

  test('opens from the product’s own pages and from programs, and from no other site', async () => {
    const me = await signInGuest();
    const { id } = await startConversationClient(me);
    for (const origin of [
      'https://evil.example',
      'null',
      'http://loreloom.test',
      'https://loreloom.test:8443',
    ]) {
      const answer = await requestUpgrade(me, id, '', { origin });
      expect([origin, answer.status, await answer.json()]).toEqual([
        origin,
        403,
        expect.objectContaining({ code: 'cross_origin' }),
      ]);
    }
    expect((await requestUpgrade(me, id, '', { origin: ORIGIN })).status).toBe(101);
    expect((await requestUpgrade(me, id)).status).toBe(101);
  });

  test('is not to be had by a plain call', async () => {
    const me = await signInGuest();
    const { id } = await startConversationClient(me);
    const answer = await me.call(`/api/conversations/${id}/live`);
    expect([answer.status, await answer.json()]).toEqual([
      426,
      expect.objectContaining({ code: 'upgrade_required' }),
    ]);
  });

  test('takes any name of a page', async () => {
    const me = await signInGuest();
    const { id } = await startConversationClient(me);
    for (const tab of ['x', 'x'.repeat(300), 'ü', '%00', 'a b', '{"a":1}']) {
      const answer = await requestUpgrade(me, id, encodeURIComponent(tab));
      expect([tab, answer.status]).toEqual([tab, 101]);
    }
  });

  test('outlives a reply, and the reply is the same with and without it', async () => {
    const { me, chat, reading } = await twoTabs();
    const reader = await startTurn(me, chat.id, 'Hello.');
    reading.socket.close();
    await reader.readRest();
    const { status } = (await chat.messages()).at(-1) as Message;
    expect(status).toBe('complete');
  });
});
