import { describe, expect, test } from 'vitest';
import type { Message } from '../../src/features/conversation/contract.ts';
import {
  readOutbox,
  listShown,
  listSent,
  waitUntilIdle,
  queueReply,
  sendText,
} from '../support/chat-actions.ts';
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
} from '../support/chat-fixture.ts';

/** A history of so many messages, the person's and the character's by turns. */
const story = (count: number): Message[] =>
  Array.from({ length: count }, (_, index) =>
    index % 2 === 0
      ? createMessage(`m${index}`, { content: `Line ${index}` })
      : createUserMessage(`m${index}`, `Line ${index}`),
  );
const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `Line ${from + index}`);

/** Reads the part of a history around one of its messages. */
async function reading(history: Message[], messageId: string) {
  const w = createChatFixture({ history });
  await w.chat.start({ characterId: 'char1', conversationId: 'c1', messageId });
  const shown = () => w.shown.map(([content]) => content);
  const changed = async (now: Message[], ...ids: string[]) => {
    w.setHistory(now);
    w.chat.handleHint({ type: 'changed', message_ids: ids });
    await waitUntilIdle();
  };
  return { w, shown, changed };
}

describe('What happens in another tab', () => {
  test('a reply that begins there is followed here', async () => {
    const w = await createChatFixture().openChat();
    const line = w.connect();
    w.queueAnswers('rejoin', streamResult(line));
    w.chat.handleHint({ type: 'turn', reply_id: 'r1' });
    await waitUntilIdle();
    expect(w.state.activity).toBe('replying');
    await line.emit('turn-x', 0, createAcceptedEvent('From there'));
    await line.emit('turn-x', 3, createDoneEvent('Good evening'));
    await waitUntilIdle();
    expect(listShown(w).slice(1)).toEqual(['From there (stored)', 'Good evening (stored)']);
  });

  test('a message that was edited there shows its new text, and nothing else is fetched', async () => {
    const w = await createChatFixture({ history: [GREETING, createUserMessage('u1', 'Hello')] }).openChat();
    const edited = { ...createUserMessage('u1', 'Hello there'), edited: true };
    w.queueAnswers('conversation', {
      ok: true,
      data: { conversation: SAMPLE_CONVERSATION, messages: [edited], next_cursor: null, later_cursor: null },
    });
    w.chat.handleHint({ type: 'changed', message_ids: ['u1'] });
    await waitUntilIdle();
    expect(listShown(w).at(-1)).toBe('Hello there (stored)');
    expect(w.made('conversation').at(-1)).toEqual(['c1', { place: { around: 'u1' }, limit: 1 }]);
  });

  test('what comes back there stands among the others here, and they stay who they are', async () => {
    const whole = story(8);
    const w = await createChatFixture({ history: [...whole.slice(0, 4), ...whole.slice(6)] }).openChat();
    const keys = w.state.view.messages.map(({ key }) => key);
    w.setHistory(whole);
    w.chat.handleHint({ type: 'changed', message_ids: ['m4', 'm5'] });
    await waitUntilIdle();
    expect(w.shown.map(([content]) => content)).toEqual(lines(0, 8));
    expect(w.state.view.messages.map(({ key }) => key)).toEqual([
      ...keys.slice(0, 4),
      'm4',
      'm5',
      ...keys.slice(4),
    ]);
  });
});

describe('While I read an older part of the history', () => {
  test('what is said at its end calls me away from nothing', async () => {
    const { w, shown, changed } = await reading(story(200), 'm60');
    w.chat.handleHint({ type: 'turn', reply_id: 'r-new' });
    await changed(story(202));
    expect(w.made('rejoin')).toHaveLength(0);
    expect(shown()).toEqual(lines(36, 86));
    expect(w.state).toMatchObject({ earlierCursor: 'm36', laterCursor: 'm85' });
  });

  test('what is deleted in another tab goes here as well, and nothing later is looked for', async () => {
    const { w, shown, changed } = await reading(story(200), 'm60');
    await changed(story(70));
    expect(shown()).toEqual(lines(36, 70));
    expect(w.state).toMatchObject({ earlierCursor: 'm36', laterCursor: null });
  });

  test('a deletion after what I read leaves what I read', async () => {
    const { w, shown, changed } = await reading(story(200), 'm60');
    await changed(story(86));
    expect(shown()).toEqual(lines(36, 86));
    expect(w.state.laterCursor).toBeNull();
  });

  test('when all of it is deleted I see what is left', async () => {
    const { shown, changed } = await reading(story(200), 'm60');
    await changed(story(10));
    expect(shown()).toEqual(lines(0, 10));
  });

  test('what is had back stands where it stood', async () => {
    const left = [...story(200).slice(0, 55), ...story(200).slice(65)];
    const { shown, changed } = await reading(left, 'm50');
    await changed(story(200), ...lines(55, 65).map((_, index) => `m${55 + index}`));
    expect(shown().slice(0, 60)).toEqual(lines(26, 86));
  });

  test('a message that changes there shows its new text', async () => {
    const now = story(200).map((one) => (one.id === 'm61' ? { ...one, content: 'Mended' } : one));
    const { shown, changed } = await reading(story(200), 'm60');
    await changed(now, 'm61');
    expect(shown()).toEqual([...lines(36, 61), 'Mended', ...lines(62, 86)]);
  });

  test('a message that changed and is gone by the time I look takes along what followed it', async () => {
    const { shown, changed } = await reading(story(200), 'm60');
    await changed(story(61), 'm61');
    expect(shown()).toEqual(lines(36, 61));
  });

  test('coming back to the page after a while leaves me where I read', async () => {
    const { w, shown } = await reading(story(200), 'm60');
    w.setHistory(story(80));
    await w.pass(60_000);
    w.chat.wake();
    await waitUntilIdle();
    expect(shown()).toEqual(lines(36, 80));
  });

  test('a deed that another tab made impossible shows what is there, where I read', async () => {
    const { w, shown } = await reading(story(200), 'm60');
    w.setHistory(story(80));
    w.queueAnswers('editMessage', createFailure(404, 'not_found'));
    expect(await w.chat.edit('m81', 'x')).toBe(false);
    await waitUntilIdle();
    expect(w.state.notice?.code).toBe('message_not_found');
    expect(shown()).toEqual(lines(36, 80));
  });
});

describe('A conversation that was deleted in another tab', () => {
  const trashed = (id: string) => ({
    ok: true,
    data: { items: [{ id, expires_at: '2026-03-22T12:00:00.000Z' }] },
  });

  test('can be taken back here', async () => {
    const w = await createChatFixture().openChat();
    w.chat.handleHint({ type: 'gone' });
    expect(w.state.phase).toBe('deleted');
    w.queueAnswers('restoreConversation', { ok: true, data: SAMPLE_CONVERSATION });
    expect(await w.chat.bringBack()).toBe(true);
    expect(w.state.phase).toBe('ready');
    expect(listShown(w)).toEqual(['The lamp is lit. (stored)']);
  });

  test('shows again by itself when it was taken back elsewhere and I come back to this page', async () => {
    const w = await createChatFixture().openChat();
    w.chat.handleHint({ type: 'gone' });
    w.queueAnswers('conversation', createFailure(404, 'not_found'));
    w.chat.wake();
    await waitUntilIdle();
    expect(w.state.phase).toBe('deleted');
    w.chat.wake();
    await waitUntilIdle();
    expect(w.state.phase).toBe('ready');
  });

  test('and that I take back after another tab did shows all the same', async () => {
    const w = await createChatFixture().openChat();
    w.chat.handleHint({ type: 'gone' });
    w.queueAnswers('restoreConversation', createFailure(404, 'not_found'));
    expect(await w.chat.bringBack()).toBe(true);
    expect(w.state.phase).toBe('ready');
  });

  test('and then erased for good is not here', async () => {
    const w = await createChatFixture().openChat();
    w.chat.handleHint({ type: 'gone' });
    w.queueAnswers('restoreConversation', createFailure(404, 'not_found'));
    w.queueAnswers('conversation', createFailure(404, 'not_found'));
    expect(await w.chat.bringBack()).toBe(false);
    expect(w.state.phase).toBe('not-found');
  });

  test('is offered to be taken back by its own address, for as long as it lies in my trash', async () => {
    const w = createChatFixture();
    w.queueAnswers('conversation', createFailure(404, 'not_found'));
    w.queueAnswers('trashedConversations', trashed('c1'));
    await w.openChat();
    expect(w.state).toMatchObject({ phase: 'deleted', trashedUntil: '2026-03-22T12:00:00.000Z' });
    w.queueAnswers('restoreConversation', { ok: true, data: SAMPLE_CONVERSATION });
    expect(await w.chat.bringBack()).toBe(true);
    expect(w.state.phase).toBe('ready');
  });

  test.each([
    ['lies in nobody’s trash that I know', trashed('c9')],
    ['cannot be looked for now', NETWORK_ERROR],
  ])('and that %s is not here, and I can look again', async (_, trash) => {
    const w = createChatFixture();
    w.queueAnswers('conversation', createFailure(404, 'not_found'), createFailure(404, 'not_found'));
    w.queueAnswers('trashedConversations', trash);
    await w.openChat();
    expect(w.state.phase).toBe('not-found');
    await w.chat.reload();
    expect(w.state.phase).toBe('not-found');
    await w.chat.reload();
    expect(w.state.phase).toBe('ready');
  });

  test('while a reply was written here can be taken back, and I can send again', async () => {
    const w = await createChatFixture().openChat();
    const line = w.connect();
    w.queueAnswers('sendMessage', streamResult(line));
    void sendText(w, 'Hello');
    await waitUntilIdle();
    await line.emit('turn-0001', 0, createAcceptedEvent('Hello'));
    w.chat.handleHint({ type: 'gone' });
    await waitUntilIdle();
    expect(line.open).toBe(false);
    w.queueAnswers('restoreConversation', { ok: true, data: SAMPLE_CONVERSATION });
    await w.chat.bringBack();
    expect(w.state).toMatchObject({ phase: 'ready', activity: 'idle' });
  });
});

describe('A message that arrived, and was deleted before this tab heard of it', () => {
  const deleted = createFailure(409, 'message_deleted');

  test('leaves the outbox with a sentence, and the chat stays', async () => {
    const w = await createChatFixture().openChat();
    await sendText(w, 'Hello');
    expect(listShown(w).at(-1)).toBe('Hello (waiting)');
    w.queueAnswers('sendMessage', deleted);
    await w.chat.retry('turn-0001', 'recommended');
    await waitUntilIdle();
    expect(readOutbox(w)).toEqual([]);
    expect(listShown(w)).toEqual(['The lamp is lit. (stored)']);
    expect(w.state).toMatchObject({ phase: 'ready', activity: 'idle', unsent: {} });
    expect(w.state.notice?.code).toBe('message_deleted');
    expect(w.chat.$draft.get()).toBe('');
  });

  test('holds back nothing that waited behind it', async () => {
    const w = await createChatFixture().openChat();
    w.setOnline(false);
    await sendText(w, 'One');
    await sendText(w, 'Two');
    w.setOnline(true);
    w.queueAnswers('sendMessage', deleted);
    queueReply(w, 'turn-0002', 'Two', 2);
    w.chat.wake();
    await waitUntilIdle();
    expect(listSent(w)).toEqual(['One', 'Two']);
    expect(listShown(w)).toEqual(['The lamp is lit. (stored)', 'Two (stored)', 'Reply 2 (stored)']);
    expect(w.state.notice?.code).toBe('message_deleted');
  });

  test('is not asked for again under the same id when it was a rewriting', async () => {
    const w = await createChatFixture({
      history: [GREETING, createUserMessage('u1', 'Hi'), createMessage('r1', { content: 'Yes' })],
    }).openChat();
    w.queueAnswers('regenerate', deleted);
    w.setHistory([GREETING]);
    await w.chat.regenerate('r1', 'recommended');
    await waitUntilIdle();
    expect(w.state.notice?.code).toBe('message_deleted');
    expect(listShown(w)).toEqual(['The lamp is lit. (stored)']);
    await w.chat.regenerate('r1', 'recommended');
    const ids = w
      .made('regenerate')
      .map(([, , body]) => (body as { client_message_id: string }).client_message_id);
    expect(ids[0]).not.toBe(ids[1]);
  });

  test.each([
    ['is there', 'ready'],
    ['is not there either', 'not-found'],
  ] as const)('and whose sending finds nothing leaves the chat as it is where that %s', async (_, phase) => {
    const w = await createChatFixture().openChat();
    w.queueAnswers('sendMessage', createFailure(404, 'not_found'));
    if (phase === 'not-found') w.queueAnswers('conversation', createFailure(404, 'not_found'));
    await sendText(w, 'Hello');
    await waitUntilIdle();
    expect(w.state.phase).toBe(phase);
    expect(readOutbox(w).map(({ turnId }) => turnId)).toEqual(['turn-0001']);
  });
});
