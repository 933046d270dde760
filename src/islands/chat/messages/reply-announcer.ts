import { extractSentences } from '../../../lib/sentences.ts';
import { toPlainText } from '../../../features/markup/parse-markup.ts';
import type { Message, MessageStatus } from '../../../features/conversation/contract.ts';
import type { Chat, ChatState } from '../chat.ts';

/** The text of a reply so far, and its status. */
export interface AnnouncedReply {
  turnId: string;
  messageId: string;
  /** Changes when the turn wrote nothing and the earlier version came back. */
  versionId: string;
  text: string;
  /** When the reply began, in milliseconds since 1970. */
  createdAt: number;
  /** The text before this turn, a prefix of `text`. */
  base: string;
  ended: boolean;
  status: MessageStatus;
  errorCode: string | undefined;
  /** The model reached its limit. */
  isCut: boolean;
}

/** The text to announce now. */
export interface Speech {
  sentences: string[];
  /** The first sentences of the reply; the speaker's name belongs before them. */
  isStart: boolean;
  /** The reply has ended; true once. */
  isEnd: boolean;
}

/** Error code for a reply that a rule of this site stopped, as opposed to a model that declined. */
export const RULE_ENDED = 'reply_ended_by_rule';

/** The error code of an incomplete reply; undefined when it has none. */
export function getEndReason({
  safety,
  error_code: code,
}: Pick<Message, 'safety' | 'error_code'>): string | undefined {
  return safety?.kind === 'refused' ? RULE_ENDED : code;
}

const NO_SPEECH: Speech = { sentences: [], isStart: false, isEnd: false };

/** The reply that is being followed or has just ended; null when none was followed. */
export function getCurrentReply({ view }: Pick<ChatState, 'view'>): AnnouncedReply | null {
  const { turn } = view;
  const reply = turn ? view.messages.find(({ id }) => id === turn.replyId) : undefined;
  if (!turn || !reply) return null;
  return {
    turnId: turn.id,
    messageId: reply.id,
    versionId: reply.selected_version_id,
    text: reply.content,
    createdAt: Date.parse(reply.created_at),
    base: turn.base,
    ended: turn.ended,
    status: reply.status,
    errorCode: getEndReason(reply),
    isCut: reply.length_reached === true,
  };
}

/**
 * Splits a reply into sentences to announce while it streams in. Never repeats a sentence: text sent again after a
 * reconnect is not new, a continued reply starts with its added text, and an earlier version that comes back because
 * nothing was written is not announced.
 * @param lang language code for the sentence rules
 * @returns gets the reply so far and returns the new sentences; call it at least once before the reply ends
 */
export function createReplyAnnouncer(lang: string): (reply: AnnouncedReply) => Speech {
  let current: Pick<AnnouncedReply, 'turnId' | 'versionId' | 'base'> | null = null;
  let spokenCount = 0;
  let previous = '';
  let isOver = false;

  return (reply) => {
    if (reply.turnId !== current?.turnId) {
      current = reply;
      spokenCount = 0;
      previous = '';
      isOver = false;
    }
    if (isOver) return NO_SPEECH;
    isOver = reply.ended;
    if (reply.versionId !== current.versionId) return NO_SPEECH;
    const added = reply.text.startsWith(current.base) ? reply.text.slice(current.base.length) : reply.text;
    // The text before was thinking, and the reply begins again.
    if (!added.startsWith(previous)) spokenCount = 0;
    previous = added;
    const { finished } = extractSentences(toPlainText(added, !reply.ended), lang, reply.ended);
    const newSentences = finished.slice(spokenCount);
    const isStart = spokenCount === 0 && newSentences.length > 0;
    spokenCount = Math.max(spokenCount, finished.length);
    return { sentences: newSentences, isStart, isEnd: reply.ended };
  };
}

/** Milliseconds between calls: parsing a long reply takes time, and sentences are spoken no faster. */
const WATCH_INTERVAL_MS = 600;

/**
 * Watches the reply that is being written.
 * @param onChange called at once when a reply begins or ends, and at most once per interval while it grows
 * @returns a function that stops watching
 */
export function watchReply({ $chat }: Pick<Chat, '$chat'>, onChange: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let turnId: string | null = null;
  const report = () => {
    clearTimeout(timer);
    timer = undefined;
    onChange();
  };
  const unsubscribe = $chat.listen(({ view: { turn } }) => {
    if (!turn) return;
    if (turn.id !== turnId || turn.ended) {
      turnId = turn.id;
      return report();
    }
    timer ??= setTimeout(report, WATCH_INTERVAL_MS);
  });
  return () => {
    unsubscribe();
    clearTimeout(timer);
  };
}
