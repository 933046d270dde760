import { CHAT_FILE } from './limits.ts';

/**
 * How much a message and a conversation may grow: no further than our own import takes them back. Whatever is made here
 * can be taken along and brought in again.
 */

/**
 * Text of all versions of a message, in UTF-16 units. One becomes up to six bytes of a file; what is left of a line is for
 * the version that shows, which stands there twice, for the next one, and for what stands beside the texts.
 */
const MAX_MESSAGE_CHARS = CHAT_FILE.maxLineBytes / 8;

/** What a reply adds to a text, at most, in UTF-16 units: far above what its tokens come to. */
const MAX_REPLY_CHARS = 20_000;

/** Whether a message may have one more version. */
export function canAddVersion(versions: readonly { content: string }[]): boolean {
  const chars = versions.reduce((sum, { content }) => sum + content.length, 0);
  return versions.length < CHAT_FILE.maxVersions && chars <= MAX_MESSAGE_CHARS;
}

/** Whether a conversation that holds `count` messages may hold so many more. */
export function canAddMessages(count: number, more: number): boolean {
  return count + more <= CHAT_FILE.maxMessages;
}

/** As much of what is to be added to a text of this length as it may hold, in whole characters. */
export function truncateToFit(length: number, added: string): string {
  const room = CHAT_FILE.maxContentChars - length;
  return added.length <= room ? added : added.slice(0, room).replace(/[\ud800-\udbff]$/, '');
}

/** Whether a reply may go on from the end of this text. */
export function canContinue(text: string): boolean {
  return text.length + MAX_REPLY_CHARS <= CHAT_FILE.maxContentChars;
}
