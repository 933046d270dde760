import { memoizeLru } from '../../../lib/memoize-lru.ts';
import type { ConversationMeta } from '../conversation-store.ts';
import { truncateTitle } from './truncate-title.ts';
import { getMacroNames, replaceMacros } from '../macro-names.ts';
import type { MessageStore } from '../messages/message-store.ts';

/** A turn asks for the same title several times. */
const truncateOnce = memoizeLru(16, truncateTitle);

/**
 * Returns the title of a conversation: the user's, else the one that a model wrote, else the beginning of the user's first
 * message as it is now; null before that message.
 */
export function findTitle(meta: ConversationMeta, messages: MessageStore): string | null {
  const written = meta.title ?? meta.modelTitle;
  if (written !== null || !meta.isBegun) return written;
  const first = messages.findTitleText(meta.firstMessageId);
  return first && truncateOnce(replaceMacros(first.start, { ...getMacroNames(meta), at: first.createdAt }));
}
