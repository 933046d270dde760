import { describe, expect, test } from 'vitest';
import {
  getAgeGroup,
  groupChats,
  selectShownChats,
} from '../../../../src/features/conversation/age-groups.ts';

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

const chat = (id: string, character: string, age: number) => ({
  id,
  character_id: character,
  last_message_time: before(age),
});

describe('The chat list', () => {
  test('the list shows characters in the age group of their newest chat, each with all of their chats', () => {
    const chats = [
      chat('a', 'lumi', 1000),
      chat('b', 'kei', 2000),
      chat('c', 'lumi', 3000),
      chat('d', 'ivy', 3 * DAY_MS),
      chat('e', 'kei', 9 * DAY_MS),
      chat('f', 'sable', 9 * DAY_MS),
    ];
    const groups = groupChats(chats, NOW).map(({ group, characters }) => [
      group,
      characters.map((held) => held.map(({ id }) => id)),
    ]);
    expect(groups).toEqual([
      [
        'today',
        [
          ['a', 'c'],
          ['b', 'e'],
        ],
      ],
      ['week', [['d']]],
      ['older', [['f']]],
    ]);
  });

  test('the list shows three chats with a character, and all where the open one is among the others', () => {
    const chats = ['a', 'b', 'c', 'd'].map((id, index) => chat(id, 'lumi', index));
    const show = (openId: string | null) => selectShownChats(chats, openId).map(({ id }) => id);
    expect(show(null)).toEqual(['a', 'b', 'c']);
    expect(show('b')).toEqual(['a', 'b', 'c']);
    expect(show('d')).toEqual(['a', 'b', 'c', 'd']);
    expect(show('another')).toEqual(['a', 'b', 'c']);
  });
});
