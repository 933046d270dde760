import { createId } from '../../../lib/ids.ts';
import type { ChosenModel } from '../../model/choose-model.ts';
import type { ConversationStore, ConversationMeta } from '../conversation-store.ts';
import type { Crisis } from '../moderation/crisis-help.ts';
import type { MessageStore } from '../messages/message-store.ts';
import { getPersonName } from '../macro-names.ts';
import type { BegunTurn, TurnRefusal } from './turn-port.ts';
import { canContinue, canAddMessages, canAddVersion } from '../message-limits.ts';

/** What the rows of a turn are written with. */
interface Stores {
  store: ConversationStore;
  messages: MessageStore;
}

/** Writes a message and the place of its reply. */
export function beginSend(
  { store, messages }: Stores,
  input: { turnId: string; content: string; crisis?: Crisis | null },
  model: ChosenModel,
  now: number,
): BegunTurn | TurnRefusal {
  const meta = store.getMeta() as ConversationMeta;
  const { crisis = null } = input;
  if (!canAddMessages(meta.messageCount, 2)) return { ok: false, code: 'conversation_full' };
  const userMessageId = createId(now);
  messages.add({
    id: userMessageId,
    versionId: createId(now),
    role: 'user',
    status: 'complete',
    content: input.content,
    model: null,
    clientMessageId: input.turnId,
    name: getPersonName(meta),
    crisis,
    now,
  });
  const { replyId, versionId } = addReply(messages, model, now);
  return {
    turn: {
      kind: 'send',
      userMessageId,
      replyId,
      versionId,
      previousVersionId: null,
      baseLength: 0,
      // Where help is, is told before the reply.
      head: crisis === null ? 0 : 1,
    },
    undo: () => {
      messages.remove(replyId);
      messages.remove(userMessageId);
    },
  };
}

/**
 * Writes the place of a reply to the last message, when that is the person's: where a story was forked at it, or only its
 * reply was deleted. Of the turn it is a rewriting whose reply showed nothing before.
 * @param crisis what was only now seen in that message: where help is, is told with it, and before the reply
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
  const { replyId, versionId } = addReply(messages, model, now);
  return {
    turn: {
      kind: 'regenerate',
      userMessageId: crisis === null ? null : newest.id,
      replyId,
      versionId,
      previousVersionId: null,
      baseLength: 0,
      head: crisis === null ? 0 : 1,
    },
    undo: () => messages.remove(replyId),
  };
}

/** The place of a reply at the end, to be written. */
function addReply(
  messages: MessageStore,
  model: ChosenModel,
  now: number,
): { replyId: string; versionId: string } {
  const replyId = createId(now);
  const versionId = createId(now);
  messages.add({
    id: replyId,
    versionId,
    role: 'character',
    status: 'streaming',
    content: '',
    model: model.id,
    clientMessageId: null,
    name: null,
    now,
  });
  return { replyId, versionId };
}

/**
 * Gives a reply a new version to be written: `regenerate` from nothing, `continue` from the text that shows. The version
 * before stays.
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
  const versionId = createId(now);
  messages.addVersion({
    id: versionId,
    messageId: reply.id,
    status: 'streaming',
    content: base,
    model: model.id,
    now,
  });
  messages.selectVersion(reply.id, versionId);
  return {
    turn: {
      kind,
      userMessageId: null,
      replyId: reply.id,
      versionId,
      previousVersionId: reply.selected_version_id,
      baseLength: base.length,
      head: 0,
    },
    undo: () => {
      messages.selectVersion(reply.id, reply.selected_version_id);
      messages.removeVersion(versionId);
    },
  };
}
