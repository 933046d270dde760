import { describe, expect, test } from 'vitest';
import { watchSuggestions, removeInserted } from '../../src/islands/chat/composer/writing-assist.ts';
import { waitUntilIdle } from '../support/chat-actions.ts';
import {
  GREETING,
  createMessage,
  SAMPLE_POINTS,
  createUserMessage,
  createChatFixture,
} from '../support/chat-fixture.ts';

const history = [
  GREETING,
  createUserMessage('u1', 'Hello'),
  createMessage('r1', { content: 'Good evening' }),
];
const items = ['Who is there?', 'Go away', 'Come in'];

async function suggested() {
  const w = await createChatFixture({ history }).openChat();
  const stop = watchSuggestions(w.chat);
  w.queueAnswers('suggest', { ok: true, data: { items, points: SAMPLE_POINTS } });
  await w.chat.suggest('recommended');
  return { w, stop, shown: () => w.chat.$chat.get().suggestions };
}

describe('Suggested lines', () => {
  test('stay while what they answer stands as it is', async () => {
    const { w, shown } = await suggested();
    w.queueAnswers('pin', { ok: true, data: { ...GREETING, pinned: true } });
    await w.chat.pin('m0', true);
    expect(shown()).toEqual(items);
  });

  test('go when I delete what they answer', async () => {
    const { w, shown } = await suggested();
    w.queueAnswers('deleteFrom', {
      ok: true,
      data: { id: 't1', deleted_at: GREETING.created_at, expires_at: GREETING.created_at, message_count: 1 },
    });
    await w.chat.deleteFrom('r1');
    expect(shown()).toEqual([]);
  });

  test('go when it is deleted or shows another version elsewhere', async () => {
    const deleted = await suggested();
    deleted.w.setHistory(history.slice(0, 1));
    deleted.w.chat.handleHint({ type: 'changed', message_ids: ['u1'] });
    await waitUntilIdle();
    expect(deleted.shown()).toEqual([]);

    const { w, shown } = await suggested();
    w.setHistory([...history.slice(0, 2), createMessage('r1', { selected_version_id: 'r1-v2' })]);
    w.chat.handleHint({ type: 'changed', message_ids: ['r1'] });
    await waitUntilIdle();
    expect(shown()).toEqual([]);
  });

  test('are not shown when what they answer went while they were written', async () => {
    const w = await createChatFixture({ history }).openChat();
    const slow = Promise.withResolvers();
    w.queueAnswers('suggest', () => slow.promise);
    const asked = w.chat.suggest('recommended');
    w.setHistory(history.slice(0, 1));
    w.chat.handleHint({ type: 'changed', message_ids: ['u1'] });
    await waitUntilIdle();
    slow.resolve({ ok: true, data: { items, points: SAMPLE_POINTS } });
    await asked;
    expect(w.chat.$chat.get()).toMatchObject({ suggestions: [], assisting: null, points: SAMPLE_POINTS });
  });
});

describe('A line that was put under what I write', () => {
  const boxed = { before: 'I wal ', after: 'I wal\nThe night is warm.', from: 6 };

  test('can be taken out again, also when I have written on above it', () => {
    expect(removeInserted(boxed.after, boxed)).toBe('I wal ');
    expect(removeInserted('I walk in.\nThe night is warm.', boxed)).toBe('I walk in.');
  });

  test('is mine once I have changed it', () => {
    expect(removeInserted('I wal\nThe night is cold.', boxed)).toBeNull();
    expect(removeInserted('', boxed)).toBeNull();
  });

  test('in an empty box leaves it empty', () => {
    const alone = { before: '', after: 'Good evening.', from: 0 };
    expect(removeInserted('Good evening.', alone)).toBe('');
    expect(removeInserted('Good evening. And you?', alone)).toBeNull();
  });
});
