import type { ListCharactersQuery } from '../../src/features/character/contract.ts';
import { generateCharacter } from './large-catalogue.ts';

/** A query for each kind of public list and search in the large catalogue. */
export const LIST_QUERIES: Record<string, Partial<ListCharactersQuery>> = {
  'list: popular': {},
  'list: popular with a tag': { tag: 'female' },
  'list: most liked': { sort: 'liked' },
  'list: most liked with a tag': { sort: 'liked', tag: 'female' },
  'list: new': { sort: 'new' },
  'list: new with a tag': { sort: 'new', tag: 'anime' },
  'list: trending': { sort: 'trending' },
  'list: trending with a tag': { sort: 'trending', tag: 'fantasy' },
  'search: a whole name': { q: generateCharacter(222).name },
  'search: a rare word': { q: generateCharacter(222).name.split(' ')[1] },
  'search: a common word': { q: 'the' },
  'search: a common word and a tag': { q: 'night', tag: 'rpg' },
  'search: several common words': { q: 'the night of' },
  // One word of each of two languages; no character has both.
  'search: common words never together': { q: 'night дракон' },
  'search: one sign of Chinese or Japanese': { q: '夜' },
  'search: two signs': { q: '灯台' },
  'search: four signs and more': { q: '図書館を' },
  'search: a word’s beginning': { q: 'ni' },
  'search: another form of a word': { q: 'dragons' },
  'search: nobody': { q: 'xylophonist' },
  'search: newest first': { q: 'the', sort: 'new' },
};
