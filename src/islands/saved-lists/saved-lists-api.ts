import type { HiddenList } from '../../features/character/contract.ts';
import { client, readJson, checkOk, encodePathPart, type Client, type Result } from '../shared/api.ts';

/** Kinds of saved items whose state is asked for one by one: favourite characters, liked characters, followed creators. */
export type ChosenKind = 'favourite' | 'like' | 'follow';

/** All kinds of saved items; the others are hidden tags and hidden creators. */
export type SavedItemKind = ChosenKind | 'tag' | 'creator';

/** Whether an item is saved, and for likes how many accounts like the character. */
export interface ChosenState {
  on: boolean;
  likes?: number;
}

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
  isChosen(kind: ChosenKind, id: string): Promise<Result<ChosenState>>;
  hidden(): Promise<Result<HiddenList>>;
  choose(kind: SavedItemKind, id: string, on: boolean): Promise<Result<null>>;
}

export function createSavedListsApi({ me }: Client): SavedListsApi {
  const favourite = me.favourites[':character_id'];
  const like = me.likes[':character_id'];
  const following = me.following[':creator_id'];
  const tag = me.hidden.tags[':tag'];
  const creator = me.hidden.creators[':id'];
  return {
    async isChosen(kind, id) {
      if (kind === 'favourite') {
        const answer = await readJson(favourite.$get({ param: { character_id: encodePathPart(id) } }));
        return answer.ok ? { ok: true, data: { on: answer.data.favourite } } : answer;
      }
      if (kind === 'like') {
        const answer = await readJson(like.$get({ param: { character_id: encodePathPart(id) } }));
        if (!answer.ok) return answer;
        return { ok: true, data: { on: answer.data.liked, likes: answer.data.likes } };
      }
      const answer = await readJson(following.$get({ param: { creator_id: encodePathPart(id) } }));
      return answer.ok ? { ok: true, data: { on: answer.data.following } } : answer;
    },
    hidden: () => readJson(me.hidden.$get()),
    choose(kind, id, on) {
      const call = on ? '$put' : '$delete';
      switch (kind) {
        case 'favourite':
          return checkOk(favourite[call]({ param: { character_id: encodePathPart(id) } }));
        case 'like':
          return checkOk(like[call]({ param: { character_id: encodePathPart(id) } }));
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
