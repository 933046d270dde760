import type { ViewMessage } from '../../../features/conversation/messages/reply-view.ts';
import { getMessageModel } from '../messages/available-actions.ts';

/** What a chat shows about the AI in addition to the AI notice, whose moments the server decides. */
export interface AiLabels {
  /** The line above the messages. Where the AI notice follows it, it says only what that does not. */
  line: 'aiNote' | 'fictionNote';
  /** Key of the reply that is visibly marked as written by an AI; the marks of others appear with their actions. */
  markedKey: string | null;
}

/** The newest messages, which a screen shows together: a reply, the message before it and the one before that. */
const SCREEN_MESSAGES = 3;

/**
 * Decides which labels a chat shows, so that a screen has one statement about the AI at a time: the AI notice where it is
 * due, else the name of a demo model above the composer, else the mark of the newest reply.
 * @param hasEarlier whether there are messages before the first one
 * @param hasDemoNote whether the composer says that a demo model replies
 */
export function selectAiLabels(
  messages: readonly ViewMessage[],
  { hasEarlier, hasDemoNote }: { hasEarlier: boolean; hasDemoNote: boolean },
): AiLabels {
  const hasNotice = messages.some(
    ({ notice }, index) =>
      index >= messages.length - SCREEN_MESSAGES && (notice === true || (index === 0 && !hasEarlier)),
  );
  const newest = messages.findLast((message) => getMessageModel(message) !== null);
  return {
    line: hasEarlier ? 'aiNote' : 'fictionNote',
    markedKey: hasNotice || hasDemoNote ? null : (newest?.key ?? null),
  };
}
