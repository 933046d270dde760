import { describe, expect, test } from 'vitest';
import type { Failure } from '../../../../../src/islands/shared/api.ts';
import {
  createAcceptedEvent,
  createDoneEvent,
  GREETING,
  createMessage,
  SAMPLE_POINTS,
  createFailure,
  flushPromises,
  streamResult,
  createUserMessage,
  createChatFixture,
} from '../../../../support/chat-fixture.ts';

describe('Sending', () => {
  test('sending before the conversation has loaded keeps the text and shows a notice', async () => {
    const page = createChatFixture();
    page.chat.setDraft('Hello');
    await page.chat.send('recommended');
    expect(page.state.notice?.code).toBe('chat_not_loaded');
    expect(page.chat.$draft.get()).toBe('Hello');
  });

  test('a sent message is shown at once, and its reply is drawn once per frame', async () => {
    const page = await createChatFixture().openChat();
    const connection = page.connect();
    page.queueAnswers('sendMessage', streamResult(connection));
    page.chat.setDraft('Hello');
    const sending = page.chat.send('recommended');
    expect(page.shown.at(-1)).toEqual(['Hello', 'pending', 'complete']);
    expect(page.chat.$draft.get()).toBe('');
    await flushPromises();
    expect(page.made('sendMessage')[0]?.slice(0, 2)).toEqual([
      'c1',
      { content: 'Hello', client_message_id: 'turn-0001', model: 'recommended' },
    ]);
    await connection.emit('turn-0001', 0, createAcceptedEvent('Hello'));
    let updates = 0;
    const stop = page.chat.$chat.listen(() => (updates += 1));
    await connection.emit('turn-0001', 2, { event: 'delta', text: 'Go' });
    await connection.emit('turn-0001', 4, { event: 'delta', text: 'od' });
    expect(updates).toBe(0);
    page.drawFrame();
    expect(updates).toBe(1);
    stop();
    expect(page.shown.at(-1)).toEqual(['Good', 'stored', 'streaming']);
    await connection.emit('turn-0001', 5, {
      event: 'done',
      reply: createMessage('r1', { content: 'Good' }),
      points: SAMPLE_POINTS,
    });
    await sending;
    expect(page.shown).toEqual([
      ['The lamp is lit.', 'stored', 'complete'],
      ['Hello', 'stored', 'complete'],
      ['Good', 'stored', 'complete'],
    ]);
    expect(page.state).toMatchObject({
      activity: 'idle',
      points: { current_points: 0 },
      finishedReply: { id: 'r1' },
    });
  });

  test('the chat says until the next reply that the prompt had to be shortened', async () => {
    const page = await createChatFixture().openChat();
    for (const [turn, shortened] of [
      ['turn-0001', true],
      ['turn-0002', false],
    ] as const) {
      const connection = page.connect();
      page.queueAnswers('sendMessage', streamResult(connection));
      const sending = page.chat.send('recommended', 'Hello');
      await flushPromises();
      await connection.emit(turn, 0, createAcceptedEvent('Hello'));
      expect(page.state.wasShortened).toBe(false);
      const reply = createMessage('r1', { content: 'Good' });
      const more = shortened ? { context_shortened: true } : {};
      await connection.emit(turn, 1, { event: 'done', reply, points: SAMPLE_POINTS, ...more });
      await sending;
      expect(page.state.wasShortened).toBe(shortened);
    }
  });

  test('the chat keeps until the next reply when a busy model can be asked again', async () => {
    const page = await createChatFixture().openChat();
    for (const [turn, wait] of [
      ['turn-0001', 7],
      ['turn-0002', undefined],
    ] as const) {
      const connection = page.connect();
      page.queueAnswers('sendMessage', streamResult(connection));
      const sending = page.chat.send('recommended', 'Hello');
      await flushPromises();
      await connection.emit(turn, 0, createAcceptedEvent('Hello'));
      expect(page.state.busyUntil).toBeNull();
      const reply = createMessage('r1', { content: '', status: 'failed', error_code: 'model_busy' });
      const waiting = wait === undefined ? {} : { retry_after: wait };
      await connection.emit(turn, 1, {
        event: 'error',
        code: 'model_busy',
        error: 'Busy.',
        ...waiting,
        reply,
      });
      await sending;
      expect(page.state.busyUntil).toBe(wait === undefined ? null : page.clock.now() + 7000);
    }
  });

  test('a turn changes only the fields of the state that it concerns, so that little is drawn again', async () => {
    const page = await createChatFixture().openChat();
    const connection = page.connect();
    page.queueAnswers('sendMessage', streamResult(connection));
    const before = page.state;
    const changed = new Set<string>();
    let last: object = before;
    page.chat.$chat.listen((state) => {
      for (const [field, value] of Object.entries(state))
        if (value !== (last as Record<string, unknown>)[field]) changed.add(field);
      last = state;
    });
    const sending = page.chat.send('recommended', 'Hello');
    await flushPromises();
    await connection.emit('turn-0001', 0, createAcceptedEvent('Hello'));
    await connection.emit('turn-0001', 4, { event: 'delta', text: 'Good' });
    page.drawFrame();
    const { context_start_id = null } = before.conversation ?? {};
    const reply = createMessage('r1', { content: 'Good' });
    await connection.emit('turn-0001', 5, { event: 'done', reply, points: SAMPLE_POINTS, context_start_id });
    await sending;
    expect([...changed].toSorted()).toEqual(['activity', 'finishedReply', 'points', 'unsent', 'view']);
  });

  test('sending without enough points returns the text and shows the points', async () => {
    const page = await createChatFixture().openChat();
    page.queueAnswers('sendMessage', createFailure(402, 'points_exhausted', { points: SAMPLE_POINTS }));
    page.chat.setDraft('Hello');
    await page.chat.send('recommended');
    expect(page.shown).toHaveLength(1);
    expect(page.chat.$draft.get()).toBe('Hello');
    expect(page.state).toMatchObject({
      activity: 'idle',
      notice: { code: 'points_exhausted', points: SAMPLE_POINTS },
    });
  });

  test.each([
    [429, 'daily_limit'],
    [422, 'model_unavailable'],
    [400, 'invalid_input'],
  ])('a message refused with %i %s does not overwrite text written in the meantime', async (status, code) => {
    const page = await createChatFixture().openChat();
    let refuse: (failure: Failure) => void = () => {};
    page.queueAnswers('sendMessage', () => new Promise<Failure>((resolve) => (refuse = resolve)));
    page.chat.setDraft('Hello');
    const sending = page.chat.send('recommended');
    await flushPromises();
    page.chat.setDraft('And then');
    refuse(createFailure(status, code));
    await sending;
    expect(page.chat.$draft.get()).toBe('Hello\nAnd then');
    expect(page.state.notice?.code).toBe(code);
  });

  test('sending during a reply of another window shows that reply and returns the text', async () => {
    const page = await createChatFixture().openChat();
    page.queueAnswers('sendMessage', createFailure(409, 'reply_in_progress'));
    page.setHistory([
      GREETING,
      createUserMessage('u7', 'From the other window'),
      createMessage('r7', { status: 'streaming' }),
    ]);
    const connection = page.connect();
    page.queueAnswers('rejoin', streamResult(connection));
    page.chat.setDraft('Hello');
    void page.chat.send('recommended');
    await flushPromises();
    expect(page.chat.$draft.get()).toBe('Hello');
    expect(page.state).toMatchObject({ activity: 'replying', notice: { code: 'reply_in_progress' } });
    expect(page.shown.map(([content]) => content)).toContain('From the other window');
  });

  test('a message sent offline is kept and sent again with the same id', async () => {
    const page = await createChatFixture().openChat();
    page.chat.setDraft('Hello');
    await page.chat.send('recommended');
    expect(page.shown.at(-1)).toEqual(['Hello', 'waiting', 'complete']);
    expect(page.state.unsent['turn-0001']?.code).toBe('network');
    const connection = page.connect();
    page.queueAnswers('sendMessage', streamResult(connection));
    void page.chat.retry('turn-0001', 'recommended');
    await flushPromises();
    await connection.emit('turn-0001', 0, createAcceptedEvent('Hello'));
    await connection.emit('turn-0001', 3, createDoneEvent('Hi'));
    const bodies = page.made('sendMessage').map(([, body]) => body);
    expect(bodies).toEqual([bodies[0], bodies[0]]);
    expect(page.shown.map(([content]) => content)).toEqual(['The lamp is lit.', 'Hello', 'Hi']);
    expect(page.state.unsent).toEqual({});
  });

  test('a message that waits for the network can be moved back to the text box', async () => {
    const page = await createChatFixture().openChat();
    page.chat.setDraft('Hello');
    await page.chat.send('recommended');
    page.chat.takeBack('turn-0001');
    await flushPromises();
    expect(page.chat.$draft.get()).toBe('Hello');
    expect(page.shown).toHaveLength(1);
  });

  test('an unconfirmed message is still there after the window was closed', async () => {
    const first = await createChatFixture().openChat();
    first.chat.setDraft('Hello');
    await first.chat.send('recommended');
    first.close();
    const second = await createChatFixture({ memory: first.memory }).openChat();
    await flushPromises();
    expect(second.shown.at(-1)).toEqual(['Hello', 'waiting', 'complete']);
    expect(second.made('sendMessage')[0]?.[1]).toMatchObject({
      client_message_id: 'turn-0001',
      content: 'Hello',
    });
  });

  test('sending after the session ended asks for login and sends with the same id', async () => {
    const page = await createChatFixture().openChat();
    const connection = page.connect();
    page.queueAnswers('sendMessage', createFailure(401, 'unauthenticated'), streamResult(connection));
    page.chat.setDraft('Hello');
    void page.chat.send('recommended');
    await flushPromises();
    await connection.emit('turn-0001', 0, createAcceptedEvent('Hello'));
    expect(page.signIns).toEqual(['again']);
    expect(
      page.made('sendMessage').map(([, body]) => (body as { client_message_id: string }).client_message_id),
    ).toEqual(['turn-0001', 'turn-0001']);
    expect(page.state.activity).toBe('replying');
  });

  test('a message is not sent for another user who logs in, and stays unsent', async () => {
    const page = await createChatFixture().openChat();
    page.signOut('ben');
    await page.chat.send('recommended', 'Hello');
    expect(page.made('sendMessage')).toHaveLength(1);
    expect(page.shown.at(-1)).toEqual(['Hello', 'unsent', 'complete']);
    expect(page.state.unsent['turn-0001']).toMatchObject({ code: 'other_account' });
  });

  test('a message left unsent without login stays with its author', async () => {
    const page = await createChatFixture().openChat();
    page.signOut(null);
    await page.chat.send('recommended', 'Hello');
    expect(page.state.unsent['turn-0001']).toMatchObject({ code: 'unauthenticated' });
    page.signOut('ben');
    await page.chat.retry('turn-0001', 'recommended');
    expect(page.made('sendMessage')).toHaveLength(2);
    expect(page.state.unsent['turn-0001']).toMatchObject({ code: 'other_account' });
  });

  test('a second press during sending sends nothing', async () => {
    const page = await createChatFixture().openChat();
    page.queueAnswers('sendMessage', streamResult(page.connect()));
    void page.chat.send('recommended', 'Hello');
    void page.chat.send('recommended', 'Hello');
    await flushPromises();
    expect(page.made('sendMessage')).toHaveLength(1);
  });

  test('a message of whitespace is not sent', async () => {
    const page = await createChatFixture().openChat();
    await page.chat.send('recommended', ' \n ');
    expect(page.made('sendMessage')).toHaveLength(0);
  });

  test('the text in the box is kept for the next visit to the same conversation', async () => {
    const first = await createChatFixture().openChat();
    first.chat.setDraft('Half a thought');
    const second = await createChatFixture({ memory: first.memory }).openChat();
    expect(second.chat.$draft.get()).toBe('Half a thought');
    expect([...first.memory.keys()]).toEqual(['draft:c1']);
  });
});
