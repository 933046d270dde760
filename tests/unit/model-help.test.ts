import { describe, expect, test } from 'vitest';
import { watchSuggested, withoutBoxed } from '../../src/islands/chat/composer/writing-assist.ts';
import { untilQuiet } from '../support/chat-hands.ts';
import { greeting, message, POINTS, user, world } from '../support/chat-world.ts';

const history = [greeting, user('u1', 'Hello'), message('r1', { content: 'Good evening' })];
const items = ['Who is there?', 'Go away', 'Come in'];

async function suggested() {
  const w = await world({ history }).opened();
  const stop = watchSuggested(w.chat);
  w.will('suggest', { ok: true, data: { items, points: POINTS } });
  await w.chat.suggest('recommended');
  return { w, stop, shown: () => w.chat.$chat.get().suggested };
}

describe('Suggested lines', () => {
  test('stay while what they answer stands as it is', async () => {
    const { w, shown } = await suggested();
    w.will('pin', { ok: true, data: { ...greeting, pinned: true } });
    await w.chat.pin('m0', true);
    expect(shown()).toEqual(items);
  });

  test('go when I delete what they answer', async () => {
    const { w, shown } = await suggested();
    w.will('deleteFrom', {
      ok: true,
      data: { id: 't1', deleted_at: greeting.created_at, expires_at: greeting.created_at, message_count: 1 },
    });
    await w.chat.deleteFrom('r1');
    expect(shown()).toEqual([]);
  });

  test('go when it is deleted or shows another version elsewhere', async () => {
    const deleted = await suggested();
    deleted.w.setHistory(history.slice(0, 1));
    deleted.w.chat.hear({ type: 'changed', message_ids: ['u1'] });
    await untilQuiet();
    expect(deleted.shown()).toEqual([]);

    const { w, shown } = await suggested();
    w.setHistory([...history.slice(0, 2), message('r1', { selected_version_id: 'r1-v2' })]);
    w.chat.hear({ type: 'changed', message_ids: ['r1'] });
    await untilQuiet();
    expect(shown()).toEqual([]);
  });

  test('are not shown when what they answer went while they were written', async () => {
    const w = await world({ history }).opened();
    const slow = Promise.withResolvers();
    w.will('suggest', () => slow.promise);
    const asked = w.chat.suggest('recommended');
    w.setHistory(history.slice(0, 1));
    w.chat.hear({ type: 'changed', message_ids: ['u1'] });
    await untilQuiet();
    slow.resolve({ ok: true, data: { items, points: POINTS } });
    await asked;
    expect(w.chat.$chat.get()).toMatchObject({ suggested: [], asking: null, points: POINTS });
  });
});

describe('A line that was put under what I write', () => {
  const boxed = { before: 'I wal ', after: 'I wal\nThe night is warm.', from: 6 };

  test('can be taken out again, also when I have written on above it', () => {
    expect(withoutBoxed(boxed.after, boxed)).toBe('I wal ');
    expect(withoutBoxed('I walk in.\nThe night is warm.', boxed)).toBe('I walk in.');
  });

  test('is mine once I have changed it', () => {
    expect(withoutBoxed('I wal\nThe night is cold.', boxed)).toBeNull();
    expect(withoutBoxed('', boxed)).toBeNull();
  });

  test('in an empty box leaves it empty', () => {
    const alone = { before: '', after: 'Good evening.', from: 0 };
    expect(withoutBoxed('Good evening.', alone)).toBe('');
    expect(withoutBoxed('Good evening. And you?', alone)).toBeNull();
  });
});
