import { truncateText } from '../../lib/truncate-text.ts';
import { CHAT_FILE } from './limits.ts';

/**
 * Limits on the growth of messages and conversations. They equal the limits of our own import, so that every export can
 * be imported again.
 */

/**
 * Text of all versions of a message, in UTF-16 units. One unit takes up to six bytes in a file. The other two bytes per
 * unit leave room on the line for the selected version (written twice), one more version, and the other fields.
 */
const MAX_MESSAGE_CHARS = CHAT_FILE.maxLineBytes / 8;

/** Upper bound of the text that a reply adds, in UTF-16 units; far above what its tokens amount to. */
const MAX_REPLY_CHARS = 20_000;

/** Whether a message may get one more version. */
export function canAddVersion(versions: readonly { content: string }[]): boolean {
  const chars = versions.reduce((sum, { content }) => sum + content.length, 0);
  return versions.length < CHAT_FILE.maxVersions && chars <= MAX_MESSAGE_CHARS;
}

/** Whether `more` messages may be added to a conversation of `count`. */
export function canAddMessages(count: number, more: number): boolean {
  return count + more <= CHAT_FILE.maxMessages;
}

/** Cuts `added` to what still fits after a text of this length, without splitting a surrogate pair. */
export function truncateToFit(length: number, added: string): string {
  return truncateText(added, CHAT_FILE.maxContentChars - length);
}

/** Whether a text has room for a continuation. */
export function canContinue(text: string): boolean {
  return text.length + MAX_REPLY_CHARS <= CHAT_FILE.maxContentChars;
}
