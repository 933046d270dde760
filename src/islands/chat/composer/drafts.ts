import { createOutbox, type Outbox, type TabLocks, type TextStorage } from '../../shared/outbox.ts';
import { USER_KEY_PREFIXES, listUserStorageKeys } from '../../shared/user-storage.ts';

export type { OutboxItem, TextStorage } from '../../shared/outbox.ts';

/** What another tab did to the device's storage; empty texts where there is none. */
export interface StorageChange {
  key: string;
  before: string;
  now: string;
}

/** What a conversation keeps on the device: the text in its box, and messages that are not confirmed. */
export interface Drafts extends Outbox {
  /** The text in this tab's box, also after a reload; where tabs have no names, all have one text. */
  getDraft(conversationId: string): string;
  saveDraft(conversationId: string, text: string): void;
  /**
   * This tab shows the box of this conversation from now on, and of no other. What tabs left in theirs that show it no
   * more goes along with what stands here.
   * @returns whether there was anything
   */
  claimDraft(conversationId: string): Promise<boolean>;
  /** Hears of what other tabs do. The answer ends that. */
  subscribe(handlers: {
    outbox(conversationId: string): void;
    draft(conversationId: string, before: string, now: string): void;
  }): () => void;
}

const getDraftKey = (id: string) => USER_KEY_PREFIXES.draft + id;

/** Where drafts are kept. */
export type DraftStorage = TextStorage & Pick<Storage, 'key' | 'length'>;

/** What drafts need of the browser beside its storage. */
export interface DraftsDeps {
  /** The name of this tab, which no other has and which outlives a reload; null where there can be none. */
  tab?: string | null;
  locks?: TabLocks | null;
  /** Hears of what other tabs store. The answer ends that. */
  watchStorage?: (heard: (change: StorageChange) => void) => () => void;
  now?: () => number;
}

/**
 * Keeps drafts in a storage. A storage that is full or forbidden costs only the safety net: nothing here throws.
 * @param storage null where the browser offers none
 */
export function createDrafts(
  storage: DraftStorage | null,
  { tab = null, locks = null, watchStorage: changes = () => () => {}, now = Date.now }: DraftsDeps = {},
): Drafts {
  let releaseLock = () => {};
  // Nobody could say which of the others is open: then none has a text of its own.
  const getOwnKey = (id: string) =>
    tab === null || locks === null ? getDraftKey(id) : `${getDraftKey(id)}:${tab}`;
  const read = (key: string): string => {
    try {
      return storage?.getItem(key) ?? '';
    } catch {
      return '';
    }
  };
  const write = (key: string, text: string): void => {
    try {
      if (text === '') storage?.removeItem(key);
      else storage?.setItem(key, text);
    } catch {
      // Nothing can be kept on this device; what is on the screen is untouched.
    }
  };

  /** Takes what stands in boxes of a conversation that no tab shows. */
  async function collectOrphanedDrafts(id: string, own: string, held: TabLocks['query']): Promise<boolean> {
    const names = new Set((await held()).held?.map(({ name }) => name));
    const left = listUserStorageKeys(storage, [getDraftKey(id)]).filter(
      (key) => key !== own && !names.has(key),
    );
    if (left.length === 0) return false;
    const text = left.toSorted().reduceRight((typed, key) => joinDrafts(read(key), typed), read(own));
    write(own, text);
    // Where it could not be kept here, it stays where it is.
    if (read(own) !== text) return false;
    for (const key of left) write(key, '');
    return true;
  }

  return {
    ...createOutbox(storage, locks, now),
    getDraft: (id) => read(getOwnKey(id)),
    saveDraft: (id, text) => write(getOwnKey(id), text),
    async claimDraft(id) {
      releaseLock();
      const own = getOwnKey(id);
      if (locks === null || own === getDraftKey(id)) return false;
      const shown = new Promise<void>((resolve) => (releaseLock = resolve));
      const waiting = { ifAvailable: false };
      // While a box shows, its tab holds the lock of its text. It goes with the page, however that goes.
      locks.request(own, waiting, () => shown).catch(() => {});
      // One tab at a time takes, so that no text goes to two.
      const collect = () => collectOrphanedDrafts(id, own, () => locks.query());
      return locks.request(`left:${id}`, waiting, collect).catch(() => false);
    },
    subscribe: (heard) =>
      changes(({ key, before, now: text }) => {
        const { outbox, draft } = USER_KEY_PREFIXES;
        if (key.startsWith(outbox)) heard.outbox(key.slice(outbox.length));
        if (key.startsWith(draft)) heard.draft(key.slice(draft.length), before, text);
      }),
  };
}

/** What was kept and what was typed before that was there, as one text. */
export function joinDrafts(kept: string, typed: string): string {
  if (kept.trim() === '' || typed.startsWith(kept)) return typed;
  return typed.trim() === '' ? kept : `${kept.trimEnd()}\n${typed}`;
}
