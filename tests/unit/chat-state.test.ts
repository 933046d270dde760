import { describe, expect, test } from 'vitest';
import type { Failure } from '../../src/islands/shared/api.ts';
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
} from '../support/chat-fixture.ts';

describe('opening a chat', () => {
  test('by its id shows its history and puts the conversation into the address', async () => {
    const w = await createChatFixture().openChat();
    expect(w.state.phase).toBe('ready');
    expect(w.shown).toEqual([['The lamp is lit.', 'stored', 'complete']]);
    expect(w.made('showAddress')).toHaveLength(1);
  });

  test('with a character I know goes on with the newest conversation', async () => {
    const w = createChatFixture();
    w.queueAnswers('conversationsWith', {
      ok: true,
      data: { items: [{ id: 'c9' }, { id: 'c1' }], next_cursor: null },
    });
    await w.chat.start({ characterId: 'char1', conversationId: null });
    expect(w.made('conversation').map(([id]) => id)).toEqual(['c9']);
    expect(w.made('createConversation')).toHaveLength(0);
  });

  test('with a character I never met begins a conversation, once', async () => {
    const w = createChatFixture();
    await w.chat.start({ characterId: 'char1', conversationId: null });
    expect(w.made('createConversation')).toEqual([['char1']]);
    expect(w.state).toMatchObject({ phase: 'ready', conversation: { id: 'c1' } });
  });

  test('from the scene of the home page begins a conversation that goes on from it, whoever I knew before', async () => {
    const w = createChatFixture();
    await w.chat.start({ characterId: 'char1', conversationId: null, scene: 'home' });
    expect(w.made('createConversation')).toEqual([['char1', 'home']]);
    expect(w.made('conversationsWith')).toEqual([]);
    expect(w.state.phase).toBe('ready');
  });

  test('from a scene that is no longer there still leads to its character', async () => {
    const w = createChatFixture();
    w.queueAnswers('createConversation', createFailure(404, 'not_found'));
    await w.chat.start({ characterId: 'char1', conversationId: null, scene: 'home' });
    expect(w.made('createConversation')).toEqual([['char1', 'home'], ['char1']]);
    expect(w.state.phase).toBe('ready');
  });

  test('at a message that is gone by now shows the newest ones and says so', async () => {
    const w = createChatFixture();
    await w.chat.start({ characterId: null, conversationId: 'c1', messageId: 'long-gone' });
    expect(w.shown).toEqual([['The lamp is lit.', 'stored', 'complete']]);
    expect(w.state).toMatchObject({
      phase: 'ready',
      scrollTarget: null,
      notice: { code: 'message_not_found', error: '' },
    });
    await w.chat.showMessage('gone-too');
    expect(w.state.notice?.code).toBe('message_not_found');
    const there = createChatFixture();
    await there.chat.start({ characterId: null, conversationId: 'c1', messageId: 'm0' });
    expect(there.state).toMatchObject({ scrollTarget: { messageId: 'm0' }, notice: null });
  });

  test('that is not mine or not there says so', async () => {
    const w = createChatFixture();
    w.queueAnswers('conversation', createFailure(404, 'not_found'));
    await w.openChat();
    expect(w.state.phase).toBe('not-found');
  });

  test('that cannot be loaded says so, and loads when I try again', async () => {
    const w = createChatFixture();
    w.queueAnswers('conversation', NETWORK_ERROR);
    await w.openChat();
    expect(w.state).toMatchObject({ phase: 'failed', problem: { code: 'chat_history_failed' } });
    await w.chat.reload();
    expect(w.state.phase).toBe('ready');
  });

  test('without any id says what is missing', async () => {
    const w = createChatFixture();
    await w.chat.start({ characterId: null, conversationId: null });
    expect(w.state).toMatchObject({ phase: 'failed', problem: { code: 'no_chat_named' } });
  });

  test('asks a stranger to sign in, and goes on afterwards', async () => {
    const w = createChatFixture();
    w.signOut();
    await w.openChat();
    expect(w.signIns).toEqual(['entry']);
    expect(w.state.phase).toBe('ready');
  });

  test('shows nothing to a stranger who does not sign in', async () => {
    const w = createChatFixture();
    w.signOut(null);
    await w.openChat();
    expect(w.state.phase).toBe('signed-out');
    expect(w.state.view.messages).toHaveLength(0);
  });

  test('while a reply is being written rejoins it from its beginning', async () => {
    const w = createChatFixture({
      history: [
        GREETING,
        createUserMessage('u1', 'Hello'),
        createMessage('r1', { status: 'streaming', content: 'Go' }),
      ],
    });
    const line = w.connect();
    w.queueAnswers('rejoin', streamResult(line));
    await w.openChat();
    await flushPromises();
    expect(w.made('rejoin').map((args) => args.slice(0, 2))).toEqual([['c1', null]]);
    expect(w.state.activity).toBe('replying');
    await line.emit('turn-x', 0, createAcceptedEvent('Hello'));
    await line.emit('turn-x', 9, { event: 'delta', text: 'Good even' });
    await line.emit('turn-x', 13, createDoneEvent('Good evening'));
    expect(w.shown.at(-1)).toEqual(['Good evening', 'stored', 'complete']);
    expect(w.state.activity).toBe('idle');
  });
});

describe('sending a message', () => {
  test('before the chat has loaded keeps my text and asks me to wait', async () => {
    const w = createChatFixture();
    w.chat.setDraft('Hello');
    await w.chat.send('recommended');
    expect(w.state.notice?.code).toBe('chat_not_loaded');
    expect(w.chat.$draft.get()).toBe('Hello');
  });

  test('shows it at once, then the reply as it comes, drawn once a picture', async () => {
    const w = await createChatFixture().openChat();
    const line = w.connect();
    w.queueAnswers('sendMessage', streamResult(line));
    w.chat.setDraft('Hello');
    const sending = w.chat.send('recommended');
    expect(w.shown.at(-1)).toEqual(['Hello', 'pending', 'complete']);
    expect(w.chat.$draft.get()).toBe('');
    await flushPromises();
    expect(w.made('sendMessage')[0]?.slice(0, 2)).toEqual([
      'c1',
      { content: 'Hello', client_message_id: 'turn-0001', model: 'recommended' },
    ]);
    await line.emit('turn-0001', 0, createAcceptedEvent('Hello'));
    let pictures = 0;
    const stop = w.chat.$chat.listen(() => (pictures += 1));
    await line.emit('turn-0001', 2, { event: 'delta', text: 'Go' });
    await line.emit('turn-0001', 4, { event: 'delta', text: 'od' });
    expect(pictures).toBe(0);
    w.drawFrame();
    expect(pictures).toBe(1);
    stop();
    expect(w.shown.at(-1)).toEqual(['Good', 'stored', 'streaming']);
    await line.emit('turn-0001', 5, {
      event: 'done',
      reply: createMessage('r1', { content: 'Good' }),
      points: SAMPLE_POINTS,
    });
    await sending;
    expect(w.shown).toEqual([
      ['The lamp is lit.', 'stored', 'complete'],
      ['Hello', 'stored', 'complete'],
      ['Good', 'stored', 'complete'],
    ]);
    expect(w.state).toMatchObject({
      activity: 'idle',
      points: { current_points: 0 },
      finishedReply: { id: 'r1' },
    });
  });

  test('with too few points gives my text back and says what is missing', async () => {
    const w = await createChatFixture().openChat();
    w.queueAnswers('sendMessage', createFailure(402, 'points_exhausted', { points: SAMPLE_POINTS }));
    w.chat.setDraft('Hello');
    await w.chat.send('recommended');
    expect(w.shown).toHaveLength(1);
    expect(w.chat.$draft.get()).toBe('Hello');
    expect(w.state).toMatchObject({
      activity: 'idle',
      notice: { code: 'points_exhausted', points: SAMPLE_POINTS },
    });
  });

  test.each([
    [429, 'daily_limit'],
    [422, 'model_unavailable'],
    [400, 'invalid_input'],
  ])('refused with %i %s never loses what I had begun to write meanwhile', async (status, code) => {
    const w = await createChatFixture().openChat();
    let refuse: (failure: Failure) => void = () => {};
    w.queueAnswers('sendMessage', () => new Promise<Failure>((resolve) => (refuse = resolve)));
    w.chat.setDraft('Hello');
    const sending = w.chat.send('recommended');
    await flushPromises();
    w.chat.setDraft('And then');
    refuse(createFailure(status, code));
    await sending;
    expect(w.chat.$draft.get()).toBe('Hello\nAnd then');
    expect(w.state.notice?.code).toBe(code);
  });

  test('while another window has a reply written shows that reply and gives my text back', async () => {
    const w = await createChatFixture().openChat();
    w.queueAnswers('sendMessage', createFailure(409, 'reply_in_progress'));
    w.setHistory([
      GREETING,
      createUserMessage('u7', 'From the other window'),
      createMessage('r7', { status: 'streaming' }),
    ]);
    const line = w.connect();
    w.queueAnswers('rejoin', streamResult(line));
    w.chat.setDraft('Hello');
    void w.chat.send('recommended');
    await flushPromises();
    expect(w.chat.$draft.get()).toBe('Hello');
    expect(w.state).toMatchObject({ activity: 'replying', notice: { code: 'reply_in_progress' } });
    expect(w.shown.map(([content]) => content)).toContain('From the other window');
  });

  test('without a network keeps it, and sends it again under the same id', async () => {
    const w = await createChatFixture().openChat();
    w.chat.setDraft('Hello');
    await w.chat.send('recommended');
    expect(w.shown.at(-1)).toEqual(['Hello', 'waiting', 'complete']);
    expect(w.state.unsent['turn-0001']?.code).toBe('network');
    const line = w.connect();
    w.queueAnswers('sendMessage', streamResult(line));
    void w.chat.retry('turn-0001', 'recommended');
    await flushPromises();
    await line.emit('turn-0001', 0, createAcceptedEvent('Hello'));
    await line.emit('turn-0001', 3, createDoneEvent('Hi'));
    const bodies = w.made('sendMessage').map(([, body]) => body);
    expect(bodies).toEqual([bodies[0], bodies[0]]);
    expect(w.shown.map(([content]) => content)).toEqual(['The lamp is lit.', 'Hello', 'Hi']);
    expect(w.state.unsent).toEqual({});
  });

  test('without a network, I can take it back into the box', async () => {
    const w = await createChatFixture().openChat();
    w.chat.setDraft('Hello');
    await w.chat.send('recommended');
    w.chat.takeBack('turn-0001');
    await flushPromises();
    expect(w.chat.$draft.get()).toBe('Hello');
    expect(w.shown).toHaveLength(1);
  });

  test('that the closed window never got confirmed is still there when I come back', async () => {
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

  test('after my session ended asks me to sign in and then sends it by the same id', async () => {
    const w = await createChatFixture().openChat();
    const line = w.connect();
    w.queueAnswers('sendMessage', createFailure(401, 'unauthenticated'), streamResult(line));
    w.chat.setDraft('Hello');
    void w.chat.send('recommended');
    await flushPromises();
    await line.emit('turn-0001', 0, createAcceptedEvent('Hello'));
    expect(w.signIns).toEqual(['again']);
    expect(
      w.made('sendMessage').map(([, body]) => (body as { client_message_id: string }).client_message_id),
    ).toEqual(['turn-0001', 'turn-0001']);
    expect(w.state.activity).toBe('replying');
  });

  test('is not done again in the name of whoever else signs in, and my text stays with what happened', async () => {
    const w = await createChatFixture().openChat();
    w.signOut('ben');
    await w.chat.send('recommended', 'Hello');
    expect(w.made('sendMessage')).toHaveLength(1);
    expect(w.shown.at(-1)).toEqual(['Hello', 'unsent', 'complete']);
    expect(w.state.unsent['turn-0001']).toMatchObject({ code: 'other_account' });
  });

  test('that I did not sign in for at first is still mine alone', async () => {
    const w = await createChatFixture().openChat();
    w.signOut(null);
    await w.chat.send('recommended', 'Hello');
    expect(w.state.unsent['turn-0001']).toMatchObject({ code: 'unauthenticated' });
    w.signOut('ben');
    await w.chat.retry('turn-0001', 'recommended');
    expect(w.made('sendMessage')).toHaveLength(2);
    expect(w.state.unsent['turn-0001']).toMatchObject({ code: 'other_account' });
  });

  test('is not possible twice at once', async () => {
    const w = await createChatFixture().openChat();
    w.queueAnswers('sendMessage', streamResult(w.connect()));
    void w.chat.send('recommended', 'Hello');
    void w.chat.send('recommended', 'Hello');
    await flushPromises();
    expect(w.made('sendMessage')).toHaveLength(1);
  });

  test('of blanks alone does nothing', async () => {
    const w = await createChatFixture().openChat();
    await w.chat.send('recommended', ' \n ');
    expect(w.made('sendMessage')).toHaveLength(0);
  });

  test('keeps the text in the box for the next visit, and only of this conversation', async () => {
    const first = await createChatFixture().openChat();
    first.chat.setDraft('Half a thought');
    const second = await createChatFixture({ memory: first.memory }).openChat();
    expect(second.chat.$draft.get()).toBe('Half a thought');
    expect([...first.memory.keys()]).toEqual(['draft:c1']);
  });
});

describe('the conversation', () => {
  test('shows earlier messages before the others, page by page', async () => {
    const w = createChatFixture();
    w.queueAnswers('conversation', {
      ok: true,
      data: { conversation: SAMPLE_CONVERSATION, messages: [createMessage('m5')], next_cursor: 'm5' },
    });
    await w.openChat();
    w.queueAnswers('conversation', NETWORK_ERROR, {
      ok: true,
      data: { conversation: SAMPLE_CONVERSATION, messages: [createMessage('m4')], next_cursor: null },
    });
    await w.chat.showEarlier();
    expect(w.state.earlier).toBe('failed');
    await w.chat.showEarlier();
    expect(w.made('conversation').at(-1)).toEqual(['c1', { place: { before: 'm5' }, limit: 100 }]);
    expect(w.state.view.messages.map(({ id }) => id)).toEqual(['m4', 'm5']);
    expect(w.state.earlierCursor).toBeNull();
  });

  test('that is begun anew leaves the reply of the old one to the server', async () => {
    const w = await createChatFixture().openChat();
    const line = w.connect();
    w.queueAnswers('sendMessage', streamResult(line));
    void w.chat.send('recommended', 'Hello');
    await flushPromises();
    await line.emit('turn-0001', 0, createAcceptedEvent('Hello'));
    w.queueAnswers('createConversation', {
      ok: true,
      data: { conversation: { ...SAMPLE_CONVERSATION, id: 'c2' }, messages: [GREETING] },
    });
    await w.chat.startNew();
    expect(line.open).toBe(false);
    expect(w.state).toMatchObject({ conversation: { id: 'c2' }, activity: 'idle' });
    expect(w.shown).toHaveLength(1);
    expect(w.made('stop')).toHaveLength(0);
  });

  test('keeps the reply that I follow when an older answer about the history comes late', async () => {
    const w = await createChatFixture().openChat();
    let late: (answer: unknown) => void = () => {};
    w.queueAnswers('conversation', () => new Promise((resolve) => (late = resolve)));
    await w.pass(60_000);
    w.chat.wake();
    const line = w.connect();
    w.queueAnswers('sendMessage', streamResult(line));
    void w.chat.send('recommended', 'Hello');
    await flushPromises();
    await line.emit('turn-0001', 0, createAcceptedEvent('Hello'));
    await line.emit('turn-0001', 4, { event: 'delta', text: 'Good' });
    late({ ok: true, data: { conversation: SAMPLE_CONVERSATION, messages: [GREETING], next_cursor: null } });
    await flushPromises();
    await line.emit('turn-0001', 7, { event: 'delta', text: ' ev' });
    w.drawFrame();
    expect(w.shown.map(([content]) => content)).toEqual(['The lamp is lit.', 'Hello', 'Good ev']);
  });

  test('that another window went on with is up to date when I come back to it', async () => {
    const w = await createChatFixture().openChat();
    w.setHistory([
      GREETING,
      createUserMessage('u2', 'From my phone'),
      createMessage('r2', { content: 'Noted.' }),
    ]);
    await w.pass(60_000);
    w.chat.wake();
    await flushPromises();
    expect(w.shown.map(([content]) => content)).toEqual(['The lamp is lit.', 'From my phone', 'Noted.']);
  });
});
