import { sentences } from '../../../lib/sentences.ts';
import { plainText } from '../../../features/markup/parse-markup.ts';
import type { Message, MessageStatus } from '../../../features/conversation/contract.ts';
import type { ChatState } from '../chat.ts';

/** A reply as far as it is written. */
export interface HeardReply {
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
  begins: boolean;
  /** The reply is over with them; once. */
  ends: boolean;
}

/** The words' name for a reply that a rule of this site ended: no model declined it. */
export const RULE_ENDED = 'reply_ended_by_rule';

/** Why a reply did not come to its end, by the name of the words for it. */
export function endedBy({
  safety,
  error_code: code,
}: Pick<Message, 'safety' | 'error_code'>): string | undefined {
  return safety?.kind === 'refused' ? RULE_ENDED : code;
}

const NOTHING: Speech = { sentences: [], begins: false, ends: false };

/** The reply that is being written, or was to its end just now; null when none was followed. */
export function heardReply({ view }: Pick<ChatState, 'view'>): HeardReply | null {
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
    errorCode: endedBy(reply),
  };
}

/**
 * Says replies sentence by sentence while they are written. Nothing is said twice: a lost connection that brings a text
 * again brings no new sentence, a continued reply begins with what is added, and an earlier text that comes back because
 * nothing was written is not said.
 * @param lang code of the language that replies are read in
 * @returns what is new in a reply since it was last heard; it wants to hear each reply once before its end
 */
export function createReplySpeech(lang: string): (reply: HeardReply) => Speech {
  let heard: Pick<HeardReply, 'turnId' | 'versionId' | 'base'> | null = null;
  let said = 0;
  let over = false;

  return (reply) => {
    if (reply.turnId !== heard?.turnId) {
      heard = reply;
      said = 0;
      over = false;
    }
    if (over) return NOTHING;
    over = reply.ended;
    if (reply.versionId !== heard.versionId) return NOTHING;
    const added = reply.text.startsWith(heard.base) ? reply.text.slice(heard.base.length) : reply.text;
    const { finished } = sentences(plainText(added, !reply.ended), lang, reply.ended);
    const fresh = finished.slice(said);
    const begins = said === 0 && fresh.length > 0;
    said = Math.max(said, finished.length);
    return { sentences: fresh, begins, ends: reply.ended };
  };
}
