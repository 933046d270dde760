import { describe, expect, test } from 'vitest';
import {
  characterTag,
  creatorTag,
  type PublicFace,
  staleTags,
} from '../../src/features/page-cache/page-tags.ts';

const listed: PublicFace = {
  id: 'wren',
  creatorId: 'maker',
  visibility: 'public',
  moderation: 'shown',
  nsfwAllowed: false,
  deletedAt: null,
};
const HIDDEN: [string, Partial<PublicFace>][] = [
  ['private', { visibility: 'private' }],
  ['unlisted', { visibility: 'unlisted' }],
  ['for adults', { nsfwAllowed: true }],
  ['hidden by moderation', { moderation: 'hidden' }],
  ['taken down', { moderation: 'removed' }],
  ['in the trash', { deletedAt: 1 }],
];

describe('Which public pages a change of a character makes untrue', () => {
  test('its own and those with its card, when it stays where it is', () => {
    expect(staleTags(listed, { ...listed })).toEqual(['character:wren']);
  });

  test('all lists as well, when its tags change', () => {
    expect(staleTags(listed, { ...listed }, { tagsChange: true })).toEqual(['character:wren', 'list']);
  });

  test.each(HIDDEN)(
    'lists and its maker’s, when it becomes %s, and when it comes back from there',
    (_, change) => {
      const all = ['character:wren', 'creator:maker', 'list'];
      expect(staleTags(listed, { ...listed, ...change })).toEqual(all);
      expect(staleTags({ ...listed, ...change }, listed)).toEqual(all);
    },
  );

  test.each(HIDDEN)('none, when it was %s and stays so', (_, change) => {
    const hidden = { ...listed, ...change };
    expect(staleTags(hidden, { ...hidden }, { tagsChange: true })).toEqual([]);
  });
});

test('an id that could be more than one name is no name of its own', () => {
  expect(characterTag('0199-a_b.c')).toBe('character:0199-a_b.c');
  for (const id of ['a,list', 'a b', '', 'é', 'a|b', 'x'.repeat(65)]) {
    expect(characterTag(id)).toBe('list');
    expect(creatorTag(id)).toBe('list');
  }
});
