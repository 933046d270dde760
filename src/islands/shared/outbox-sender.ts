import type { Failure, Result } from './api.ts';
import { chatApi, type ChatApi } from './chat-api.ts';
import { refreshConversationList } from './conversation-list-state.ts';
import { browserClock, type Clock } from './clock.ts';
import { getDeviceStorage } from './device-storage.ts';
import {
  createOutbox,
  getDelivery,
  getRetryDelayMs,
  getTabLocks,
  type Outbox,
  type OutboxItem,
} from './outbox.ts';
import { USER_KEY_PREFIXES, listUserStorageKeys } from './user-storage.ts';
import type { ReplyStream } from './sse.ts';

export interface SenderDeps {
  outbox: Outbox;
  /** Conversations with outbox items, except the one open on this page, which sends its own. */
  listConversationIds(): string[];
  send: ChatApi['sendMessage'];
  clock: Clock;
  isOnline(): boolean;
  /** Called after a message was sent. */
  onSent(): void;
}

/**
 * Sends the outbox messages of conversations that are not open on this page; within a conversation in order, each after
 * the reply to the one before. The server owns the turn, so the reply is read but not kept.
 */
export function createOutboxSender({
  outbox,
  listConversationIds: conversations,
  send,
  clock,
  isOnline,
  onSent: sent,
}: SenderDeps): {
  sendQueuedMessages(): Promise<void>;
} {
  let running = false;
  let failedAttempts = 0;
  let signedOut = false;
  let cancelRetry = () => {};

  /** The first queued message, unless another tab is sending one before it. */
  async function findNext(id: string): Promise<OutboxItem | null> {
    for (const item of outbox.outbox(id)) {
      if (await outbox.isSending(item)) return null;
      if (item.sendingSince !== undefined || getDelivery(item, clock.now()) === 'waiting') return item;
    }
    return null;
  }

  /** @returns whether the message left the outbox, so that the next one can be sent */
  async function sendOne(id: string, turnId: string): Promise<boolean> {
    const item = outbox.outbox(id).find((one) => one.turnId === turnId);
    // Another tab has sent it in the meantime.
    if (!item) return true;
    const { text, model } = item;
    const queued = { turnId, text, tried: true, ...(model === undefined ? {} : { model }) };
    outbox.saveToOutbox(id, { ...queued, waits: true, sendingSince: clock.now() });
    const body = { content: text, client_message_id: turnId, ...(model === undefined ? {} : { model }) };
    const answer: Result<ReplyStream> = await send(id, body);
    if (!answer.ok) return handleFailure(id, { ...queued, waits: true }, answer);
    let arrived = false;
    for await (const { event } of answer.data) {
      // The text was refused after moderation, so the user must change it.
      if (!arrived && event.event === 'error')
        return handleFailure(id, { ...queued, waits: true }, { status: 422, code: event.code });
      if (arrived || event.event !== 'accepted') continue;
      arrived = true;
      failedAttempts = 0;
      outbox.removeFromOutbox(id, turnId);
    }
    if (arrived) sent();
    else outbox.saveToOutbox(id, { ...queued, waits: true });
    return arrived;
  }

  function handleFailure(
    id: string,
    item: OutboxItem,
    { status, code }: Pick<Failure, 'status' | 'code'>,
  ): boolean {
    if (code === 'message_deleted') {
      outbox.removeFromOutbox(id, item.turnId);
      return true;
    }
    signedOut ||= status === 401;
    if (status === 0 || status === 401 || code === 'reply_in_progress') {
      outbox.saveToOutbox(id, item);
      return false;
    }
    // Stops the queue behind a refused message: the later ones may make no sense without it, so the user decides.
    const items = outbox.outbox(id);
    const behind = items.slice(items.findIndex(({ turnId }) => turnId === item.turnId) + 1);
    for (const { waits, sendingSince, ...left } of [item, ...behind]) {
      if (waits || sendingSince !== undefined) outbox.saveToOutbox(id, left);
    }
    return false;
  }

  async function sendConversation(id: string): Promise<void> {
    while (isOnline()) {
      const next = await findNext(id);
      if (!next || !(await outbox.withTurnLock(next.turnId, () => sendOne(id, next.turnId)))) return;
    }
  }

  async function sendQueuedMessages(): Promise<void> {
    if (running) return;
    running = true;
    signedOut = false;
    cancelRetry();
    try {
      await Promise.all(conversations().map(sendConversation));
    } finally {
      running = false;
    }
    const waits = (item: OutboxItem) => getDelivery(item, clock.now()) !== 'unsent';
    if (signedOut || !isOnline() || !conversations().some((id) => outbox.outbox(id).some(waits))) return;
    cancelRetry = clock.after(getRetryDelayMs(failedAttempts), () => void sendQueuedMessages());
    failedAttempts += 1;
  }

  return { sendQueuedMessages };
}

const getOpenConversationId = () => new URLSearchParams(location.search).get('conversation_id');

/** Sends the queued messages of conversations that this page does not show. */
export const { sendQueuedMessages } = createOutboxSender({
  outbox: createOutbox(getDeviceStorage(), getTabLocks()),
  listConversationIds: () =>
    listUserStorageKeys(getDeviceStorage(), [USER_KEY_PREFIXES.outbox])
      .map((key) => key.slice(USER_KEY_PREFIXES.outbox.length))
      .filter((id) => id !== getOpenConversationId()),
  send: chatApi.sendMessage,
  clock: browserClock,
  isOnline: () => navigator.onLine,
  onSent: () => void refreshConversationList(),
});
