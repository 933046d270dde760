import { choices } from './saved-lists-state.ts';
import { createPaged } from '../shared/paged.ts';
import { askAgain, pageAsker } from '../sign-in/reauthenticate.ts';
import { favouritesApi } from './favourites-api.ts';

const idOf = ({ id }: { id: string }): string => id;
const idsOf = (items: readonly { id: string }[]): string[] => items.map(idOf);

/** One's favourites. What is taken out of them stays in sight, so that it can be put back. */
export const favourites = createPaged({
  idOf,
  fetchPage: (cursor) => askAgain(() => favouritesApi.favourites(cursor), pageAsker),
  came: (items) => choices.know('favourite', idsOf(items)),
});

/** Whom one follows. */
export const creators = createPaged({
  idOf,
  fetchPage: (cursor) => askAgain(() => favouritesApi.creators(cursor), pageAsker),
  came: (items) => choices.know('follow', idsOf(items)),
});

/** What those have made. */
export const newest = createPaged({
  idOf,
  fetchPage: (cursor) => askAgain(() => favouritesApi.newest(cursor), pageAsker),
});

export const LISTS = [favourites, creators, newest] as const;
