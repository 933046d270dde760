import { describe, expect, test } from 'vitest';
import type { Message } from '../../src/features/conversation/contract.ts';
import { listShown, waitUntilIdle, queueReply, sendText, type OpenedChat } from '../support/chat-actions.ts';
import {
  createAcceptedEvent,
  SAMPLE_CONVERSATION,
  createDoneEvent,
  GREETING,
  createMessage,
  NETWORK_ERROR,
  flushPromises,
  streamResult,
  createUserMessage,
  createChatFixture,
} from '../support/chat-fixture.ts';

const HISTORY = [
  GREETING,
  createUserMessage('u0', 'Hello'),
  createMessage('r0', { content: 'Good evening' }),
];
const page = (messages: Message[]) => ({
  ok: true,
  data: {
    conversation: SAMPLE_CONVERSATION,
    messages,
    next_cursor: null,
    later_cursor: null,
    revision: 'r:0',
  },
});
/** A history of so many messages, the person's and the character's by turns. */
const story = (count: number): Message[] =>
  Array.from({ length: count }, (_, index) =>
    index % 2 === 0
      ? createMessage(`m${index}`, { content: `Line ${index}` })
      : createUserMessage(`m${index}`, `Line ${index}`),
  );

/** A chat that was told of something elsewhere, and an answer about its history that is on its way since. */
async function looking() {
  const w = await createChatFixture({ history: HISTORY }).openChat();
  let arrive: (answer: unknown) => void = () => {};
  w.queueAnswers('conversation', () => new Promise((resolve) => (arrive = resolve)));
  w.chat.handleHint({ type: 'changed', message_ids: [] });
  await flushPromises();
  const late = async (messages = HISTORY) => {
    arrive(page(messages));
    await waitUntilIdle();
  };
  return { w, late };
}

describe('An answer about the history that comes late', () => {
  test('takes nothing away that I sent meanwhile, and what was answered', async () => {
    const { w, late } = await looking();
    queueReply(w, 'turn-0001', 'And now?', 1);
    await sendText(w, 'And now?');
    await waitUntilIdle();
    w.setHistory([
      ...HISTORY,
      createUserMessage('u1', 'And now?'),
      createMessage('r1', { content: 'Reply 1' }),
    ]);
    await late();
    expect(listShown(w).slice(3)).toEqual(['And now? (stored)', 'Reply 1 (stored)']);
  });

  test('does not bring the old text back that I wrote over', async () => {
    const { w, late } = await looking();
    const edited = { ...createUserMessage('u0', 'Hello there'), edited: true, selected_version_id: 'u0-v2' };
    w.queueAnswers('editMessage', { ok: true, data: edited });
    await w.chat.edit('u0', 'Hello there');
    w.setHistory([GREETING, edited, ...HISTORY.slice(2)]);
    await late();
    expect(listShown(w)[1]).toBe('Hello there (stored)');
  });

  test('does not bring back what I deleted, and asked for during the deletion is not drawn either', async () => {
    const { w, late } = await looking();
    let answer: (to: unknown) => void = () => {};
    w.queueAnswers('deleteFrom', () => new Promise((resolve) => (answer = resolve)));
    const deleting = w.chat.deleteFrom('u0');
    await late();
    const asked = w.made('conversation').length;
    w.setHistory([GREETING]);
    answer({ ok: true, data: { id: 't1', message_count: 2 } });
    await deleting;
    await waitUntilIdle();
    expect(listShown(w)).toEqual(['The lamp is lit. (stored)']);
    expect(w.made('conversation').length).toBeGreaterThan(asked);
  });

  test('about one message does not undo what I did with it', async () => {
    const w = await createChatFixture({ history: HISTORY }).openChat();
    let arrive: (answer: unknown) => void = () => {};
    w.queueAnswers('conversation', () => new Promise((resolve) => (arrive = resolve)));
    w.chat.handleHint({ type: 'changed', message_ids: ['u0'] });
    await flushPromises();
    const mine = { ...createUserMessage('u0', 'Mine'), edited: true };
    w.queueAnswers('editMessage', { ok: true, data: mine });
    await w.chat.edit('u0', 'Mine');
    w.setHistory([GREETING, mine, ...HISTORY.slice(2)]);
    arrive(page([createUserMessage('u0', 'Hello')]));
    await waitUntilIdle();
    expect(listShown(w)[1]).toBe('Mine (stored)');
  });

  test('of two, the one that was asked for later stands', async () => {
    const { w, late } = await looking();
    const now = [GREETING, createUserMessage('u0', 'Changed twice'), ...HISTORY.slice(2)];
    w.setHistory(now);
    w.chat.handleHint({ type: 'changed', message_ids: [] });
    await waitUntilIdle();
    await late();
    expect(listShown(w)[1]).toBe('Changed twice (stored)');
  });

  test('or never is given up, and asked for again', async () => {
    const { w } = await looking();
    w.setHistory([...HISTORY, createUserMessage('u5', 'From my phone')]);
    await w.pass(20_000);
    await w.pass(10_000);
    await waitUntilIdle();
    expect(listShown(w).at(-1)).toBe('From my phone (stored)');
  });
});

describe('A deed whose answer is lost', () => {
  test('shows what came of it all the same', async () => {
    const w = await createChatFixture({ history: HISTORY }).openChat();
    w.queueAnswers('editMessage', NETWORK_ERROR);
    w.setHistory([
      GREETING,
      { ...createUserMessage('u0', 'Hello there'), edited: true },
      ...HISTORY.slice(2),
    ]);
    expect(await w.chat.edit('u0', 'Hello there')).toBe(false);
    await waitUntilIdle();
    expect(listShown(w)[1]).toBe('Hello there (stored)');
  });
});

describe('A reply that is written anew in another tab', () => {
  /** Has a reply rewritten elsewhere that stands far up, in a story of which the end is shown here. */
  async function rewritten(act: (w: OpenedChat) => Promise<void> = async () => {}) {
    const w = await createChatFixture({ history: story(120) }).openChat();
    const before = listShown(w);
    const line = w.connect();
    w.queueAnswers('rejoin', streamResult(line));
    w.chat.handleHint({ type: 'turn', reply_id: 'm2' });
    await waitUntilIdle();
    const reply = createMessage('m2', { status: 'streaming', selected_version_id: 'm2-v2' });
    await line.emit('turn-x', 0, { event: 'accepted', reply, newest: false });
    await line.emit('turn-x', 3, { event: 'delta', text: 'New' });
    await act(w);
    await line.emit('turn-x', 4, {
      event: 'done',
      reply: { ...reply, content: 'New', status: 'complete' },
      points: null,
    });
    await waitUntilIdle();
    return { w, before };
  }

  test('changes nothing here when it is not shown, and what I send next stands right', async () => {
    const { w, before } = await rewritten();
    expect(listShown(w)).toEqual(before);
    expect(w.state).toMatchObject({ activity: 'idle', finishedReply: null });
    queueReply(w, 'turn-0001', 'And now?', 1);
    await sendText(w, 'And now?');
    await waitUntilIdle();
    expect(listShown(w)).toEqual([...before, 'And now? (stored)', 'Reply 1 (stored)']);
  });

  test('is followed where I read, also far from the end', async () => {
    const w = await createChatFixture({ history: story(200) }).openChat();
    await w.chat.showMessage('m60');
    const line = w.connect();
    w.queueAnswers('rejoin', streamResult(line));
    w.chat.handleHint({ type: 'turn', reply_id: 'm60' });
    await waitUntilIdle();
    const reply = createMessage('m60', { status: 'streaming', selected_version_id: 'm60-v2' });
    await line.emit('turn-x', 0, { event: 'accepted', reply, newest: false });
    await line.emit('turn-x', 4, {
      event: 'done',
      reply: { ...reply, content: 'New', status: 'complete' },
      points: null,
    });
    await waitUntilIdle();
    expect(w.state.view.messages.find(({ id }) => id === 'm60')?.content).toBe('New');
    expect(w.shown).toHaveLength(50);
  });
});

describe('A reply that I left for another part of the history', () => {
  test('does not come after me when it ends, and I can go back to it while it is written', async () => {
    const history = story(200);
    const w = await createChatFixture({ history }).openChat();
    const line = w.connect();
    w.queueAnswers('sendMessage', streamResult(line));
    void sendText(w, 'Hello');
    await waitUntilIdle();
    await line.emit('turn-0001', 0, createAcceptedEvent('Hello'));
    await line.emit('turn-0001', 4, { event: 'delta', text: 'Good' });
    await w.chat.showMessage('m60');
    w.drawFrame();
    expect(w.shown.map(([content]) => content)).not.toContain('Good');

    w.setHistory([
      ...history,
      createUserMessage('u1', 'Hello'),
      createMessage('r1', { content: 'Go', status: 'streaming' }),
    ]);
    await w.chat.showNewest();
    expect(w.state).toMatchObject({ later: 'idle', laterCursor: null, activity: 'replying' });
    expect(w.shown.at(-1)).toEqual(['Good', 'stored', 'streaming']);
    await line.emit('turn-0001', 8, { event: 'delta', text: ' eve' });
    w.drawFrame();
    expect(w.shown.at(-1)).toEqual(['Good eve', 'stored', 'streaming']);

    await w.chat.showMessage('m60');
    await line.emit('turn-0001', 9, createDoneEvent('Good eve'));
    await waitUntilIdle();
    expect(w.shown.map(([content]) => content)).not.toContain('Good eve');
    expect(w.state.activity).toBe('idle');
  });
});

describe('A reply that is being written when I look', () => {
  const half = createMessage('r1', { content: 'Half', status: 'streaming' });

  test.each([
    [
      'after the connection was lost',
      (w: OpenedChat) => w.chat.handleHint({ type: 'opened', revision: 'unknown' }),
    ],
    ['after a change elsewhere', (w: OpenedChat) => w.chat.handleHint({ type: 'changed', message_ids: [] })],
    ['after a deed of mine was refused', (w: OpenedChat) => void w.chat.edit('u0', 'Changed')],
  ])('is followed to its end %s', async (_, look) => {
    const w = await createChatFixture({ history: HISTORY }).openChat();
    const line = w.connect();
    w.setHistory([...HISTORY, createUserMessage('u1', 'From my phone'), half]);
    w.queueAnswers('editMessage', { ok: false, status: 409, code: 'reply_in_progress', error: '' });
    w.queueAnswers('rejoin', streamResult(line));
    look(w);
    await waitUntilIdle();
    expect(w.state.activity).toBe('replying');
    await line.emit('turn-x', 0, createAcceptedEvent('From my phone'));
    await line.emit('turn-x', 9, createDoneEvent('The whole'));
    await waitUntilIdle();
    expect(w.shown.at(-1)).toEqual(['The whole', 'stored', 'complete']);
    expect(w.state.activity).toBe('idle');
  });

  test('is followed when I scroll down to it', async () => {
    const history = story(120);
    const w = await createChatFixture({ history }).openChat();
    await w.chat.showMessage('m60');
    const line = w.connect();
    w.setHistory([...history, createUserMessage('u1', 'From my phone'), half]);
    w.queueAnswers('rejoin', streamResult(line));
    await w.chat.showLater();
    await waitUntilIdle();
    expect(w.state.activity).toBe('replying');
  });

  test('is not overwritten by what I pin it with', async () => {
    const w = await createChatFixture({ history: HISTORY }).openChat();
    const line = w.connect();
    w.queueAnswers('sendMessage', streamResult(line));
    void sendText(w, 'Hello');
    await waitUntilIdle();
    await line.emit('turn-0001', 0, createAcceptedEvent('Hello'));
    await line.emit('turn-0001', 9, { event: 'delta', text: 'Half of i' });
    w.drawFrame();
    const stored = { ...half, content: 'Ha', pinned: true };
    w.queueAnswers('pin', { ok: true, data: stored });
    w.setHistory([...HISTORY, createUserMessage('u1', 'Hello'), stored]);
    await w.chat.pin('r1', true);
    await waitUntilIdle();
    expect(w.shown.at(-1)).toEqual(['Half of i', 'stored', 'streaming']);
    expect(w.state.view.messages.at(-1)?.pinned).toBe(true);
  });
});

describe('What happened between the page and its socket', () => {
  test('is looked for, and costs nothing when nothing did', async () => {
    const w = await createChatFixture({ history: HISTORY }).openChat();
    const asked = w.made('conversation').length;
    w.chat.handleHint({ type: 'opened', revision: 'r:0' });
    await waitUntilIdle();
    expect(w.made('conversation')).toHaveLength(asked);
    w.setHistory([...HISTORY, createUserMessage('u5', 'From my phone')]);
    w.chat.handleHint({ type: 'opened', revision: 'r:1' });
    await waitUntilIdle();
    expect(w.made('conversation')).toHaveLength(asked + 1);
    expect(listShown(w).at(-1)).toBe('From my phone (stored)');
  });

  test('is found in all that I scrolled through, where nobody knows what was missed', async () => {
    const history = story(120);
    const w = await createChatFixture({ history }).openChat();
    await w.chat.showEarlier();
    w.setHistory(history.map((one) => (one.id === 'm3' ? { ...one, content: 'Mended' } : one)));
    w.chat.handleHint({ type: 'opened', revision: 'unknown' });
    await waitUntilIdle();
    expect(w.shown.map(([content]) => content).slice(2, 5)).toEqual(['Line 2', 'Mended', 'Line 4']);
    expect(w.shown).toHaveLength(120);
  });

  test('is looked for again by itself when it could not be had', async () => {
    const w = await createChatFixture({ history: HISTORY }).openChat();
    w.queueAnswers('conversation', NETWORK_ERROR);
    w.chat.handleHint({ type: 'changed', message_ids: [] });
    await waitUntilIdle();
    w.setHistory([...HISTORY, createUserMessage('u5', 'From my phone')]);
    await w.pass(5000);
    await waitUntilIdle();
    expect(listShown(w).at(-1)).toBe('From my phone (stored)');
  });
});
