import { useStore } from '@nanostores/react';
import { useEffect, type ComponentProps } from 'react';
import type { ContextDialog } from '../memory/ContextDialog.tsx';
import type { KeyboardShortcutsDialog } from '../dialogs/KeyboardShortcutsDialog.tsx';
import type { RegenerateDialog } from '../dialogs/RegenerateDialog.tsx';
import type { TrashDialog } from '../dialogs/TrashDialog.tsx';
import { useChat, useChatField, useShownMessage } from '../chat-context.ts';
import { isMessageDeleted } from '../state/chat-actions.ts';
import { createLazyDialog } from '../dialogs/LazyDialog.tsx';
import { watchEdits } from '../composer/edit-drafts.ts';
import { restoreLostFocus } from './message-focus.ts';
import type { MessageMenu } from './MessageMenu.tsx';
import { $messageLayer, $messageMenu, $unsaved } from '../state/messages-state.ts';
import { UndoToasts } from '../UndoToasts.tsx';
import { useChatKeys } from '../use-chat-keys.ts';

const Menu = createLazyDialog<ComponentProps<typeof MessageMenu>>(
  async () => (await import('./MessageMenu.tsx')).MessageMenu,
);
const Keys = createLazyDialog<ComponentProps<typeof KeyboardShortcutsDialog>>(
  async () => (await import('../dialogs/KeyboardShortcutsDialog.tsx')).KeyboardShortcutsDialog,
);
const Trash = createLazyDialog<ComponentProps<typeof TrashDialog>>(
  async () => (await import('../dialogs/TrashDialog.tsx')).TrashDialog,
);
const Context = createLazyDialog<ComponentProps<typeof ContextDialog> & { open: boolean }>(
  async () => (await import('../memory/ContextDialog.tsx')).ContextDialog,
);
const Regenerate = createLazyDialog<ComponentProps<typeof RegenerateDialog> & { open: boolean }>(
  async () => (await import('../dialogs/RegenerateDialog.tsx')).RegenerateDialog,
);

/** The menu, dialogs, keyboard shortcuts and undo toasts of messages. Mounted once, outside the virtual list. */
export function MessageLayers() {
  const chat = useChat();
  const layer = useStore($messageLayer, { ssr: 'initial' });
  const menu = useStore($messageMenu, { ssr: 'initial' });
  useChatKeys();
  useEffect(() => watchEdits(chat, isMessageDeleted), [chat]);
  useUnsavedWarning();
  const close = () => $messageLayer.set(null);
  const closeMenu = () => $messageMenu.set(null);
  const seen = layer?.kind === 'context' ? layer.messageId : null;
  const regenerated = layer?.kind === 'regenerate' ? layer.messageId : null;
  const layerMessageId = seen ?? regenerated;
  const menuKey = menu?.key;
  const conversationId = useChatField('conversation')?.id;
  const openLayer = layer?.kind ?? (menu ? 'menu' : null);
  useEffect(() => {
    if (openLayer === null) return;
    // Return focus to the messages when the layer closes and the element that opened it is gone.
    return () => {
      const { messages } = chat.$chat.get().view;
      restoreLostFocus(menuKey ?? messages.find(({ id }) => id === layerMessageId)?.key ?? null);
    };
  }, [chat, openLayer, menuKey, layerMessageId]);

  const onMessageLost = useShownMessage(menuKey) === undefined && menu !== null;
  const phase = useChatField('phase');
  const onConversationLost = phase === 'deleted' || phase === 'not-found';
  useEffect(() => {
    // The menu must not reopen when its message is restored.
    if (onMessageLost || onConversationLost) $messageMenu.set(null);
    if (onConversationLost && $messageLayer.get()?.kind !== 'keys') $messageLayer.set(null);
  }, [onMessageLost, onConversationLost]);

  return (
    <>
      <Menu open={menu !== null} onClose={closeMenu} />
      <UndoToasts />
      <Keys open={layer?.kind === 'keys'} onClose={close} />
      {conversationId !== undefined ? (
        <>
          <Trash open={layer?.kind === 'trash'} onClose={close} conversationId={conversationId} />
          <Regenerate open={regenerated !== null} messageId={regenerated} onClose={close} />
          <Context open={seen !== null} messageId={seen} onClose={close} conversationId={conversationId} />
        </>
      ) : null}
    </>
  );
}

/** Makes the browser ask before the page is left with unsaved edits. */
function useUnsavedWarning(): void {
  useEffect(() => {
    // Reads the store, not rendered state: the page may be left before the next render.
    const ask = (event: Event) => {
      if ($unsaved.get()) event.preventDefault();
    };
    const stop = $unsaved.subscribe((unsaved) => {
      // A page with this listener is excluded from the back/forward cache, so add it only when needed.
      if (unsaved) window.addEventListener('beforeunload', ask);
      else window.removeEventListener('beforeunload', ask);
    });
    return () => {
      stop();
      window.removeEventListener('beforeunload', ask);
    };
  }, []);
}
