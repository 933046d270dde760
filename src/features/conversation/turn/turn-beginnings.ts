import type { ChosenModel } from '../../model/choose-model.ts';
import type { ConversationStore, ConversationMeta } from '../conversation-store.ts';
import type { Crisis } from '../moderation/crisis-help.ts';
import { createMessageIds, createVersionId } from '../messages/message-ids.ts';
import type { MessageStore } from '../messages/message-store.ts';
import { getPersonName } from '../macro-names.ts';
import type { BegunTurn, TurnRefusal } from './turn-port.ts';
import { canContinue, canAddMessages, canAddVersion } from '../message-limits.ts';

/*
 * What the different turns write. These functions read and write nothing: a refused turn has changed nothing, and the
 * wallet can be called before the rows are written.
 */

interface Stores {
  store: ConversationStore;
  messages: MessageStore;
}

/** Begins the reply to a new user message. */
export function beginSend(
  { store, messages }: Stores,
  { content, crisis = null }: { content: string; crisis?: Crisis | null },
  model: ChosenModel,
  now: number,
): BegunTurn | TurnRefusal {
  const meta = store.getMeta() as ConversationMeta;
  if (!canAddMessages(meta.messageCount, 2)) return { ok: false, code: 'conversation_full' };
  const position = messages.getNextPosition();
  const [sent, reply] = [createMessageIds(position, now), createMessageIds(position + 1, now)];
  return {
    turn: {
      kind: 'send',
      userMessageId: sent.id,
      replyId: reply.id,
      versionId: reply.versionId,
      previousVersionId: null,
      baseLength: 0,
      // A crisis event precedes the reply's text.
      head: crisis === null ? 0 : 1,
    },
    rows: {
      sent: { ids: sent, content, name: getPersonName(meta), crisis },
      reply: { kind: 'new', ids: reply },
      model: model.id,
    },
  };
}

/**
 * Begins a reply to the last message, if that is the user's: after a fork at that message, or when only its reply was
 * deleted. The turn counts as regenerating a reply without text.
 * @param crisis a crisis that was only now detected in that message; crisis help then precedes the reply
 */
export function beginAnswer(
  { store, messages }: Stores,
  { crisis }: { crisis: Crisis | null },
  model: ChosenModel,
  now: number,
): BegunTurn | TurnRefusal {
  const newest = messages.findNewest();
  if (newest?.role !== 'user') return { ok: false, code: 'nothing_to_answer' };
  if (!canAddMessages((store.getMeta() as ConversationMeta).messageCount, 1))
    return { ok: false, code: 'conversation_full' };
  const reply = createMessageIds(messages.getNextPosition(), now);
  return {
    turn: {
      kind: 'regenerate',
      userMessageId: crisis === null ? null : newest.id,
      replyId: reply.id,
      versionId: reply.versionId,
      previousVersionId: null,
      baseLength: 0,
      head: crisis === null ? 0 : 1,
    },
    rows: { sent: null, reply: { kind: 'new', ids: reply }, model: model.id },
  };
}

/**
 * Begins a new version of a reply: `regenerate` starts empty, `continue` starts with the current text. The old version
 * stays.
 */
export function beginRewrite(
  { messages }: Stores,
  kind: 'regenerate' | 'continue',
  replyId: string,
  model: ChosenModel,
  now: number,
): BegunTurn | TurnRefusal {
  const reply = messages.findMessage(replyId);
  if (reply === null) return { ok: false, code: 'not_found' };
  if (reply.role !== 'character') return { ok: false, code: 'not_a_reply' };
  const base = kind === 'continue' ? reply.content : '';
  if (kind === 'continue' && base.trim() === '') return { ok: false, code: 'nothing_to_continue' };
  if (kind === 'continue' && !canContinue(base)) return { ok: false, code: 'length_limit' };
  if (!canAddVersion(reply.versions)) return { ok: false, code: 'version_limit' };
  return {
    turn: {
      kind,
      userMessageId: null,
      replyId: reply.id,
      versionId: createVersionId(reply.id, now),
      previousVersionId: reply.selected_version_id,
      baseLength: base.length,
      head: 0,
    },
    rows: { sent: null, reply: { kind: 'version', content: base }, model: model.id },
  };
}
