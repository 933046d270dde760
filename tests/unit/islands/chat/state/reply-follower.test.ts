import { describe, expect, test } from 'vitest';
import type { FollowedEvent } from '../../../../../src/features/conversation/messages/reply-view.ts';
import { getRejoinDelayMs } from '../../../../../src/islands/chat/state/reply-follower.ts';
import { readReplyStream } from '../../../../../src/islands/shared/sse.ts';
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
  createFailure,
} from '../../../../support/chat-fixture.ts';

/** A conversation whose reply has started, and its connection. */
async function startReply() {
  const page = await createChatFixture().openChat();
  const connection = page.connect();
  page.queueAnswers('sendMessage', streamResult(connection));
  void page.chat.send('recommended', 'Hello');
  await flushPromises();
  await connection.emit('turn-0001', 0, createAcceptedEvent('Hello'));
  await connection.emit('turn-0001', 4, { event: 'delta', text: 'Good' });
  return { page, connection };
}

describe('Lost connection', () => {
  test('a lost connection is resumed after the last received event without an error', async () => {
    const { page, connection } = await startReply();
    const next = page.connect();
    page.queueAnswers('rejoin', streamResult(next));
    await connection.disconnect();
    expect(page.state).toMatchObject({ activity: 'replying', connected: false, notice: null });
    await page.pass(500);
    expect(page.made('rejoin')[0]?.slice(0, 2)).toEqual(['c1', 'turn-0001:4']);
    await next.emit('turn-0001', 12, { event: 'delta', text: ' evening' });
    await next.emit('turn-0001', 13, createDoneEvent('Good evening'));
    expect(page.shown.at(-1)).toEqual(['Good evening', 'stored', 'complete']);
    expect(page.state).toMatchObject({ activity: 'idle', connected: true });
    expect(page.made('sendMessage')).toHaveLength(1);
  });

  test('reconnecting is delayed longer each time, and immediate when the network returns', async () => {
    const { page, connection } = await startReply();
    await connection.disconnect();
    await page.pass(499);
    expect(page.made('rejoin')).toHaveLength(0);
    await page.pass(1);
    expect(page.made('rejoin')).toHaveLength(1);
    await page.pass(999);
    expect(page.made('rejoin')).toHaveLength(1);
    await page.pass(1);
    expect(page.made('rejoin')).toHaveLength(2);
    page.chat.wake();
    await flushPromises();
    expect(page.made('rejoin')).toHaveLength(3);
    expect(page.state).toMatchObject({ activity: 'replying', notice: null });
    expect([0, 1, 2, 3, 4, 5, 60].map(getRejoinDelayMs)).toEqual([
      500, 1000, 2000, 4000, 8000, 10_000, 10_000,
    ]);
  });

  test('reconnecting shows the stored reply when it ended in the meantime', async () => {
    const { page, connection } = await startReply();
    page.setHistory([
      GREETING,
      createUserMessage('u1', 'Hello'),
      createMessage('r1', { content: 'Good evening to you' }),
    ]);
    page.queueAnswers('rejoin', NONE_RUNNING);
    await connection.disconnect();
    await page.pass(500);
    expect(page.shown.map(([content]) => content)).toEqual([
      'The lamp is lit.',
      'Hello',
      'Good evening to you',
    ]);
    expect(page.state.activity).toBe('idle');
  });

  test('a connection that was silent during a long sleep is replaced on waking', async () => {
    const { page, connection } = await startReply();
    await page.pass(25_000);
    page.chat.wake();
    await flushPromises();
    expect(connection.open).toBe(false);
    await page.pass(500);
    expect(page.made('rejoin')).toHaveLength(1);
  });

  test('losing the connection before the first event posts the same turn again', async () => {
    const page = await createChatFixture().openChat();
    const dead = page.connect();
    const connection = page.connect();
    page.queueAnswers('sendMessage', streamResult(dead), streamResult(connection));
    void page.chat.send('recommended', 'Hello');
    await flushPromises();
    await dead.disconnect();
    await page.pass(500);
    await connection.emit('turn-0001', 0, createAcceptedEvent('Hello'));
    const bodies = page.made('sendMessage').map(([, body]) => body);
    expect(bodies).toEqual([bodies[0], bodies[0]]);
    expect(page.shown.filter(([content]) => content === 'Hello')).toHaveLength(1);
  });

  test('a turn is not resumed when another user has signed in', async () => {
    const page = await createChatFixture().openChat();
    const dead = page.connect();
    page.queueAnswers('sendMessage', streamResult(dead));
    void page.chat.send('recommended', 'Hello');
    await flushPromises();
    page.signOut('ben');
    await dead.disconnect();
    await page.pass(500);
    expect(page.made('sendMessage')).toHaveLength(2);
    expect(page.made('rejoin')).toHaveLength(0);
    expect(page.state).toMatchObject({ activity: 'idle', notice: { code: 'other_account' } });
  });

  test('leaving the page closes the connection', async () => {
    const { page, connection } = await startReply();
    page.chat.dispose();
    expect(connection.open).toBe(false);
    await flushPromises();
    await page.pass(20_000);
    expect(page.made('rejoin')).toHaveLength(0);
  });
});

describe('Reply', () => {
  test('a stopped reply keeps the text received so far', async () => {
    const { page, connection } = await startReply();
    await page.chat.stop();
    expect(page.state.activity).toBe('stopping');
    expect(page.made('stop')).toEqual([['c1']]);
    await connection.emit('turn-0001', 5, {
      event: 'done',
      reply: createMessage('r1', { content: 'Good', status: 'interrupted' }),
      points: null,
    });
    expect(page.shown.at(-1)).toEqual(['Good', 'stored', 'interrupted']);
    expect(page.state.activity).toBe('idle');
  });

  test('stopping a reply before the server answered takes effect as soon as it has', async () => {
    const page = await createChatFixture().openChat();
    const connection = page.connect();
    page.queueAnswers('sendMessage', streamResult(connection));
    void page.chat.send('recommended', 'Hello');
    await flushPromises();
    await page.chat.stop();
    expect(page.made('stop')).toHaveLength(0);
    await connection.emit('turn-0001', 0, createAcceptedEvent('Hello'));
    expect(page.made('stop')).toHaveLength(1);
  });

  test('a reply that could not be stopped continues with a notice', async () => {
    const page = await createChatFixture().openChat();
    const connection = page.connect();
    page.queueAnswers('sendMessage', streamResult(connection));
    page.queueAnswers('stop', NETWORK_ERROR);
    void page.chat.send('recommended', 'Hello');
    await flushPromises();
    await connection.emit('turn-0001', 0, createAcceptedEvent('Hello'));
    await page.chat.stop();
    expect(page.state).toMatchObject({ activity: 'replying', notice: { code: 'stop_failed' } });
  });

  test('a failed reply can be regenerated in its place with the same turn id', async () => {
    const page = await createChatFixture({
      history: [
        GREETING,
        createUserMessage('u1', 'Hello'),
        createMessage('r1', { status: 'failed', error_code: 'model_failed' }),
      ],
    }).openChat();
    const connection = page.connect();
    page.queueAnswers('regenerate', NETWORK_ERROR, streamResult(connection));
    await page.chat.regenerate('r1', 'recommended');
    expect(page.state).toMatchObject({ activity: 'idle', notice: { code: 'regenerate_failed' } });
    void page.chat.regenerate('r1', 'recommended');
    await flushPromises();
    const turns = page
      .made('regenerate')
      .map(([, , body]) => (body as { client_message_id: string }).client_message_id);
    expect(turns).toEqual(['turn-0001', 'turn-0001']);
    await connection.emit('turn-0001', 0, {
      event: 'accepted',
      reply: createMessage('r1', { status: 'streaming', selected_version_id: 'r1-v2' }),
    });
    await connection.emit('turn-0001', 3, createDoneEvent('Hi'));
    expect(page.shown.at(-1)).toEqual(['Hi', 'stored', 'complete']);
    expect(page.shown).toHaveLength(3);
  });

  test('a regeneration that fails on a server error says what failed', async () => {
    const page = await createChatFixture({
      history: [GREETING, createUserMessage('u1', 'Hello'), createMessage('r1')],
    }).openChat();
    const [failed, busy] = [createFailure(500, 'server_error'), createFailure(503, 'model_busy')];
    page.queueAnswers('regenerate', failed, busy);
    await page.chat.regenerate('r1', 'recommended');
    expect(page.state).toMatchObject({ activity: 'idle', notice: { code: 'regenerate_failed' } });
    await page.chat.regenerate('r1', 'recommended');
    expect(page.state.notice).toMatchObject({ code: 'model_busy' });
  });

  test('a failed request with a note is repeated with the same turn id, and with another note it is another turn', async () => {
    const page = await createChatFixture({
      history: [createUserMessage('u1', 'Hello'), createMessage('r1', { content: 'Hi' })],
    }).openChat();
    page.queueAnswers('regenerate', NETWORK_ERROR, NETWORK_ERROR, NETWORK_ERROR, NETWORK_ERROR);
    for (const note of ['Shorter.', 'Shorter.', 'Longer.', undefined])
      await page.chat.regenerate('r1', 'recommended', note);
    expect(page.made('regenerate').map(([, , body]) => body)).toEqual([
      { client_message_id: 'turn-0001', model: 'recommended', note: 'Shorter.' },
      { client_message_id: 'turn-0001', model: 'recommended', note: 'Shorter.' },
      { client_message_id: 'turn-0002', model: 'recommended', note: 'Longer.' },
      { client_message_id: 'turn-0003', model: 'recommended' },
    ]);
  });

  test('a reply is regenerated after signing in as the same user only', async () => {
    const page = await createChatFixture({
      history: [createUserMessage('u1', 'Hello'), createMessage('r1', { content: 'Hi' })],
    }).openChat();
    page.signOut('ben');
    await page.chat.regenerate('r1', 'recommended');
    expect(page.made('regenerate')).toHaveLength(1);
    expect(page.state.notice?.code).toBe('other_account');
    const own = await createChatFixture({
      history: [createUserMessage('u1', 'Hello'), createMessage('r1', { content: 'Hi' })],
    }).openChat();
    own.signOut('ana');
    await own.chat.regenerate('r1', 'recommended');
    expect(own.made('regenerate')).toHaveLength(2);
  });

  test('a failed regeneration keeps the earlier text and shows the reason', async () => {
    const page = await createChatFixture({
      history: [createUserMessage('u1', 'Hello'), createMessage('r1', { content: 'Hi' })],
    }).openChat();
    const connection = page.connect();
    page.queueAnswers('regenerate', streamResult(connection));
    void page.chat.regenerate('r1', 'recommended');
    await flushPromises();
    await connection.emit('turn-0001', 0, {
      event: 'accepted',
      reply: createMessage('r1', { status: 'streaming' }),
    });
    await connection.emit('turn-0001', 1, {
      event: 'error',
      error: 'Something went wrong with the model.',
      code: 'model_failed',
      reply: createMessage('r1', { content: 'Hi' }),
    });
    expect(page.shown.at(-1)).toEqual(['Hi', 'stored', 'complete']);
    expect(page.state.notice?.code).toBe('model_failed');
  });
});

describe('Event stream', () => {
  const bytes = new TextEncoder();

  /** Reads these chunks and returns the events and whether the stream was cancelled. */
  async function readChunks(chunks: readonly Uint8Array[], { end = true } = {}) {
    const page = createChatFixture();
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        if (end) controller.close();
      },
      cancel() {
        isCancelled = true;
      },
    });
    const stream = readReplyStream(body, { clock: page.clock });
    const events: FollowedEvent[] = [];
    const reading = (async () => {
      for await (const event of stream) events.push(event);
    })();
    await flushPromises();
    return { page, events, done: reading, isCancelled: () => isCancelled };
  }

  test('the event stream is parsed the same wherever the network splits it', async () => {
    const text = bytes.encode(
      ': here\n\nid: t:0\nevent: thinking\ndata: {"text":"A plan."}\n\nid: t:4\nevent: delta\ndata: {"text":"größ"}\n\nid: t:5\nevent: later_kind\ndata: {}\n\n',
    );
    const { events, done } = await readChunks(Array.from(text, (byte) => Uint8Array.of(byte)));
    await done;
    expect(events).toEqual([
      { id: 't:0', event: { event: 'thinking', text: 'A plan.' } },
      { id: 't:4', event: { event: 'delta', text: 'größ' } },
    ]);
  });

  test('a stream that is silent for 40 seconds counts as lost', async () => {
    const { page, done, isCancelled } = await readChunks([bytes.encode(': here\n\n')], { end: false });
    await page.pass(39_999);
    expect(isCancelled()).toBe(false);
    await page.pass(1);
    await done;
    expect(isCancelled()).toBe(true);
  });

  test('a malformed stream counts as lost and adds no text', async () => {
    const { events, done } = await readChunks([bytes.encode('id: t:4\nevent: delta\ndata: {"text":\n\n')], {
      end: false,
    });
    await done;
    expect(events).toEqual([]);
  });
});
