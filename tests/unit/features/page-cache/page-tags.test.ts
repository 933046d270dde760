import { describe, expect, test } from 'vitest';
import {
  getCharacterTag,
  getCreatorTag,
  type PublicCharacterState,
  findStaleTags,
} from '../../../../src/features/page-cache/page-tags.ts';

const publicCharacter: PublicCharacterState = {
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

describe('Stale page tags', () => {
  test('a change of a public character makes its own pages stale', () => {
    expect(findStaleTags(publicCharacter, { ...publicCharacter })).toEqual(['character:wren']);
  });

  test('a change of tags also makes the lists stale', () => {
    expect(findStaleTags(publicCharacter, { ...publicCharacter }, { tagsChange: true })).toEqual([
      'character:wren',
      'list',
    ]);
  });

  test.each(HIDDEN)(
    "lists and the creator's page become stale when a character becomes %s or stops being so",
    (_, change) => {
      const all = ['character:wren', 'creator:maker', 'list'];
      expect(findStaleTags(publicCharacter, { ...publicCharacter, ...change })).toEqual(all);
      expect(findStaleTags({ ...publicCharacter, ...change }, publicCharacter)).toEqual(all);
    },
  );

  test.each(HIDDEN)('no page becomes stale when a character was and stays %s', (_, change) => {
    const hidden = { ...publicCharacter, ...change };
    expect(findStaleTags(hidden, { ...hidden }, { tagsChange: true })).toEqual([]);
  });
});

test('an id that could be read as several cache tags gets the tag of the lists', () => {
  expect(getCharacterTag('0199-a_b.c')).toBe('character:0199-a_b.c');
  for (const id of ['a,list', 'a b', '', 'é', 'a|b', 'x'.repeat(65)]) {
    expect(getCharacterTag(id)).toBe('list');
    expect(getCreatorTag(id)).toBe('list');
  }
});
