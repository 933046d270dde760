import { atom } from 'nanostores';

/** A dialog that concerns the whole chat. */
export type ChatDialogName =
  | 'model'
  | 'persona'
  | 'reply'
  | 'appearance'
  | 'drawer'
  | 'rename'
  | 'memory'
  | 'files'
  | 'deleted';

/** The open dialog; null for none. */
export const $chatDialog = atom<ChatDialogName | null>(null);

/** Opens a dialog and closes the open one. */
export const openChatDialog = (dialog: ChatDialogName) => $chatDialog.set(dialog);
export const closeChatDialog = () => $chatDialog.set(null);

/** The page that searches all of the user's conversations. */
export const SEARCH_HREF = '/chats/search';
