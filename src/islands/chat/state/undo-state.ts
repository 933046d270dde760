import { atom } from 'nanostores';
import { TRASH } from '../../../features/character/limits.ts';
import type { Undoable } from '../chat.ts';

/** The last action that can be undone; a new object each time. */
export const $undoable = atom<Undoable | null>(null);

const DAY_MS = 24 * 60 * 60 * 1000;
/** Retention time of the trash in days, for texts. */
export const TRASH_DAYS = TRASH.retentionMs / DAY_MS;
