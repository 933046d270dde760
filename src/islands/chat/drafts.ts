import { PRIVATE_KEYS } from '../shared/private-storage.ts';

/** The part of the browser's storage that drafts need. */
export type TextStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** A message that was handed over for sending and not yet confirmed. */
export interface OutboxItem {
  turnId: string;
  text: string;
}

/** What a conversation keeps on the device: the text in its box, and messages that are not confirmed. */
export interface Drafts {
  draft(conversationId: string): string;
  saveDraft(conversationId: string, text: string): void;
  outbox(conversationId: string): OutboxItem[];
  putInOutbox(conversationId: string, item: OutboxItem): void;
  takeFromOutbox(conversationId: string, turnId: string): void;
}

const draftKey = (id: string) => PRIVATE_KEYS.draft + id;
const outboxKey = (id: string) => PRIVATE_KEYS.outbox + id;

/**
 * Keeps drafts in a storage. A storage that is full or forbidden costs only the safety net: nothing here throws.
 * @param storage null where the browser offers none
 */
export function createDrafts(storage: TextStorage | null): Drafts {
  const read = (key: string): string => {
    try {
      return storage?.getItem(key) ?? '';
    } catch {
      return '';
    }
  };
  const write = (key: string, value: string) => {
    try {
      if (value === '') storage?.removeItem(key);
      else storage?.setItem(key, value);
    } catch {
      // Nothing can be kept on this device; what is on the screen is untouched.
    }
  };
  const outbox = (id: string): OutboxItem[] => {
    try {
      const items: unknown = JSON.parse(read(outboxKey(id)) || '[]');
      return Array.isArray(items) ? items.filter(isOutboxItem) : [];
    } catch {
      return [];
    }
  };
  const writeOutbox = (id: string, items: OutboxItem[]) =>
    write(outboxKey(id), items.length === 0 ? '' : JSON.stringify(items));

  return {
    draft: (id) => read(draftKey(id)),
    saveDraft: (id, text) => write(draftKey(id), text),
    outbox,
    putInOutbox: (id, item) =>
      writeOutbox(id, [...outbox(id).filter(({ turnId }) => turnId !== item.turnId), item]),
    takeFromOutbox: (id, turnId) =>
      writeOutbox(
        id,
        outbox(id).filter((item) => item.turnId !== turnId),
      ),
  };
}

function isOutboxItem(item: unknown): item is OutboxItem {
  const { turnId, text } = (item ?? {}) as Partial<OutboxItem>;
  return typeof turnId === 'string' && typeof text === 'string';
}
