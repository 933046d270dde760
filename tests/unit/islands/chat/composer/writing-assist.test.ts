import { describe, expect, test } from 'vitest';
import { watchSuggestions, removeInserted } from '../../../../../src/islands/chat/composer/writing-assist.ts';
import { waitUntilIdle } from '../../../../support/chat-actions.ts';
import {
  GREETING,
  createMessage,
  SAMPLE_POINTS,
  createUserMessage,
  createChatFixture,
} from '../../../../support/chat-fixture.ts';

const history = [
  GREETING,
  createUserMessage('u1', 'Hello'),
  createMessage('r1', { content: 'Good evening' }),
];
const items = ['Who is there?', 'Go away', 'Come in'];

async function createWithSuggestions() {
  const w = await createChatFixture({ history }).openChat();
  const stop = watchSuggestions(w.chat);
  w.queueAnswers('suggest', { ok: true, data: { items, points: SAMPLE_POINTS } });
  await w.chat.suggest('recommended');
  return { w, stop, getSuggestions: () => w.chat.$chat.get().suggestions };
}

describe('Suggested lines', () => {
  test('suggestions stay while the messages they answer are unchanged', async () => {
    const { w, getSuggestions } = await createWithSuggestions();
    w.queueAnswers('pin', { ok: true, data: { ...GREETING, pinned: true } });
    await w.chat.pin('m0', true);
    expect(getSuggestions()).toEqual(items);
  });

  test('suggestions are removed when the message they answer is deleted', async () => {
    const { w, getSuggestions } = await createWithSuggestions();
    w.queueAnswers('deleteFrom', {
      ok: true,
      data: { id: 't1', deleted_at: GREETING.created_at, expires_at: GREETING.created_at, message_count: 1 },
    });
    await w.chat.deleteFrom('r1');
    expect(getSuggestions()).toEqual([]);
  });

  test('suggestions are removed when their message is deleted or shows another version elsewhere', async () => {
    const deleted = await createWithSuggestions();
    deleted.w.setHistory(history.slice(0, 1));
    deleted.w.chat.handleHint({ type: 'changed', message_ids: ['u1'] });
    await waitUntilIdle();
    expect(deleted.getSuggestions()).toEqual([]);

    const { w, getSuggestions } = await createWithSuggestions();
    w.setHistory([...history.slice(0, 2), createMessage('r1', { selected_version_id: 'r1-v2' })]);
    w.chat.handleHint({ type: 'changed', message_ids: ['r1'] });
    await waitUntilIdle();
    expect(getSuggestions()).toEqual([]);
  });

  test('suggestions are not shown if their message was deleted while they were written', async () => {
    const w = await createChatFixture({ history }).openChat();
    const slow = Promise.withResolvers();
    w.queueAnswers('suggest', () => slow.promise);
    const request = w.chat.suggest('recommended');
    w.setHistory(history.slice(0, 1));
    w.chat.handleHint({ type: 'changed', message_ids: ['u1'] });
    await waitUntilIdle();
    slow.resolve({ ok: true, data: { items, points: SAMPLE_POINTS } });
    await request;
    expect(w.chat.$chat.get()).toMatchObject({ suggestions: [], assisting: null, points: SAMPLE_POINTS });
  });
});

describe('Inserted suggestion', () => {
  const insertion = { before: 'I wal ', after: 'I wal\nThe night is warm.', from: 6 };

  test('an inserted suggestion can be removed, even after more text was written above it', () => {
    expect(removeInserted(insertion.after, insertion)).toBe('I wal ');
    expect(removeInserted('I walk in.\nThe night is warm.', insertion)).toBe('I walk in.');
  });

  test('an inserted suggestion that the user changed is not removed', () => {
    expect(removeInserted('I wal\nThe night is cold.', insertion)).toBeNull();
    expect(removeInserted('', insertion)).toBeNull();
  });

  test('removing a suggestion from an otherwise empty composer leaves it empty', () => {
    const alone = { before: '', after: 'Good evening.', from: 0 };
    expect(removeInserted('Good evening.', alone)).toBe('');
    expect(removeInserted('Good evening. And you?', alone)).toBeNull();
  });
});
