import { describe, expect, test } from 'vitest';
import type { Message } from '../../../../../src/features/conversation/contract.ts';
import {
  listShown,
  waitUntilIdle,
  queueReply,
  sendText,
  type OpenedChat,
} from '../../../../support/chat-actions.ts';
import {
  createAcceptedEvent,
  SAMPLE_CONVERSATION,
  createDoneEvent,
  GREETING,
  createMessage,
  NETWORK_ERROR,
  flushPromises,
  streamResult,
  createUserMessage,
  createChatFixture,
} from '../../../../support/chat-fixture.ts';

const HISTORY = [
  GREETING,
  createUserMessage('u0', 'Hello'),
  createMessage('r0', { content: 'Good evening' }),
];
const toResponse = (messages: Message[]) => ({
  ok: true,
  data: {
    conversation: SAMPLE_CONVERSATION,
    messages,
    next_cursor: null,
    later_cursor: null,
    revision: 'r:0',
  },
});
/** A history of this length with alternating messages of character and user. */
const createHistory = (count: number): Message[] =>
  Array.from({ length: count }, (_, index) =>
    index % 2 === 0
      ? createMessage(`m${index}`, { content: `Line ${index}` })
      : createUserMessage(`m${index}`, `Line ${index}`),
  );

/** A conversation whose history was requested after a change elsewhere; `answerLate` delivers the answer. */
async function openWithPendingHistory() {
  const page = await createChatFixture({ history: HISTORY }).openChat();
  let arrive: (answer: unknown) => void = () => {};
  page.queueAnswers('conversation', () => new Promise((resolve) => (arrive = resolve)));
  page.chat.handleHint({ type: 'changed', message_ids: [] });
  await flushPromises();
  const answerLate = async (messages = HISTORY) => {
    arrive(toResponse(messages));
    await waitUntilIdle();
  };
  return { page, answerLate };
}

describe('Late history', () => {
  test('a late history does not remove a message sent in the meantime and its reply', async () => {
    const { page, answerLate } = await openWithPendingHistory();
    queueReply(page, 'turn-0001', 'And now?', 1);
    await sendText(page, 'And now?');
    await waitUntilIdle();
    page.setHistory([
      ...HISTORY,
      createUserMessage('u1', 'And now?'),
      createMessage('r1', { content: 'Reply 1' }),
    ]);
    await answerLate();
    expect(listShown(page).slice(3)).toEqual(['And now? (stored)', 'Reply 1 (stored)']);
  });

  test('a late history does not bring back a text that was edited in the meantime', async () => {
    const { page, answerLate } = await openWithPendingHistory();
    const edited = { ...createUserMessage('u0', 'Hello there'), edited: true, selected_version_id: 'u0-v2' };
    page.queueAnswers('editMessage', { ok: true, data: edited });
    await page.chat.edit('u0', 'Hello there');
    page.setHistory([GREETING, edited, ...HISTORY.slice(2)]);
    await answerLate();
    expect(listShown(page)[1]).toBe('Hello there (stored)');
  });

  test('a late history does not bring back messages deleted in the meantime', async () => {
    const { page, answerLate } = await openWithPendingHistory();
    let answer: (to: unknown) => void = () => {};
    page.queueAnswers('deleteFrom', () => new Promise((resolve) => (answer = resolve)));
    const deleting = page.chat.deleteFrom('u0');
    await answerLate();
    const requestsBefore = page.made('conversation').length;
    page.setHistory([GREETING]);
    answer({ ok: true, data: { id: 't1', message_count: 2 } });
    await deleting;
    await waitUntilIdle();
    expect(listShown(page)).toEqual(['The lamp is lit. (stored)']);
    expect(page.made('conversation').length).toBeGreaterThan(requestsBefore);
  });

  test('a late answer for one message does not undo a later edit of it', async () => {
    const page = await createChatFixture({ history: HISTORY }).openChat();
    let arrive: (answer: unknown) => void = () => {};
    page.queueAnswers('conversation', () => new Promise((resolve) => (arrive = resolve)));
    page.chat.handleHint({ type: 'changed', message_ids: ['u0'] });
    await flushPromises();
    const edited = { ...createUserMessage('u0', 'Mine'), edited: true };
    page.queueAnswers('editMessage', { ok: true, data: edited });
    await page.chat.edit('u0', 'Mine');
    page.setHistory([GREETING, edited, ...HISTORY.slice(2)]);
    arrive(toResponse([createUserMessage('u0', 'Hello')]));
    await waitUntilIdle();
    expect(listShown(page)[1]).toBe('Mine (stored)');
  });

  test('a history requested later wins over an earlier one that arrives after it', async () => {
    const { page, answerLate } = await openWithPendingHistory();
    const now = [GREETING, createUserMessage('u0', 'Changed twice'), ...HISTORY.slice(2)];
    page.setHistory(now);
    page.chat.handleHint({ type: 'changed', message_ids: [] });
    await waitUntilIdle();
    await answerLate();
    expect(listShown(page)[1]).toBe('Changed twice (stored)');
  });

  test('a history that does not arrive is requested again', async () => {
    const { page } = await openWithPendingHistory();
    page.setHistory([...HISTORY, createUserMessage('u5', 'From my phone')]);
    await page.pass(20_000);
    await page.pass(10_000);
    await waitUntilIdle();
    expect(listShown(page).at(-1)).toBe('From my phone (stored)');
  });
});

describe('Action with a lost answer', () => {
  test('an action with a lost answer shows its result after reloading', async () => {
    const page = await createChatFixture({ history: HISTORY }).openChat();
    page.queueAnswers('editMessage', NETWORK_ERROR);
    page.setHistory([
      GREETING,
      { ...createUserMessage('u0', 'Hello there'), edited: true },
      ...HISTORY.slice(2),
    ]);
    expect(await page.chat.edit('u0', 'Hello there')).toBe(false);
    await waitUntilIdle();
    expect(listShown(page)[1]).toBe('Hello there (stored)');
  });
});

describe('Reply regenerated in another tab', () => {
  /** Regenerates an older reply in another tab while the end of the conversation is shown here. */
  async function regenerateElsewhere(act: (page: OpenedChat) => Promise<void> = async () => {}) {
    const page = await createChatFixture({ history: createHistory(120) }).openChat();
    const before = listShown(page);
    const connection = page.connect();
    page.queueAnswers('rejoin', streamResult(connection));
    page.chat.handleHint({ type: 'turn', reply_id: 'm2' });
    await waitUntilIdle();
    const reply = createMessage('m2', { status: 'streaming', selected_version_id: 'm2-v2' });
    await connection.emit('turn-x', 0, { event: 'accepted', reply, newest: false });
    await connection.emit('turn-x', 3, { event: 'delta', text: 'New' });
    await act(page);
    await connection.emit('turn-x', 4, {
      event: 'done',
      reply: { ...reply, content: 'New', status: 'complete' },
      points: null,
    });
    await waitUntilIdle();
    return { page, before };
  }

  test('regenerating a reply that is not shown changes nothing, and the next message is placed right', async () => {
    const { page, before } = await regenerateElsewhere();
    expect(listShown(page)).toEqual(before);
    expect(page.state).toMatchObject({ activity: 'idle', finishedReply: null });
    queueReply(page, 'turn-0001', 'And now?', 1);
    await sendText(page, 'And now?');
    await waitUntilIdle();
    expect(listShown(page)).toEqual([...before, 'And now? (stored)', 'Reply 1 (stored)']);
  });

  test('a reply regenerated in another tab is followed also in an older part of the history', async () => {
    const page = await createChatFixture({ history: createHistory(200) }).openChat();
    await page.chat.showMessage('m60');
    const connection = page.connect();
    page.queueAnswers('rejoin', streamResult(connection));
    page.chat.handleHint({ type: 'turn', reply_id: 'm60' });
    await waitUntilIdle();
    const reply = createMessage('m60', { status: 'streaming', selected_version_id: 'm60-v2' });
    await connection.emit('turn-x', 0, { event: 'accepted', reply, newest: false });
    await connection.emit('turn-x', 4, {
      event: 'done',
      reply: { ...reply, content: 'New', status: 'complete' },
      points: null,
    });
    await waitUntilIdle();
    expect(page.state.view.messages.find(({ id }) => id === 'm60')?.content).toBe('New');
    expect(page.shown).toHaveLength(50);
  });
});

describe('Reply outside of the shown part', () => {
  test('a reply does not move the reader when it ends, and is shown while being written on returning', async () => {
    const history = createHistory(200);
    const page = await createChatFixture({ history }).openChat();
    const connection = page.connect();
    page.queueAnswers('sendMessage', streamResult(connection));
    void sendText(page, 'Hello');
    await waitUntilIdle();
    await connection.emit('turn-0001', 0, createAcceptedEvent('Hello'));
    await connection.emit('turn-0001', 4, { event: 'delta', text: 'Good' });
    await page.chat.showMessage('m60');
    page.drawFrame();
    expect(page.shown.map(([content]) => content)).not.toContain('Good');

    page.setHistory([
      ...history,
      createUserMessage('u1', 'Hello'),
      createMessage('r1', { content: 'Go', status: 'streaming' }),
    ]);
    await page.chat.showNewest();
    expect(page.state).toMatchObject({ later: 'idle', laterCursor: null, activity: 'replying' });
    expect(page.shown.at(-1)).toEqual(['Good', 'stored', 'streaming']);
    await connection.emit('turn-0001', 8, { event: 'delta', text: ' eve' });
    page.drawFrame();
    expect(page.shown.at(-1)).toEqual(['Good eve', 'stored', 'streaming']);

    await page.chat.showMessage('m60');
    await connection.emit('turn-0001', 9, createDoneEvent('Good eve'));
    await waitUntilIdle();
    expect(page.shown.map(([content]) => content)).not.toContain('Good eve');
    expect(page.state.activity).toBe('idle');
  });
});

describe('Reply in progress', () => {
  const half = createMessage('r1', { content: 'Half', status: 'streaming' });

  test.each([
    [
      'after the connection was lost',
      (page: OpenedChat) => page.chat.handleHint({ type: 'opened', revision: 'unknown' }),
    ],
    [
      'after a change elsewhere',
      (page: OpenedChat) => page.chat.handleHint({ type: 'changed', message_ids: [] }),
    ],
    ['after a refused action', (page: OpenedChat) => void page.chat.edit('u0', 'Changed')],
  ])('a reply in progress is followed to its end %s', async (_, look) => {
    const page = await createChatFixture({ history: HISTORY }).openChat();
    const connection = page.connect();
    page.setHistory([...HISTORY, createUserMessage('u1', 'From my phone'), half]);
    page.queueAnswers('editMessage', { ok: false, status: 409, code: 'reply_in_progress', error: '' });
    page.queueAnswers('rejoin', streamResult(connection));
    look(page);
    await waitUntilIdle();
    expect(page.state.activity).toBe('replying');
    await connection.emit('turn-x', 0, createAcceptedEvent('From my phone'));
    await connection.emit('turn-x', 9, createDoneEvent('The whole'));
    await waitUntilIdle();
    expect(page.shown.at(-1)).toEqual(['The whole', 'stored', 'complete']);
    expect(page.state.activity).toBe('idle');
  });

  test('a reply in progress is followed when the user scrolls down to it', async () => {
    const history = createHistory(120);
    const page = await createChatFixture({ history }).openChat();
    await page.chat.showMessage('m60');
    const connection = page.connect();
    page.setHistory([...history, createUserMessage('u1', 'From my phone'), half]);
    page.queueAnswers('rejoin', streamResult(connection));
    await page.chat.showLater();
    await waitUntilIdle();
    expect(page.state.activity).toBe('replying');
  });

  test('pinning a reply in progress does not overwrite its text', async () => {
    const page = await createChatFixture({ history: HISTORY }).openChat();
    const connection = page.connect();
    page.queueAnswers('sendMessage', streamResult(connection));
    void sendText(page, 'Hello');
    await waitUntilIdle();
    await connection.emit('turn-0001', 0, createAcceptedEvent('Hello'));
    await connection.emit('turn-0001', 9, { event: 'delta', text: 'Half of i' });
    page.drawFrame();
    const stored = { ...half, content: 'Ha', pinned: true };
    page.queueAnswers('pin', { ok: true, data: stored });
    page.setHistory([...HISTORY, createUserMessage('u1', 'Hello'), stored]);
    await page.chat.pin('r1', true);
    await waitUntilIdle();
    expect(page.shown.at(-1)).toEqual(['Half of i', 'stored', 'streaming']);
    expect(page.state.view.messages.at(-1)?.pinned).toBe(true);
  });
});

describe('Changes between the page and its socket', () => {
  test('a changed revision loads the history, and an unchanged one loads nothing', async () => {
    const page = await createChatFixture({ history: HISTORY }).openChat();
    const requestsBefore = page.made('conversation').length;
    page.chat.handleHint({ type: 'opened', revision: 'r:0' });
    await waitUntilIdle();
    expect(page.made('conversation')).toHaveLength(requestsBefore);
    page.setHistory([...HISTORY, createUserMessage('u5', 'From my phone')]);
    page.chat.handleHint({ type: 'opened', revision: 'r:1' });
    await waitUntilIdle();
    expect(page.made('conversation')).toHaveLength(requestsBefore + 1);
    expect(listShown(page).at(-1)).toBe('From my phone (stored)');
  });

  test('an unknown revision reloads all messages that were scrolled through', async () => {
    const history = createHistory(120);
    const page = await createChatFixture({ history }).openChat();
    await page.chat.showEarlier();
    page.setHistory(history.map((one) => (one.id === 'm3' ? { ...one, content: 'Mended' } : one)));
    page.chat.handleHint({ type: 'opened', revision: 'unknown' });
    await waitUntilIdle();
    expect(page.shown.map(([content]) => content).slice(2, 5)).toEqual(['Line 2', 'Mended', 'Line 4']);
    expect(page.shown).toHaveLength(120);
  });

  test('a history that failed to load is requested again', async () => {
    const page = await createChatFixture({ history: HISTORY }).openChat();
    page.queueAnswers('conversation', NETWORK_ERROR);
    page.chat.handleHint({ type: 'changed', message_ids: [] });
    await waitUntilIdle();
    page.setHistory([...HISTORY, createUserMessage('u5', 'From my phone')]);
    await page.pass(5000);
    await waitUntilIdle();
    expect(listShown(page).at(-1)).toBe('From my phone (stored)');
  });
});
