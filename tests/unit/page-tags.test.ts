import { describe, expect, test } from 'vitest';
import {
  getCharacterTag,
  getCreatorTag,
  type PublicCharacterState,
  findStaleTags,
} from '../../src/features/page-cache/page-tags.ts';

const listed: PublicCharacterState = {
  id: 'wren',
  creatorId: 'maker',
  visibility: 'public',
  moderation: 'shown',
  nsfwAllowed: false,
  deletedAt: null,
};
const HIDDEN: [string, Partial<PublicCharacterState>][] = [
  ['private', { visibility: 'private' }],
  ['unlisted', { visibility: 'unlisted' }],
  ['for adults', { nsfwAllowed: true }],
  ['hidden by moderation', { moderation: 'hidden' }],
  ['taken down', { moderation: 'removed' }],
  ['in the trash', { deletedAt: 1 }],
];

describe('Which public pages a change of a character makes untrue', () => {
  test('its own and those with its card, when it stays where it is', () => {
    expect(findStaleTags(listed, { ...listed })).toEqual(['character:wren']);
  });

  test('all lists as well, when its tags change', () => {
    expect(findStaleTags(listed, { ...listed }, { tagsChange: true })).toEqual(['character:wren', 'list']);
  });

  test.each(HIDDEN)(
    'lists and its maker’s, when it becomes %s, and when it comes back from there',
    (_, change) => {
      const all = ['character:wren', 'creator:maker', 'list'];
      expect(findStaleTags(listed, { ...listed, ...change })).toEqual(all);
      expect(findStaleTags({ ...listed, ...change }, listed)).toEqual(all);
    },
  );

  test.each(HIDDEN)('none, when it was %s and stays so', (_, change) => {
    const hidden = { ...listed, ...change };
    expect(findStaleTags(hidden, { ...hidden }, { tagsChange: true })).toEqual([]);
  });
});

test('an id that could be more than one name is no name of its own', () => {
  expect(getCharacterTag('0199-a_b.c')).toBe('character:0199-a_b.c');
  for (const id of ['a,list', 'a b', '', 'é', 'a|b', 'x'.repeat(65)]) {
    expect(getCharacterTag(id)).toBe('list');
    expect(getCreatorTag(id)).toBe('list');
  }
});
