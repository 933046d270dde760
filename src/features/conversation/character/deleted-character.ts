import { PLACEHOLDER_PORTRAIT } from '../../character/portrait.ts';
import type { ConversationParts } from '../compose-conversation.ts';
import type { CharacterSnapshot, ConversationStore, ConversationMeta } from '../conversation-store.ts';

/** The refusal of every request that needs a reply of the character. */
export const CHARACTER_DELETED = { ok: false, code: 'character_gone' } as const;

/** Keeps of a character only what the conversation needs to stay readable: its name and point of view. */
function toDeletedCharacter(character: ConversationMeta['character']): CharacterSnapshot {
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

/** Removes the creator's texts about a character, because the creator's account was deleted. */
export function redactCharacter({
  store,
  lore,
  contexts,
}: Pick<ConversationParts, 'store' | 'lore' | 'contexts'>): void {
  store.setCharacter(toDeletedCharacter((store.getMeta() as ConversationMeta).character));
  lore.saveBook(null);
  contexts.redactCharacter();
}

/** Whether the character was deleted with its creator, so that no reply can be written. */
export const isCharacterDeleted = ({ store }: { store: ConversationStore }): boolean =>
  store.getMeta()?.character.gone === true;
