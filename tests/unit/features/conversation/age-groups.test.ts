import { describe, expect, test } from 'vitest';
import { getAgeGroup, groupByAge } from '../../../../src/features/conversation/age-groups.ts';

const NOW = Date.parse('2026-03-10T12:00:00.000Z');
const DAY_MS = 24 * 60 * 60 * 1000;
const before = (ms: number) => new Date(NOW - ms).toISOString();

describe('Age groups', () => {
  test.each([
    [0, 'today'],
    [DAY_MS - 1, 'today'],
    [DAY_MS, 'yesterday'],
    [2 * DAY_MS - 1, 'yesterday'],
    [2 * DAY_MS, 'week'],
    [7 * DAY_MS - 1, 'week'],
    [7 * DAY_MS, 'older'],
    [400 * DAY_MS, 'older'],
  ])('a conversation that is %i ms old belongs to «%s»', (age, group) => {
    expect(getAgeGroup(before(age), NOW)).toBe(group);
  });

  test('a conversation dated in the future belongs to today', () => {
    expect(getAgeGroup(before(-3 * DAY_MS), NOW)).toBe('today');
  });

  test('a conversation without a readable time belongs to the oldest group', () => {
    expect(getAgeGroup('', NOW)).toBe('older');
  });
});

describe('Chat history', () => {
  test('the chat history lists non-empty groups, newest first, each in its original order', () => {
    const chats = [
      { id: 'a', last_message_time: before(1000) },
      { id: 'b', last_message_time: before(9 * DAY_MS) },
      { id: 'c', last_message_time: before(2000) },
      { id: 'd', last_message_time: before(3 * DAY_MS) },
    ];
    const groups = groupByAge(chats, NOW).map(({ group, chats: held }) => [group, held.map(({ id }) => id)]);
    expect(groups).toEqual([
      ['today', ['a', 'c']],
      ['week', ['d']],
      ['older', ['b']],
    ]);
  });
});
