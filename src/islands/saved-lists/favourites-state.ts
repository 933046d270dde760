import { savedLists } from './saved-lists-state.ts';
import { createPagedList } from '../shared/paged-list.ts';
import { retryAfterSignIn, pageSession } from '../sign-in/reauthenticate.ts';
import { favouritesApi } from './favourites-api.ts';

const getId = ({ id }: { id: string }): string => id;
const getIds = (items: readonly { id: string }[]): string[] => items.map(getId);

/** The user's favourites. Removed characters stay in the list, so that they can be added again. */
export const favourites = createPagedList({
  getId,
  fetchPage: (cursor) => retryAfterSignIn(() => favouritesApi.favourites(cursor), pageSession),
  onItems: (items) => savedLists.markSaved('favourite', getIds(items)),
});

/** The creators that the user follows. */
export const creators = createPagedList({
  getId,
  fetchPage: (cursor) => retryAfterSignIn(() => favouritesApi.creators(cursor), pageSession),
  onItems: (items) => savedLists.markSaved('follow', getIds(items)),
});

/** The newest characters of followed creators. */
export const newestCharacters = createPagedList({
  getId,
  fetchPage: (cursor) => retryAfterSignIn(() => favouritesApi.newest(cursor), pageSession),
});

export const FAVOURITE_LISTS = [favourites, creators, newestCharacters] as const;
