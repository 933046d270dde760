import type { OwnCharacterList } from '../../features/character/contract.ts';
import { client, readJson, checkOk, encodePathPart, type Client, type Result } from '../shared/api.ts';

/** The calls about one's own characters. Tests put their own in its place. */
export interface CenterApi {
  /** The newest ones, or those after a page's cursor; of the trash, what was deleted last. */
  list(which: 'here' | 'trash', cursor?: string): Promise<Result<OwnCharacterList>>;
  /** To the trash. */
  remove(id: string): Promise<Result<null>>;
  restore(id: string): Promise<Result<null>>;
}

/** Characters fetched at once. */
const PAGE_SIZE = 24;

export function createCenterApi({ me, characters }: Client): CenterApi {
  const one = characters[':id'];
  return {
    list: (which, cursor) =>
      readJson(
        me.characters.$get({
          query: {
            limit: String(PAGE_SIZE),
            deleted: which === 'trash' ? 'true' : 'false',
            ...(cursor === undefined ? {} : { cursor }),
          },
        }),
      ),
    remove: (id) => checkOk(one.$delete({ param: { id: encodePathPart(id) } })),
    restore: (id) => checkOk(one.restore.$post({ param: { id: encodePathPart(id) } })),
  };
}

/** The calls of a page. */
export const centerApi: CenterApi = createCenterApi(client);
