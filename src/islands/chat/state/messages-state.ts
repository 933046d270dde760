import { atom } from 'nanostores';
import { deviceStorage } from '../../shared/device-storage.ts';
import type { MessageKey } from '../../shared/i18n.tsx';

/** Where a menu opens: beside a button, or at the page's lower edge. */
export interface MenuPlace {
  /** The key of the message that it is about. */
  key: string;
  /** In pixels of the window; null for the lower edge. */
  beside: { top: number; bottom: number; left: number; right: number } | null;
}

/** The menu of a message that is open. */
export const $messageMenu = atom<MenuPlace | null>(null);

/** A dialog over the messages. */
export type Layer = { kind: 'context'; messageId: string } | { kind: 'trash' } | { kind: 'keys' };

export const $layer = atom<Layer | null>(null);

/** Whether something is written over a message and not saved: asked before the page is left. */
export { $unsaved } from '../composer/edit-drafts.ts';

/** Opens the list of what was deleted in this conversation. */
export const openTrash = () => $layer.set({ kind: 'trash' });
/** Opens the list of keys. */
export const openKeys = () => $layer.set({ kind: 'keys' });

/** Something that was done, to be said to those who listen; a new object each time. */
export interface Said {
  key: MessageKey<'chat'>;
  values?: Record<string, string | number>;
}

export const $said = atom<Said | null>(null);

/** The message of which another version was chosen last while later messages stand, for as long as that is said. */
export const $laterStay = atom<string | null>(null);

/** The message whose text was last copied, or could not be, for as long as that shows. */
export const $copied = atom<{ key: string; done: boolean } | null>(null);

/** Where a device keeps that single keys are off. */
const SINGLE_KEYS = 'single-keys';

/** Whether single letters and signs do something among the messages. Who speaks to their device switches them off. */
export const $singleKeys = atom(storedSingleKeys());

function storedSingleKeys(): boolean {
  try {
    return deviceStorage()?.getItem(SINGLE_KEYS) !== 'off';
  } catch {
    return true;
  }
}

export function setSingleKeys(on: boolean): void {
  $singleKeys.set(on);
  try {
    deviceStorage()?.setItem(SINGLE_KEYS, on ? 'on' : 'off');
  } catch {
    // Nothing can be kept on this device: it holds for this page.
  }
}
