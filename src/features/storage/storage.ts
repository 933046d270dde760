import type { StorageUse, StorageView } from './contract.ts';
import { STORAGE } from './limits.ts';

/** Who stores; a part of the session's user. */
export interface StorageOwner {
  id: string;
  is_anonymous: boolean;
  plan: 'free' | 'storyteller' | 'adventurer' | 'legend';
}

/** The sums of what a user stores, in bytes. */
export interface StorageTotals {
  conversations: number;
  conversationBytes: number;
  trashBytes: number;
  searchBytes: number;
  pictureBytes: number;
  characterBytes: number;
}

export interface StorageLimit {
  bytes: number;
  /** Null for no limit. */
  conversations: number | null;
  /** Up to which new chats may be started, in bytes; null for no limit. */
  startBytes: number | null;
}

export function getStorageLimit({ is_anonymous: isGuest, plan }: Omit<StorageOwner, 'id'>): StorageLimit {
  if (isGuest)
    return {
      bytes: STORAGE.guestBytes,
      conversations: STORAGE.guestConversations,
      startBytes: STORAGE.guestStartBytes,
    };
  const bytes = plan === 'free' ? STORAGE.accountBytes : STORAGE.memberBytes;
  return { bytes, conversations: null, startBytes: null };
}

/** Describes what takes the room, largest first. */
export function describeUse(totals: StorageTotals, limit: StorageLimit): StorageUse {
  const kinds = [
    { kind: 'chats' as const, bytes: totals.conversationBytes + totals.searchBytes },
    { kind: 'characters' as const, bytes: totals.characterBytes },
    { kind: 'pictures' as const, bytes: totals.pictureBytes },
    { kind: 'trash' as const, bytes: totals.trashBytes },
  ].toSorted((one, other) => other.bytes - one.bytes);
  return {
    used_bytes: kinds.reduce((sum, { bytes }) => sum + bytes, 0),
    limit_bytes: limit.bytes,
    kinds,
  };
}

export const describeStorage = (totals: StorageTotals, limit: StorageLimit): StorageView => ({
  ...describeUse(totals, limit),
  conversations: { count: totals.conversations, limit: limit.conversations },
});

/** What a database row adds to the text of one message version, in bytes. */
const VERSION_ROW_BYTES = 200;
/** Pages that are not full, and the words in the search index: for prose they add half of the text. */
const STORED_SHARE = 1.5;

/**
 * Estimates what a chat takes, in bytes, before it is imported or copied. Scripts without spaces take more, because the index
 * has their pairs of characters; what was written is measured afterwards.
 */
export const estimateConversationBytes = (text: { bytes: number; versions: number }): number =>
  STORAGE.emptyConversationBytes + Math.ceil(text.bytes * STORED_SHARE) + text.versions * VERSION_ROW_BYTES;

/** Whether a size has changed enough since it was last reported to be reported again. */
export const shouldReportSize = (bytes: number, reported: number): boolean =>
  Math.abs(bytes - reported) >= STORAGE.reportStepBytes;
