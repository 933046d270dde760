import type { ModelChoice } from '../../features/model/contract.ts';
import { USER_KEY_PREFIXES } from './user-storage.ts';

/** The part of the Storage interface that drafts and the outbox need. */
export type TextStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** The part of the Web Locks API that is used here, to coordinate tabs. */
export interface TabLocks {
  /**
   * Runs a function while holding a lock across tabs. If another tab holds it: waits, or with `ifAvailable` runs at once
   * with null.
   */
  request<T>(
    name: string,
    options: { ifAvailable: boolean },
    run: (lock: object | null) => Promise<T>,
  ): Promise<T>;
  query(): Promise<{ held?: { name?: string }[] }>;
}

/** A message that was submitted and is not confirmed by the server yet. */
export interface OutboxItem {
  turnId: string;
  text: string;
  /** It is sent automatically when there is a network. */
  waits?: boolean;
  /** It was sent before, so it may have arrived. */
  tried?: boolean;
  /** When a tab started to send it, in milliseconds since the epoch. */
  sendingSince?: number;
  /** The model that was selected when the message was written. */
  model?: ModelChoice;
}

/** The unsent messages of all conversations on this device, shared by all tabs. */
export interface Outbox {
  outbox(conversationId: string): OutboxItem[];
  /**
   * Stores an item. It replaces an item of the same turn and keeps that item's position.
   * @returns whether the device could store it
   */
  saveToOutbox(conversationId: string, item: OutboxItem): boolean;
  removeFromOutbox(conversationId: string, turnId: string): void;
  /**
   * Runs a function while no other tab handles the turn.
   * @returns null when another tab does
   */
  withTurnLock<T>(turnId: string, run: () => Promise<T>): Promise<T | null>;
  /** Whether a tab is still sending the item, as opposed to having been closed. */
  isSending(item: OutboxItem): Promise<boolean>;
}

/** Milliseconds after which a sending tab counts as closed, when locks cannot tell. */
const MAX_SENDING_MS = 60_000;

/** Milliseconds between retries: starts with the minimum and doubles up to the maximum. */
const MIN_RETRY_MS = 5000;
const MAX_RETRY_MS = 60_000;

/**
 * Milliseconds to wait before the next retry.
 * @param failedAttempts number of failed attempts so far
 */
export const getRetryDelayMs = (failedAttempts: number): number =>
  Math.min(MIN_RETRY_MS * 2 ** failedAttempts, MAX_RETRY_MS);

const getOutboxKey = (id: string) => USER_KEY_PREFIXES.outbox + id;
const getLockName = (turnId: string) => `send:${turnId}`;

/** The delivery state of an item, judged by the item alone. */
export function getDelivery(item: OutboxItem, now: number): 'pending' | 'waiting' | 'unsent' {
  if (item.sendingSince === undefined) return item.waits === true ? 'waiting' : 'unsent';
  return now - item.sendingSince < MAX_SENDING_MS ? 'pending' : 'waiting';
}

/**
 * Creates an outbox in the browser's storage. Never throws: when the storage is full or blocked, messages are not stored.
 * @param storage null when the browser has none
 * @param locks null when the browser has none: then only timestamps show what another tab is sending
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
      // Storage is full or blocked; the message on the screen is unaffected.
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

/** The browser's Web Locks; null when it has none. */
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
