import { extractSentences } from '../../../lib/sentences.ts';
import { toPlainText } from '../../../features/markup/parse-markup.ts';
import type { Message, MessageStatus } from '../../../features/conversation/contract.ts';
import type { ChatState } from '../chat.ts';

/** A reply as far as it is written. */
export interface AnnouncedReply {
  turnId: string;
  /** Another one where the earlier text came back because nothing was written. */
  versionId: string;
  text: string;
  /** What stood there already before this turn, as the beginning of `text`. */
  base: string;
  ended: boolean;
  status: MessageStatus;
  errorCode: string | undefined;
}

/** What is to be said now. */
export interface Speech {
  sentences: string[];
  /** They begin the reply: the name of who speaks belongs before them. */
  isStart: boolean;
  /** The reply is over with them; once. */
  isEnd: boolean;
}

/** The words' name for a reply that a rule of this site ended: no model declined it. */
export const RULE_ENDED = 'reply_ended_by_rule';

/** Why a reply did not come to its end, by the name of the words for it. */
export function getEndReason({
  safety,
  error_code: code,
}: Pick<Message, 'safety' | 'error_code'>): string | undefined {
  return safety?.kind === 'refused' ? RULE_ENDED : code;
}

const NO_SPEECH: Speech = { sentences: [], isStart: false, isEnd: false };

/** The reply that is being written, or was to its end just now; null when none was followed. */
export function getCurrentReply({ view }: Pick<ChatState, 'view'>): AnnouncedReply | null {
  const { turn } = view;
  const reply = turn ? view.messages.find(({ id }) => id === turn.replyId) : undefined;
  if (!turn || !reply) return null;
  return {
    turnId: turn.id,
    versionId: reply.selected_version_id,
    text: reply.content,
    base: turn.base,
    ended: turn.ended,
    status: reply.status,
    errorCode: getEndReason(reply),
  };
}

/**
 * Says replies sentence by sentence while they are written. Nothing is said twice: a lost connection that brings a text
 * again brings no new sentence, a continued reply begins with what is added, and an earlier text that comes back because
 * nothing was written is not said.
 * @param lang code of the language that replies are read in
 * @returns what is new in a reply since it was last heard; it wants to hear each reply once before its end
 */
export function createReplyAnnouncer(lang: string): (reply: AnnouncedReply) => Speech {
  let current: Pick<AnnouncedReply, 'turnId' | 'versionId' | 'base'> | null = null;
  let spokenCount = 0;
  let isOver = false;

  return (reply) => {
    if (reply.turnId !== current?.turnId) {
      current = reply;
      spokenCount = 0;
      isOver = false;
    }
    if (isOver) return NO_SPEECH;
    isOver = reply.ended;
    if (reply.versionId !== current.versionId) return NO_SPEECH;
    const added = reply.text.startsWith(current.base) ? reply.text.slice(current.base.length) : reply.text;
    const { finished } = extractSentences(toPlainText(added, !reply.ended), lang, reply.ended);
    const newSentences = finished.slice(spokenCount);
    const isStart = spokenCount === 0 && newSentences.length > 0;
    spokenCount = Math.max(spokenCount, finished.length);
    return { sentences: newSentences, isStart, isEnd: reply.ended };
  };
}
