import { describe, expect, test } from 'vitest';
import type { Failure } from '../../../../../src/islands/shared/api.ts';
import {
  createAcceptedEvent,
  SAMPLE_CONVERSATION,
  createDoneEvent,
  GREETING,
  createMessage,
  NETWORK_ERROR,
  SAMPLE_POINTS,
  createFailure,
  flushPromises,
  streamResult,
  createUserMessage,
  createChatFixture,
} from '../../../../support/chat-fixture.ts';

describe('Opening a conversation', () => {
  test('opening a conversation by its id shows its history and sets the address', async () => {
    const page = await createChatFixture().openChat();
    expect(page.state.phase).toBe('ready');
    expect(page.shown).toEqual([['The lamp is lit.', 'stored', 'complete']]);
    expect(page.made('showAddress')).toHaveLength(1);
  });

  test('opening a known character continues the newest conversation', async () => {
    const page = createChatFixture();
    page.queueAnswers('conversationsWith', {
      ok: true,
      data: { items: [{ id: 'c9' }, { id: 'c1' }], next_cursor: null },
    });
    await page.chat.start({ characterId: 'char1', conversationId: null });
    expect(page.made('conversation').map(([id]) => id)).toEqual(['c9']);
    expect(page.made('createConversation')).toHaveLength(0);
  });

  test('opening a new character starts one conversation', async () => {
    const page = createChatFixture();
    await page.chat.start({ characterId: 'char1', conversationId: null });
    expect(page.made('createConversation')).toEqual([['char1']]);
    expect(page.state).toMatchObject({ phase: 'ready', conversation: { id: 'c1' } });
  });

  test('opening a scene of the home page starts a new conversation with that scene', async () => {
    const page = createChatFixture();
    await page.chat.start({ characterId: 'char1', conversationId: null, scene: 'home' });
    expect(page.made('createConversation')).toEqual([['char1', 'home']]);
    expect(page.made('conversationsWith')).toEqual([]);
    expect(page.state.phase).toBe('ready');
  });

  test('opening a scene that no longer exists starts a conversation with its character', async () => {
    const page = createChatFixture();
    page.queueAnswers('createConversation', createFailure(404, 'not_found'));
    await page.chat.start({ characterId: 'char1', conversationId: null, scene: 'home' });
    expect(page.made('createConversation')).toEqual([['char1', 'home'], ['char1']]);
    expect(page.state.phase).toBe('ready');
  });

  test('opening a missing message shows the newest messages and a notice', async () => {
    const page = createChatFixture();
    await page.chat.start({ characterId: null, conversationId: 'c1', messageId: 'long-gone' });
    expect(page.shown).toEqual([['The lamp is lit.', 'stored', 'complete']]);
    expect(page.state).toMatchObject({
      phase: 'ready',
      scrollTarget: null,
      notice: { code: 'message_not_found', error: '' },
    });
    await page.chat.showMessage('gone-too');
    expect(page.state.notice?.code).toBe('message_not_found');
    const existing = createChatFixture();
    await existing.chat.start({ characterId: null, conversationId: 'c1', messageId: 'm0' });
    expect(existing.state).toMatchObject({ scrollTarget: { messageId: 'm0' }, notice: null });
  });

  test('opening a conversation that does not exist shows that it was not found', async () => {
    const page = createChatFixture();
    page.queueAnswers('conversation', createFailure(404, 'not_found'));
    await page.openChat();
    expect(page.state.phase).toBe('not-found');
  });

  test('a conversation that failed to load can be loaded again', async () => {
    const page = createChatFixture();
    page.queueAnswers('conversation', NETWORK_ERROR);
    await page.openChat();
    expect(page.state).toMatchObject({ phase: 'failed', problem: { code: 'chat_history_failed' } });
    await page.chat.reload();
    expect(page.state.phase).toBe('ready');
  });

  test('opening a chat without any id shows what is missing', async () => {
    const page = createChatFixture();
    await page.chat.start({ characterId: null, conversationId: null });
    expect(page.state).toMatchObject({ phase: 'failed', problem: { code: 'no_chat_named' } });
  });

  test('opening a conversation signed out asks for login and continues afterwards', async () => {
    const page = createChatFixture();
    page.signOut();
    await page.openChat();
    expect(page.signIns).toEqual(['entry']);
    expect(page.state.phase).toBe('ready');
  });

  test('opening a conversation without logging in shows nothing', async () => {
    const page = createChatFixture();
    page.signOut(null);
    await page.openChat();
    expect(page.state.phase).toBe('signed-out');
    expect(page.state.view.messages).toHaveLength(0);
  });

  test('opening a conversation during a reply follows the reply from its start', async () => {
    const page = createChatFixture({
      history: [
        GREETING,
        createUserMessage('u1', 'Hello'),
        createMessage('r1', { status: 'streaming', content: 'Go' }),
      ],
    });
    const connection = page.connect();
    page.queueAnswers('rejoin', streamResult(connection));
    await page.openChat();
    await flushPromises();
    expect(page.made('rejoin').map((args) => args.slice(0, 2))).toEqual([['c1', null]]);
    expect(page.state.activity).toBe('replying');
    await connection.emit('turn-x', 0, createAcceptedEvent('Hello'));
    await connection.emit('turn-x', 9, { event: 'delta', text: 'Good even' });
    await connection.emit('turn-x', 13, createDoneEvent('Good evening'));
    expect(page.shown.at(-1)).toEqual(['Good evening', 'stored', 'complete']);
    expect(page.state.activity).toBe('idle');
  });
});

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

describe('Open conversation', () => {
  test('earlier messages are loaded page by page before the others', async () => {
    const page = createChatFixture();
    page.queueAnswers('conversation', {
      ok: true,
      data: { conversation: SAMPLE_CONVERSATION, messages: [createMessage('m5')], next_cursor: 'm5' },
    });
    await page.openChat();
    page.queueAnswers('conversation', NETWORK_ERROR, {
      ok: true,
      data: { conversation: SAMPLE_CONVERSATION, messages: [createMessage('m4')], next_cursor: null },
    });
    await page.chat.showEarlier();
    expect(page.state.earlier).toBe('failed');
    await page.chat.showEarlier();
    expect(page.made('conversation').at(-1)).toEqual(['c1', { place: { before: 'm5' }, limit: 100 }]);
    expect(page.state.view.messages.map(({ id }) => id)).toEqual(['m4', 'm5']);
    expect(page.state.earlierCursor).toBeNull();
  });

  test('starting a new conversation leaves the current reply to the server', async () => {
    const page = await createChatFixture().openChat();
    const connection = page.connect();
    page.queueAnswers('sendMessage', streamResult(connection));
    void page.chat.send('recommended', 'Hello');
    await flushPromises();
    await connection.emit('turn-0001', 0, createAcceptedEvent('Hello'));
    page.queueAnswers('createConversation', {
      ok: true,
      data: { conversation: { ...SAMPLE_CONVERSATION, id: 'c2' }, messages: [GREETING] },
    });
    await page.chat.startNew();
    expect(connection.open).toBe(false);
    expect(page.state).toMatchObject({ conversation: { id: 'c2' }, activity: 'idle' });
    expect(page.shown).toHaveLength(1);
    expect(page.made('stop')).toHaveLength(0);
  });

  test('a history that arrives late keeps the reply being followed', async () => {
    const page = await createChatFixture().openChat();
    let answerLate: (answer: unknown) => void = () => {};
    page.queueAnswers('conversation', () => new Promise((resolve) => (answerLate = resolve)));
    await page.pass(60_000);
    page.chat.wake();
    const connection = page.connect();
    page.queueAnswers('sendMessage', streamResult(connection));
    void page.chat.send('recommended', 'Hello');
    await flushPromises();
    await connection.emit('turn-0001', 0, createAcceptedEvent('Hello'));
    await connection.emit('turn-0001', 4, { event: 'delta', text: 'Good' });
    answerLate({
      ok: true,
      data: { conversation: SAMPLE_CONVERSATION, messages: [GREETING], next_cursor: null },
    });
    await flushPromises();
    await connection.emit('turn-0001', 7, { event: 'delta', text: ' ev' });
    page.drawFrame();
    expect(page.shown.map(([content]) => content)).toEqual(['The lamp is lit.', 'Hello', 'Good ev']);
  });

  test('returning to a conversation shows what another window added', async () => {
    const page = await createChatFixture().openChat();
    page.setHistory([
      GREETING,
      createUserMessage('u2', 'From my phone'),
      createMessage('r2', { content: 'Noted.' }),
    ]);
    await page.pass(60_000);
    page.chat.wake();
    await flushPromises();
    expect(page.shown.map(([content]) => content)).toEqual(['The lamp is lit.', 'From my phone', 'Noted.']);
  });
});
