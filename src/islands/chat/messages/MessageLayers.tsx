import { useStore } from '@nanostores/react';
import { useEffect, type ComponentProps } from 'react';
import type { ContextDialog } from '../memory/ContextDialog.tsx';
import type { KeysDialog } from '../dialogs/KeyboardShortcutsDialog.tsx';
import type { TrashDialog } from '../dialogs/TrashDialog.tsx';
import { useChat } from '../chat-context.ts';
import { isDeleted } from '../state/chat-actions.ts';
import { fetchedDialog } from '../dialogs/LazyDialog.tsx';
import { watchEdits } from '../composer/orphaned-edits.ts';
import { rescueFocus } from './message-focus.ts';
import { MessageMenu } from './MessageMenu.tsx';
import { $layer, $messageMenu, $unsaved } from '../state/messages-state.ts';
import { UndoToasts } from '../UndoToasts.tsx';
import { useChatKeys } from '../use-chat-keys.ts';

const Keys = fetchedDialog<ComponentProps<typeof KeysDialog>>(
  async () => (await import('../dialogs/KeyboardShortcutsDialog.tsx')).KeysDialog,
);
const Trash = fetchedDialog<ComponentProps<typeof TrashDialog>>(
  async () => (await import('../dialogs/TrashDialog.tsx')).TrashDialog,
);
const Context = fetchedDialog<ComponentProps<typeof ContextDialog> & { open: boolean }>(
  async () => (await import('../memory/ContextDialog.tsx')).ContextDialog,
);

/** What stands over the messages, whichever of them are drawn: their menu, dialogs, keys, and what can be undone. */
export function MessageLayers() {
  const chat = useChat();
  const layer = useStore($layer, { ssr: 'initial' });
  const menu = useStore($messageMenu, { ssr: 'initial' });
  const { phase, conversation, view } = useStore(chat.$chat, { ssr: 'initial' });
  useChatKeys();
  useEffect(() => watchEdits(chat, isDeleted), [chat]);
  useUnsavedKept();
  const close = () => $layer.set(null);
  const seen = layer?.kind === 'context' ? layer.messageId : null;
  const { messages } = view;
  const about = menu?.key ?? messages.find(({ id }) => id === seen)?.key ?? null;
  useFocusKept(layer?.kind ?? (menu ? 'menu' : null), about);

  const lostMessage = menu !== null && !messages.some(({ key }) => key === menu.key);
  const lostChat = phase === 'deleted' || phase === 'not-found';
  useEffect(() => {
    // A menu must not come back by itself with a message that is had back.
    if (lostMessage || lostChat) $messageMenu.set(null);
    if (lostChat && $layer.get()?.kind !== 'keys') $layer.set(null);
  }, [lostMessage, lostChat]);

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
function useFocusKept(layer: string | null, messageKey: string | null): void {
  useEffect(() => {
    return layer === null ? undefined : () => rescueFocus(messageKey);
  }, [layer, messageKey]);
}

/** Has the browser ask before the page is left while something that was written over a message is not saved. */
function useUnsavedKept(): void {
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
