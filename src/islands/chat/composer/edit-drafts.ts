import { atom } from 'nanostores';
import { getDeviceStorage } from '../../shared/device-storage.ts';
import { USER_KEY_PREFIXES } from '../../shared/user-storage.ts';
import type { Chat, ChatState } from '../chat.ts';

/** Identifies a message of one conversation. The conversation is part of it because a branch has the same message ids. */
export type EditKey = `${string}:${string}`;

export const toEditKey = (conversationId: string, messageId: string): EditKey =>
  `${conversationId}:${messageId}`;

/** Splits a key into its two ids. */
export function parseEditKey(key: EditKey): { conversationId: string; messageId: string } {
  const [conversationId = '', messageId = ''] = key.split(':');
  return { conversationId, messageId };
}

/** Storage prefix of unsaved edits. They are drafts, so signing out erases them. */
const STORAGE_PREFIX = `${USER_KEY_PREFIXES.draft}edit:`;

/** The messages with an open edit field. */
export const $editing = atom<ReadonlySet<EditKey>>(new Set());

/** The unsaved texts by message. Kept outside the components, because the virtual list unmounts rows. */
export const $editTexts = atom<ReadonlyMap<EditKey, string>>(new Map());
/** Whether there is an unsaved edit. */
export const $unsaved = atom(false);
/** The message whose edit field must take focus when it mounts. */
let pendingFocus: EditKey | null = null;
/** The message whose edit field had focus when it was last unmounted. */
let lastFocused: EditKey | null = null;

export function openEdit(key: EditKey): void {
  pendingFocus = key;
  open(key);
}

function open(key: EditKey): void {
  if (!$editing.get().has(key)) $editing.set(new Set([...$editing.get(), key]));
}

export function closeEdit(key: EditKey): void {
  saveEditText(key, null);
  $editing.set(new Set([...$editing.get()].filter((other) => other !== key)));
}

/** Whether a mounting field was just opened by the user. Returns true once per opening. */
export function claimFocus(key: EditKey): boolean {
  if (pendingFocus !== key) return false;
  pendingFocus = null;
  return true;
}

/** Records that a field was unmounted while it had focus. */
export const recordFocus = (key: EditKey): void => void (lastFocused = key);

/** Whether this message's field had focus when it was unmounted. Returns true once. */
export function claimLastFocus(key: EditKey): boolean {
  if (lastFocused !== key) return false;
  lastFocused = null;
  return true;
}

/** The unsaved text of a message; null when there is none. */
export const getEditText = (key: EditKey): string | null => $editTexts.get().get(key) ?? null;

/** Stores the unsaved text of a message, on the device too. Null removes it. */
export function saveEditText(key: EditKey, text: string | null): void {
  setEditText(key, text);
  try {
    if (text === null) getDeviceStorage()?.removeItem(STORAGE_PREFIX + key);
    else getDeviceStorage()?.setItem(STORAGE_PREFIX + key, text);
  } catch {
    // Storage is full or blocked: the text lasts as long as the page.
  }
}

function setEditText(key: EditKey, text: string | null): void {
  const written = new Map($editTexts.get());
  if (text === null) written.delete(key);
  else written.set(key, text);
  $editTexts.set(written);
  $unsaved.set(written.size > 0);
}

/** Opens the edits of a conversation that the device has stored, after the page was closed or reloaded. */
export function restoreEdits(conversationId: string): void {
  const prefix = `${STORAGE_PREFIX}${conversationId}:`;
  try {
    const storage = getDeviceStorage();
    const names = Array.from({ length: storage?.length ?? 0 }, (_, index) => storage?.key(index) ?? '');
    for (const name of names) {
      const key = name.slice(STORAGE_PREFIX.length) as EditKey;
      const text = name.startsWith(prefix) ? storage?.getItem(name) : null;
      if (text == null || $editing.get().has(key)) continue;
      setEditText(key, text);
      open(key);
    }
  } catch {
    // Storage that cannot be read holds no edits.
  }
}

/**
 * Applies another tab's change to an edit, unless this tab has changed it differently. Saving or discarding there closes
 * it here.
 */
export function handleStorageEvent({
  key: name,
  oldValue,
  newValue,
}: Pick<StorageEvent, 'key' | 'oldValue' | 'newValue'>): void {
  if (!name?.startsWith(STORAGE_PREFIX) || oldValue === null) return;
  const key = name.slice(STORAGE_PREFIX.length) as EditKey;
  if (getEditText(key) !== oldValue) return;
  if (newValue === null) closeEdit(key);
  else setEditText(key, newValue);
}

/** Edits with unsaved text whose message was deleted. */
export const $orphanedEdits = atom<readonly EditKey[]>([]);

/** Discards an edit whose message was deleted. */
export function closeOrphanedEdit(key: EditKey): void {
  closeEdit(key);
  removeOrphan(key);
}

function removeOrphan(key: EditKey): void {
  const orphans = $orphanedEdits.get();
  if (orphans.includes(key)) $orphanedEdits.set(orphans.filter((one) => one !== key));
}

/**
 * Restores the stored edits of a conversation when it opens, and keeps the unsaved text of an edit when its message is
 * deleted.
 * @param isDeleted whether a message was deleted, as opposed to being in a part of the history that is not loaded
 * @returns a function that stops watching
 */
export function watchEdits(
  { $chat }: Pick<Chat, '$chat'>,
  isDeleted: (conversationId: string, messageId: string) => Promise<boolean>,
): () => void {
  // The loaded part of the history (its cursors) for which each edit was last checked.
  const askedAt = new Map<EditKey, string>();
  let lastState: Pick<ChatState, 'view' | 'phase'> | null = null;
  let openId: string | null = null;

  const isShown = (messageId: string) => $chat.get().view.messages.some(({ id }) => id === messageId);

  async function checkDeleted(key: EditKey): Promise<void> {
    const { conversationId, messageId } = parseEditKey(key);
    const gone = await isDeleted(conversationId, messageId);
    const { conversation, phase } = $chat.get();
    if (!gone || isShown(messageId) || conversation?.id !== conversationId || phase !== 'ready') return;
    if (!$editing.get().has(key)) return;
    // Without changed text there is nothing to keep.
    if (getEditText(key) === null) closeEdit(key);
    else $orphanedEdits.set([...$orphanedEdits.get(), key]);
  }

  function reviewEdits(): void {
    const state = $chat.get();
    const { conversation, phase, view, earlierCursor, laterCursor } = state;
    if (phase !== 'ready' || !conversation) return;
    if (openId !== conversation.id) {
      openId = conversation.id;
      restoreEdits(openId);
    }
    if (lastState?.view === view && lastState.phase === phase) return;
    lastState = state;
    for (const key of $editing.get()) {
      const { conversationId, messageId } = parseEditKey(key);
      if (conversationId !== conversation.id) continue;
      if (isShown(messageId)) {
        askedAt.delete(key);
        // The message was restored, so the text is back in its place.
        removeOrphan(key);
        continue;
      }
      const part = `${earlierCursor} ${laterCursor}`;
      if ($orphanedEdits.get().includes(key) || askedAt.get(key) === part) continue;
      askedAt.set(key, part);
      void checkDeleted(key);
    }
  }

  const unsubscribers = [
    $chat.subscribe(reviewEdits),
    $editing.listen(() => ((lastState = null), reviewEdits())),
  ];
  globalThis.addEventListener?.('storage', handleStorageEvent);
  return () => {
    for (const stop of unsubscribers) stop();
    globalThis.removeEventListener?.('storage', handleStorageEvent);
  };
}
