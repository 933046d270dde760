import type { CharacterCard, FollowedCreator } from '../../features/character/contract.ts';
import { choices } from '../shared/choices-state.ts';
import { askAgain, pageAsker } from '../sign-in/ask-again.ts';
import { favouritesApi } from './favourites-api.ts';
import { createPages } from './long-list.ts';

const idsOf = (items: readonly { id: string }[]): string[] => items.map(({ id }) => id);

/** One's favourites. What is taken out of them stays in sight, so that it can be put back. */
export const favourites = createPages<CharacterCard>({
  fetchPage: (cursor) => askAgain(() => favouritesApi.favourites(cursor), pageAsker),
  came: (items) => choices.know('favourite', idsOf(items)),
});

/** Whom one follows. */
export const creators = createPages<FollowedCreator>({
  fetchPage: (cursor) => askAgain(() => favouritesApi.creators(cursor), pageAsker),
  came: (items) => choices.know('follow', idsOf(items)),
});

/** What those have made. */
export const newest = createPages<CharacterCard>({
  fetchPage: (cursor) => askAgain(() => favouritesApi.newest(cursor), pageAsker),
});

export const LISTS = [favourites, creators, newest] as const;
