import { atom } from 'nanostores';
import type { Chat, ChatState } from '../chat.ts';
import {
  $editing,
  closeEdit,
  heardInStorage,
  namedBy,
  takeUpEdits,
  writtenOver,
  type EditKey,
} from './edit-drafts.ts';

/** Edits that have no message any more, and hold a text that was not saved. */
export const $lostEdits = atom<readonly EditKey[]>([]);

/** Gives up an edit that has lost its message. */
export function closeLostEdit(key: EditKey): void {
  closeEdit(key);
  forget(key);
}

function forget(key: EditKey): void {
  const lost = $lostEdits.get();
  if (lost.includes(key)) $lostEdits.set(lost.filter((one) => one !== key));
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
  let looked: Pick<ChatState, 'view' | 'phase'> | null = null;
  let openId: string | null = null;

  const stands = (messageId: string) => $chat.get().view.messages.some(({ id }) => id === messageId);

  async function ask(key: EditKey): Promise<void> {
    const { conversationId, messageId } = namedBy(key);
    const gone = await isDeleted(conversationId, messageId);
    const { conversation, phase } = $chat.get();
    if (!gone || stands(messageId) || conversation?.id !== conversationId || phase !== 'ready') return;
    if (!$editing.get().has(key)) return;
    // Nothing was written over it: there is nothing to keep.
    if (writtenOver(key) === null) closeEdit(key);
    else $lostEdits.set([...$lostEdits.get(), key]);
  }

  function look(): void {
    const state = $chat.get();
    const { conversation, phase, view, earlierCursor, laterCursor } = state;
    if (phase !== 'ready' || !conversation) return;
    if (openId !== conversation.id) {
      openId = conversation.id;
      takeUpEdits(openId);
    }
    if (looked?.view === view && looked.phase === phase) return;
    looked = state;
    for (const key of $editing.get()) {
      const { conversationId, messageId } = namedBy(key);
      if (conversationId !== conversation.id) continue;
      if (stands(messageId)) {
        askedAt.delete(key);
        // It was had back: the text is in its place again.
        forget(key);
        continue;
      }
      const part = `${earlierCursor} ${laterCursor}`;
      if ($lostEdits.get().includes(key) || askedAt.get(key) === part) continue;
      askedAt.set(key, part);
      void ask(key);
    }
  }

  const stops = [$chat.subscribe(look), $editing.listen(() => ((looked = null), look()))];
  globalThis.addEventListener?.('storage', heardInStorage);
  return () => {
    for (const stop of stops) stop();
    globalThis.removeEventListener?.('storage', heardInStorage);
  };
}
