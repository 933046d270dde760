import { describe, expect, test } from 'vitest';
import type { FollowedEvent } from '../../src/features/conversation/messages/reply-view.ts';
import { getRejoinDelayMs } from '../../src/islands/chat/state/reply-follower.ts';
import { readReplyStream } from '../../src/islands/shared/sse.ts';
import {
  createAcceptedEvent,
  createDoneEvent,
  GREETING,
  createMessage,
  NETWORK_ERROR,
  NONE_RUNNING,
  flushPromises,
  streamResult,
  createUserMessage,
  createChatFixture,
} from '../support/chat-fixture.ts';

/** A chat whose reply has begun, and the line that it comes by. */
async function replying() {
  const w = await createChatFixture().openChat();
  const line = w.connect();
  w.queueAnswers('sendMessage', streamResult(line));
  void w.chat.send('recommended', 'Hello');
  await flushPromises();
  await line.emit('turn-0001', 0, createAcceptedEvent('Hello'));
  await line.emit('turn-0001', 4, { event: 'delta', text: 'Good' });
  return { w, line };
}

describe('a connection that is lost during a reply', () => {
  test('is taken up again after the last event I saw, without a word of error', async () => {
    const { w, line } = await replying();
    const next = w.connect();
    w.queueAnswers('rejoin', streamResult(next));
    await line.disconnect();
    expect(w.state).toMatchObject({ activity: 'replying', connected: false, notice: null });
    await w.pass(500);
    expect(w.made('rejoin')[0]?.slice(0, 2)).toEqual(['c1', 'turn-0001:4']);
    await next.emit('turn-0001', 12, { event: 'delta', text: ' evening' });
    await next.emit('turn-0001', 13, createDoneEvent('Good evening'));
    expect(w.shown.at(-1)).toEqual(['Good evening', 'stored', 'complete']);
    expect(w.state).toMatchObject({ activity: 'idle', connected: true });
    expect(w.made('sendMessage')).toHaveLength(1);
  });

  test('is looked for with growing patience, and at once when the network comes back', async () => {
    const { w, line } = await replying();
    await line.disconnect();
    await w.pass(499);
    expect(w.made('rejoin')).toHaveLength(0);
    await w.pass(1);
    expect(w.made('rejoin')).toHaveLength(1);
    await w.pass(999);
    expect(w.made('rejoin')).toHaveLength(1);
    await w.pass(1);
    expect(w.made('rejoin')).toHaveLength(2);
    w.chat.wake();
    await flushPromises();
    expect(w.made('rejoin')).toHaveLength(3);
    expect(w.state).toMatchObject({ activity: 'replying', notice: null });
    expect([0, 1, 2, 3, 4, 5, 60].map(getRejoinDelayMs)).toEqual([
      500, 1000, 2000, 4000, 8000, 10_000, 10_000,
    ]);
  });

  test('shows the stored reply when it ended meanwhile', async () => {
    const { w, line } = await replying();
    w.setHistory([
      GREETING,
      createUserMessage('u1', 'Hello'),
      createMessage('r1', { content: 'Good evening to you' }),
    ]);
    w.queueAnswers('rejoin', NONE_RUNNING);
    await line.disconnect();
    await w.pass(500);
    expect(w.shown.map(([content]) => content)).toEqual(['The lamp is lit.', 'Hello', 'Good evening to you']);
    expect(w.state.activity).toBe('idle');
  });

  test('that only looks alive after a long sleep is given up when I come back', async () => {
    const { w, line } = await replying();
    await w.pass(25_000);
    w.chat.wake();
    await flushPromises();
    expect(line.open).toBe(false);
    await w.pass(500);
    expect(w.made('rejoin')).toHaveLength(1);
  });

  test('before the server said a word posts the same turn again, which never sends it twice', async () => {
    const w = await createChatFixture().openChat();
    const dead = w.connect();
    const line = w.connect();
    w.queueAnswers('sendMessage', streamResult(dead), streamResult(line));
    void w.chat.send('recommended', 'Hello');
    await flushPromises();
    await dead.disconnect();
    await w.pass(500);
    await line.emit('turn-0001', 0, createAcceptedEvent('Hello'));
    const bodies = w.made('sendMessage').map(([, body]) => body);
    expect(bodies).toEqual([bodies[0], bodies[0]]);
    expect(w.shown.filter(([content]) => content === 'Hello')).toHaveLength(1);
  });

  test('is neither posted nor asked for again in the name of whoever else signs in meanwhile', async () => {
    const w = await createChatFixture().openChat();
    const dead = w.connect();
    w.queueAnswers('sendMessage', streamResult(dead));
    void w.chat.send('recommended', 'Hello');
    await flushPromises();
    w.signOut('ben');
    await dead.disconnect();
    await w.pass(500);
    expect(w.made('sendMessage')).toHaveLength(2);
    expect(w.made('rejoin')).toHaveLength(0);
    expect(w.state).toMatchObject({ activity: 'idle', notice: { code: 'other_account' } });
  });

  test('is let go of when I leave the page', async () => {
    const { w, line } = await replying();
    w.chat.dispose();
    expect(line.open).toBe(false);
    await flushPromises();
    await w.pass(20_000);
    expect(w.made('rejoin')).toHaveLength(0);
  });
});

describe('a reply', () => {
  test('that I stop stays as far as it came', async () => {
    const { w, line } = await replying();
    await w.chat.stop();
    expect(w.state.activity).toBe('stopping');
    expect(w.made('stop')).toEqual([['c1']]);
    await line.emit('turn-0001', 5, {
      event: 'done',
      reply: createMessage('r1', { content: 'Good', status: 'interrupted' }),
      points: null,
    });
    expect(w.shown.at(-1)).toEqual(['Good', 'stored', 'interrupted']);
    expect(w.state.activity).toBe('idle');
  });

  test('that I stop before the server answered is stopped as soon as it has', async () => {
    const w = await createChatFixture().openChat();
    const line = w.connect();
    w.queueAnswers('sendMessage', streamResult(line));
    void w.chat.send('recommended', 'Hello');
    await flushPromises();
    await w.chat.stop();
    expect(w.made('stop')).toHaveLength(0);
    await line.emit('turn-0001', 0, createAcceptedEvent('Hello'));
    expect(w.made('stop')).toHaveLength(1);
  });

  test('that could not be stopped goes on, and I am told', async () => {
    const w = await createChatFixture().openChat();
    const line = w.connect();
    w.queueAnswers('sendMessage', streamResult(line));
    w.queueAnswers('stop', NETWORK_ERROR);
    void w.chat.send('recommended', 'Hello');
    await flushPromises();
    await line.emit('turn-0001', 0, createAcceptedEvent('Hello'));
    await w.chat.stop();
    expect(w.state).toMatchObject({ activity: 'replying', notice: { code: 'stop_failed' } });
  });

  test('that failed can be tried again in its place', async () => {
    const w = await createChatFixture({
      history: [
        GREETING,
        createUserMessage('u1', 'Hello'),
        createMessage('r1', { status: 'failed', error_code: 'model_failed' }),
      ],
    }).openChat();
    const line = w.connect();
    w.queueAnswers('regenerate', NETWORK_ERROR, streamResult(line));
    await w.chat.regenerate('r1', 'recommended');
    expect(w.state).toMatchObject({ activity: 'idle', notice: { code: 'regenerate_failed' } });
    void w.chat.regenerate('r1', 'recommended');
    await flushPromises();
    const turns = w
      .made('regenerate')
      .map(([, , body]) => (body as { client_message_id: string }).client_message_id);
    expect(turns).toEqual(['turn-0001', 'turn-0001']);
    await line.emit('turn-0001', 0, {
      event: 'accepted',
      reply: createMessage('r1', { status: 'streaming', selected_version_id: 'r1-v2' }),
    });
    await line.emit('turn-0001', 3, createDoneEvent('Hi'));
    expect(w.shown.at(-1)).toEqual(['Hi', 'stored', 'complete']);
    expect(w.shown).toHaveLength(3);
  });

  test('is not written anew for whoever else signs in, only for me', async () => {
    const w = await createChatFixture({
      history: [createUserMessage('u1', 'Hello'), createMessage('r1', { content: 'Hi' })],
    }).openChat();
    w.signOut('ben');
    await w.chat.regenerate('r1', 'recommended');
    expect(w.made('regenerate')).toHaveLength(1);
    expect(w.state.notice?.code).toBe('other_account');
    const mine = await createChatFixture({
      history: [createUserMessage('u1', 'Hello'), createMessage('r1', { content: 'Hi' })],
    }).openChat();
    mine.signOut('ana');
    await mine.chat.regenerate('r1', 'recommended');
    expect(mine.made('regenerate')).toHaveLength(2);
  });

  test('whose rewriting failed keeps its earlier text, and I am told why', async () => {
    const w = await createChatFixture({
      history: [createUserMessage('u1', 'Hello'), createMessage('r1', { content: 'Hi' })],
    }).openChat();
    const line = w.connect();
    w.queueAnswers('regenerate', streamResult(line));
    void w.chat.regenerate('r1', 'recommended');
    await flushPromises();
    await line.emit('turn-0001', 0, {
      event: 'accepted',
      reply: createMessage('r1', { status: 'streaming' }),
    });
    await line.emit('turn-0001', 1, {
      event: 'error',
      error: 'The model had an error.',
      code: 'model_failed',
      reply: createMessage('r1', { content: 'Hi' }),
    });
    expect(w.shown.at(-1)).toEqual(['Hi', 'stored', 'complete']);
    expect(w.state.notice?.code).toBe('model_failed');
  });
});

describe('the event stream', () => {
  const bytes = new TextEncoder();

  /** Feeds chunks to a reader and answers what it read, and whether it let go of the connection. */
  async function reading(chunks: readonly Uint8Array[], { end = true } = {}) {
    const w = createChatFixture();
    let letGo = false;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        if (end) controller.close();
      },
      cancel() {
        letGo = true;
      },
    });
    const stream = readReplyStream(body, { clock: w.clock });
    const events: FollowedEvent[] = [];
    const whole = (async () => {
      for await (const event of stream) events.push(event);
    })();
    await flushPromises();
    return { w, events, whole, letGo: () => letGo };
  }

  test('is read the same wherever the network cuts it, letters of several bytes included', async () => {
    const text = bytes.encode(
      ': here\n\nid: t:4\nevent: delta\ndata: {"text":"größ"}\n\nid: t:5\nevent: later_kind\ndata: {}\n\n',
    );
    const { events, whole } = await reading(Array.from(text, (byte) => Uint8Array.of(byte)));
    await whole;
    expect(events).toEqual([{ id: 't:4', event: { event: 'delta', text: 'größ' } }]);
  });

  test('that goes silent for 40 seconds counts as lost', async () => {
    const { w, whole, letGo } = await reading([bytes.encode(': here\n\n')], { end: false });
    await w.pass(39_999);
    expect(letGo()).toBe(false);
    await w.pass(1);
    await whole;
    expect(letGo()).toBe(true);
  });

  test('that is unreadable counts as lost, and never as text', async () => {
    const { events, whole } = await reading([bytes.encode('id: t:4\nevent: delta\ndata: {"text":\n\n')], {
      end: false,
    });
    await whole;
    expect(events).toEqual([]);
  });
});
