import type { CharacterState, Conversation } from '../../features/conversation/contract.ts';

/** Why the character cannot reply in a conversation; null while it can, and while the conversation is not loaded. */
export function getUnavailableReason(
  conversation: Pick<Conversation, 'character_gone' | 'character_state'> | null,
): Exclude<CharacterState, 'shown'> | null {
  if (conversation === null) return null;
  if (conversation.character_gone === true) return 'gone';
  const { character_state: state } = conversation;
  return state === undefined || state === 'shown' ? null : state;
}

const UNAVAILABLE_CODES = new Set([
  'character_gone',
  'character_hidden',
  'character_removed',
  'character_deleted',
]);

/** Whether an error code says that the character can no longer reply, so the shown conversation is out of date. */
export const isUnavailableCode = (code: string): boolean => UNAVAILABLE_CODES.has(code);
