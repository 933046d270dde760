import { atom } from 'nanostores';
import { getDeviceStorage } from '../../shared/device-storage.ts';
import type { MessageKey } from '../../shared/i18n.tsx';
import type { Chat } from '../chat.ts';

/** The open message menu: next to a button, or at the bottom of the page. */
export interface MessageMenuState {
  /** The key of its message. */
  key: string;
  /** In window pixels; null for the bottom of the page. */
  anchor: { top: number; bottom: number; left: number; right: number } | null;
}

export const $messageMenu = atom<MessageMenuState | null>(null);

/** A dialog over the messages. */
export type MessageLayer =
  | { kind: 'context' | 'regenerate'; messageId: string }
  | { kind: 'trash' }
  | { kind: 'keys' };

export const $messageLayer = atom<MessageLayer | null>(null);

/** Whether there are unsaved edits, which the user is asked about before leaving the page. */
export { $unsaved } from '../composer/edit-drafts.ts';

export const openTrash = () => $messageLayer.set({ kind: 'trash' });
export const openKeyboardShortcuts = () => $messageLayer.set({ kind: 'keys' });

/** A text to announce to screen readers; a new object for each announcement. */
export interface Announcement {
  key: MessageKey<'chat'>;
  values?: Record<string, string | number>;
}

export const $announcement = atom<Announcement | null>(null);

/** Whether replies are read aloud as they arrive. The live region for replies is silent during that time. */
export const $isReadingReplies = atom(false);

/** The id of the message that is being read aloud; null while nothing is. */
export const $readMessageId = atom<string | null>(null);

/** What a voice needs to know of the chat. */
export interface ReadingContext {
  chat: Chat;
  /** The character's language; the interface's when it is unknown. */
  lang: string;
  /** What a user without a name is called. */
  nameless: string;
}

/** The chat of this page. */
export const $readingContext = atom<ReadingContext | null>(null);

/** The message with a newly selected version that has later messages, while the note about them shows. */
export const $laterMessagesNotice = atom<string | null>(null);

/** The message that was copied last, and whether that worked, while the result shows. */
export const $copied = atom<{ key: string; done: boolean } | null>(null);

/** Storage key of the setting for single-key shortcuts. */
const SINGLE_KEYS_STORAGE_KEY = 'single-keys';

/** Whether single-key shortcuts are on. Users of speech input need to turn them off. */
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
    // Storage is full or blocked: the setting lasts as long as the page.
  }
}
