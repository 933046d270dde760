import { describe, expect, test } from 'vitest';
import type { Message, ReplyEvent } from '../../../../../src/features/conversation/contract.ts';
import type { Helpline } from '../../../../../src/features/safety/helplines.ts';
import { getCurrentReply } from '../../../../../src/islands/chat/messages/reply-announcer.ts';
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
  createMessage,
  NONE_RUNNING,
  SAMPLE_POINTS,
  createFailure,
  streamResult,
  createUserMessage,
  createChatFixture,
} from '../../../../support/chat-fixture.ts';

const HELPLINES: Helpline[] = [
  { name: 'Somebody to talk to', phone: '116 123', text: null, url: 'https://example.org', hours: 'always' },
];
const CRISIS: ReplyEvent = { event: 'safety', kind: 'crisis', helplines: HELPLINES };
const REFUSED: ReplyEvent = { event: 'safety', kind: 'refused', rule: 'minors' };
const TEXT_REFUSED: ReplyEvent = { event: 'error', code: 'text_refused', error: 'It cannot be sent.' };

/** Answers the next message with these events in place of `accepted`. */
function queueRefusal(page: OpenedChat, turnId: string, ...events: ReplyEvent[]): void {
  const connection = page.connect();
  page.queueAnswers('sendMessage', async () => {
    setImmediate(async () => {
      for (const [number, event] of events.entries()) await connection.emit(turnId, number, event);
      await connection.disconnect();
    });
    return streamResult(connection);
  });
}

/** Answers the next message with events that the test emits. */
function queueTurn(page: OpenedChat, turnId = 'turn-0001') {
  const connection = page.connect();
  page.queueAnswers('sendMessage', () => streamResult(connection));
  return { connection, emit: (number: number, event: ReplyEvent) => connection.emit(turnId, number, event) };
}

const accepted = (changes: Partial<Message> = {}): ReplyEvent => ({
  event: 'accepted',
  user_message: { ...createUserMessage('u1', 'Hello'), ...changes },
  reply: createMessage('r1', { status: 'streaming' }),
});

describe('Refused message', () => {
  test('a refused message returns to the text box with its rule, and a changed one is sent', async () => {
    const page = await createChatFixture().openChat();
    queueRefusal(page, 'turn-0001', REFUSED, TEXT_REFUSED);
    await sendText(page, 'Something bad');
    await waitUntilIdle();
    expect(page.chat.$draft.get()).toBe('Something bad');
    expect(listShown(page)).toEqual(['The lamp is lit. (stored)']);
    expect(readOutbox(page)).toEqual([]);
    expect(page.state.activity).toBe('idle');
    expect(page.state.notice).toMatchObject({
      code: 'text_refused',
      rule: 'minors',
      refusedText: 'Something bad',
    });
    queueReply(page, 'turn-0002', 'Something else', 2);
    await sendText(page, 'Something else');
    await waitUntilIdle();
    expect(listShown(page)).toEqual([
      'The lamp is lit. (stored)',
      'Something else (stored)',
      'Reply 2 (stored)',
    ]);
    expect(page.state.notice).toBeNull();
  });

  test('a refused message is not shown as sent when the connection breaks before the error', async () => {
    const page = await createChatFixture().openChat();
    queueRefusal(page, 'turn-0001', REFUSED);
    queueRefusal(page, 'turn-0001', REFUSED, TEXT_REFUSED);
    const sending = sendText(page, 'Something bad');
    await waitUntilIdle();
    await page.pass(10_000);
    await sending;
    expect(listSent(page)).toEqual(['Something bad', 'Something bad']);
    expect(page.chat.$draft.get()).toBe('Something bad');
    expect(listShown(page)).toEqual(['The lamp is lit. (stored)']);
  });

  test('a refused message stops those that waited behind it', async () => {
    const page = await createChatFixture().openChat();
    page.setOnline(false);
    await sendText(page, 'Something bad');
    await sendText(page, 'And then');
    page.setOnline(true);
    queueRefusal(page, 'turn-0001', REFUSED, TEXT_REFUSED);
    page.chat.wake();
    await waitUntilIdle();
    expect(page.chat.$draft.get()).toBe('Something bad');
    expect(listShown(page)).toEqual(['The lamp is lit. (stored)', 'And then (unsent)']);
    expect(listSent(page)).toEqual(['Something bad']);
  });

  test('helplines are shown for a refused message until they are closed or a message is sent', async () => {
    const page = await createChatFixture().openChat();
    queueRefusal(page, 'turn-0001', CRISIS, REFUSED, TEXT_REFUSED);
    await sendText(page, 'Something dark');
    await waitUntilIdle();
    expect(page.state).toMatchObject({ helplines: HELPLINES, helpTurnId: 'turn-0001' });
    page.chat.dismissHelp();
    expect(page.state.helplines).toBeNull();
    page.queueAnswers(
      'sendMessage',
      createFailure(402, 'points_exhausted', { points: SAMPLE_POINTS, helplines: HELPLINES }),
    );
    await sendText(page, 'Something dark');
    expect(page.state).toMatchObject({ helplines: HELPLINES, notice: { code: 'points_exhausted' } });
    queueReply(page, 'turn-0003', 'Hello', 3);
    page.chat.setDraft('');
    await sendText(page, 'Hello');
    await waitUntilIdle();
    expect(page.state.helplines).toBeNull();
  });

  test('a refused edit leaves the message and shows the rule', async () => {
    const page = createChatFixture();
    page.setHistory([createMessage('m0', { content: 'The lamp is lit.' }), createUserMessage('u1', 'Hello')]);
    await page.openChat();
    page.queueAnswers('editMessage', createFailure(422, 'text_refused', { rule: 'sexual' }));
    expect(await page.chat.edit('u1', 'Something bad')).toBe(false);
    expect(page.state.notice).toMatchObject({
      code: 'text_refused',
      rule: 'sexual',
      refusedText: 'Something bad',
    });
    expect(listShown(page as OpenedChat)[1]).toBe('Hello (stored)');
  });
});

describe('Helplines', () => {
  test('helplines are shown once with their message, also after reconnecting', async () => {
    const page = await createChatFixture().openChat();
    const help = { kind: 'crisis', helplines: HELPLINES } as const;
    const first = queueTurn(page);
    const sending = sendText(page, 'Hello');
    await waitUntilIdle();
    const announced: (string | null)[] = [];
    page.chat.$chat.listen(
      ({ helpTurnId: helped }) => void (helped !== announced.at(-1) && announced.push(helped)),
    );
    await first.emit(0, accepted({ safety: help }));
    await first.emit(1, CRISIS);
    await first.emit(5, { event: 'delta', text: 'I am' });
    page.drawFrame();
    expect(page.state.view.messages.find(({ id }) => id === 'u1')).toMatchObject({ safety: help });
    expect(page.state.helpTurnId).toBe('turn-0001');
    expect(page.state.view.lastEventId).toBe('turn-0001:5');
    const resumed = page.connect();
    page.queueAnswers('rejoin', streamResult(resumed));
    await first.connection.disconnect();
    await page.pass(1000);
    await resumed.emit('turn-0001', 0, accepted({ safety: help }));
    await resumed.emit('turn-0001', 1, CRISIS);
    await resumed.emit('turn-0001', 11, { event: 'delta', text: 'I am here.' });
    await resumed.emit('turn-0001', 12, {
      event: 'done',
      reply: createMessage('r1', { content: 'I am here.' }),
      points: null,
    });
    await sending;
    expect(listShown(page).at(-1)).toBe('I am here. (stored)');
    expect(announced.filter((turnId) => turnId !== null)).toEqual(['turn-0001']);
  });

  test('helplines are shown with an imported message when its reply is requested', async () => {
    const page = createChatFixture();
    const help = { kind: 'crisis', helplines: HELPLINES } as const;
    page.setHistory([createMessage('m0', { content: 'The lamp is lit.' }), createUserMessage('u1', 'Hello')]);
    await page.openChat();
    const connection = page.connect();
    page.queueAnswers('answer', streamResult(connection));
    const writing = page.chat.requestReply('u1', 'recommended');
    await waitUntilIdle();
    await connection.emit('turn-0001', 0, {
      event: 'accepted',
      user_message: { ...createUserMessage('u1', 'Hello'), safety: help },
      reply: createMessage('r1', { status: 'streaming' }),
    });
    await connection.emit('turn-0001', 1, CRISIS);
    expect(page.state.view.messages.find(({ id }) => id === 'u1')).toMatchObject({ safety: help });
    expect(page.state.helpTurnId).toBe('turn-0001');
    await connection.emit('turn-0001', 9, {
      event: 'done',
      reply: createMessage('r1', { content: 'I am here.' }),
      points: null,
    });
    await writing;
    expect(listShown(page)).toEqual(['The lamp is lit. (stored)', 'Hello (stored)', 'I am here. (stored)']);
  });

  test('reconnecting after the helplines loses nothing of the reply', async () => {
    const page = await createChatFixture().openChat();
    const first = queueTurn(page);
    const sending = sendText(page, 'Hello');
    await waitUntilIdle();
    await first.emit(0, accepted());
    await first.emit(1, CRISIS);
    const resumed = page.connect();
    page.queueAnswers('rejoin', streamResult(resumed));
    await first.connection.disconnect();
    await page.pass(1000);
    expect(page.made('rejoin')[0]?.[1]).toBe('turn-0001:1');
    await resumed.emit('turn-0001', 11, { event: 'delta', text: 'I am here.' });
    await resumed.emit('turn-0001', 12, {
      event: 'done',
      reply: createMessage('r1', { content: 'I am here.' }),
      points: null,
    });
    await sending;
    expect(listShown(page).at(-1)).toBe('I am here. (stored)');
  });
});

describe('AI notice', () => {
  test('the AI notice is announced once, also after reconnecting', async () => {
    const page = await createChatFixture().openChat();
    expect(page.state.noticeTurnId).toBeNull();
    const first = queueTurn(page);
    const sending = sendText(page, 'Hello');
    await waitUntilIdle();
    const announced: (string | null)[] = [];
    page.chat.$chat.listen(
      ({ noticeTurnId: noticed }) => void (noticed !== announced.at(-1) && announced.push(noticed)),
    );
    await first.emit(0, accepted({ notice: true }));
    expect(page.state.noticeTurnId).toBe('turn-0001');
    const resumed = page.connect();
    page.queueAnswers('rejoin', streamResult(resumed));
    await first.connection.disconnect();
    await page.pass(1000);
    await resumed.emit('turn-0001', 0, accepted({ notice: true }));
    await resumed.emit('turn-0001', 1, {
      event: 'done',
      reply: createMessage('r1', { content: 'Yes?' }),
      points: null,
    });
    await sending;
    expect(announced.filter((turnId) => turnId !== null)).toEqual(['turn-0001']);
    queueReply(page, 'turn-0002', 'And you?', 2);
    await sendText(page, 'And you?');
    await waitUntilIdle();
    expect(page.state.noticeTurnId).toBe('turn-0001');
  });

  test('the AI notice is not announced again for a message that already has it', async () => {
    const page = createChatFixture();
    const before = createMessage('r1', { content: 'As it was.', notice: true });
    page.setHistory([
      createMessage('m0', { content: 'The lamp is lit.' }),
      createUserMessage('u1', 'Hello'),
      before,
    ]);
    await page.openChat();
    const connection = page.connect();
    page.queueAnswers('regenerate', streamResult(connection));
    const writing = page.chat.regenerate('r1', 'recommended');
    await waitUntilIdle();
    await connection.emit('turn-0001', 0, {
      event: 'accepted',
      reply: { ...before, status: 'streaming', content: '' },
    });
    await connection.emit('turn-0001', 1, { event: 'done', reply: before, points: null });
    await writing;
    expect(page.state.noticeTurnId).toBeNull();
  });
});

describe('Reply ended by a rule', () => {
  test('a reply ended by a rule keeps its text and shows the rule as the reason', async () => {
    const page = await createChatFixture().openChat();
    const first = queueTurn(page);
    const sending = sendText(page, 'Hello');
    await waitUntilIdle();
    await first.emit(0, accepted());
    await first.emit(4, { event: 'delta', text: 'Once' });
    await first.emit(5, REFUSED);
    const reply = createMessage('r1', {
      content: 'Once',
      status: 'interrupted',
      error_code: 'reply_refused',
      safety: { kind: 'refused', rule: 'minors' },
    });
    await first.emit(6, { event: 'error', code: 'reply_refused', error: 'A rule ended it.', reply });
    await sending;
    expect(listShown(page).at(-1)).toBe('Once (stored)');
    expect(getCurrentReply(page.state)).toMatchObject({ ended: true, errorCode: 'reply_ended_by_rule' });
    expect(page.state.notice).toBeNull();
  });

  test('a regeneration ended by a rule keeps the earlier text and shows a notice', async () => {
    const page = createChatFixture();
    const before = createMessage('r1', { content: 'As it was.' });
    page.setHistory([
      createMessage('m0', { content: 'The lamp is lit.' }),
      createUserMessage('u1', 'Hello'),
      before,
    ]);
    await page.openChat();
    const connection = page.connect();
    page.queueAnswers('regenerate', streamResult(connection));
    page.queueAnswers('rejoin', NONE_RUNNING);
    const writing = page.chat.regenerate('r1', 'recommended');
    await waitUntilIdle();
    await connection.emit('turn-0001', 0, {
      event: 'accepted',
      reply: { ...before, status: 'streaming', content: '' },
    });
    await connection.emit('turn-0001', 1, REFUSED);
    await connection.emit('turn-0001', 2, {
      event: 'error',
      code: 'reply_refused',
      error: 'A rule ended it.',
      reply: before,
    });
    await writing;
    expect(page.state.notice).toMatchObject({ code: 'reply_ended_by_rule', rule: 'minors' });
  });
});
