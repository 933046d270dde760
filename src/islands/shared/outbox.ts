import type { ModelChoice } from '../../features/model/contract.ts';
import { USER_KEY_PREFIXES } from './user-storage.ts';

/** The part of the browser's storage that drafts need. */
export type TextStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** The part of the browser's locks that keeps two tabs from doing the same. */
export interface TabLocks {
  /** Runs with a lock that no other tab holds meanwhile. Where one does, it waits, or runs with null at once. */
  request<T>(
    name: string,
    options: { ifAvailable: boolean },
    run: (lock: object | null) => Promise<T>,
  ): Promise<T>;
  query(): Promise<{ held?: { name?: string }[] }>;
}

/** A message that was handed over for sending and not yet confirmed. */
export interface OutboxItem {
  turnId: string;
  text: string;
  /** It goes out by itself once there is a network. */
  waits?: boolean;
  /** It was handed to the network before: it may have arrived. */
  tried?: boolean;
  /** Since when a tab has been sending it, in milliseconds since 1970. */
  sendingSince?: number;
  /** The model that was chosen when it was written. */
  model?: ModelChoice;
}

/** What every conversation has waiting on this device. All tabs see the same. */
export interface Outbox {
  outbox(conversationId: string): OutboxItem[];
  /**
   * An item of the same turn gives way to it and keeps its place in the order.
   * @returns whether the device keeps it
   */
  saveToOutbox(conversationId: string, item: OutboxItem): boolean;
  removeFromOutbox(conversationId: string, turnId: string): void;
  /** Does something with a turn that no other tab does meanwhile. @returns null where another one is at it */
  withTurnLock<T>(turnId: string, run: () => Promise<T>): Promise<T | null>;
  /** Whether a tab is really sending it, or was closed over it. */
  isSending(item: OutboxItem): Promise<boolean>;
}

/** In milliseconds: where nobody can say which tab sends something, one that takes longer was closed. */
const MAX_SENDING_MS = 60_000;

/** In milliseconds: what could not leave is tried again after so long, and ever later. */
const MIN_RETRY_MS = 5000;
const MAX_RETRY_MS = 60_000;

/** How long to wait before what could not leave is tried again, in milliseconds, after so many tries in vain. */
export const getRetryDelayMs = (failedAttempts: number): number =>
  Math.min(MIN_RETRY_MS * 2 ** failedAttempts, MAX_RETRY_MS);

const getOutboxKey = (id: string) => USER_KEY_PREFIXES.outbox + id;
const getLockName = (turnId: string) => `send:${turnId}`;

/** How an item stands, as far as the item says. */
export function getDelivery(item: OutboxItem, now: number): 'pending' | 'waiting' | 'unsent' {
  if (item.sendingSince === undefined) return item.waits === true ? 'waiting' : 'unsent';
  return now - item.sendingSince < MAX_SENDING_MS ? 'pending' : 'waiting';
}

/**
 * Keeps an outbox in a storage. A storage that is full or forbidden costs only the safety net: nothing here throws.
 * @param storage null where the browser offers none
 * @param locks null where the browser offers none: then only times tell what another tab is at
 */
export function createOutbox(
  storage: TextStorage | null,
  locks: TabLocks | null = null,
  now: () => number = Date.now,
): Outbox {
  const outbox = (id: string): OutboxItem[] => {
    try {
      const items: unknown = JSON.parse(storage?.getItem(getOutboxKey(id)) || '[]');
      return Array.isArray(items) ? items.filter(isOutboxItem) : [];
    } catch {
      return [];
    }
  };
  const save = (id: string, items: OutboxItem[]): boolean => {
    try {
      if (items.length === 0) storage?.removeItem(getOutboxKey(id));
      else storage?.setItem(getOutboxKey(id), JSON.stringify(items));
      return storage !== null;
    } catch {
      // Nothing can be kept on this device; what is on the screen is untouched.
      return false;
    }
  };

  return {
    outbox,
    saveToOutbox: (id, item) => {
      const items = outbox(id);
      const index = items.findIndex(({ turnId }) => turnId === item.turnId);
      return save(id, index < 0 ? [...items, item] : items.with(index, item));
    },
    removeFromOutbox: (id, turnId) => {
      const items = outbox(id);
      const remaining = items.filter((item) => item.turnId !== turnId);
      if (remaining.length < items.length) save(id, remaining);
    },
    withTurnLock: (turnId, run) =>
      locks
        ? locks.request(getLockName(turnId), { ifAvailable: true }, async (lock) =>
            lock === null ? null : await run(),
          )
        : run(),
    async isSending(item) {
      if (getDelivery(item, now()) !== 'pending') return false;
      if (!locks) return true;
      const { held = [] } = await locks.query();
      return held.some(({ name }) => name === getLockName(item.turnId));
    },
  };
}

/** The browser's locks, or null where it offers none. */
export function getTabLocks(): TabLocks | null {
  return (globalThis.navigator?.locks as unknown as TabLocks | undefined) ?? null;
}

function isOutboxItem(item: unknown): item is OutboxItem {
  const { turnId, text, waits, sendingSince } = (item ?? {}) as Partial<OutboxItem>;
  return (
    typeof turnId === 'string' &&
    typeof text === 'string' &&
    (waits === undefined || typeof waits === 'boolean') &&
    (sendingSince === undefined || typeof sendingSince === 'number')
  );
}
