import { expect, test } from 'vitest';
import { listShown, waitUntilIdle } from '../../../../support/chat-actions.ts';
import {
  createDoneEvent,
  GREETING,
  createMessage,
  NETWORK_ERROR,
  createFailure,
  streamResult,
  createUserMessage,
  createChatFixture,
} from '../../../../support/chat-fixture.ts';

const history = [GREETING, createUserMessage('u1', 'Hello')];
const listTurnIds = (calls: unknown[][]) =>
  calls.map(([, body]) => (body as { client_message_id: string }).client_message_id);

test('the last message without a reply can be answered, also after that reply was deleted', async () => {
  const page = await createChatFixture({ history }).openChat();
  for (const round of [1, 2]) {
    const connection = page.connect();
    page.queueAnswers('answer', streamResult(connection));
    const replied = page.chat.requestReply('u1', 'mistral');
    await waitUntilIdle();
    const turnId = listTurnIds(page.made('answer')).at(-1) ?? '';
    await connection.emit(turnId, 0, {
      event: 'accepted',
      reply: createMessage('r1', { status: 'streaming' }),
    });
    await connection.emit(turnId, 1, createDoneEvent(`Good evening ${round}`));
    await replied;
    expect(listShown(page).slice(1)).toEqual(['Hello (stored)', `Good evening ${round} (stored)`]);
    expect(page.made('answer').at(-1)?.[1]).toMatchObject({ model: 'mistral' });
    page.setHistory(history);
    page.chat.handleHint({ type: 'changed', message_ids: ['r1'] });
    await waitUntilIdle();
    expect(listShown(page)).toHaveLength(2);
  }
  expect(new Set(listTurnIds(page.made('answer'))).size).toBe(2);
});

test('a reply with a lost answer is requested again with the same id', async () => {
  const page = await createChatFixture({ history }).openChat();
  page.queueAnswers('answer', NETWORK_ERROR, NETWORK_ERROR);
  await page.chat.requestReply('u1', 'recommended');
  expect(page.state.notice).toEqual({ code: 'reply_failed', error: '' });
  expect(page.state.activity).toBe('idle');
  await page.chat.requestReply('u1', 'recommended');
  expect(new Set(listTurnIds(page.made('answer'))).size).toBe(1);
});

test('requesting a reply that another tab already requested shows that reply', async () => {
  const page = await createChatFixture({ history }).openChat();
  page.setHistory([...history, createMessage('r1', { content: 'Good evening' })]);
  page.queueAnswers('answer', createFailure(409, 'nothing_to_answer'));
  await page.chat.requestReply('u1', 'recommended');
  expect(listShown(page).at(-1)).toBe('Good evening (stored)');
});
