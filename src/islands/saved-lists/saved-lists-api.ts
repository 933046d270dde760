import type { HiddenList } from '../../features/character/contract.ts';
import { client, dataOf, doneOf, inPath, type Client, type Result } from '../shared/api.ts';

/** What can be chosen of a character, a creator or a tag: to keep it, to follow, or to hide it from lists. */
export type ChoiceKind = 'favourite' | 'follow' | 'tag' | 'creator';

/** One thing that can be chosen. */
export interface Choice {
  kind: ChoiceKind;
  /** A character's, a creator's, or a tag's name in addresses. */
  id: string;
  /** As it is called to whoever reads. */
  name: string;
}

/** The calls about what one chose. Tests put their own in its place. */
export interface ChoicesApi {
  isChosen(kind: 'favourite' | 'follow', id: string): Promise<Result<boolean>>;
  hidden(): Promise<Result<HiddenList>>;
  choose(kind: ChoiceKind, id: string, on: boolean): Promise<Result<null>>;
}

export function createChoicesApi({ me }: Client): ChoicesApi {
  const favourite = me.favourites[':character_id'];
  const following = me.following[':creator_id'];
  const tag = me.hidden.tags[':tag'];
  const creator = me.hidden.creators[':id'];
  return {
    async isChosen(kind, id) {
      if (kind === 'favourite') {
        const answer = await dataOf(favourite.$get({ param: { character_id: inPath(id) } }));
        return answer.ok ? { ok: true, data: answer.data.favourite } : answer;
      }
      const answer = await dataOf(following.$get({ param: { creator_id: inPath(id) } }));
      return answer.ok ? { ok: true, data: answer.data.following } : answer;
    },
    hidden: () => dataOf(me.hidden.$get()),
    choose(kind, id, on) {
      const call = on ? '$put' : '$delete';
      switch (kind) {
        case 'favourite':
          return doneOf(favourite[call]({ param: { character_id: inPath(id) } }));
        case 'follow':
          return doneOf(following[call]({ param: { creator_id: inPath(id) } }));
        case 'tag':
          return doneOf(tag[call]({ param: { tag: inPath(id) } }));
        case 'creator':
          return doneOf(creator[call]({ param: { id: inPath(id) } }));
      }
    },
  };
}

/** The calls of a page. */
export const choicesApi: ChoicesApi = createChoicesApi(client);
