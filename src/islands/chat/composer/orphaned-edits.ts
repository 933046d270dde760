import { atom } from 'nanostores';
import type { Chat, ChatState } from '../chat.ts';
import {
  $editing,
  closeEdit,
  handleStorageEvent,
  parseEditKey,
  restoreEdits,
  getEditText,
  type EditKey,
} from './edit-drafts.ts';

/** Edits with unsaved text whose message was deleted. */
export const $orphanedEdits = atom<readonly EditKey[]>([]);

/** Discards an edit whose message was deleted. */
export function closeOrphanedEdit(key: EditKey): void {
  closeEdit(key);
  removeOrphan(key);
}

function removeOrphan(key: EditKey): void {
  const orphans = $orphanedEdits.get();
  if (orphans.includes(key)) $orphanedEdits.set(orphans.filter((one) => one !== key));
}

/**
 * Restores the stored edits of a conversation when it opens, and keeps the unsaved text of an edit when its message is
 * deleted.
 * @param isDeleted whether a message was deleted, as opposed to being in a part of the history that is not loaded
 * @returns a function that stops watching
 */
export function watchEdits(
  { $chat }: Pick<Chat, '$chat'>,
  isDeleted: (conversationId: string, messageId: string) => Promise<boolean>,
): () => void {
  // The loaded part of the history (its cursors) for which each edit was last checked.
  const askedAt = new Map<EditKey, string>();
  let lastState: Pick<ChatState, 'view' | 'phase'> | null = null;
  let openId: string | null = null;

  const isShown = (messageId: string) => $chat.get().view.messages.some(({ id }) => id === messageId);

  async function checkDeleted(key: EditKey): Promise<void> {
    const { conversationId, messageId } = parseEditKey(key);
    const gone = await isDeleted(conversationId, messageId);
    const { conversation, phase } = $chat.get();
    if (!gone || isShown(messageId) || conversation?.id !== conversationId || phase !== 'ready') return;
    if (!$editing.get().has(key)) return;
    // Without changed text there is nothing to keep.
    if (getEditText(key) === null) closeEdit(key);
    else $orphanedEdits.set([...$orphanedEdits.get(), key]);
  }

  function reviewEdits(): void {
    const state = $chat.get();
    const { conversation, phase, view, earlierCursor, laterCursor } = state;
    if (phase !== 'ready' || !conversation) return;
    if (openId !== conversation.id) {
      openId = conversation.id;
      restoreEdits(openId);
    }
    if (lastState?.view === view && lastState.phase === phase) return;
    lastState = state;
    for (const key of $editing.get()) {
      const { conversationId, messageId } = parseEditKey(key);
      if (conversationId !== conversation.id) continue;
      if (isShown(messageId)) {
        askedAt.delete(key);
        // The message was restored, so the text is back in its place.
        removeOrphan(key);
        continue;
      }
      const part = `${earlierCursor} ${laterCursor}`;
      if ($orphanedEdits.get().includes(key) || askedAt.get(key) === part) continue;
      askedAt.set(key, part);
      void checkDeleted(key);
    }
  }

  const unsubscribers = [
    $chat.subscribe(reviewEdits),
    $editing.listen(() => ((lastState = null), reviewEdits())),
  ];
  globalThis.addEventListener?.('storage', handleStorageEvent);
  return () => {
    for (const stop of unsubscribers) stop();
    globalThis.removeEventListener?.('storage', handleStorageEvent);
  };
}
