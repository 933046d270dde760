import { createReplyAnnouncer, type AnnouncedReply } from '../messages/reply-announcer.ts';
import type { ChatState } from '../chat.ts';
import type { Sentence, SpeechQueue } from './speech-queue.ts';
import { toSpokenText } from './spoken-text.ts';

/** Reads replies aloud while they are written. */
export interface ReplyReader {
  /** Adds the finished sentences of the reply to the queue. */
  handleReply(reply: AnnouncedReply): void;
  /** Stops when the chat's state demands it: another conversation, a new message, or the reply was stopped. */
  handleState(state: Pick<ChatState, 'activity' | 'conversation'>): void;
  /** Stops, and reads nothing more of the current reply. */
  silence(): void;
}

/**
 * @param lang language code for the sentence rules
 * @param ended a reply that ended before reading was switched on, which is not read
 * @param toSentence completes a sentence: names in place of macros, its language
 */
export function createReplyReader(
  queue: SpeechQueue,
  lang: string,
  ended: AnnouncedReply | null,
  toSentence: (text: string, reply: AnnouncedReply) => Sentence,
): ReplyReader {
  const announceReply = createReplyAnnouncer(lang);
  let turnId = ended?.turnId ?? null;
  let silentTurnId = turnId;
  let conversationId: string | null = null;
  let activity: ChatState['activity'] = 'idle';

  function silence(): void {
    silentTurnId = turnId;
    queue.stop();
  }

  return {
    silence,
    handleReply(reply) {
      turnId = reply.turnId;
      const { sentences } = announceReply(reply);
      // The user stopped the reply before it began.
      if (activity === 'stopping') silentTurnId = turnId;
      if (turnId === silentTurnId) return;
      queue.add(
        sentences.flatMap((sentence) => {
          const text = toSpokenText(sentence);
          return text === null ? [] : [toSentence(text, reply)];
        }),
      );
    },
    handleState({ activity: next, conversation }) {
      const isStart = next !== activity && (next === 'sending' || next === 'stopping');
      const id = conversation?.id ?? null;
      const isOther = id !== conversationId && conversationId !== null;
      activity = next;
      conversationId = id;
      if (isStart || isOther) silence();
    },
  };
}
