import { atom } from 'nanostores';

/** A dialog of the chat as a whole. */
export type ChatDialogName = 'model' | 'persona' | 'drawer' | 'rename' | 'memory' | 'files' | 'deleted';

/** The one that is open. */
export const $chatDialog = atom<ChatDialogName | null>(null);

/** Opens a dialog in the place of the one that is open. */
export const openChatDialog = (dialog: ChatDialogName) => $chatDialog.set(dialog);
export const closeChatDialog = () => $chatDialog.set(null);

/** Where all of one's conversations are searched. */
export const SEARCH_HREF = '/chats/search';
