import type { Failure, Result } from './api.ts';
import { chatApi, type ChatApi } from './chat-api.ts';
import { refreshChats } from './chats-state.ts';
import { browserClock, type Clock } from './clock.ts';
import { deviceStorage } from './device-storage.ts';
import { createOutbox, deliveryOf, pauseAfter, tabLocks, type Outbox, type OutboxItem } from './outbox.ts';
import { PRIVATE_KEYS, writings } from './user-storage.ts';
import type { ReplyStream } from './sse.ts';

export interface SenderDeps {
  outbox: Outbox;
  /** The conversations that have something in the outbox and are not shown by this page: that sends its own. */
  conversations(): string[];
  send: ChatApi['sendMessage'];
  clock: Clock;
  isOnline(): boolean;
  /** Something was said in a conversation. */
  sent(): void;
}

/**
 * Sends what waits in the outbox of conversations that are not open here, each in its order, one after the other's
 * reply. The server owns the turn: nothing of the reply is kept.
 */
export function createOutboxSender({ outbox, conversations, send, clock, isOnline, sent }: SenderDeps): {
  sendWhatWaits(): Promise<void>;
} {
  let running = false;
  let inVain = 0;
  let signedOut = false;
  let callOff = () => {};

  /** The first that waits, unless another tab is sending one that stands before it. */
  async function nextOf(id: string): Promise<OutboxItem | null> {
    for (const item of outbox.outbox(id)) {
      if (await outbox.isUnderWay(item)) return null;
      if (item.sendingSince !== undefined || deliveryOf(item, clock.now()) === 'waiting') return item;
    }
    return null;
  }

  /** @returns whether it is out of the outbox, so that the next one's turn has come */
  async function sendOne(id: string, turnId: string): Promise<boolean> {
    const item = outbox.outbox(id).find((one) => one.turnId === turnId);
    // Another tab had it in the meantime.
    if (!item) return true;
    const { text, model } = item;
    const kept = { turnId, text, tried: true, ...(model === undefined ? {} : { model }) };
    outbox.putInOutbox(id, { ...kept, waits: true, sendingSince: clock.now() });
    const body = { content: text, client_message_id: turnId, ...(model === undefined ? {} : { model }) };
    const answer: Result<ReplyStream> = await send(id, body);
    if (!answer.ok) return refused(id, { ...kept, waits: true }, answer);
    let arrived = false;
    for await (const { event } of answer.data) {
      // It was taken and looked at, and may not be said: it is for the person to change it.
      if (!arrived && event.event === 'error')
        return refused(id, { ...kept, waits: true }, { status: 422, code: event.code });
      if (arrived || event.event !== 'accepted') continue;
      arrived = true;
      inVain = 0;
      outbox.takeFromOutbox(id, turnId);
    }
    if (arrived) sent();
    else outbox.putInOutbox(id, { ...kept, waits: true });
    return arrived;
  }

  function refused(
    id: string,
    item: OutboxItem,
    { status, code }: Pick<Failure, 'status' | 'code'>,
  ): boolean {
    if (code === 'message_deleted') {
      outbox.takeFromOutbox(id, item.turnId);
      return true;
    }
    signedOut ||= status === 401;
    if (status === 0 || status === 401 || code === 'reply_in_progress') {
      outbox.putInOutbox(id, item);
      return false;
    }
    // What waited behind it would arrive without it: it is for the person to say.
    const items = outbox.outbox(id);
    const behind = items.slice(items.findIndex(({ turnId }) => turnId === item.turnId) + 1);
    for (const { waits, sendingSince, ...left } of [item, ...behind]) {
      if (waits || sendingSince !== undefined) outbox.putInOutbox(id, left);
    }
    return false;
  }

  async function sendOf(id: string): Promise<void> {
    while (isOnline()) {
      const next = await nextOf(id);
      if (!next || !(await outbox.alone(next.turnId, () => sendOne(id, next.turnId)))) return;
    }
  }

  async function sendWhatWaits(): Promise<void> {
    if (running) return;
    running = true;
    signedOut = false;
    callOff();
    try {
      await Promise.all(conversations().map(sendOf));
    } finally {
      running = false;
    }
    const waits = (item: OutboxItem) => deliveryOf(item, clock.now()) !== 'unsent';
    if (signedOut || !isOnline() || !conversations().some((id) => outbox.outbox(id).some(waits))) return;
    callOff = clock.after(pauseAfter(inVain), () => void sendWhatWaits());
    inVain += 1;
  }

  return { sendWhatWaits };
}

const openConversation = () => new URLSearchParams(location.search).get('conversation_id');

/** Sends what waits for conversations that this page does not show. */
export const { sendWhatWaits } = createOutboxSender({
  outbox: createOutbox(deviceStorage(), tabLocks()),
  conversations: () =>
    writings(deviceStorage(), [PRIVATE_KEYS.outbox])
      .map((key) => key.slice(PRIVATE_KEYS.outbox.length))
      .filter((id) => id !== openConversation()),
  send: chatApi.sendMessage,
  clock: browserClock,
  isOnline: () => navigator.onLine,
  sent: () => void refreshChats(),
});
