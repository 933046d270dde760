import { atom } from 'nanostores';
import { getDeviceStorage } from '../../shared/device-storage.ts';
import type { MessageKey } from '../../shared/i18n.tsx';

/** Where a menu opens: beside a button, or at the page's lower edge. */
export interface MessageMenuState {
  /** The key of the message that it is about. */
  key: string;
  /** In pixels of the window; null for the lower edge. */
  anchor: { top: number; bottom: number; left: number; right: number } | null;
}

/** The menu of a message that is open. */
export const $messageMenu = atom<MessageMenuState | null>(null);

/** A dialog over the messages. */
export type MessageLayer = { kind: 'context'; messageId: string } | { kind: 'trash' } | { kind: 'keys' };

export const $messageLayer = atom<MessageLayer | null>(null);

/** Whether something is written over a message and not saved: asked before the page is left. */
export { $unsaved } from '../composer/edit-drafts.ts';

/** Opens the list of what was deleted in this conversation. */
export const openTrash = () => $messageLayer.set({ kind: 'trash' });
/** Opens the list of keys. */
export const openKeyboardShortcuts = () => $messageLayer.set({ kind: 'keys' });

/** Something that was done, to be said to those who listen; a new object each time. */
export interface Announcement {
  key: MessageKey<'chat'>;
  values?: Record<string, string | number>;
}

export const $announcement = atom<Announcement | null>(null);

/** The message of which another version was chosen last while later messages stand, for as long as that is said. */
export const $laterMessagesNotice = atom<string | null>(null);

/** The message whose text was last copied, or could not be, for as long as that shows. */
export const $copied = atom<{ key: string; done: boolean } | null>(null);

/** Where a device keeps that single keys are off. */
const SINGLE_KEYS_STORAGE_KEY = 'single-keys';

/** Whether single letters and signs do something among the messages. Who speaks to their device switches them off. */
export const $singleKeys = atom(readSingleKeys());

function readSingleKeys(): boolean {
  try {
    return getDeviceStorage()?.getItem(SINGLE_KEYS_STORAGE_KEY) !== 'off';
  } catch {
    return true;
  }
}

export function setSingleKeys(on: boolean): void {
  $singleKeys.set(on);
  try {
    getDeviceStorage()?.setItem(SINGLE_KEYS_STORAGE_KEY, on ? 'on' : 'off');
  } catch {
    // Nothing can be kept on this device: it holds for this page.
  }
}
