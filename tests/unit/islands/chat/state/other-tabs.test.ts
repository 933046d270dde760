import { describe, expect, test } from 'vitest';
import type { Message } from '../../../../../src/features/conversation/contract.ts';
import {
  readOutbox,
  listShown,
  listSent,
  waitUntilIdle,
  queueReply,
  sendText,
} from '../../../../support/chat-actions.ts';
import {
  createAcceptedEvent,
  SAMPLE_CONVERSATION,
  createDoneEvent,
  GREETING,
  createMessage,
  NETWORK_ERROR,
  createFailure,
  streamResult,
  createUserMessage,
  createChatFixture,
} from '../../../../support/chat-fixture.ts';

/** A history of this length with alternating messages of character and user. */
const createHistory = (count: number): Message[] =>
  Array.from({ length: count }, (_, index) =>
    index % 2 === 0
      ? createMessage(`m${index}`, { content: `Line ${index}` })
      : createUserMessage(`m${index}`, `Line ${index}`),
  );
const listLines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `Line ${from + index}`);

/** Opens the part of a history around one of its messages. */
async function openAt(history: Message[], messageId: string) {
  const page = createChatFixture({ history });
  await page.chat.start({ characterId: 'char1', conversationId: 'c1', messageId });
  const shown = () => page.shown.map(([content]) => content);
  const changeElsewhere = async (now: Message[], ...ids: string[]) => {
    page.setHistory(now);
    page.chat.handleHint({ type: 'changed', message_ids: ids });
    await waitUntilIdle();
  };
  return { page, shown, changeElsewhere };
}

describe('Changes in another tab', () => {
  test('a reply started in another tab is followed', async () => {
    const page = await createChatFixture().openChat();
    const connection = page.connect();
    page.queueAnswers('rejoin', streamResult(connection));
    page.chat.handleHint({ type: 'turn', reply_id: 'r1' });
    await waitUntilIdle();
    expect(page.state.activity).toBe('replying');
    await connection.emit('turn-x', 0, createAcceptedEvent('From there'));
    await connection.emit('turn-x', 3, createDoneEvent('Good evening'));
    await waitUntilIdle();
    expect(listShown(page).slice(1)).toEqual(['From there (stored)', 'Good evening (stored)']);
  });

  test('a message edited in another tab shows its new text without loading others', async () => {
    const page = await createChatFixture({
      history: [GREETING, createUserMessage('u1', 'Hello')],
    }).openChat();
    const edited = { ...createUserMessage('u1', 'Hello there'), edited: true };
    page.queueAnswers('conversation', {
      ok: true,
      data: { conversation: SAMPLE_CONVERSATION, messages: [edited], next_cursor: null, later_cursor: null },
    });
    page.chat.handleHint({ type: 'changed', message_ids: ['u1'] });
    await waitUntilIdle();
    expect(listShown(page).at(-1)).toBe('Hello there (stored)');
    expect(page.made('conversation').at(-1)).toEqual(['c1', { place: { around: 'u1' }, limit: 1 }]);
  });

  test('messages restored in another tab appear in their place, and the others keep their keys', async () => {
    const full = createHistory(8);
    const page = await createChatFixture({ history: [...full.slice(0, 4), ...full.slice(6)] }).openChat();
    const keys = page.state.view.messages.map(({ key }) => key);
    page.setHistory(full);
    page.chat.handleHint({ type: 'changed', message_ids: ['m4', 'm5'] });
    await waitUntilIdle();
    expect(page.shown.map(([content]) => content)).toEqual(listLines(0, 8));
    expect(page.state.view.messages.map(({ key }) => key)).toEqual([
      ...keys.slice(0, 4),
      'm4',
      'm5',
      ...keys.slice(4),
    ]);
  });
});

describe('Older part of the history', () => {
  test('a new reply at the end does not move the older part being read', async () => {
    const { page, shown, changeElsewhere } = await openAt(createHistory(200), 'm60');
    page.chat.handleHint({ type: 'turn', reply_id: 'r-new' });
    await changeElsewhere(createHistory(202));
    expect(page.made('rejoin')).toHaveLength(0);
    expect(shown()).toEqual(listLines(36, 86));
    expect(page.state).toMatchObject({ earlierCursor: 'm36', laterCursor: 'm85' });
  });

  test('messages deleted in another tab disappear, and nothing later is loaded', async () => {
    const { page, shown, changeElsewhere } = await openAt(createHistory(200), 'm60');
    await changeElsewhere(createHistory(70));
    expect(shown()).toEqual(listLines(36, 70));
    expect(page.state).toMatchObject({ earlierCursor: 'm36', laterCursor: null });
  });

  test('a deletion after the part being read leaves that part', async () => {
    const { page, shown, changeElsewhere } = await openAt(createHistory(200), 'm60');
    await changeElsewhere(createHistory(86));
    expect(shown()).toEqual(listLines(36, 86));
    expect(page.state.laterCursor).toBeNull();
  });

  test('deleting the whole part being read shows what is left', async () => {
    const { shown, changeElsewhere } = await openAt(createHistory(200), 'm60');
    await changeElsewhere(createHistory(10));
    expect(shown()).toEqual(listLines(0, 10));
  });

  test('restored messages appear in their place', async () => {
    const left = [...createHistory(200).slice(0, 55), ...createHistory(200).slice(65)];
    const { shown, changeElsewhere } = await openAt(left, 'm50');
    await changeElsewhere(createHistory(200), ...listLines(55, 65).map((_, index) => `m${55 + index}`));
    expect(shown().slice(0, 60)).toEqual(listLines(26, 86));
  });

  test('a message changed in another tab shows its new text', async () => {
    const now = createHistory(200).map((one) => (one.id === 'm61' ? { ...one, content: 'Mended' } : one));
    const { shown, changeElsewhere } = await openAt(createHistory(200), 'm60');
    await changeElsewhere(now, 'm61');
    expect(shown()).toEqual([...listLines(36, 61), 'Mended', ...listLines(62, 86)]);
  });

  test('a changed message that is gone by the time it is loaded removes all after it', async () => {
    const { shown, changeElsewhere } = await openAt(createHistory(200), 'm60');
    await changeElsewhere(createHistory(61), 'm61');
    expect(shown()).toEqual(listLines(36, 61));
  });

  test('returning to the page later keeps the position in the history', async () => {
    const { page, shown } = await openAt(createHistory(200), 'm60');
    page.setHistory(createHistory(80));
    await page.pass(60_000);
    page.chat.wake();
    await waitUntilIdle();
    expect(shown()).toEqual(listLines(36, 80));
  });

  test('an action on a message deleted elsewhere shows a notice and the current history', async () => {
    const { page, shown } = await openAt(createHistory(200), 'm60');
    page.setHistory(createHistory(80));
    page.queueAnswers('editMessage', createFailure(404, 'not_found'));
    expect(await page.chat.edit('m81', 'x')).toBe(false);
    await waitUntilIdle();
    expect(page.state.notice?.code).toBe('message_not_found');
    expect(shown()).toEqual(listLines(36, 80));
  });
});

describe('Conversation deleted in another tab', () => {
  const trashed = (id: string) => ({
    ok: true,
    data: { items: [{ id, expires_at: '2026-03-22T12:00:00.000Z' }] },
  });

  test('a conversation deleted in another tab can be restored', async () => {
    const page = await createChatFixture().openChat();
    page.chat.handleHint({ type: 'gone' });
    expect(page.state.phase).toBe('deleted');
    page.queueAnswers('restoreConversation', { ok: true, data: SAMPLE_CONVERSATION });
    expect(await page.chat.bringBack()).toBe(true);
    expect(page.state.phase).toBe('ready');
    expect(listShown(page)).toEqual(['The lamp is lit. (stored)']);
  });

  test('a conversation restored elsewhere is shown again on returning to the page', async () => {
    const page = await createChatFixture().openChat();
    page.chat.handleHint({ type: 'gone' });
    page.queueAnswers('conversation', createFailure(404, 'not_found'));
    page.chat.wake();
    await waitUntilIdle();
    expect(page.state.phase).toBe('deleted');
    page.chat.wake();
    await waitUntilIdle();
    expect(page.state.phase).toBe('ready');
  });

  test('restoring a conversation that another tab already restored shows it', async () => {
    const page = await createChatFixture().openChat();
    page.chat.handleHint({ type: 'gone' });
    page.queueAnswers('restoreConversation', createFailure(404, 'not_found'));
    expect(await page.chat.bringBack()).toBe(true);
    expect(page.state.phase).toBe('ready');
  });

  test('restoring a conversation that was permanently deleted shows it as not found', async () => {
    const page = await createChatFixture().openChat();
    page.chat.handleHint({ type: 'gone' });
    page.queueAnswers('restoreConversation', createFailure(404, 'not_found'));
    page.queueAnswers('conversation', createFailure(404, 'not_found'));
    expect(await page.chat.bringBack()).toBe(false);
    expect(page.state.phase).toBe('not-found');
  });

  test('the address of a conversation in the trash offers to restore it', async () => {
    const page = createChatFixture();
    page.queueAnswers('conversation', createFailure(404, 'not_found'));
    page.queueAnswers('trashedConversations', trashed('c1'));
    await page.openChat();
    expect(page.state).toMatchObject({ phase: 'deleted', trashedUntil: '2026-03-22T12:00:00.000Z' });
    page.queueAnswers('restoreConversation', { ok: true, data: SAMPLE_CONVERSATION });
    expect(await page.chat.bringBack()).toBe(true);
    expect(page.state.phase).toBe('ready');
  });

  test.each([
    ['is not in the user’s trash', trashed('c9')],
    ['cannot be looked up in the trash', NETWORK_ERROR],
  ])('a conversation that %s is not found and can be loaded again', async (_, trash) => {
    const page = createChatFixture();
    page.queueAnswers('conversation', createFailure(404, 'not_found'), createFailure(404, 'not_found'));
    page.queueAnswers('trashedConversations', trash);
    await page.openChat();
    expect(page.state.phase).toBe('not-found');
    await page.chat.reload();
    expect(page.state.phase).toBe('not-found');
    await page.chat.reload();
    expect(page.state.phase).toBe('ready');
  });

  test('a conversation deleted during a reply can be restored and accepts messages', async () => {
    const page = await createChatFixture().openChat();
    const connection = page.connect();
    page.queueAnswers('sendMessage', streamResult(connection));
    void sendText(page, 'Hello');
    await waitUntilIdle();
    await connection.emit('turn-0001', 0, createAcceptedEvent('Hello'));
    page.chat.handleHint({ type: 'gone' });
    await waitUntilIdle();
    expect(connection.open).toBe(false);
    page.queueAnswers('restoreConversation', { ok: true, data: SAMPLE_CONVERSATION });
    await page.chat.bringBack();
    expect(page.state).toMatchObject({ phase: 'ready', activity: 'idle' });
  });
});

describe('Message deleted before this tab knew of it', () => {
  const deleted = createFailure(409, 'message_deleted');

  test('a message deleted elsewhere leaves the outbox with a notice', async () => {
    const page = await createChatFixture().openChat();
    await sendText(page, 'Hello');
    expect(listShown(page).at(-1)).toBe('Hello (waiting)');
    page.queueAnswers('sendMessage', deleted);
    await page.chat.retry('turn-0001', 'recommended');
    await waitUntilIdle();
    expect(readOutbox(page)).toEqual([]);
    expect(listShown(page)).toEqual(['The lamp is lit. (stored)']);
    expect(page.state).toMatchObject({ phase: 'ready', activity: 'idle', unsent: {} });
    expect(page.state.notice?.code).toBe('message_deleted');
    expect(page.chat.$draft.get()).toBe('');
  });

  test('a deleted message does not hold back the messages after it', async () => {
    const page = await createChatFixture().openChat();
    page.setOnline(false);
    await sendText(page, 'One');
    await sendText(page, 'Two');
    page.setOnline(true);
    page.queueAnswers('sendMessage', deleted);
    queueReply(page, 'turn-0002', 'Two', 2);
    page.chat.wake();
    await waitUntilIdle();
    expect(listSent(page)).toEqual(['One', 'Two']);
    expect(listShown(page)).toEqual(['The lamp is lit. (stored)', 'Two (stored)', 'Reply 2 (stored)']);
    expect(page.state.notice?.code).toBe('message_deleted');
  });

  test('regenerating a deleted reply again uses a new id', async () => {
    const page = await createChatFixture({
      history: [GREETING, createUserMessage('u1', 'Hi'), createMessage('r1', { content: 'Yes' })],
    }).openChat();
    page.queueAnswers('regenerate', deleted);
    page.setHistory([GREETING]);
    await page.chat.regenerate('r1', 'recommended');
    await waitUntilIdle();
    expect(page.state.notice?.code).toBe('message_not_found');
    expect(listShown(page)).toEqual(['The lamp is lit. (stored)']);
    await page.chat.regenerate('r1', 'recommended');
    const ids = page
      .made('regenerate')
      .map(([, , body]) => (body as { client_message_id: string }).client_message_id);
    expect(ids[0]).not.toBe(ids[1]);
  });

  test.each([
    ['exists', 'ready'],
    ['does not exist', 'not-found'],
  ] as const)(
    'a message answered with 404 stays in the outbox when the conversation %s',
    async (_, phase) => {
      const page = await createChatFixture().openChat();
      page.queueAnswers('sendMessage', createFailure(404, 'not_found'));
      if (phase === 'not-found') page.queueAnswers('conversation', createFailure(404, 'not_found'));
      await sendText(page, 'Hello');
      await waitUntilIdle();
      expect(page.state.phase).toBe(phase);
      expect(readOutbox(page).map(({ turnId }) => turnId)).toEqual(['turn-0001']);
    },
  );
});
