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
 * Puts what an outbox holds after the messages of a history. What the history has already was sent, by this tab or
 * another; only its id can tell.
 * @param now when it is shown from, in milliseconds since 1970
 * @returns the view, why each message that it lacked was not sent, and the turns that were
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
 * Shows what other tabs did to the outbox.
 * @param isOwn whether this tab itself is sending a turn, or keeps it where the device cannot
 * @returns the view, and the turns that the outbox has no more: they were sent, or taken back
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

/** The same view with another word on how a message stands that is not stored. */
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
