import { NOBODYS_PORTRAIT } from '../character/portrait.ts';
import type { CharacterSnapshot, ConversationStore } from './conversation-store.ts';

/** The refusal of everything that would need the character's answer. */
export const CHARACTER_GONE = { ok: false, code: 'character_gone' } as const;

/** What stays of a character whose maker is gone: the name that it has in the story, and how the story was told. */
export function goneCharacter(character: CharacterSnapshot): CharacterSnapshot {
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

/** Whether there is nobody in a conversation who could answer. */
export const hasNobody = ({ store }: { store: ConversationStore }): boolean =>
  store.meta()?.character.gone === true;
