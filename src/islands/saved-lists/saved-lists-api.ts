import type { HiddenList } from '../../features/character/contract.ts';
import { client, readJson, checkOk, encodePathPart, type Client, type Result } from '../shared/api.ts';

/** Kinds of saved items: favourite characters, followed creators, hidden tags, hidden creators. */
export type SavedItemKind = 'favourite' | 'follow' | 'tag' | 'creator';

/** An item that can be saved. */
export interface SavedItem {
  kind: SavedItemKind;
  /** The id of a character or creator, or a tag's name in URLs. */
  id: string;
  /** The display name. */
  name: string;
}

/** API calls for saved items. Tests replace them. */
export interface SavedListsApi {
  isChosen(kind: 'favourite' | 'follow', id: string): Promise<Result<boolean>>;
  hidden(): Promise<Result<HiddenList>>;
  choose(kind: SavedItemKind, id: string, on: boolean): Promise<Result<null>>;
}

export function createSavedListsApi({ me }: Client): SavedListsApi {
  const favourite = me.favourites[':character_id'];
  const following = me.following[':creator_id'];
  const tag = me.hidden.tags[':tag'];
  const creator = me.hidden.creators[':id'];
  return {
    async isChosen(kind, id) {
      if (kind === 'favourite') {
        const answer = await readJson(favourite.$get({ param: { character_id: encodePathPart(id) } }));
        return answer.ok ? { ok: true, data: answer.data.favourite } : answer;
      }
      const answer = await readJson(following.$get({ param: { creator_id: encodePathPart(id) } }));
      return answer.ok ? { ok: true, data: answer.data.following } : answer;
    },
    hidden: () => readJson(me.hidden.$get()),
    choose(kind, id, on) {
      const call = on ? '$put' : '$delete';
      switch (kind) {
        case 'favourite':
          return checkOk(favourite[call]({ param: { character_id: encodePathPart(id) } }));
        case 'follow':
          return checkOk(following[call]({ param: { creator_id: encodePathPart(id) } }));
        case 'tag':
          return checkOk(tag[call]({ param: { tag: encodePathPart(id) } }));
        case 'creator':
          return checkOk(creator[call]({ param: { id: encodePathPart(id) } }));
      }
    },
  };
}

export const savedListsApi: SavedListsApi = createSavedListsApi(client);
