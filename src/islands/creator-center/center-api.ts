import type { OwnCharacterList } from '../../features/character/contract.ts';
import { client, readJson, checkOk, encodePathPart, type Client, type Result } from '../shared/api.ts';

/** API calls for the user's characters; tests pass their own. */
export interface CenterApi {
  /** The newest characters, or those after a cursor; the trash is sorted by deletion time. */
  list(which: 'here' | 'trash', cursor?: string): Promise<Result<OwnCharacterList>>;
  /** Moves a character to the trash. */
  remove(id: string): Promise<Result<null>>;
  restore(id: string): Promise<Result<null>>;
}

/** Characters per request. */
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

export const centerApi: CenterApi = createCenterApi(client);
