import { useStore } from '@nanostores/react';
import { useEffect, useId, useState } from 'react';
import { Icon } from '../shared/ui/Icon.tsx';
import { refreshConversationList } from '../shared/conversation-list-state.ts';
import { useTranslate } from '../shared/i18n.tsx';
import { Modal } from '../shared/ui/Modal.tsx';
import { QUIET, SECONDARY, ICON } from '../shared/styles.ts';
import { showToast } from '../shared/toasts-state.ts';

import { useChat } from './chat-context.ts';
import { ChatRows, type ChatRow } from './messages/ChatRows.tsx';
import { restoreConversation, deleteConversation, renameConversation } from './state/chat-actions.ts';
import { openChatDialog, SEARCH_HREF } from './dialogs/dialog-state.ts';
import { RenameDialog } from './dialogs/RenameDialog.tsx';
import { getConversationTitle } from './conversation-title.ts';

/** The list of conversations, grouped by age. Each row links to its conversation and has its actions. */
export function Drawer({
  open,
  onClose,
  currentId,
}: {
  open: boolean;
  onClose: () => void;
  currentId: string | null;
}) {
  const words = useTranslate('chat');
  const titleId = useId();
  // The last conversation deleted here: the drawer offers to undo it, and a toast does after the drawer closes.
  const [deleted, setDeleted] = useState<ChatRow | null>(null);
  useEffect(() => {
    if (open) void refreshConversationList();
  }, [open]);
  const close = () => {
    if (deleted)
      showToast({
        text: words('chatDeleted', { name: getConversationTitle(deleted) }),
        action: { label: words('undo'), run: () => void restoreConversation(deleted.id) },
      });
    setDeleted(null);
    onClose();
  };
  return (
    <Modal
      open={open}
      onClose={close}
      labelledBy={titleId}
      closeOnBackdrop
      className="me-0 ms-auto my-0 h-dvh max-h-dvh end-0 w-[calc(min(22rem,90vw)+env(safe-area-inset-right))] pe-[env(safe-area-inset-right)] overflow-y-auto overscroll-contain border-s border-line bg-surface [box-shadow:var(--lift)]"
    >
      <div className="flex min-h-full flex-col gap-4 px-4 pt-[max(1rem,env(safe-area-inset-top))] pb-[max(1rem,env(safe-area-inset-bottom))]">
        <header className="flex items-center">
          <h2 id={titleId} className="font-serif text-xl">
            {words('chatsTitle')}
          </h2>
          <button
            type="button"
            className={`${ICON} ms-auto`}
            aria-label={words('closeChats')}
            onClick={close}
          >
            <Icon name="close" />
          </button>
        </header>
        <DrawerActions onClose={close} />
        <DrawerRows currentId={currentId} deleted={deleted} setDeleted={setDeleted} onClose={close} />
        <button
          type="button"
          className={`${QUIET} -ms-2 mt-auto self-start`}
          aria-haspopup="dialog"
          onClick={() => {
            // The dialog that opens lists the deleted conversation, so drop the undo.
            setDeleted(null);
            openChatDialog('deleted');
          }}
        >
          <Icon name="trash" />
          {words('deletedChatsTitle')}
        </button>
      </div>
    </Modal>
  );
}

/** The actions that do not concern a row of the list. */
function DrawerActions({ onClose }: { onClose: () => void }) {
  const chat = useChat();
  const { phase, startingNew, conversation } = useStore(chat.$chat, { ssr: 'initial' });
  const words = useTranslate('chat');
  const isDisabled = startingNew || phase === 'starting' || phase === 'signed-out';
  return (
    <nav aria-label={words('chatsTitle')} className="-ms-2 flex flex-col items-start">
      {conversation ? (
        <button
          type="button"
          className={QUIET}
          disabled={isDisabled}
          onClick={() => {
            onClose();
            void chat.startNew();
          }}
        >
          <Icon name="create" />
          {words('newChat')}
        </button>
      ) : null}
      <a className={QUIET} href={SEARCH_HREF}>
        <Icon name="search" />
        {words('searchChats')}
      </a>
    </nav>
  );
}

function DrawerRows({
  currentId,
  deleted,
  setDeleted,
  onClose,
}: {
  currentId: string | null;
  deleted: ChatRow | null;
  setDeleted: (row: ChatRow | null) => void;
  onClose: () => void;
}) {
  const chat = useChat();
  const words = useTranslate('chat');
  const errors = useTranslate('errors');
  const [renaming, setRenaming] = useState<ChatRow | null>(null);
  const [problem, setProblem] = useState<'conversation_delete_failed' | 'restore_failed' | null>(null);

  const remove = async (row: ChatRow) => {
    setProblem(null);
    if (row.id === currentId) {
      // The page itself shows that the conversation was deleted, and offers to restore it.
      onClose();
      await chat.remove();
      return;
    }
    if (await deleteConversation(row.id)) setDeleted(row);
    else setProblem('conversation_delete_failed');
  };
  const undoDelete = async () => {
    if (!deleted) return;
    setProblem(null);
    if (await restoreConversation(deleted.id)) setDeleted(null);
    else setProblem('restore_failed');
  };
  return (
    <>
      <div role="status" className="flex items-center justify-between gap-2 text-sm empty:hidden">
        {deleted ? (
          <>
            <p className="min-w-0 break-words">
              {words('chatDeleted', { name: getConversationTitle(deleted) })}
            </p>
            <button type="button" className={`${SECONDARY} shrink-0`} onClick={() => void undoDelete()}>
              {words('undo')}
            </button>
          </>
        ) : null}
      </div>
      <p role="alert" className="text-danger empty:hidden">
        {problem ? errors(problem) : null}
      </p>
      <ChatRows currentId={currentId} onRename={setRenaming} onDelete={(row) => void remove(row)} />
      {renaming ? (
        <RenameDialog
          open
          onClose={() => setRenaming(null)}
          chat={renaming}
          rename={(title) => renameConversation(chat, renaming.id, title)}
        />
      ) : null}
    </>
  );
}
