import type { CharacterList, FollowedCreatorList } from '../../features/character/contract.ts';
import { client, readJson, type Client, type Result } from '../shared/api.ts';

/** The calls about one's own lists, each a page after a cursor. Tests put their own in its place. */
export interface FavouritesApi {
  favourites(cursor?: string): Promise<Result<CharacterList>>;
  creators(cursor?: string): Promise<Result<FollowedCreatorList>>;
  newest(cursor?: string): Promise<Result<CharacterList>>;
}

/** Of each list, fetched at once. */
const PAGE_SIZE = 24;

export function createFavouritesApi({ me }: Client): FavouritesApi {
  const page = (cursor?: string) => ({
    query: { limit: String(PAGE_SIZE), ...(cursor === undefined ? {} : { cursor }) },
  });
  return {
    favourites: (cursor) => readJson(me.favourites.$get(page(cursor))),
    creators: (cursor) => readJson(me.following.$get(page(cursor))),
    newest: (cursor) => readJson(me.following.characters.$get(page(cursor))),
  };
}

/** The calls of a page. */
export const favouritesApi: FavouritesApi = createFavouritesApi(client);
