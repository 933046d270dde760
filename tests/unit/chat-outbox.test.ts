import { describe, expect, test } from 'vitest';
import {
  readOutbox,
  listShown,
  listSent,
  waitUntilIdle,
  queueReply,
  sendText,
  type OpenedChat,
} from '../support/chat-actions.ts';
import {
  GREETING,
  createMessage,
  NETWORK_ERROR,
  SAMPLE_POINTS,
  createFailure,
  createUserMessage,
  createChatFixture,
} from '../support/chat-fixture.ts';

describe('Without a network', () => {
  test('what I send waits, the box is free at once, and the next message queues behind it', async () => {
    const w = await createChatFixture().openChat();
    w.setOnline(false);
    await sendText(w, 'One');
    expect(w.state.activity).toBe('idle');
    expect(w.chat.$draft.get()).toBe('');
    await sendText(w, 'Two');
    expect(listShown(w)).toEqual(['The lamp is lit. (stored)', 'One (waiting)', 'Two (waiting)']);
    expect(w.made('sendMessage')).toHaveLength(0);
  });

  test('it goes out in its order when the network is back, each message once', async () => {
    const w = await createChatFixture().openChat();
    w.setOnline(false);
    await sendText(w, 'One');
    await sendText(w, 'Two');
    w.setOnline(true);
    queueReply(w, 'turn-0001', 'One', 1);
    queueReply(w, 'turn-0002', 'Two', 2);
    w.chat.wake();
    w.chat.wake();
    await waitUntilIdle();
    expect(listSent(w)).toEqual(['One', 'Two']);
    expect(listShown(w)).toEqual([
      'The lamp is lit. (stored)',
      'One (stored)',
      'Reply 1 (stored)',
      'Two (stored)',
      'Reply 2 (stored)',
    ]);
    expect(readOutbox(w)).toEqual([]);
    w.chat.wake();
    await waitUntilIdle();
    expect(listSent(w)).toHaveLength(2);
  });

  test('what waits is still there after a reload, and goes out by itself under the same ids', async () => {
    const first = await createChatFixture().openChat();
    first.setOnline(false);
    await sendText(first, 'One');
    await sendText(first, 'Two');
    first.close();
    const second = createChatFixture({ memory: first.memory });
    queueReply(second as OpenedChat, 'turn-0001', 'One', 1);
    queueReply(second as OpenedChat, 'turn-0002', 'Two', 2);
    await second.openChat();
    await waitUntilIdle();
    expect(second.made('sendMessage').map(([, body]) => body)).toMatchObject([
      { client_message_id: 'turn-0001', content: 'One' },
      { client_message_id: 'turn-0002', content: 'Two' },
    ]);
  });

  test('a reload in the middle of the first one keeps the order', async () => {
    const first = await createChatFixture().openChat();
    first.setOnline(false);
    await sendText(first, 'One');
    await sendText(first, 'Two');
    first.setOnline(true);
    first.queueAnswers('sendMessage', () => new Promise(() => {}));
    first.chat.wake();
    await waitUntilIdle();
    expect(readOutbox(first).map(({ turnId }) => turnId)).toEqual(['turn-0001', 'turn-0002']);
    first.close();
    const second = createChatFixture({ memory: first.memory });
    second.setOnline(false);
    await second.openChat();
    await waitUntilIdle();
    expect(second.shown.map(([content, delivery]) => `${content} (${delivery})`)).toEqual([
      'The lamp is lit. (stored)',
      'One (waiting)',
      'Two (waiting)',
    ]);
  });

  test('a message that is written while another waits goes behind it, online as well', async () => {
    const w = await createChatFixture().openChat();
    w.setOnline(false);
    await sendText(w, 'One');
    w.setOnline(true);
    queueReply(w, 'turn-0001', 'One', 1);
    queueReply(w, 'turn-0002', 'Two', 2);
    await sendText(w, 'Two');
    await waitUntilIdle();
    expect(listSent(w)).toEqual(['One', 'Two']);
  });

  test('a network that was said to be back and is not is tried again after a while', async () => {
    const w = await createChatFixture().openChat();
    w.setOnline(false);
    await sendText(w, 'One');
    w.setOnline(true);
    w.queueAnswers('sendMessage', NETWORK_ERROR);
    w.chat.wake();
    await waitUntilIdle();
    expect(listShown(w).at(-1)).toBe('One (waiting)');
    queueReply(w, 'turn-0001', 'One', 1);
    await w.pass(5000);
    await waitUntilIdle();
    expect(listShown(w)).toEqual(['The lamp is lit. (stored)', 'One (stored)', 'Reply 1 (stored)']);
  });

  test('what another tab sent out of the same outbox is not sent again, nor shown twice', async () => {
    const w = await createChatFixture().openChat();
    await sendText(w, 'One');
    expect(listShown(w).at(-1)).toBe('One (waiting)');
    w.setHistory([
      GREETING,
      { ...createUserMessage('u1', 'One'), client_message_id: 'turn-0001' },
      createMessage('r1', { content: 'Yes.' }),
    ]);
    w.chat.handleHint({ type: 'changed', message_ids: [] });
    await waitUntilIdle();
    expect(listShown(w)).toEqual(['The lamp is lit. (stored)', 'One (stored)', 'Yes. (stored)']);
    expect(readOutbox(w)).toEqual([]);
  });

  test('when the first is refused, those behind it wait for my word', async () => {
    const w = await createChatFixture().openChat();
    w.setOnline(false);
    await sendText(w, 'One');
    await sendText(w, 'Two');
    w.setOnline(true);
    w.queueAnswers('sendMessage', createFailure(402, 'points_exhausted', { points: SAMPLE_POINTS }));
    w.chat.wake();
    await waitUntilIdle();
    expect(listSent(w)).toEqual(['One']);
    expect(w.chat.$draft.get()).toBe('One');
    expect(w.state.notice?.code).toBe('points_exhausted');
    expect(listShown(w).at(-1)).toBe('Two (unsent)');
    w.chat.wake();
    await waitUntilIdle();
    expect(listSent(w)).toEqual(['One']);
  });

  test('a reply that another device has written meanwhile is let through first', async () => {
    const w = await createChatFixture().openChat();
    w.setOnline(false);
    await sendText(w, 'One');
    w.setOnline(true);
    w.queueAnswers('sendMessage', createFailure(409, 'reply_in_progress'));
    w.chat.wake();
    await waitUntilIdle();
    expect(listShown(w).at(-1)).toBe('One (waiting)');
    expect(w.chat.$draft.get()).toBe('');
    queueReply(w, 'turn-0001', 'One', 1);
    await w.pass(5000);
    await waitUntilIdle();
    expect(listSent(w)).toEqual(['One', 'One']);
    expect(listShown(w).at(-1)).toBe('Reply 1 (stored)');
  });
});
