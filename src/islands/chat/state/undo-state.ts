import { atom } from 'nanostores';
import type { Undoable } from '../chat.ts';

/** The last action that can be undone; a new object each time. */
export const $undoable = atom<Undoable | null>(null);
