import type { CharacterState, Conversation } from '../../features/conversation/contract.ts';

/** Why nobody answers in a conversation; null while somebody does, and while nothing is known of it. */
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

/** Whether a refusal says that nobody answers any more: what the page shows of the conversation is out of date then. */
export const isUnavailableCode = (code: string): boolean => UNAVAILABLE_CODES.has(code);
