import { describe, expect, test } from 'vitest';
import { truncatePage } from '../../../../src/features/conversation/truncate-page.ts';
import { createMessage, SAMPLE_CONVERSATION } from '../../../support/chat-fixture.ts';

const messages = ['m1', 'm2', 'm3'].map((id) => createMessage(id, { content: 'A line.' }));
const page = {
  conversation: SAMPLE_CONVERSATION,
  messages,
  next_cursor: null,
  later_cursor: null,
  revision: 'r1',
};
const { length } = JSON.stringify(messages[0]);

describe('Shortened history pages', () => {
  test('a page that is short enough is unchanged', () => {
    expect(truncatePage(page, 3 * length)).toBe(page);
    const empty = { ...page, messages: [] };
    expect(truncatePage(empty, 0)).toBe(empty);
  });

  test('the earliest messages are left out, and the cursor leads to them', () => {
    expect(truncatePage(page, 3 * length - 1)).toEqual({
      ...page,
      messages: messages.slice(1),
      next_cursor: 'm2',
    });
  });

  test('the newest message stays, however long it is', () => {
    expect(truncatePage(page, 1)).toMatchObject({ messages: [messages[2]], next_cursor: 'm3' });
  });
});
