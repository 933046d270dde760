import { describe, expect, test } from 'vitest';
import { outbox, said, sent, untilQuiet, willAnswer, write, type World } from '../support/chat-hands.ts';
import { greeting, message, NETWORK, POINTS, refusal, user, world } from '../support/chat-world.ts';

describe('Without a network', () => {
  test('what I send waits, the box is free at once, and the next message queues behind it', async () => {
    const w = await world().opened();
    w.setOnline(false);
    await write(w, 'One');
    expect(w.state.activity).toBe('idle');
    expect(w.chat.$draft.get()).toBe('');
    await write(w, 'Two');
    expect(said(w)).toEqual(['The lamp is lit. (stored)', 'One (waiting)', 'Two (waiting)']);
    expect(w.made('sendMessage')).toHaveLength(0);
  });

  test('it goes out in its order when the network is back, each message once', async () => {
    const w = await world().opened();
    w.setOnline(false);
    await write(w, 'One');
    await write(w, 'Two');
    w.setOnline(true);
    willAnswer(w, 'turn-0001', 'One', 1);
    willAnswer(w, 'turn-0002', 'Two', 2);
    w.chat.wake();
    w.chat.wake();
    await untilQuiet();
    expect(sent(w)).toEqual(['One', 'Two']);
    expect(said(w)).toEqual([
      'The lamp is lit. (stored)',
      'One (stored)',
      'Reply 1 (stored)',
      'Two (stored)',
      'Reply 2 (stored)',
    ]);
    expect(outbox(w)).toEqual([]);
    w.chat.wake();
    await untilQuiet();
    expect(sent(w)).toHaveLength(2);
  });

  test('what waits is still there after a reload, and goes out by itself under the same ids', async () => {
    const first = await world().opened();
    first.setOnline(false);
    await write(first, 'One');
    await write(first, 'Two');
    first.close();
    const second = world({ memory: first.memory });
    willAnswer(second as World, 'turn-0001', 'One', 1);
    willAnswer(second as World, 'turn-0002', 'Two', 2);
    await second.opened();
    await untilQuiet();
    expect(second.made('sendMessage').map(([, body]) => body)).toMatchObject([
      { client_message_id: 'turn-0001', content: 'One' },
      { client_message_id: 'turn-0002', content: 'Two' },
    ]);
  });

  test('a reload in the middle of the first one keeps the order', async () => {
    const first = await world().opened();
    first.setOnline(false);
    await write(first, 'One');
    await write(first, 'Two');
    first.setOnline(true);
    first.will('sendMessage', () => new Promise(() => {}));
    first.chat.wake();
    await untilQuiet();
    expect(outbox(first).map(({ turnId }) => turnId)).toEqual(['turn-0001', 'turn-0002']);
    first.close();
    const second = world({ memory: first.memory });
    second.setOnline(false);
    await second.opened();
    await untilQuiet();
    expect(second.shown.map(([content, delivery]) => `${content} (${delivery})`)).toEqual([
      'The lamp is lit. (stored)',
      'One (waiting)',
      'Two (waiting)',
    ]);
  });

  test('a message that is written while another waits goes behind it, online as well', async () => {
    const w = await world().opened();
    w.setOnline(false);
    await write(w, 'One');
    w.setOnline(true);
    willAnswer(w, 'turn-0001', 'One', 1);
    willAnswer(w, 'turn-0002', 'Two', 2);
    await write(w, 'Two');
    await untilQuiet();
    expect(sent(w)).toEqual(['One', 'Two']);
  });

  test('a network that was said to be back and is not is tried again after a while', async () => {
    const w = await world().opened();
    w.setOnline(false);
    await write(w, 'One');
    w.setOnline(true);
    w.will('sendMessage', NETWORK);
    w.chat.wake();
    await untilQuiet();
    expect(said(w).at(-1)).toBe('One (waiting)');
    willAnswer(w, 'turn-0001', 'One', 1);
    await w.pass(5000);
    await untilQuiet();
    expect(said(w)).toEqual(['The lamp is lit. (stored)', 'One (stored)', 'Reply 1 (stored)']);
  });

  test('what another tab sent out of the same outbox is not sent again, nor shown twice', async () => {
    const w = await world().opened();
    await write(w, 'One');
    expect(said(w).at(-1)).toBe('One (waiting)');
    w.setHistory([
      greeting,
      { ...user('u1', 'One'), client_message_id: 'turn-0001' },
      message('r1', { content: 'Yes.' }),
    ]);
    w.chat.hear({ type: 'changed', message_ids: [] });
    await untilQuiet();
    expect(said(w)).toEqual(['The lamp is lit. (stored)', 'One (stored)', 'Yes. (stored)']);
    expect(outbox(w)).toEqual([]);
  });

  test('when the first is refused, those behind it wait for my word', async () => {
    const w = await world().opened();
    w.setOnline(false);
    await write(w, 'One');
    await write(w, 'Two');
    w.setOnline(true);
    w.will('sendMessage', refusal(402, 'points_exhausted', { points: POINTS }));
    w.chat.wake();
    await untilQuiet();
    expect(sent(w)).toEqual(['One']);
    expect(w.chat.$draft.get()).toBe('One');
    expect(w.state.notice?.code).toBe('points_exhausted');
    expect(said(w).at(-1)).toBe('Two (unsent)');
    w.chat.wake();
    await untilQuiet();
    expect(sent(w)).toEqual(['One']);
  });

  test('a reply that another device has written meanwhile is let through first', async () => {
    const w = await world().opened();
    w.setOnline(false);
    await write(w, 'One');
    w.setOnline(true);
    w.will('sendMessage', refusal(409, 'reply_in_progress'));
    w.chat.wake();
    await untilQuiet();
    expect(said(w).at(-1)).toBe('One (waiting)');
    expect(w.chat.$draft.get()).toBe('');
    willAnswer(w, 'turn-0001', 'One', 1);
    await w.pass(5000);
    await untilQuiet();
    expect(sent(w)).toEqual(['One', 'One']);
    expect(said(w).at(-1)).toBe('Reply 1 (stored)');
  });
});
