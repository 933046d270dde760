import { describe, expect, test } from 'vitest';
import {
  readOutbox,
  listShown,
  listSent,
  waitUntilIdle,
  queueReply,
  sendText,
  type OpenedChat,
} from '../../../../support/chat-actions.ts';
import {
  GREETING,
  createMessage,
  NETWORK_ERROR,
  SAMPLE_POINTS,
  createFailure,
  createUserMessage,
  createChatFixture,
} from '../../../../support/chat-fixture.ts';

describe('Outbox', () => {
  test('a message sent offline waits in the outbox, and the next one queues behind it', async () => {
    const page = await createChatFixture().openChat();
    page.setOnline(false);
    await sendText(page, 'One');
    expect(page.state.activity).toBe('idle');
    expect(page.chat.$draft.get()).toBe('');
    await sendText(page, 'Two');
    expect(listShown(page)).toEqual(['The lamp is lit. (stored)', 'One (waiting)', 'Two (waiting)']);
    expect(page.made('sendMessage')).toHaveLength(0);
  });

  test('waiting messages are sent in order and once when the network is back', async () => {
    const page = await createChatFixture().openChat();
    page.setOnline(false);
    await sendText(page, 'One');
    await sendText(page, 'Two');
    page.setOnline(true);
    queueReply(page, 'turn-0001', 'One', 1);
    queueReply(page, 'turn-0002', 'Two', 2);
    page.chat.wake();
    page.chat.wake();
    await waitUntilIdle();
    expect(listSent(page)).toEqual(['One', 'Two']);
    expect(listShown(page)).toEqual([
      'The lamp is lit. (stored)',
      'One (stored)',
      'Reply 1 (stored)',
      'Two (stored)',
      'Reply 2 (stored)',
    ]);
    expect(readOutbox(page)).toEqual([]);
    page.chat.wake();
    await waitUntilIdle();
    expect(listSent(page)).toHaveLength(2);
  });

  test('waiting messages are sent after a reload with the same ids', async () => {
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

  test('a reload during the first message keeps the order', async () => {
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

  test('a message written while another waits is queued behind it, also online', async () => {
    const page = await createChatFixture().openChat();
    page.setOnline(false);
    await sendText(page, 'One');
    page.setOnline(true);
    queueReply(page, 'turn-0001', 'One', 1);
    queueReply(page, 'turn-0002', 'Two', 2);
    await sendText(page, 'Two');
    await waitUntilIdle();
    expect(listSent(page)).toEqual(['One', 'Two']);
  });

  test('a message that fails again after the network returned is retried later', async () => {
    const page = await createChatFixture().openChat();
    page.setOnline(false);
    await sendText(page, 'One');
    page.setOnline(true);
    page.queueAnswers('sendMessage', NETWORK_ERROR);
    page.chat.wake();
    await waitUntilIdle();
    expect(listShown(page).at(-1)).toBe('One (waiting)');
    queueReply(page, 'turn-0001', 'One', 1);
    await page.pass(5000);
    await waitUntilIdle();
    expect(listShown(page)).toEqual(['The lamp is lit. (stored)', 'One (stored)', 'Reply 1 (stored)']);
  });

  test('a message that another tab sent from the outbox is neither sent again nor shown twice', async () => {
    const page = await createChatFixture().openChat();
    await sendText(page, 'One');
    expect(listShown(page).at(-1)).toBe('One (waiting)');
    page.setHistory([
      GREETING,
      { ...createUserMessage('u1', 'One'), client_message_id: 'turn-0001' },
      createMessage('r1', { content: 'Yes.' }),
    ]);
    page.chat.handleHint({ type: 'changed', message_ids: [] });
    await waitUntilIdle();
    expect(listShown(page)).toEqual(['The lamp is lit. (stored)', 'One (stored)', 'Yes. (stored)']);
    expect(readOutbox(page)).toEqual([]);
  });

  test('messages behind a refused one wait until the user sends them', async () => {
    const page = await createChatFixture().openChat();
    page.setOnline(false);
    await sendText(page, 'One');
    await sendText(page, 'Two');
    page.setOnline(true);
    page.queueAnswers('sendMessage', createFailure(402, 'points_exhausted', { points: SAMPLE_POINTS }));
    page.chat.wake();
    await waitUntilIdle();
    expect(listSent(page)).toEqual(['One']);
    expect(page.chat.$draft.get()).toBe('One');
    expect(page.state.notice?.code).toBe('points_exhausted');
    expect(listShown(page).at(-1)).toBe('Two (unsent)');
    page.chat.wake();
    await waitUntilIdle();
    expect(listSent(page)).toEqual(['One']);
  });

  test('a message waits for a reply that another device started', async () => {
    const page = await createChatFixture().openChat();
    page.setOnline(false);
    await sendText(page, 'One');
    page.setOnline(true);
    page.queueAnswers('sendMessage', createFailure(409, 'reply_in_progress'));
    page.chat.wake();
    await waitUntilIdle();
    expect(listShown(page).at(-1)).toBe('One (waiting)');
    expect(page.chat.$draft.get()).toBe('');
    queueReply(page, 'turn-0001', 'One', 1);
    await page.pass(5000);
    await waitUntilIdle();
    expect(listSent(page)).toEqual(['One', 'One']);
    expect(listShown(page).at(-1)).toBe('Reply 1 (stored)');
  });
});
