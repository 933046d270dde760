import { describe, expect, test } from 'vitest';
import {
  readOutbox,
  listShown,
  listSent,
  waitUntilIdle,
  queueReply,
  sendText,
} from '../support/chat-actions.ts';
import {
  GREETING,
  createMessage,
  NETWORK_ERROR,
  createFailure,
  flushPromises,
  createUserMessage,
  createChatFixture,
} from '../support/chat-fixture.ts';

const arrived = (text: string) => [
  GREETING,
  { ...createUserMessage('u1', text), client_message_id: 'turn-0001' },
  createMessage('r1', { content: 'Yes.' }),
];

describe('A message whose answer was lost', () => {
  test('is shown as sent when I want it back, and nothing is put into the box', async () => {
    const w = await createChatFixture().openChat();
    await sendText(w, 'Hello');
    w.setHistory(arrived('Hello'));
    w.chat.takeBack('turn-0001');
    await waitUntilIdle();
    expect(listShown(w)).toEqual(['The lamp is lit. (stored)', 'Hello (stored)', 'Yes. (stored)']);
    expect(w.chat.$draft.get()).toBe('');
    expect(readOutbox(w)).toEqual([]);
  });

  test('that never arrived comes back into the box', async () => {
    const w = await createChatFixture().openChat();
    await sendText(w, 'Hello');
    w.chat.takeBack('turn-0001');
    await waitUntilIdle();
    expect(w.chat.$draft.get()).toBe('Hello');
    expect(listShown(w)).toEqual(['The lamp is lit. (stored)']);
  });

  test('stays where it is while nobody can say whether it arrived', async () => {
    const w = await createChatFixture().openChat();
    await sendText(w, 'Hello');
    w.queueAnswers('conversation', NETWORK_ERROR);
    w.chat.takeBack('turn-0001');
    await waitUntilIdle();
    expect(listShown(w).at(-1)).toBe('Hello (waiting)');
    expect(w.chat.$draft.get()).toBe('');
    expect(w.state.notice?.code).toBe('network');
  });

  test('goes out by itself after a while, under the same id', async () => {
    const w = await createChatFixture().openChat();
    await sendText(w, 'Hello');
    queueReply(w, 'turn-0001', 'Hello', 1);
    await w.pass(5000);
    await waitUntilIdle();
    expect(listShown(w).slice(1)).toEqual(['Hello (stored)', 'Reply 1 (stored)']);
    expect(w.made('sendMessage').map(([, body]) => body)).toMatchObject([
      { client_message_id: 'turn-0001' },
      { client_message_id: 'turn-0001' },
    ]);
  });

  test('goes out at once when the network comes back', async () => {
    const w = await createChatFixture().openChat();
    await sendText(w, 'Hello');
    queueReply(w, 'turn-0001', 'Hello', 1);
    w.chat.wake();
    await waitUntilIdle();
    expect(listShown(w).at(-1)).toBe('Reply 1 (stored)');
  });
});

describe('Two tabs with the same chat', () => {
  test('see what one of them is sending as on its way, and neither sends it twice nor takes it back', async () => {
    const a = await createChatFixture().openChat();
    let fail: (answer: unknown) => void = () => {};
    a.queueAnswers('sendMessage', () => new Promise((resolve) => (fail = resolve)));
    void sendText(a, 'Slow road');
    await flushPromises();
    const b = await createChatFixture({ memory: a.memory }).openChat();
    await waitUntilIdle();
    expect(listShown(b).at(-1)).toBe('Slow road (pending)');
    b.chat.takeBack('turn-0001');
    b.chat.wake();
    await waitUntilIdle();
    expect(b.chat.$draft.get()).toBe('');
    expect(listSent(b)).toEqual([]);
    fail(createFailure(503, 'server_error'));
    await waitUntilIdle();
    expect(listShown(b).at(-1)).toBe('Slow road (unsent)');
  });

  test('hear when one takes back what waited, and it stays unsent', async () => {
    const a = await createChatFixture().openChat();
    a.setOnline(false);
    await sendText(a, 'Unwise words');
    const b = createChatFixture({ memory: a.memory });
    b.setOnline(false);
    await b.openChat();
    await waitUntilIdle();
    expect(listShown(b).at(-1)).toBe('Unwise words (waiting)');
    a.chat.takeBack('turn-0001');
    await waitUntilIdle();
    expect(a.chat.$draft.get()).toBe('Unwise words');
    expect(listShown(b)).toEqual(['The lamp is lit. (stored)']);
    b.setOnline(true);
    b.chat.wake();
    await waitUntilIdle();
    expect(listSent(b)).toEqual([]);
  });

  test('send what waited once when the network comes back to both', async () => {
    const a = await createChatFixture().openChat();
    a.setOnline(false);
    await sendText(a, 'One');
    const b = createChatFixture({ memory: a.memory });
    b.setOnline(false);
    await b.openChat();
    queueReply(a, 'turn-0001', 'One', 1);
    queueReply(b as typeof a, 'turn-0001', 'One', 1);
    a.setOnline(true);
    b.setOnline(true);
    a.chat.wake();
    b.chat.wake();
    await waitUntilIdle();
    expect([...listSent(a), ...listSent(b as typeof a)]).toEqual(['One']);
    expect(readOutbox(a)).toEqual([]);
  });

  test('lose nothing that one was sending when it was closed', async () => {
    const a = await createChatFixture().openChat();
    a.queueAnswers('sendMessage', () => new Promise(() => {}));
    void sendText(a, 'Half way');
    await flushPromises();
    const b = createChatFixture({ memory: a.memory });
    queueReply(b as typeof a, 'turn-0001', 'Half way', 1);
    await b.openChat();
    await waitUntilIdle();
    expect(listSent(b as typeof a)).toEqual([]);
    a.close();
    await b.pass(5000);
    await waitUntilIdle();
    expect(listShown(b as typeof a).slice(1)).toEqual(['Half way (stored)', 'Reply 1 (stored)']);
  });
});

describe('The text in the box', () => {
  test('that was kept stands there before the chat has loaded, and what I add is kept with it', async () => {
    const first = await createChatFixture().openChat();
    first.chat.setDraft('My long draft');
    const second = createChatFixture({ memory: first.memory });
    second.queueAnswers('conversation', () => new Promise(() => {}));
    void second.openChat();
    expect(second.chat.$draft.get()).toBe('My long draft');
    second.chat.setDraft('My long draft, and more');
    expect(second.memory.get('draft:c1')).toBe('My long draft, and more');
  });

  test('that I typed before it was known what was kept goes under that', async () => {
    const first = await createChatFixture().openChat();
    first.chat.setDraft('My long draft');
    const second = createChatFixture({ memory: first.memory });
    second.queueAnswers('conversationsWith', {
      ok: true,
      data: { items: [{ id: 'c1' }], next_cursor: null },
    });
    second.chat.setDraft('And');
    await second.chat.start({ characterId: 'char1', conversationId: null });
    expect(second.chat.$draft.get()).toBe('My long draft\nAnd');
    expect(second.memory.get('draft:c1')).toBe('My long draft\nAnd');
  });

  test('is not lost when another tab empties its own', async () => {
    const a = await createChatFixture().openChat();
    const b = await createChatFixture({ memory: a.memory }).openChat();
    a.chat.setDraft('A long paragraph');
    b.chat.setDraft('b');
    b.chat.setDraft('');
    await waitUntilIdle();
    const again = await createChatFixture({ memory: a.memory }).openChat();
    expect(again.chat.$draft.get()).toBe('A long paragraph');
  });

  test('is my own in each of two tabs, also after one of them was reloaded', async () => {
    const a = await createChatFixture({ name: 'a' }).openChat();
    const b = await createChatFixture({ name: 'b', memory: a.memory }).openChat();
    a.chat.setDraft('draft of A');
    b.chat.setDraft('draft of B');
    await waitUntilIdle();
    a.close();
    const again = await createChatFixture({ name: 'a', memory: a.memory }).openChat();
    await waitUntilIdle();
    expect([again.chat.$draft.get(), b.chat.$draft.get()]).toEqual(['draft of A', 'draft of B']);
  });

  test('of every tab that I closed stands in the next one that I open, once', async () => {
    const a = await createChatFixture({ name: 'a' }).openChat();
    const b = await createChatFixture({ name: 'b', memory: a.memory }).openChat();
    a.chat.setDraft('draft of A');
    b.chat.setDraft('draft of B');
    a.close();
    b.close();
    const both = ['c', 'd'].map((name) => createChatFixture({ name, memory: a.memory }));
    const [c, d] = await Promise.all(both.map((w) => w.openChat()));
    await waitUntilIdle();
    expect([c?.chat.$draft.get(), d?.chat.$draft.get()]).toEqual(['draft of A\ndraft of B', '']);
    expect([...a.memory.values()]).toEqual(['draft of A\ndraft of B']);
  });

  test('of a closed tab goes above what I have begun to write', async () => {
    const a = await createChatFixture({ name: 'a' }).openChat();
    a.chat.setDraft('Once');
    a.close();
    const b = createChatFixture({ name: 'b', memory: a.memory });
    const opened = b.openChat();
    b.chat.setDraft('And');
    await opened;
    await waitUntilIdle();
    expect(b.chat.$draft.get()).toBe('Once\nAnd');
    await b.chat.send('recommended');
    b.close();
    const c = await createChatFixture({ name: 'c', memory: a.memory }).openChat();
    await waitUntilIdle();
    expect(c.chat.$draft.get()).toBe('');
  });

  test('that was kept before tabs had names is not lost', async () => {
    const memory = new Map([['draft:c1', 'From before']]);
    const w = await createChatFixture({ name: 'a', memory }).openChat();
    await waitUntilIdle();
    expect(w.chat.$draft.get()).toBe('From before');
    expect([...memory]).toEqual([['draft:c1:a', 'From before']]);
  });

  test('is there for another tab once mine shows another chat', async () => {
    const a = await createChatFixture({ name: 'a' }).openChat();
    a.chat.setDraft('Half a line');
    const created = { ...a.state.conversation, id: 'c2' };
    a.queueAnswers('createConversation', { ok: true, data: { conversation: created, messages: [GREETING] } });
    await a.chat.startNew();
    const b = await createChatFixture({ name: 'b', memory: a.memory }).openChat();
    await waitUntilIdle();
    expect([a.chat.$draft.get(), b.chat.$draft.get()]).toEqual(['', 'Half a line']);
  });

  test('goes along into the chat that goes on from a message, and is no draft of the old one', async () => {
    const w = await createChatFixture().openChat();
    w.chat.setDraft('Half a line');
    const conversation = { ...w.state.conversation, id: 'c2' };
    w.queueAnswers('fork', { ok: true, data: { conversation } });
    w.queueAnswers('conversation', {
      ok: true,
      data: { conversation, messages: [GREETING], next_cursor: null, later_cursor: null },
    });
    await w.chat.fork('m0');
    expect(w.chat.$draft.get()).toBe('Half a line');
    expect(Object.fromEntries(w.memory)).toEqual({ 'draft:c2': 'Half a line' });
    expect(w.made('leftBehind')).toHaveLength(1);
  });
});

describe('What I was told', () => {
  test('about a reply in the way of rewriting another does not speak of sending, and goes with that reply', async () => {
    const w = await createChatFixture({
      history: [GREETING, createUserMessage('u1', 'Hi'), createMessage('r1', { content: 'Yes' })],
    }).openChat();
    const line = w.connect();
    w.queueAnswers('regenerate', createFailure(409, 'reply_in_progress'));
    w.queueAnswers('rejoin', { ok: true, data: line.stream });
    w.setHistory([GREETING, createUserMessage('u1', 'Hi'), createMessage('r1', { status: 'streaming' })]);
    void w.chat.regenerate('r1', 'recommended');
    await waitUntilIdle();
    expect(w.state).toMatchObject({ activity: 'replying', notice: { code: 'regenerate_failed' } });
    await line.emit('turn-x', 0, { event: 'accepted', reply: createMessage('r1', { status: 'streaming' }) });
    await line.emit('turn-x', 1, {
      event: 'done',
      reply: createMessage('r1', { content: 'Anew' }),
      points: null,
    });
    await waitUntilIdle();
    expect(w.state).toMatchObject({ activity: 'idle', notice: null });
  });
});

test('A chat that was deleted shows again by itself when it was taken back elsewhere', async () => {
  const w = await createChatFixture().openChat();
  w.chat.handleHint({ type: 'gone' });
  expect(w.state.phase).toBe('deleted');
  w.chat.handleHint({ type: 'changed', message_ids: [] });
  await waitUntilIdle();
  expect(w.state.phase).toBe('ready');
});
