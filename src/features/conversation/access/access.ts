import { dequal } from 'dequal/lite';
import type { Language } from '../../../config/languages.ts';
import type { SessionUser } from '../../account/contract.ts';
import { toWriteBlock, type WriteBlock, getRating, type Rating } from '../character/character-state.ts';
import type { ConversationCharacter } from '../character/conversation-character-store.ts';

/** Who may write in a conversation, under which conditions. */
export interface Access {
  /** D1's id of the session: the hash of its token. */
  sessionId: string;
  /** The session's public id, which connections are closed by when it ends. */
  sessionPublicId: string;
  userId: string;
  /** Whether a membership covers the messages. */
  unlimited: boolean;
  /** What replies may contain for this user. */
  rating: Rating;
  /** Whether the user created the character. */
  ownsCharacter: boolean;
  /** Why no new text may be written with the character; null when it may. */
  writeBlock: WriteBlock | null;
  /** The account's language; null when it has none. */
  language: Language | null;
}

export type AccessRefusal = { ok: false; code: 'unauthenticated' | 'account_suspended' };

/** @param character null when the conversation is not listed, or its character was deleted with its creator */
export function buildAccess(
  { sessionId, sessionPublicId }: Pick<Access, 'sessionId' | 'sessionPublicId'>,
  user: SessionUser,
  character: ConversationCharacter | null,
): Access {
  return {
    sessionId,
    sessionPublicId,
    userId: user.id,
    unlimited: user.plan !== 'free',
    rating: character === null ? 'general' : getRating(character, user.spicy_mode),
    ownsCharacter: character?.creatorId === user.id,
    writeBlock: character === null ? null : toWriteBlock(character.state),
    language: user.language,
  };
}

export const isSameAccess = (one: Access, other: Access): boolean => dequal(one, other);
