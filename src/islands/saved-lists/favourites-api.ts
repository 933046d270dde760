import type { CharacterList, FollowedCreatorList } from '../../features/character/contract.ts';
import { client, readJson, type Client, type Result } from '../shared/api.ts';

/** API calls for the user's lists, by page. Tests replace them. */
export interface FavouritesApi {
  favourites(cursor?: string): Promise<Result<CharacterList>>;
  creators(cursor?: string): Promise<Result<FollowedCreatorList>>;
  newest(cursor?: string): Promise<Result<CharacterList>>;
}

/** Items per page. */
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

export const favouritesApi: FavouritesApi = createFavouritesApi(client);
