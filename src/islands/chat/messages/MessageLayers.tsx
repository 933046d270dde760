import { useStore } from '@nanostores/react';
import { useEffect, type ComponentProps } from 'react';
import type { ContextDialog } from '../memory/ContextDialog.tsx';
import type { KeyboardShortcutsDialog } from '../dialogs/KeyboardShortcutsDialog.tsx';
import type { TrashDialog } from '../dialogs/TrashDialog.tsx';
import { useChat } from '../chat-context.ts';
import { isMessageDeleted } from '../state/chat-actions.ts';
import { createLazyDialog } from '../dialogs/LazyDialog.tsx';
import { watchEdits } from '../composer/orphaned-edits.ts';
import { restoreLostFocus } from './message-focus.ts';
import { MessageMenu } from './MessageMenu.tsx';
import { $messageLayer, $messageMenu, $unsaved } from '../state/messages-state.ts';
import { UndoToasts } from '../UndoToasts.tsx';
import { useChatKeys } from '../use-chat-keys.ts';

const Keys = createLazyDialog<ComponentProps<typeof KeyboardShortcutsDialog>>(
  async () => (await import('../dialogs/KeyboardShortcutsDialog.tsx')).KeyboardShortcutsDialog,
);
const Trash = createLazyDialog<ComponentProps<typeof TrashDialog>>(
  async () => (await import('../dialogs/TrashDialog.tsx')).TrashDialog,
);
const Context = createLazyDialog<ComponentProps<typeof ContextDialog> & { open: boolean }>(
  async () => (await import('../memory/ContextDialog.tsx')).ContextDialog,
);

/** What stands over the messages, whichever of them are drawn: their menu, dialogs, keys, and what can be undone. */
export function MessageLayers() {
  const chat = useChat();
  const layer = useStore($messageLayer, { ssr: 'initial' });
  const menu = useStore($messageMenu, { ssr: 'initial' });
  const { phase, conversation, view } = useStore(chat.$chat, { ssr: 'initial' });
  useChatKeys();
  useEffect(() => watchEdits(chat, isMessageDeleted), [chat]);
  useUnsavedWarning();
  const close = () => $messageLayer.set(null);
  const seen = layer?.kind === 'context' ? layer.messageId : null;
  const { messages } = view;
  const about = menu?.key ?? messages.find(({ id }) => id === seen)?.key ?? null;
  useFocusRestore(layer?.kind ?? (menu ? 'menu' : null), about);

  const onMessageLost = menu !== null && !messages.some(({ key }) => key === menu.key);
  const onConversationLost = phase === 'deleted' || phase === 'not-found';
  useEffect(() => {
    // A menu must not come back by itself with a message that is had back.
    if (onMessageLost || onConversationLost) $messageMenu.set(null);
    if (onConversationLost && $messageLayer.get()?.kind !== 'keys') $messageLayer.set(null);
  }, [onMessageLost, onConversationLost]);

  return (
    <>
      <MessageMenu />
      <UndoToasts />
      <Keys open={layer?.kind === 'keys'} onClose={close} />
      {conversation ? (
        <>
          <Trash open={layer?.kind === 'trash'} onClose={close} conversationId={conversation.id} />
          <Context open={seen !== null} messageId={seen} onClose={close} conversationId={conversation.id} />
        </>
      ) : null}
    </>
  );
}

/** Gives the focus back among the messages when what opened a layer is gone by the time that it closes. */
function useFocusRestore(layer: string | null, messageKey: string | null): void {
  useEffect(() => {
    return layer === null ? undefined : () => restoreLostFocus(messageKey);
  }, [layer, messageKey]);
}

/** Has the browser ask before the page is left while something that was written over a message is not saved. */
function useUnsavedWarning(): void {
  useEffect(() => {
    // The page may be left before anything is drawn again: it counts what is written, not what is shown.
    const ask = (event: Event) => {
      if ($unsaved.get()) event.preventDefault();
    };
    const stop = $unsaved.subscribe((unsaved) => {
      // A page with such a listener is not kept for the way back.
      if (unsaved) window.addEventListener('beforeunload', ask);
      else window.removeEventListener('beforeunload', ask);
    });
    return () => {
      stop();
      window.removeEventListener('beforeunload', ask);
    };
  }, []);
}
