import { atom } from 'nanostores';
import { getDeviceStorage } from '../../shared/device-storage.ts';
import { USER_KEY_PREFIXES } from '../../shared/user-storage.ts';

/** Names a message of one conversation: a fork has the same messages, and edits of its own. */
export type EditKey = `${string}:${string}`;

export const toEditKey = (conversationId: string, messageId: string): EditKey =>
  `${conversationId}:${messageId}`;

/** The conversation and the message that a key names. */
export function parseEditKey(key: EditKey): { conversationId: string; messageId: string } {
  const [conversationId = '', messageId = ''] = key.split(':');
  return { conversationId, messageId };
}

/** Where the device keeps what was written over a message: a draft, which goes when its writer signs out. */
const STORAGE_PREFIX = `${USER_KEY_PREFIXES.draft}edit:`;

/** The messages that are being edited. */
export const $editing = atom<ReadonlySet<EditKey>>(new Set());

/** What somebody wrote over messages and has not saved. A list that draws only a part keeps it so. */
export const $editTexts = atom<ReadonlyMap<EditKey, string>>(new Map());
/** Whether there is any such text. */
export const $unsaved = atom(false);
/** The message whose text field is to take the focus when it is drawn. */
let pendingFocus: EditKey | null = null;
/** The message whose text field had the focus when it left the page last. */
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

/** Whether a text field that is drawn now is the one just asked for. It says so once. */
export function claimFocus(key: EditKey): boolean {
  if (pendingFocus !== key) return false;
  pendingFocus = null;
  return true;
}

/** Notes that a text field leaves the page with the focus in it. */
export const recordFocus = (key: EditKey): void => void (lastFocused = key);

/** Whether the text field of this message had the focus when it left the page. It says so once. */
export function claimLastFocus(key: EditKey): boolean {
  if (lastFocused !== key) return false;
  lastFocused = null;
  return true;
}

/** The text over a message that is not saved; null when nothing was written. */
export const getEditText = (key: EditKey): string | null => $editTexts.get().get(key) ?? null;

/** Keeps a text over a message that is not saved, on the device too; null when it is what the message says. */
export function saveEditText(key: EditKey, text: string | null): void {
  setEditText(key, text);
  try {
    if (text === null) getDeviceStorage()?.removeItem(STORAGE_PREFIX + key);
    else getDeviceStorage()?.setItem(STORAGE_PREFIX + key, text);
  } catch {
    // Nothing can be kept on this device: it stays for as long as the page does.
  }
}

function setEditText(key: EditKey, text: string | null): void {
  const written = new Map($editTexts.get());
  if (text === null) written.delete(key);
  else written.set(key, text);
  $editTexts.set(written);
  $unsaved.set(written.size > 0);
}

/** Goes on with the edits of a conversation that this device keeps: the page that held them was closed or lost. */
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
    // A storage that may not be read holds nothing of ours.
  }
}

/** Follows another tab in an edit in which nothing else was written here: what is saved or given up there is done with. */
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
