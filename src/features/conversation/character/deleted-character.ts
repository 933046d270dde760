import { NOBODYS_PORTRAIT } from '../../character/portrait.ts';
import type { Parts } from '../compose-conversation.ts';
import type { CharacterSnapshot, ConversationStore, Meta } from '../conversation-store.ts';

/** The refusal of everything that would need the character's answer. */
export const CHARACTER_GONE = { ok: false, code: 'character_gone' } as const;

/** What stays of a character whose maker is gone: the name that it has in the story, and how the story was told. */
function goneCharacter(character: CharacterSnapshot): CharacterSnapshot {
  const { id, name, model_type, point_of_view, version = 1 } = character;
  return {
    id,
    version,
    name,
    oneliner: '',
    character_traits: '',
    first_message: '',
    model_type,
    point_of_view,
    suggested_replies: [],
    avatar_url: NOBODYS_PORTRAIT,
    gone: true,
  };
}

/** Lets go what its maker, who is gone, wrote of a story's character. */
export function letCharacterGo({ store, lore, contexts }: Pick<Parts, 'store' | 'lore' | 'contexts'>): void {
  store.setCharacter(goneCharacter((store.meta() as Meta).character));
  lore.keep(null);
  contexts.forgetCharacter();
}

/** Whether there is nobody in a conversation who could answer. */
export const hasNobody = ({ store }: { store: ConversationStore }): boolean =>
  store.meta()?.character.gone === true;
