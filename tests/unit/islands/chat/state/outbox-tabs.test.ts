import { describe, expect, test } from 'vitest';
import {
  readOutbox,
  listShown,
  listSent,
  waitUntilIdle,
  queueReply,
  sendText,
} from '../../../../support/chat-actions.ts';
import {
  GREETING,
  createMessage,
  NETWORK_ERROR,
  createFailure,
  flushPromises,
  createUserMessage,
  createChatFixture,
} from '../../../../support/chat-fixture.ts';

const createArrivedHistory = (text: string) => [
  GREETING,
  { ...createUserMessage('u1', text), client_message_id: 'turn-0001' },
  createMessage('r1', { content: 'Yes.' }),
];

describe('Message with a lost answer', () => {
  test('taking back a message that had arrived shows it as sent and leaves the composer empty', async () => {
    const w = await createChatFixture().openChat();
    await sendText(w, 'Hello');
    w.setHistory(createArrivedHistory('Hello'));
    w.chat.takeBack('turn-0001');
    await waitUntilIdle();
    expect(listShown(w)).toEqual(['The lamp is lit. (stored)', 'Hello (stored)', 'Yes. (stored)']);
    expect(w.chat.$draft.get()).toBe('');
    expect(readOutbox(w)).toEqual([]);
  });

  test('taking back a message that never arrived returns it to the composer', async () => {
    const w = await createChatFixture().openChat();
    await sendText(w, 'Hello');
    w.chat.takeBack('turn-0001');
    await waitUntilIdle();
    expect(w.chat.$draft.get()).toBe('Hello');
    expect(listShown(w)).toEqual(['The lamp is lit. (stored)']);
  });

  test('taking back a message waits while the server cannot say whether it arrived', async () => {
    const w = await createChatFixture().openChat();
    await sendText(w, 'Hello');
    w.queueAnswers('conversation', NETWORK_ERROR);
    w.chat.takeBack('turn-0001');
    await waitUntilIdle();
    expect(listShown(w).at(-1)).toBe('Hello (waiting)');
    expect(w.chat.$draft.get()).toBe('');
    expect(w.state.notice?.code).toBe('network');
  });

  test('a message with a lost answer is retried later under the same id', async () => {
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

  test('a message with a lost answer is retried at once when the network is back', async () => {
    const w = await createChatFixture().openChat();
    await sendText(w, 'Hello');
    queueReply(w, 'turn-0001', 'Hello', 1);
    w.chat.wake();
    await waitUntilIdle();
    expect(listShown(w).at(-1)).toBe('Reply 1 (stored)');
  });
});

describe('Two tabs with one conversation', () => {
  test('a message that one tab is sending is pending in the other, which neither sends it nor takes it back', async () => {
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

  test('a waiting message that one tab takes back disappears from the other and stays unsent', async () => {
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

  test('a waiting message is sent once when both tabs are online again', async () => {
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

  test('a message that a tab was sending when it closed is sent by the other tab', async () => {
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

describe('Composer draft', () => {
  test('a stored draft is shown before the conversation has loaded, and additions are stored', async () => {
    const first = await createChatFixture().openChat();
    first.chat.setDraft('My long draft');
    const second = createChatFixture({ memory: first.memory });
    second.queueAnswers('conversation', () => new Promise(() => {}));
    void second.openChat();
    expect(second.chat.$draft.get()).toBe('My long draft');
    second.chat.setDraft('My long draft, and more');
    expect(second.memory.get('draft:c1')).toBe('My long draft, and more');
  });

  test('text typed before the conversation is known is added below its stored draft', async () => {
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

  test('a draft is not lost when another tab empties its own', async () => {
    const a = await createChatFixture().openChat();
    const b = await createChatFixture({ memory: a.memory }).openChat();
    a.chat.setDraft('A long paragraph');
    b.chat.setDraft('b');
    b.chat.setDraft('');
    await waitUntilIdle();
    const again = await createChatFixture({ memory: a.memory }).openChat();
    expect(again.chat.$draft.get()).toBe('A long paragraph');
  });

  test('each of two tabs keeps its own draft, even after a reload', async () => {
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

  test('the drafts of all closed tabs appear once in the next tab', async () => {
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

  test('the draft of a closed tab is placed above the text that was just typed', async () => {
    const a = await createChatFixture({ name: 'a' }).openChat();
    a.chat.setDraft('Once');
    a.close();
    const b = createChatFixture({ name: 'b', memory: a.memory });
    const opening = b.openChat();
    b.chat.setDraft('And');
    await opening;
    await waitUntilIdle();
    expect(b.chat.$draft.get()).toBe('Once\nAnd');
    await b.chat.send('recommended');
    b.close();
    const c = await createChatFixture({ name: 'c', memory: a.memory }).openChat();
    await waitUntilIdle();
    expect(c.chat.$draft.get()).toBe('');
  });

  test('a draft stored before tabs had names is not lost', async () => {
    const memory = new Map([['draft:c1', 'From before']]);
    const w = await createChatFixture({ name: 'a', memory }).openChat();
    await waitUntilIdle();
    expect(w.chat.$draft.get()).toBe('From before');
    expect([...memory]).toEqual([['draft:c1:a', 'From before']]);
  });

  test('a draft is available to another tab once its tab shows another conversation', async () => {
    const a = await createChatFixture({ name: 'a' }).openChat();
    a.chat.setDraft('Half a line');
    const created = { ...a.state.conversation, id: 'c2' };
    a.queueAnswers('createConversation', { ok: true, data: { conversation: created, messages: [GREETING] } });
    await a.chat.startNew();
    const b = await createChatFixture({ name: 'b', memory: a.memory }).openChat();
    await waitUntilIdle();
    expect([a.chat.$draft.get(), b.chat.$draft.get()]).toEqual(['', 'Half a line']);
  });

  test('a draft moves into the branch that is created from a message', async () => {
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

describe('Notices', () => {
  test('a notice about a reply that blocks a regeneration disappears when that reply ends', async () => {
    const w = await createChatFixture({
      history: [GREETING, createUserMessage('u1', 'Hi'), createMessage('r1', { content: 'Yes' })],
    }).openChat();
    const connection = w.connect();
    w.queueAnswers('regenerate', createFailure(409, 'reply_in_progress'));
    w.queueAnswers('rejoin', { ok: true, data: connection.stream });
    w.setHistory([GREETING, createUserMessage('u1', 'Hi'), createMessage('r1', { status: 'streaming' })]);
    void w.chat.regenerate('r1', 'recommended');
    await waitUntilIdle();
    expect(w.state).toMatchObject({ activity: 'replying', notice: { code: 'regenerate_failed' } });
    await connection.emit('turn-x', 0, {
      event: 'accepted',
      reply: createMessage('r1', { status: 'streaming' }),
    });
    await connection.emit('turn-x', 1, {
      event: 'done',
      reply: createMessage('r1', { content: 'Anew' }),
      points: null,
    });
    await waitUntilIdle();
    expect(w.state).toMatchObject({ activity: 'idle', notice: null });
  });
});

test('a deleted conversation is shown again when it is restored elsewhere', async () => {
  const w = await createChatFixture().openChat();
  w.chat.handleHint({ type: 'gone' });
  expect(w.state.phase).toBe('deleted');
  w.chat.handleHint({ type: 'changed', message_ids: [] });
  await waitUntilIdle();
  expect(w.state.phase).toBe('ready');
});
