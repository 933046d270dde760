import type { Crisis, UserRegion } from '../moderation/crisis-help.ts';
import type { ConversationStore } from '../conversation-store.ts';
import type { MessageStore } from '../messages/message-store.ts';
import { endTurn, getRefusalRule, type TurnCause, type TurnOutcome } from './turn.ts';
import type { Settlement, Turn, TurnStore } from './turn-store.ts';

/** Helplines are shown to a user whom a reply urged to hurt themself, independent of the user's own messages. */
const urgedIn = (cause: TurnCause, region: UserRegion | null): Crisis | null =>
  region !== null && getRefusalRule(cause) === 'urging' ? { kind: 'suicide', ...region } : null;

/**
 * Stores how a turn ended: text, status and the settlement. Call it in a transaction. If a regenerated or continued reply
 * got no text, the old version stays selected; versions without text are removed once there is one with text.
 * @param ended `base`: the text before the turn; `text`: the text that the turn added; `region`: null where no
 *   helplines are to be shown
 */
export function storeEnd(
  { store, messages, turns }: { store: ConversationStore; messages: MessageStore; turns: TurnStore },
  turn: Turn,
  { cause, base, text, region }: { cause: TurnCause; base: string; text: string; region: UserRegion | null },
): { outcome: TurnOutcome; settlement: Settlement } {
  const outcome = endTurn(cause, text);
  const settlement: Settlement = {
    versionId: turn.versionId,
    payerId: turn.payerId,
    replyId: turn.replyId,
    outcome: outcome.points,
    what: 'reply',
  };
  const errorCode = outcome.error?.code ?? null;
  messages.endVersion(turn.versionId, base + text, {
    status: outcome.status,
    errorCode,
    rule: getRefusalRule(cause),
    help: urgedIn(cause, region),
  });
  const others = messages.listVersions(turn.replyId).filter((version) => version.id !== turn.versionId);
  const kept = others.find((version) => version.id === turn.previousVersionId);
  if (text.trim() === '' && kept !== undefined && kept.content !== '') {
    messages.selectVersion(turn.replyId, kept.id);
    messages.removeVersion(turn.versionId);
  } else {
    for (const empty of others) if (empty.content === '') messages.removeVersion(empty.id);
  }
  turns.setEnded(turn.id, errorCode);
  turns.addSettlement(settlement);
  store.touch(Date.now(), { isAnswered: turn.kind === 'send' && outcome.points === 'settle' });
  messages.notifyChanged(turn.userMessageId === null ? [turn.replyId] : [turn.userMessageId, turn.replyId]);
  return { outcome, settlement };
}
