import type { ConversationCharacter } from './conversation-character-store.ts';
import type { CharacterState } from '../contract.ts';

/** The refusal of everything that would have somebody write in a story whose character may not be shown. */
export interface WriteBlock {
  ok: false;
  code: 'character_hidden' | 'character_removed' | 'character_deleted';
}

/** What a character's state rests on: what moderation made of it, and whether it lies in its maker's trash. */
export function getCharacterState(character: {
  moderation: 'shown' | 'hidden' | 'removed';
  deletedAt: number | null;
}): Exclude<CharacterState, 'gone'> {
  // Whoever deletes what was removed does not make it a deletion.
  if (character.moderation === 'removed') return 'removed';
  return character.deletedAt === null ? character.moderation : 'deleted';
}

/** Why nothing new may be written with a character of this state; null when it may. */
export function toWriteBlock(state: Exclude<CharacterState, 'gone'>): WriteBlock | null {
  return state === 'shown' ? null : { ok: false, code: `character_${state}` };
}

/** Whether a person may start a conversation with a character; its rating is checked elsewhere. */
export function mayBegin(
  character: Pick<ConversationCharacter, 'state' | 'visibility' | 'creatorId'>,
  user: { id: string },
): boolean {
  return (
    character.state === 'shown' && (character.visibility !== 'private' || character.creatorId === user.id)
  );
}
