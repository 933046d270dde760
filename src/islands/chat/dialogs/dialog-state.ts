import { atom } from 'nanostores';

/** A dialog of the chat as a whole. */
export type FrameDialog = 'model' | 'persona' | 'drawer' | 'rename' | 'memory' | 'files' | 'deleted';

/** The one that is open. */
export const $frame = atom<FrameDialog | null>(null);

/** Opens a dialog in the place of the one that is open. */
export const openFrame = (dialog: FrameDialog) => $frame.set(dialog);
export const closeFrame = () => $frame.set(null);

/** Where all of one's conversations are searched. */
export const SEARCH_HREF = '/chats/search';
