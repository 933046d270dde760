import { PLACEHOLDER_PORTRAIT } from '../../character/portrait.ts';
import type { ConversationParts } from '../compose-conversation.ts';
import type { CharacterSnapshot, ConversationStore, ConversationMeta } from '../conversation-store.ts';

/** The refusal of everything that would need the character's answer. */
export const CHARACTER_DELETED = { ok: false, code: 'character_gone' } as const;

/** What stays of a character whose maker is gone: the name that it has in the story, and how the story was told. */
function toDeletedCharacter(character: CharacterSnapshot): CharacterSnapshot {
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
    avatar_url: PLACEHOLDER_PORTRAIT,
    gone: true,
  };
}

/** Lets go what its maker, who is gone, wrote of a story's character. */
export function redactCharacter({
  store,
  lore,
  contexts,
}: Pick<ConversationParts, 'store' | 'lore' | 'contexts'>): void {
  store.setCharacter(toDeletedCharacter((store.getMeta() as ConversationMeta).character));
  lore.saveBook(null);
  contexts.redactCharacter();
}

/** Whether there is nobody in a conversation who could answer. */
export const isCharacterDeleted = ({ store }: { store: ConversationStore }): boolean =>
  store.getMeta()?.character.gone === true;
