import type { ConversationStore, ConversationMeta } from '../conversation-store.ts';
import type { Crisis, UserRegion } from '../moderation/crisis-help.ts';
import { type MessageIds, createMessageIds, createVersionId } from '../messages/message-ids.ts';
import type { MessageStore } from '../messages/message-store.ts';
import { getRefusalRule, type TurnCause } from './turn.ts';
import type { TurnEnd } from './turn-machine.ts';
import type { OpenTurn, Settlement, TurnStore } from './turn-store.ts';
import type { ChosenModel } from '../../model/choose-model.ts';
import { getPersonName } from '../macro-names.ts';
import type { BegunTurn, TurnRefusal } from './turn-port.ts';
import { canContinue, canAddMessages, canAddVersion } from '../message-limits.ts';

/*
 * What the different turns write. The functions that begin a turn write nothing: a refused turn has changed nothing, and
 * the wallet can be called before the rows are written.
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
 * @param how.note the user's instructions for the new version alone
 */
export function beginRewrite(
  { messages }: Stores,
  { kind, replyId, note }: { kind: 'regenerate' | 'continue'; replyId: string; note?: string | undefined },
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
    rows: { sent: null, reply: { kind: 'version', content: base, note }, model: model.id },
  };
}

/** What a turn writes before the model is asked. */
export interface TurnRows {
  /** The user's message; null when an existing one is answered. */
  sent: { ids: MessageIds; content: string; name: string; crisis: Crisis | null } | null;
  /** `new`: a reply at the end; `version`: another version of an existing reply, which begins with `content`. */
  reply: { kind: 'new'; ids: MessageIds } | { kind: 'version'; content: string; note?: string | undefined };
  /** The id of the model that writes. */
  model: string;
}

export interface TurnStores {
  store: ConversationStore;
  messages: MessageStore;
  turns: TurnStore;
}

/** Stores a turn with its rows. Call it in a transaction. */
export function storeTurn(
  { store, messages, turns }: TurnStores,
  turn: OpenTurn,
  { sent, reply, model }: TurnRows,
  now: number,
): void {
  if (sent !== null) {
    const { ids, content, name, crisis } = sent;
    const by = { role: 'user', name, clientMessageId: turn.id } as const;
    messages.add({ ids, ...by, status: 'complete', content, model: null, crisis, now });
  }
  if (reply.kind === 'new') {
    const by = { role: 'character', name: null, clientMessageId: null } as const;
    messages.add({ ids: reply.ids, ...by, status: 'streaming', content: '', model, now });
  } else {
    const { content, note: regenerateNote } = reply;
    const version = { status: 'streaming', content, model, regenerateNote, now } as const;
    messages.addVersion(turn.replyId, version, turn.versionId);
  }
  if (turn.notice !== null) {
    messages.setNotice(getNoticeMessageId(turn), true);
    store.setNoticedAt(now);
  }
  if (turn.isFirst) store.setBegun(true, sent?.ids.id ?? null);
  turns.add(turn);
  store.touch(now);
}

/** Removes a refused turn and its rows. Call it in a transaction. */
export function removeTurn({ store, messages, turns }: TurnStores, turn: OpenTurn): void {
  if (turn.notice !== null) {
    messages.setNotice(getNoticeMessageId(turn), turn.notice.wasShown);
    store.setNoticedAt(turn.notice.noticedAt);
  }
  if (turn.previousVersionId === null) messages.remove(turn.replyId);
  else {
    messages.selectVersion(turn.replyId, turn.previousVersionId);
    messages.removeVersion(turn.versionId);
  }
  if (turn.kind === 'send' && turn.userMessageId !== null) messages.remove(turn.userMessageId);
  if (turn.isFirst) store.setBegun(false, null);
  turns.remove(turn.id);
  // This also marks the list row as stale: a rename in the meantime may have written it with this turn's time.
  store.touch(turn.updatedBefore);
}

/** The message before which a turn shows the AI notice: the first one that it adds. */
const getNoticeMessageId = ({ kind, userMessageId, replyId }: OpenTurn): string =>
  (kind === 'send' ? userMessageId : null) ?? replyId;

/** Helplines are shown to a user whom a reply urged to hurt themself, independent of the user's own messages. */
const getUrgedCrisis = (cause: TurnCause, region: UserRegion | null): Crisis | null =>
  region !== null && getRefusalRule(cause) === 'urging' ? { kind: 'suicide', ...region } : null;

/**
 * Stores how a turn ended: text, status and the settlement. Call it in a transaction. If a regenerated or continued reply
 * got no text, the old version stays selected; versions without text are removed once there is one with text.
 * @param ended `base`: the text before the turn; `head`: how many event numbers precede the text's; `region`: null where no
 *   helplines are to be shown; `isSeen`: whether the user sees the end, otherwise the conversation is unread
 */
export function storeEnd(
  { store, messages, turns }: TurnStores,
  turn: OpenTurn,
  ended: {
    end: TurnEnd;
    settlement: Settlement;
    base: string;
    head: number;
    region: UserRegion | null;
    isSeen: boolean;
    now: number;
  },
): void {
  const { end, settlement, base, head, region, isSeen, now } = ended;
  const { cause, outcome, text, thinking } = end;
  const errorCode = outcome.error?.code ?? null;
  messages.endVersion(turn.versionId, base + text, {
    status: outcome.status,
    errorCode,
    thinking,
    isCut: cause.kind === 'finished' && cause.isCut === true,
    rule: getRefusalRule(cause),
    help: getUrgedCrisis(cause, region),
  });
  const others = messages.listVersions(turn.replyId).filter((version) => version.id !== turn.versionId);
  const kept = others.find((version) => version.id === turn.previousVersionId);
  if (text.trim() === '' && kept !== undefined && kept.content !== '') {
    messages.selectVersion(turn.replyId, kept.id);
    messages.removeVersion(turn.versionId);
  } else {
    for (const empty of others) if (empty.content === '') messages.removeVersion(empty.id);
  }
  turns.setEnded(turn, { errorCode, head });
  turns.addSettlement(settlement);
  if (!isSeen) store.setUnread(true);
  store.touch(now, {
    isAnswered: turn.kind === 'send' && outcome.points === 'settle',
    // A greeting that is regenerated or continued before the user has written is no reply to them.
    isCompleted:
      outcome.status === 'complete' && store.getMeta()?.completedAt === null && messages.hasUserMessage(),
  });
  messages.notifyChanged(turn.userMessageId === null ? [turn.replyId] : [turn.userMessageId, turn.replyId]);
}
