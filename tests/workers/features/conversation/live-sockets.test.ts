import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { describe, expect, test, vi } from 'vitest';
import type { Message } from '../../../../src/features/conversation/contract.ts';
import { ConversationClient, startConversationClient } from '../../../support/conversation-client.ts';
import { EventReader, getLastEvent, joinDeltas } from '../../../support/event-reader.ts';
import { openLiveTab, readReceivedHints, type LiveTab, requestUpgrade } from '../../../support/live-tab.ts';
import { startTurn, getConversationStub, signInGuest, ORIGIN, Visitor } from '../../../support/factories.ts';
import { createScene } from '../../../support/scripted-model.ts';

const UNKNOWN = '0'.repeat(26);
const WRITING = 'page-that-writes';

/** A conversation that is open in two tabs; the test acts in the first. */
async function openTwoTabs() {
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

describe('Second open tab', () => {
  test('a second tab learns at once of a new message and can read the reply as a stream', async () => {
    const { me, chat, writing, reading } = await openTwoTabs();
    const slow = createScene('gate n=2');
    const sent = await chat.call('/messages', {
      json: { content: slow.marker, client_message_id: 'turn-of-the-first-tab' },
    });
    await reading.hears('turn');
    const stream = await me.call(`/api/conversations/${chat.id}/stream`);
    await slow.open();
    const readAll = async (answer: Response) => (await EventReader.fromResponse(answer)).readRest();
    const [first, second] = await Promise.all([readAll(sent), readAll(stream)]);
    // What came before the second tab joined is one piece for it.
    expect(joinDeltas(second)).toBe(joinDeltas(first));
    expect(getLastEvent(second)).toEqual(getLastEvent(first));
    expect(getLastEvent(first).event).toBe('done');
    expect(await readReceivedHints(writing)).toEqual([]);
    expect(await readReceivedHints(reading)).toEqual(['turn']);
  });

  test('a second tab learns of every change, and the tab that made it receives no hint', async () => {
    const { chat, writing, reading } = await openTwoTabs();
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

  test('all tabs learn of a change by a client that has no tab', async () => {
    const { me, chat, writing, reading } = await openTwoTabs();
    const [opening] = (await chat.ids()) as [string];
    await new ConversationClient(me, chat.id).edit(opening, 'From a program.');
    await Promise.all([writing.hears('changed'), reading.hears('changed')]);
  });

  test('a tab receives no hint about a refused call and never the text of a message', async () => {
    const { chat, reading } = await openTwoTabs();
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

  test('a new tab learns from the revision whether anything changed since its page was fetched', async () => {
    const { me, chat, writing } = await openTwoTabs();
    const { revision, messages } = await chat.page();
    expect(writing.revision).toBe(revision);
    expect((await openLiveTab(me, chat.id)).revision).toBe(revision);
    await chat.edit(messages[0]?.id as string, 'Between page and socket.');
    const late = await openLiveTab(me, chat.id);
    expect(late.revision).not.toBe(revision);
    expect((await chat.page()).revision).toBe(late.revision);
    // After an eviction the conversation cannot know whether something changed, so it gives a new revision.
    await evictDurableObject(getConversationStub(chat.id));
    expect((await openLiveTab(me, chat.id)).revision).not.toBe(late.revision);
  });

  test('a hint about a regenerated reply says whether the reply is the newest one', async () => {
    const { chat, reading } = await openTwoTabs();
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

  test('a tab learns that its conversation was deleted', async () => {
    const { chat, writing, reading } = await openTwoTabs();
    expect((await chat.call('', { method: 'DELETE' })).status).toBe(204);
    await Promise.all([writing.hears('gone'), reading.hears('gone')]);
  });

  test('a tab learns that its conversation was restored, and of changes after that', async () => {
    const { chat, writing, reading } = await openTwoTabs();
    await chat.call('', { method: 'DELETE' });
    await chat.ask('/restore', { method: 'POST' });
    const [opening] = (await chat.ids()) as [string];
    await chat.edit(opening, 'There again.');
    await reading.hears('gone', 'changed', 'changed');
    expect(await readReceivedHints(writing)).toEqual(['gone']);
  });

  test('a tab learns that deleted messages were erased for good', async () => {
    const { chat, writing, reading } = await openTwoTabs();
    await chat.insertMessages('Mine.');
    const { id } = await chat.discard((await chat.ids()).at(-1) as string);
    expect((await chat.call(`/trash/${id}`, { method: 'DELETE' })).status).toBe(204);
    await reading.hears('changed', 'changed');
    expect(await readReceivedHints(writing)).toEqual([]);
  });

  test('a tab stays connected while its conversation is evicted and receives the next hint', async () => {
    const { chat, reading } = await openTwoTabs();
    const [opening] = (await chat.ids()) as [string];
    await evictDurableObject(getConversationStub(chat.id));
    await chat.edit(opening, 'Said after a sleep.');
    await reading.hears('changed');
    await evictDurableObject(getConversationStub(chat.id));
    expect(await readReceivedHints(reading)).toEqual(['changed']);
  });

  test('a tab’s ping is answered without waking the conversation', async () => {
    const { chat, reading } = await openTwoTabs();
    const asked = await runInDurableObject(getConversationStub(chat.id), (instance) => {
      const listener = vi.fn<() => void>();
      Object.assign(instance, { webSocketMessage: listener });
      return listener;
    });
    for (let time = 0; time < 3; time += 1) await readReceivedHints(reading);
    expect(reading.receivedHints).toEqual(['pong', 'pong', 'pong']);
    expect(asked).not.toHaveBeenCalled();
    const [at] = await runInDurableObject(getConversationStub(chat.id), (_, state) =>
      state.getWebSockets('page-that-reads').map((socket) => state.getWebSocketAutoResponseTimestamp(socket)),
    );
    expect(at).toBeInstanceOf(Date);
  });

  test('anything that a tab sends leaves the conversation undisturbed', async () => {
    const { chat, writing, reading } = await openTwoTabs();
    for (const data of ['', 'hello', '{"type":"changed"}', 'x'.repeat(100_000)]) reading.socket.send(data);
    reading.socket.send(new Uint8Array(1000));
    const [opening] = (await chat.ids()) as [string];
    await chat.edit(opening, 'Undisturbed.');
    expect((await chat.messages())[0]).toMatchObject({ content: 'Undisturbed.' });
    expect(await readReceivedHints(writing)).toEqual([]);
  });

  test('a closed tab receives no further hints', async () => {
    const { chat, reading } = await openTwoTabs();
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

  test('a conversation keeps at most 32 tabs, and the oldest one is closed for a new one', async () => {
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

describe('Live socket', () => {
  test('only the owner of a conversation can open its socket', async () => {
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

  test('the socket opens from the product’s own pages and from programs, and from no other site', async () => {
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

  test('a call without an upgrade to the socket’s address is refused with 426', async () => {
    const me = await signInGuest();
    const { id } = await startConversationClient(me);
    const answer = await me.call(`/api/conversations/${id}/live`);
    expect([answer.status, await answer.json()]).toEqual([
      426,
      expect.objectContaining({ code: 'upgrade_required' }),
    ]);
  });

  test('the socket accepts any tab name', async () => {
    const me = await signInGuest();
    const { id } = await startConversationClient(me);
    for (const tab of ['x', 'x'.repeat(300), 'ü', '%00', 'a b', '{"a":1}']) {
      const answer = await requestUpgrade(me, id, encodeURIComponent(tab));
      expect([tab, answer.status]).toEqual([tab, 101]);
    }
  });

  test('a reply is completed when the tab closes during it', async () => {
    const { me, chat, reading } = await openTwoTabs();
    const reader = await startTurn(me, chat.id, 'Hello.');
    reading.socket.close();
    await reader.readRest();
    const { status } = (await chat.messages()).at(-1) as Message;
    expect(status).toBe('complete');
  });
});
