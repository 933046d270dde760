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

/** Edits that have no message any more, and hold a text that was not saved. */
export const $orphanedEdits = atom<readonly EditKey[]>([]);

/** Gives up an edit that has lost its message. */
export function closeOrphanedEdit(key: EditKey): void {
  closeEdit(key);
  removeOrphan(key);
}

function removeOrphan(key: EditKey): void {
  const orphans = $orphanedEdits.get();
  if (orphans.includes(key)) $orphanedEdits.set(orphans.filter((one) => one !== key));
}

/**
 * Looks after edits: those that the device keeps are gone on with where their conversation opens, and one whose message
 * was deleted takes nothing along that was written over it.
 * @param isDeleted whether a message is surely gone: it may as well only stand in a part that is not shown
 * @returns ends that
 */
export function watchEdits(
  { $chat }: Pick<Chat, '$chat'>,
  isDeleted: (conversationId: string, messageId: string) => Promise<boolean>,
): () => void {
  // In sight of which part of the history each was asked for.
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
    // Nothing was written over it: there is nothing to keep.
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
        // It was had back: the text is in its place again.
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
