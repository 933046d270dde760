import { describe, expect, test } from 'vitest';
import {
  createAcceptedEvent,
  SAMPLE_CONVERSATION,
  createDoneEvent,
  GREETING,
  createMessage,
  NETWORK_ERROR,
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

  test('a conversation that the page’s HTML shows is there from the start and not requested again', async () => {
    const opened = {
      conversation: SAMPLE_CONVERSATION,
      messages: [GREETING, createUserMessage('m1', 'Good evening.')],
      next_cursor: 'm0',
      later_cursor: null,
      revision: 'r1',
    };
    const page = createChatFixture({ opened });
    const shown = [
      ['The lamp is lit.', 'stored', 'complete'],
      ['Good evening.', 'stored', 'complete'],
    ];
    expect(page.state).toMatchObject({ phase: 'ready', conversation: { id: 'c1' }, earlierCursor: 'm0' });
    expect(page.shown).toEqual(shown);
    const keys = page.state.view.messages.map(({ key }) => key);
    await page.chat.start({ characterId: 'char1', conversationId: null });
    expect(page.shown).toEqual(shown);
    expect(page.state.view.messages.map(({ key }) => key)).toEqual(keys);
    expect(page.made('showAddress')).toHaveLength(1);
    expect(page.made('conversationsWith')).toEqual([]);
    expect(page.made('conversation')).toEqual([]);
    // The page was older than the conversation.
    page.chat.handleHint({ type: 'opened', revision: 'r2' });
    await flushPromises();
    expect(page.made('conversation')).not.toEqual([]);
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
    expect(page.state).toMatchObject({ phase: 'failed', problem: { code: 'chat_not_specified' } });
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

  test('a new conversation that fails on a server error says what failed', async () => {
    const page = await createChatFixture().openChat();
    page.queueAnswers(
      'createConversation',
      createFailure(500, 'server_error'),
      createFailure(404, 'not_found'),
    );
    await page.chat.startNew();
    expect(page.state).toMatchObject({ startingNew: false, notice: { code: 'new_conversation_failed' } });
    await page.chat.startNew();
    expect(page.state.notice).toMatchObject({ code: 'not_found' });
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
