import { createOutbox, type Outbox, type TabLocks, type TextStorage } from '../../shared/outbox.ts';
import { USER_KEY_PREFIXES, listUserStorageKeys } from '../../shared/user-storage.ts';
import { atom, type ReadableAtom } from 'nanostores';
import type { ChatDeps, ChatState } from '../chat.ts';

export type { OutboxItem, TextStorage } from '../../shared/outbox.ts';

/** A change that another tab made to the storage; empty texts for missing values. */
export interface StorageChange {
  key: string;
  before: string;
  now: string;
}

/** What the device stores for conversations: the composer's text, and messages that the server has not confirmed. */
export interface Drafts extends Outbox {
  /** The text of this tab's composer; survives a reload. Without tab names all tabs share one text. */
  getDraft(conversationId: string): string;
  saveDraft(conversationId: string, text: string): void;
  /**
   * Makes this tab's composer the one for this conversation, and for no other. Merges in the drafts of tabs that no
   * longer show the conversation.
   * @returns whether there were such drafts
   */
  claimDraft(conversationId: string): Promise<boolean>;
  /**
   * Watches changes made by other tabs.
   * @returns a function that stops watching
   */
  subscribe(handlers: {
    outbox(conversationId: string): void;
    draft(conversationId: string, before: string, now: string): void;
  }): () => void;
}

const getDraftKey = (id: string) => USER_KEY_PREFIXES.draft + id;

/** The part of the Storage interface that drafts need. */
export type DraftStorage = TextStorage & Pick<Storage, 'key' | 'length'>;

/** Browser features that drafts need in addition to the storage. */
export interface DraftsDeps {
  /** A name for this tab that is unique and survives a reload; null when there is none. */
  tab?: string | null;
  locks?: TabLocks | null;
  /**
   * Watches changes that other tabs make to the storage.
   * @returns a function that stops watching
   */
  watchStorage?: (listener: (change: StorageChange) => void) => () => void;
  now?: () => number;
}

/**
 * Keeps drafts in the browser's storage. Never throws: when the storage is full or blocked, drafts are not saved.
 * @param storage null when the browser has none
 */
export function createDrafts(
  storage: DraftStorage | null,
  { tab = null, locks = null, watchStorage: changes = () => () => {}, now = Date.now }: DraftsDeps = {},
): Drafts {
  let releaseLock = () => {};
  // Without names or locks, no tab can know which other tabs are open, so all share one draft.
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
      // Storage is full or blocked; the text on the screen is unaffected.
    }
  };

  /** Moves the drafts of tabs that no longer show the conversation into this tab's draft. */
  async function collectOrphanedDrafts(id: string, own: string, held: TabLocks['query']): Promise<boolean> {
    const names = new Set((await held()).held?.map(({ name }) => name));
    const left = listUserStorageKeys(storage, [getDraftKey(id)]).filter(
      (key) => key !== own && !names.has(key),
    );
    if (left.length === 0) return false;
    const text = left.toSorted().reduceRight((typed, key) => joinDrafts(read(key), typed), read(own));
    write(own, text);
    // The draft could not be stored here, so keep the originals.
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
      // A tab holds the lock of its draft while it shows it. The browser releases the lock however the page ends.
      locks.request(own, waiting, () => shown).catch(() => {});
      // A second lock, so that two tabs never take the same draft.
      const collect = () => collectOrphanedDrafts(id, own, () => locks.query());
      return locks.request(`left:${id}`, waiting, collect).catch(() => false);
    },
    subscribe: (listener) =>
      changes(({ key, before, now: text }) => {
        const { outbox, draft } = USER_KEY_PREFIXES;
        if (key.startsWith(outbox)) listener.outbox(key.slice(outbox.length));
        if (key.startsWith(draft)) listener.draft(key.slice(draft.length), before, text);
      }),
  };
}

/** Joins the stored draft with text typed before it was loaded. */
export function joinDrafts(kept: string, typed: string): string {
  if (kept.trim() === '' || typed.startsWith(kept)) return typed;
  return typed.trim() === '' ? kept : `${kept.trimEnd()}\n${typed}`;
}

/** The composer's text and its stored draft. */
export interface ComposerDraft {
  $draft: ReadableAtom<string>;
  setText(text: string): void;
  /**
   * Loads a conversation's draft. Text in the composer moves along: it is appended, and removed from the draft of the
   * conversation that it was typed in.
   */
  load(conversationId: string): void;
  /** Empties the composer without a conversation; stored drafts are kept. */
  reset(): void;
  /** Puts a text that was not sent before the composer's text. */
  prependText(text: string): void;
  /** Inserts a text below the user's own. `boxed` keeps both, so that the insertion can be undone. */
  insertBelow(text: string): void;
  /** Called when another tab changed a stored draft. */
  handleRemoteChange(conversationId: string, before: string, now: string): void;
}

export function createComposerDraft(
  drafts: ChatDeps['drafts'],
  state: () => Pick<ChatState, 'boxed'>,
  change: (part: Pick<ChatState, 'boxed'>) => void,
): ComposerDraft {
  const $draft = atom('');
  // The conversation whose draft is shown.
  let ownerId: string | null = null;

  function setText(text: string): void {
    $draft.set(text);
    if (ownerId !== null) drafts.saveDraft(ownerId, text);
  }

  return {
    $draft,
    setText,
    load(id) {
      const typed = $draft.get();
      if (ownerId === id) return;
      if (ownerId !== null && typed !== '' && drafts.getDraft(ownerId) === typed)
        drafts.saveDraft(ownerId, '');
      ownerId = id;
      const text = joinDrafts(drafts.getDraft(id), typed);
      $draft.set(text);
      if (typed !== '') drafts.saveDraft(id, text);
      void drafts.claimDraft(id).then((found) => {
        if (found && ownerId === id) $draft.set(drafts.getDraft(id));
      });
    },
    reset() {
      $draft.set('');
      ownerId = null;
    },
    prependText(text) {
      const draft = $draft.get();
      setText(draft === '' || draft === text ? text : `${text}\n${draft}`);
    },
    insertBelow(text) {
      const { boxed } = state();
      const draft = $draft.get();
      const before = boxed?.after === draft ? boxed.before : draft;
      const kept = before.trim() === '' ? '' : `${before.trimEnd()}\n`;
      setText(kept + text);
      change({ boxed: { before, after: kept + text, from: kept.length } });
    },
    handleRemoteChange(id, before, now) {
      const text = $draft.get();
      // Another tab emptied its composer, but this tab's text is still a draft.
      if (id === ownerId && now === '' && text !== '' && text !== before) drafts.saveDraft(id, text);
    },
  };
}
