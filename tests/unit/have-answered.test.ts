import { expect, test } from 'vitest';
import { listShown, waitUntilIdle } from '../support/chat-actions.ts';
import {
  createDoneEvent,
  GREETING,
  createMessage,
  NETWORK_ERROR,
  createFailure,
  streamResult,
  createUserMessage,
  createChatFixture,
} from '../support/chat-fixture.ts';

const history = [GREETING, createUserMessage('u1', 'Hello')];
const idsOf = (calls: unknown[][]) =>
  calls.map(([, body]) => (body as { client_message_id: string }).client_message_id);

test('my last message without a reply can be answered, and again when that reply is deleted', async () => {
  const w = await createChatFixture({ history }).openChat();
  for (const round of [1, 2]) {
    const line = w.connect();
    w.queueAnswers('answer', streamResult(line));
    const answered = w.chat.requestReply('u1', 'mistral');
    await waitUntilIdle();
    const turnId = idsOf(w.made('answer')).at(-1) ?? '';
    await line.emit(turnId, 0, { event: 'accepted', reply: createMessage('r1', { status: 'streaming' }) });
    await line.emit(turnId, 1, createDoneEvent(`Good evening ${round}`));
    await answered;
    expect(listShown(w).slice(1)).toEqual(['Hello (stored)', `Good evening ${round} (stored)`]);
    expect(w.made('answer').at(-1)?.[1]).toMatchObject({ model: 'mistral' });
    w.setHistory(history);
    w.chat.handleHint({ type: 'changed', message_ids: ['r1'] });
    await waitUntilIdle();
    expect(listShown(w)).toHaveLength(2);
  }
  expect(new Set(idsOf(w.made('answer'))).size).toBe(2);
});

test('a lost answer is asked for again under the same id, so that it is paid once', async () => {
  const w = await createChatFixture({ history }).openChat();
  w.queueAnswers('answer', NETWORK_ERROR, NETWORK_ERROR);
  await w.chat.requestReply('u1', 'recommended');
  expect(w.state.notice).toEqual({ code: 'reply_failed', error: '' });
  expect(w.state.activity).toBe('idle');
  await w.chat.requestReply('u1', 'recommended');
  expect(new Set(idsOf(w.made('answer'))).size).toBe(1);
});

test('where another tab had it answered before, that reply shows', async () => {
  const w = await createChatFixture({ history }).openChat();
  w.setHistory([...history, createMessage('r1', { content: 'Good evening' })]);
  w.queueAnswers('answer', createFailure(409, 'nothing_to_answer'));
  await w.chat.requestReply('u1', 'recommended');
  expect(listShown(w).at(-1)).toBe('Good evening (stored)');
});
