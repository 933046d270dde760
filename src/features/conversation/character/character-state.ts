import type { ConversationCharacter } from './conversation-character-store.ts';
import type { CharacterState } from '../contract.ts';

/** Refuses every request to write in a conversation whose character may not be shown. */
export interface WriteBlock {
  ok: false;
  code: 'character_hidden' | 'character_removed' | 'character_deleted';
}

/** Derives a character's state from its moderation status and whether its creator moved it to the trash. */
export function getCharacterState(character: {
  moderation: 'shown' | 'hidden' | 'removed';
  deletedAt: number | null;
}): Exclude<CharacterState, 'gone'> {
  // A removal by moderation takes precedence over the creator's own deletion.
  if (character.moderation === 'removed') return 'removed';
  return character.deletedAt === null ? character.moderation : 'deleted';
}

/** Returns why no new text may be written with a character in this state; null when it may. */
export function toWriteBlock(state: Exclude<CharacterState, 'gone'>): WriteBlock | null {
  return state === 'shown' ? null : { ok: false, code: `character_${state}` };
}

/** Whether a user may start a conversation with a character. The content rating is checked elsewhere. */
export function canStartConversation(
  character: Pick<ConversationCharacter, 'state' | 'visibility' | 'creatorId'>,
  user: { id: string },
): boolean {
  return (
    character.state === 'shown' && (character.visibility !== 'private' || character.creatorId === user.id)
  );
}
