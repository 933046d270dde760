import type { Message } from '../../../features/conversation/contract.ts';
import {
  withPending,
  removeUnsent,
  withUnsent,
  type ReplyView,
} from '../../../features/conversation/messages/reply-view.ts';
import { getDelivery, type OutboxItem } from '../../shared/outbox.ts';
import type { ChatNotice } from '../chat.ts';

/**
 * Adds the outbox's messages after a history. Messages that the history already has were sent, by this or another tab;
 * they are recognised by the turn id.
 * @param now current time, milliseconds since the epoch
 * @returns the view, the errors of the added messages, and the turns that were sent
 */
export function mergeOutbox(
  shown: ReplyView,
  outbox: readonly OutboxItem[],
  history: readonly Message[],
  now: number,
): { view: ReplyView; unsent: Record<string, ChatNotice>; sent: string[] } {
  const known = new Set(history.map((message) => message.client_message_id));
  const unsent: Record<string, ChatNotice> = {};
  const sent: string[] = [];
  let view = shown;
  for (const item of outbox) {
    const { turnId, text } = item;
    if (known.has(turnId)) {
      sent.push(turnId);
      view = removeUnsent(view, turnId);
      continue;
    }
    if (view.messages.some(({ key }) => key === turnId)) continue;
    const delivery = getDelivery(item, now);
    view = withPending(view, turnId, text, new Date(now).toISOString());
    if (delivery !== 'pending') view = withUnsent(view, turnId, delivery);
    unsent[turnId] = { code: 'send_failed', error: '' };
  }
  return { view, unsent, sent };
}

/**
 * Updates a view after other tabs changed the outbox.
 * @param isOwn whether this tab is sending the turn, or holds it because the device could not store it
 * @returns the view, and the turns that were sent or taken back elsewhere
 */
export function syncOutboxView(
  shown: ReplyView,
  outbox: readonly OutboxItem[],
  now: number,
  isOwn: (turnId: string) => boolean,
): { view: ReplyView; gone: string[] } {
  let view = shown;
  const gone: string[] = [];
  for (const { key, delivery } of shown.messages) {
    if (delivery === 'stored' || isOwn(key)) continue;
    const item = outbox.find(({ turnId }) => turnId === key);
    if (item === undefined) {
      view = removeUnsent(view, key);
      gone.push(key);
      continue;
    }
    view = withDelivery(view, key, getDelivery(item, now));
  }
  return { view: mergeOutbox(view, outbox, [], now).view, gone };
}

/** Returns the view with another delivery state for an unsent message. */
export function withDelivery(
  view: ReplyView,
  turnId: string,
  delivery: 'pending' | 'waiting' | 'unsent',
): ReplyView {
  const messages = view.messages.map((message) =>
    message.key === turnId && message.delivery !== 'stored' && message.delivery !== delivery
      ? { ...message, delivery }
      : message,
  );
  return { ...view, messages };
}
