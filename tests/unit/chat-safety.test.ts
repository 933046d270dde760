import { describe, expect, test } from 'vitest';
import type { Message, ReplyEvent } from '../../src/features/conversation/contract.ts';
import type { Helpline } from '../../src/features/safety/helplines.ts';
import { getCurrentReply } from '../../src/islands/chat/messages/reply-announcer.ts';
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
  createMessage,
  NONE_RUNNING,
  SAMPLE_POINTS,
  createFailure,
  streamResult,
  createUserMessage,
  createChatFixture,
} from '../support/chat-fixture.ts';

const HELPLINES: Helpline[] = [
  { name: 'Somebody to talk to', phone: '116 123', text: null, url: 'https://example.org', hours: 'always' },
];
const CRISIS: ReplyEvent = { event: 'safety', kind: 'crisis', helplines: HELPLINES };
const REFUSED: ReplyEvent = { event: 'safety', kind: 'refused', rule: 'minors' };
const TEXT_REFUSED: ReplyEvent = { event: 'error', code: 'text_refused', error: 'It cannot be sent.' };

/** The next send is answered by these events in place of `accepted`. */
function willRefuse(w: OpenedChat, turnId: string, ...events: ReplyEvent[]): void {
  const line = w.connect();
  w.queueAnswers('sendMessage', async () => {
    setImmediate(async () => {
      for (const [number, event] of events.entries()) await line.emit(turnId, number, event);
      await line.disconnect();
    });
    return streamResult(line);
  });
}

/** A turn whose events the test says. */
function turn(w: OpenedChat, turnId = 'turn-0001') {
  const line = w.connect();
  w.queueAnswers('sendMessage', () => streamResult(line));
  return { line, say: (number: number, event: ReplyEvent) => line.emit(turnId, number, event) };
}

const accepted = (mine: Partial<Message> = {}): ReplyEvent => ({
  event: 'accepted',
  user_message: { ...createUserMessage('u1', 'Hello'), ...mine },
  reply: createMessage('r1', { status: 'streaming' }),
});

describe('A text that a rule refuses', () => {
  test('is back in the box with the rule, is out of the outbox, and what I change about it is sent', async () => {
    const w = await createChatFixture().openChat();
    willRefuse(w, 'turn-0001', REFUSED, TEXT_REFUSED);
    await sendText(w, 'Something bad');
    await waitUntilIdle();
    expect(w.chat.$draft.get()).toBe('Something bad');
    expect(listShown(w)).toEqual(['The lamp is lit. (stored)']);
    expect(readOutbox(w)).toEqual([]);
    expect(w.state.activity).toBe('idle');
    expect(w.state.notice).toMatchObject({
      code: 'text_refused',
      rule: 'minors',
      refusedText: 'Something bad',
    });
    queueReply(w, 'turn-0002', 'Something else', 2);
    await sendText(w, 'Something else');
    await waitUntilIdle();
    expect(listShown(w)).toEqual([
      'The lamp is lit. (stored)',
      'Something else (stored)',
      'Reply 2 (stored)',
    ]);
    expect(w.state.notice).toBeNull();
  });

  test('is not taken for one that arrived when the connection breaks before all is said', async () => {
    const w = await createChatFixture().openChat();
    willRefuse(w, 'turn-0001', REFUSED);
    willRefuse(w, 'turn-0001', REFUSED, TEXT_REFUSED);
    const sending = sendText(w, 'Something bad');
    await waitUntilIdle();
    await w.pass(10_000);
    await sending;
    expect(listSent(w)).toEqual(['Something bad', 'Something bad']);
    expect(w.chat.$draft.get()).toBe('Something bad');
    expect(listShown(w)).toEqual(['The lamp is lit. (stored)']);
  });

  test('that waited for the network stops those behind it: they would arrive without it', async () => {
    const w = await createChatFixture().openChat();
    w.setOnline(false);
    await sendText(w, 'Something bad');
    await sendText(w, 'And then');
    w.setOnline(true);
    willRefuse(w, 'turn-0001', REFUSED, TEXT_REFUSED);
    w.chat.wake();
    await waitUntilIdle();
    expect(w.chat.$draft.get()).toBe('Something bad');
    expect(listShown(w)).toEqual(['The lamp is lit. (stored)', 'And then (unsent)']);
    expect(listSent(w)).toEqual(['Something bad']);
  });

  test('of one who needs help shows where it is, until something is sent or it is put away', async () => {
    const w = await createChatFixture().openChat();
    willRefuse(w, 'turn-0001', CRISIS, REFUSED, TEXT_REFUSED);
    await sendText(w, 'Something dark');
    await waitUntilIdle();
    expect(w.state).toMatchObject({ helplines: HELPLINES, helpTurnId: 'turn-0001' });
    w.chat.dismissHelp();
    expect(w.state.helplines).toBeNull();
    w.queueAnswers(
      'sendMessage',
      createFailure(402, 'points_exhausted', { points: SAMPLE_POINTS, helplines: HELPLINES }),
    );
    await sendText(w, 'Something dark');
    expect(w.state).toMatchObject({ helplines: HELPLINES, notice: { code: 'points_exhausted' } });
    queueReply(w, 'turn-0003', 'Hello', 3);
    w.chat.setDraft('');
    await sendText(w, 'Hello');
    await waitUntilIdle();
    expect(w.state.helplines).toBeNull();
  });

  test('as an edit leaves the message as it is, and says by which rule', async () => {
    const w = createChatFixture();
    w.setHistory([createMessage('m0', { content: 'The lamp is lit.' }), createUserMessage('u1', 'Hello')]);
    await w.openChat();
    w.queueAnswers('editMessage', createFailure(422, 'text_refused', { rule: 'sexual' }));
    expect(await w.chat.edit('u1', 'Something bad')).toBe(false);
    expect(w.state.notice).toMatchObject({
      code: 'text_refused',
      rule: 'sexual',
      refusedText: 'Something bad',
    });
    expect(listShown(w as OpenedChat)[1]).toBe('Hello (stored)');
  });
});

describe('A message that sounds as if I needed help', () => {
  test('has it beside it, and it is said once, also when the connection breaks and all is told again', async () => {
    const w = await createChatFixture().openChat();
    const help = { kind: 'crisis', helplines: HELPLINES } as const;
    const first = turn(w);
    const sending = sendText(w, 'Hello');
    await waitUntilIdle();
    const told: (string | null)[] = [];
    w.chat.$chat.listen(({ helpTurnId: helped }) => void (helped !== told.at(-1) && told.push(helped)));
    await first.say(0, accepted({ safety: help }));
    await first.say(1, CRISIS);
    await first.say(5, { event: 'delta', text: 'I am' });
    w.drawFrame();
    expect(w.state.view.messages.find(({ id }) => id === 'u1')).toMatchObject({ safety: help });
    expect(w.state.helpTurnId).toBe('turn-0001');
    expect(w.state.view.lastEventId).toBe('turn-0001:5');
    const again = w.connect();
    w.queueAnswers('rejoin', streamResult(again));
    await first.line.disconnect();
    await w.pass(1000);
    await again.emit('turn-0001', 0, accepted({ safety: help }));
    await again.emit('turn-0001', 1, CRISIS);
    await again.emit('turn-0001', 11, { event: 'delta', text: 'I am here.' });
    await again.emit('turn-0001', 12, {
      event: 'done',
      reply: createMessage('r1', { content: 'I am here.' }),
      points: null,
    });
    await sending;
    expect(listShown(w).at(-1)).toBe('I am here. (stored)');
    expect(told.filter((turnId) => turnId !== null)).toEqual(['turn-0001']);
  });

  test('and was brought along has it beside it as soon as it is answered', async () => {
    const w = createChatFixture();
    const help = { kind: 'crisis', helplines: HELPLINES } as const;
    w.setHistory([createMessage('m0', { content: 'The lamp is lit.' }), createUserMessage('u1', 'Hello')]);
    await w.openChat();
    const line = w.connect();
    w.queueAnswers('answer', streamResult(line));
    const writing = w.chat.requestReply('u1', 'recommended');
    await waitUntilIdle();
    await line.emit('turn-0001', 0, {
      event: 'accepted',
      user_message: { ...createUserMessage('u1', 'Hello'), safety: help },
      reply: createMessage('r1', { status: 'streaming' }),
    });
    await line.emit('turn-0001', 1, CRISIS);
    expect(w.state.view.messages.find(({ id }) => id === 'u1')).toMatchObject({ safety: help });
    expect(w.state.helpTurnId).toBe('turn-0001');
    await line.emit('turn-0001', 9, {
      event: 'done',
      reply: createMessage('r1', { content: 'I am here.' }),
      points: null,
    });
    await writing;
    expect(listShown(w)).toEqual(['The lamp is lit. (stored)', 'Hello (stored)', 'I am here. (stored)']);
  });

  test('is joined after its help was told, and nothing of the reply is lost', async () => {
    const w = await createChatFixture().openChat();
    const first = turn(w);
    const sending = sendText(w, 'Hello');
    await waitUntilIdle();
    await first.say(0, accepted());
    await first.say(1, CRISIS);
    const again = w.connect();
    w.queueAnswers('rejoin', streamResult(again));
    await first.line.disconnect();
    await w.pass(1000);
    expect(w.made('rejoin')[0]?.[1]).toBe('turn-0001:1');
    await again.emit('turn-0001', 11, { event: 'delta', text: 'I am here.' });
    await again.emit('turn-0001', 12, {
      event: 'done',
      reply: createMessage('r1', { content: 'I am here.' }),
      points: null,
    });
    await sending;
    expect(listShown(w).at(-1)).toBe('I am here. (stored)');
  });
});

describe('The notice that an AI answers', () => {
  test('is said once when it comes with what I send, and not again when all is told again', async () => {
    const w = await createChatFixture().openChat();
    expect(w.state.noticeTurnId).toBeNull();
    const first = turn(w);
    const sending = sendText(w, 'Hello');
    await waitUntilIdle();
    const told: (string | null)[] = [];
    w.chat.$chat.listen(({ noticeTurnId: noticed }) => void (noticed !== told.at(-1) && told.push(noticed)));
    await first.say(0, accepted({ notice: true }));
    expect(w.state.noticeTurnId).toBe('turn-0001');
    const again = w.connect();
    w.queueAnswers('rejoin', streamResult(again));
    await first.line.disconnect();
    await w.pass(1000);
    await again.emit('turn-0001', 0, accepted({ notice: true }));
    await again.emit('turn-0001', 1, {
      event: 'done',
      reply: createMessage('r1', { content: 'Yes?' }),
      points: null,
    });
    await sending;
    expect(told.filter((turnId) => turnId !== null)).toEqual(['turn-0001']);
    queueReply(w, 'turn-0002', 'And you?', 2);
    await sendText(w, 'And you?');
    await waitUntilIdle();
    expect(w.state.noticeTurnId).toBe('turn-0001');
  });

  test('is not said again with a message that bears it already', async () => {
    const w = createChatFixture();
    const before = createMessage('r1', { content: 'As it was.', notice: true });
    w.setHistory([
      createMessage('m0', { content: 'The lamp is lit.' }),
      createUserMessage('u1', 'Hello'),
      before,
    ]);
    await w.openChat();
    const line = w.connect();
    w.queueAnswers('regenerate', streamResult(line));
    const writing = w.chat.regenerate('r1', 'recommended');
    await waitUntilIdle();
    await line.emit('turn-0001', 0, {
      event: 'accepted',
      reply: { ...before, status: 'streaming', content: '' },
    });
    await line.emit('turn-0001', 1, { event: 'done', reply: before, points: null });
    await writing;
    expect(w.state.noticeTurnId).toBeNull();
  });
});

describe('A reply that a rule ended', () => {
  test('keeps what was told and is said as that: no model declined it', async () => {
    const w = await createChatFixture().openChat();
    const first = turn(w);
    const sending = sendText(w, 'Hello');
    await waitUntilIdle();
    await first.say(0, accepted());
    await first.say(4, { event: 'delta', text: 'Once' });
    await first.say(5, REFUSED);
    const reply = createMessage('r1', {
      content: 'Once',
      status: 'interrupted',
      error_code: 'reply_refused',
      safety: { kind: 'refused', rule: 'minors' },
    });
    await first.say(6, { event: 'error', code: 'reply_refused', error: 'A rule ended it.', reply });
    await sending;
    expect(listShown(w).at(-1)).toBe('Once (stored)');
    expect(getCurrentReply(w.state)).toMatchObject({ ended: true, errorCode: 'reply_ended_by_rule' });
    expect(w.state.notice).toBeNull();
  });

  test('and had said something before says in a notice what became of the new one', async () => {
    const w = createChatFixture();
    const before = createMessage('r1', { content: 'As it was.' });
    w.setHistory([
      createMessage('m0', { content: 'The lamp is lit.' }),
      createUserMessage('u1', 'Hello'),
      before,
    ]);
    await w.openChat();
    const line = w.connect();
    w.queueAnswers('regenerate', streamResult(line));
    w.queueAnswers('rejoin', NONE_RUNNING);
    const writing = w.chat.regenerate('r1', 'recommended');
    await waitUntilIdle();
    await line.emit('turn-0001', 0, {
      event: 'accepted',
      reply: { ...before, status: 'streaming', content: '' },
    });
    await line.emit('turn-0001', 1, REFUSED);
    await line.emit('turn-0001', 2, {
      event: 'error',
      code: 'reply_refused',
      error: 'A rule ended it.',
      reply: before,
    });
    await writing;
    expect(w.state.notice).toMatchObject({ code: 'reply_ended_by_rule', rule: 'minors' });
  });
});
