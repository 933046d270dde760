import { atom } from 'nanostores';
import type { Undoable } from '../chat.ts';

/** What was done last and can be taken back; a new object each time. */
export const $undoable = atom<Undoable | null>(null);
